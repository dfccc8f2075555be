import type { Caller } from '#platform/access.ts'
import type { Language, Text } from '#platform/language.ts'
import { pagingParameters } from '../paging.ts'
import { described, Fault, type Parameter, parameter, required, type Values } from '../parameters.ts'
import { isObject, timezone, truth, word } from '../rules.ts'
import { type Kind, type SourceName, sourceNames } from './source.ts'

/** What becomes of something that has been imported before and has changed at its source since. */
export const policies = ['overwrite', 'keep', 'skip'] as const
export type Policy = (typeof policies)[number]

export const statuses = ['waiting', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone'] as const
export type Status = (typeof statuses)[number]

export const outcomes = ['new', 'changed', 'same', 'skipped', 'problem'] as const
export type Outcome = (typeof outcomes)[number]

/** Images are rows of the report too: those that were fetched, and those that could not be. */
export const rowKinds = ['event', 'venue', 'organizer', 'category', 'tag', 'image'] as const
export type RowKind = Kind | 'image'

export type Counts = Record<Outcome | 'kept', number>

export const noCounts: Counts = { new: 0, changed: 0, same: 0, skipped: 0, problem: 0, kept: 0 }

/** An import as it is stored, without its file. */
export interface Import {
  id: number
  source: SourceName
  url: string | null
  fileName: string | null
  dryRun: boolean
  policy: Policy
  language: Language
  timezone: string
  mapping: Record<string, string> | null
  columns: string[] | null
  /** Known once the source has been opened. */
  origin: string | null
  basedOn: number | null
  authorId: number
  caller: Caller
  status: Status
  done: number
  total: number | null
  counts: Counts
  error: Text | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  canUndo: boolean
}

export interface Row {
  position: number
  kind: RowKind
  sourceId: string
  title: string
  outcome: Outcome
  reasons: Text[]
  itemId: number | null
}

/** What a file may have; the form around it comes on top. */
export const fileBytesMax = 10 * 1024 * 1024
const urlLengthMax = 2000
const columnsMax = 200
const nameLengthMax = 500

const webAddress: Parameter<string | null> = parameter(
  { type: ['string', 'null'], format: 'uri', pattern: '^(https?|webcal)://', maxLength: urlLengthMax },
  'The address of the site (tec) or of the calendar (ical; webcal: too).',
  given => {
    if (given === null || given === '') return null
    const text = typeof given === 'string' ? given.trim().replace(/^webcals?:/i, 'https:') : ''
    const fits = text.length <= urlLengthMax && /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text)
    return fits
      ? text
      : new Fault(
          'url',
          'must be a whole http address such as https://example.org',
          'muss eine ganze http-Adresse sein, etwa https://example.org'
        )
  }
)

/** In a form of several parts it may also come as JSON. */
const mapping: Parameter<Record<string, string> | null> = parameter(
  { type: ['object', 'null'], additionalProperties: { type: 'string' } },
  'CSV: the field that each column is, such as `{"Titel": "title"}`; columns with an empty field are left out.',
  given => {
    if (given === null || given === '') return null
    const read = typeof given === 'string' ? parsed(given) : given
    const entries = isObject(read) ? Object.entries(read) : []
    const fits =
      isObject(read) &&
      entries.length <= columnsMax &&
      entries.every(
        ([column, field]) =>
          typeof field === 'string' && column.length <= nameLengthMax && field.length <= nameLengthMax
      )
    return fits
      ? (Object.fromEntries(entries) as Record<string, string>)
      : new Fault(
          'mapping',
          `must be an object of at most ${columnsMax} columns, each with the name of a field`,
          `muss ein Objekt mit höchstens ${columnsMax} Spalten sein, jede mit dem Namen eines Feldes`
        )
  }
)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Which is taken is decided by the source: a calendar comes from either, a site from its address, a table as a file. */
const file: Parameter<unknown> = parameter(
  { type: 'string', format: 'binary' },
  'The file, as a part of a form (multipart/form-data); at most 10 MB.',
  given => given
)

const policy = word(
  'What has changed at its source since it was imported: `overwrite` what is here, `keep` what was edited here, or `skip` all that is here.',
  policies
)

export const newImport = {
  source: required(word('Where it comes from.', sourceNames)),
  url: webAddress,
  file,
  dry_run: described(truth(''), 'Only compare and report; nothing is written.', { default: true }),
  policy: described(policy, policy.description, { default: 'keep' }),
  timezone: timezone('The time zone of times that say none; the site’s if it is not said.'),
  mapping
}
export type NewImport = Values<typeof newImport>

/** What may be said differently when a try run is made real, or tried once more. */
export const runParameters = {
  mapping,
  policy,
  dry_run: described(truth(''), 'Only compare and report once more.', { default: false })
}

export const importFilters = pagingParameters

export const rowFilters = {
  ...pagingParameters,
  outcome: word('Only rows with this outcome.', outcomes)
}
