import type { Caller } from '#platform/caller.ts'
import type { Language, Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { canParseUrl } from '#platform/url/parse-url.ts'
import { newTimezoneParam } from '../contract/date-params.ts'
import {
  makeRequired,
  newParam,
  type Param,
  ParamError,
  type ParamValues,
  withDescription
} from '../contract/param-definition.ts'
import { isObject, newBoolParam, newEnumParam, newTextParam } from '../contract/params.ts'
import { pagingParams } from '../contract/routing/paging.ts'
import { type Reason, type ReasonCode, reasonCodes } from './sources/reason.ts'
import { itemKinds, type SourceName, sourceNames } from './sources/source.ts'

/** What to do with an item that was imported before and has changed at its source since. */
export const policies = ['overwrite', 'keep', 'skip'] as const
export type Policy = (typeof policies)[number]

export const importStatuses = ['waiting', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone'] as const
export type ImportStatus = (typeof importStatuses)[number]

/** The last three are those of comparisons, which also have `same`, `problem` and `gone`. */
export const outcomes = [
  'new',
  'changed',
  'same',
  'skipped',
  'problem',
  'gone',
  'explained',
  'differs',
  'missing'
] as const
export type Outcome = (typeof outcomes)[number]

/** Images and files are report rows too: downloaded ones and failed ones. */
export const rowKinds = [...itemKinds, 'image', 'file'] as const
export type RowKind = (typeof rowKinds)[number]

export type Counts = Record<Outcome | 'kept', number>

export const noCounts: Counts = {
  new: 0,
  changed: 0,
  same: 0,
  skipped: 0,
  problem: 0,
  gone: 0,
  explained: 0,
  differs: 0,
  missing: 0,
  kept: 0
}

/** An import as it is stored, without its file. */
export interface Import {
  id: number
  source: SourceName
  url: string | null
  fileName: string | null
  dryRun: boolean
  /** Compares what was imported with the source and writes nothing. */
  compares: boolean
  /** The newest comparison of this import. */
  comparison: number | null
  policy: Policy
  language: Language
  timezone: string
  mapping: Record<string, string> | null
  /** The user of the source's site whose application password the import uses. */
  loginUser: string | null
  columns: string[] | null
  /** Set once the source has been opened. */
  origin: string | null
  basedOn: number | null
  authorId: number
  caller: Caller
  status: ImportStatus
  done: number
  total: number | null
  counts: Counts
  error: Text | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  canUndo: boolean
}

export interface ImportRow {
  position: number
  kind: RowKind
  sourceId: string
  title: string
  outcome: Outcome
  reasons: Reason[]
  itemId: number | null
  /** The page of the item at the source. */
  sourceUrl: string | null
  /** Comparisons: how the item differs from its source. */
  differences: Difference[]
}

/** A field whose value here is not the one at the source. */
export interface Difference {
  field: string
  theirs: string
  ours: string
  /** Why, if it is known. */
  reason?: Reason
}

/** Maximum file size, without the form data around it. */
export const fileBytesMax = 10 * 1024 * 1024
const urlLengthMax = 2000
const columnsMax = 200
const nameLengthMax = 500

export const httpUrlParam: Param<string | null> = newParam(
  { type: ['string', 'null'], format: 'uri', pattern: '^(https?|webcal)://', maxLength: urlLengthMax },
  'URL of the site (tec) or of the calendar (ical; also webcal:).',
  given => {
    if (given === null || given === '') return null
    const text = typeof given === 'string' ? given.trim().replace(/^webcals?:/i, 'https:') : ''
    const fits = text.length <= urlLengthMax && /^https?:\/\/[^\s/]/i.test(text) && canParseUrl(text)
    return fits ? text : new ParamError('url', buildText('calendar-rules', 'httpAddress'))
  }
)

/** In a multipart form the mapping may also be a JSON string. */
const mappingParam: Param<Record<string, string> | null> = newParam(
  { type: ['object', 'null'], additionalProperties: { type: 'string' } },
  'CSV: the field of each column, such as `{"Titel": "title"}`; columns with an empty field are left out.',
  given => {
    if (given === null || given === '') return null
    const read = typeof given === 'string' ? parseJson(given) : given
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
      : new ParamError('mapping', buildText('calendar-rules', 'mapping', { columnsMax }))
  }
)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The source decides which input is used: a calendar takes a file or URL, a site a URL, a CSV table a file. */
const fileParam: Param<unknown> = newParam(
  { type: 'string', format: 'binary' },
  'The file, as a part of a form (multipart/form-data); at most 10 MB.',
  given => given
)

const policyParam = newEnumParam(
  'Handling of items that changed at the source: `overwrite` the local version, `keep` locally edited items, or `skip` existing items.',
  policies
)

/** WordPress shows it in groups of four characters; spaces do not count. */
const passwordParam = newTextParam(
  'The application password of this user. Stored encrypted, and deleted when the import ends.',
  200
)

export const importParams = {
  source: makeRequired(newEnumParam('Source of the import.', sourceNames)),
  url: httpUrlParam,
  file: fileParam,
  dry_run: withDescription(newBoolParam(''), 'Dry run: compare and report without writing.', { default: true }),
  policy: withDescription(policyParam, policyParam.description, { default: 'keep' }),
  timezone: newTimezoneParam('Time zone of times without one; default: the time zone of the site.'),
  mapping: mappingParam,
  username: newTextParam(
    'tec: a user of the site who may edit events; also imports drafts, private, hidden and password-protected events.',
    200
  ),
  password: passwordParam
}
export type NewImport = ParamValues<typeof importParams>

/** What may differ when a dry run is run for real or repeated. */
export const runParams = {
  mapping: mappingParam,
  policy: policyParam,
  password: withDescription(passwordParam, 'Required again if the dry run had a user name.'),
  dry_run: withDescription(newBoolParam(''), 'Repeat the dry run instead of writing.', { default: false })
}

export const compareParams = {
  password: withDescription(passwordParam, 'Required again if the import had a user name.')
}

export const importFilters = pagingParams

export const rowFilters = {
  ...pagingParams,
  outcome: newEnumParam('Only rows with this outcome.', outcomes),
  kind: newEnumParam('Only rows of this kind.', rowKinds),
  code: newEnumParam('Only rows with this reason, also as the reason of a difference.', reasonCodes)
}
export interface RowFilter {
  outcome?: Outcome | undefined
  kind?: RowKind | undefined
  code?: ReasonCode | undefined
}
