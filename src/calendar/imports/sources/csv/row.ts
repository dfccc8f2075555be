import { createHash } from 'node:crypto'
import type { CsvRow } from '#platform/csv/parse.ts'
import { getOtherLanguage, type Language, languages, pickByLanguage, type Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { buildItemId, newIncomingItem, parseWebUrl } from '../incoming/incoming-items.ts'
import { parseLocation } from '../incoming/location.ts'
import { toHtmlParagraphs } from '../incoming/text-to-html.ts'
import type { Incoming, IncomingText } from '../source.ts'
import { type Cells, parseBool, type ReportError, readBoolCell, readCells, truncateCell } from './cells.ts'
import type { DayOrder } from './date-parser.ts'
import { parseZoneCell, readDates } from './event-times.ts'
import { type ColumnMeaning, type Field, type TextField, textFields } from './fields.ts'

/** What parsing a row depends on. */
export interface RowContext {
  /** The meaning of each column, in column order. */
  meanings: (ColumnMeaning | undefined)[]
  columns: string[]
  language: Language
  timezone: string
  order: DayOrder
  /** Namespace of the table's ids, if it has any. */
  home: string
}

export interface ParsedRow {
  named: Incoming[]
  event: Incoming
}

/** An event, and the items it references. */
export function readRow(row: CsvRow, about: RowContext): ParsedRow {
  const cells = readCells(row.cells, about.meanings)
  const problems: Text[] = []
  const notes: Text[] = []
  const wrong = (field: Field, message: Text) => {
    const column = about.columns[about.meanings.findIndex(meaning => meaning?.field === field)] ?? field
    problems.push(
      buildText('import-source-reasons', 'inCell', language => ({
        line: row.line,
        column,
        text: pickByLanguage(message, language)
      }))
    )
  }
  if (row.cells.slice(about.columns.length).some(cell => cell.trim() !== ''))
    problems.push(describeTooManyCells(row, about))

  const texts = readTexts(cells, about.language)
  const title = Object.values(texts)[0]?.title ?? ''
  if (title === '') wrong('title', buildText('import-source-reasons', 'titleEmpty'))
  const zone = parseZoneCell(cells.get('timezone'), about.timezone, wrong)
  const dates = readDates(cells, { order: about.order, zone, wrong, notes })
  const { fields, named } = readLinks(cells, about)
  const status = parseStatus(cells.get('status'), notes)
  const image = parseWebUrl(cells.get('image') ?? '')
  const isPrivate = cells.has('private') && parseBool(cells.get('private') ?? '') === true
  return {
    named: problems.length === 0 && !isPrivate ? named : [],
    event: {
      kind: 'event',
      sourceId: buildSourceId(cells, title, String(dates.start_date ?? row.line), about.home),
      texts: title === '' ? { [about.language]: { title: `Line ${row.line}` } } : texts,
      fields: { ...dates, ...fields, ...readPlainFields(cells, wrong), ...status },
      ...(image === undefined ? {} : { image: { url: image } }),
      problems,
      ...(isPrivate ? { skipped: [buildText('import-source-reasons', 'privateInTable')] } : {}),
      ...(notes.length === 0 ? {} : { notes })
    }
  }
}

function readTexts(cells: Cells, language: Language): Incoming['texts'] {
  const texts: Partial<Record<Language, IncomingText>> = {}
  const own = languages.filter(one => textFields.some(field => cells.has(`${field}_${one}`)))
  // A text column without a language has the language that the other columns do not cover.
  const plain = own.length === 1 && own[0] === language ? getOtherLanguage(language) : language
  for (const one of languages) {
    const said = (field: TextField) => cells.get(`${field}_${one}`) ?? (one === plain ? cells.get(field) : undefined)
    const title = said('title') ?? ''
    if (title === '') continue
    const [description, excerpt] = [said('description'), said('excerpt')]
    texts[one] = {
      title,
      ...(description === undefined ? {} : { description: toHtmlParagraphs(description) }),
      ...(excerpt === undefined ? {} : { excerpt: toHtmlParagraphs(excerpt) })
    }
  }
  return texts
}

/** A row without an id is identified by its title and start. */
function buildSourceId(cells: Cells, title: string, start: string, home: string): string {
  const id = cells.get('id') ?? ''
  if (id === '') return `${buildItemId(title)} ${start}`
  return id.length > 100 ? createHash('sha256').update(`${home} ${id}`).digest('base64url') : `${home} ${id}`
}

const termFields = { categories: 'category', tags: 'tag' } as const
const listMax = 50

/** Venue, organizers, categories and tags: the references in the event, and the referenced items. */
function readLinks(cells: Cells, { language }: RowContext): { fields: Record<string, unknown>; named: Incoming[] } {
  const fields: Record<string, unknown> = {}
  const named: Incoming[] = []
  const add = (field: string, things: Incoming[]) => {
    fields[field] = things.map(one => one.sourceId)
    named.push(...things)
  }
  if (cells.has('venue') || cells.has('venue_address')) add('venue', readVenue(cells, language))
  if (cells.has('organizer')) add('organizer', readOrganizers(cells, language))
  for (const [field, kind] of Object.entries(termFields)) {
    const cell = cells.get(field)
    if (cell === undefined) continue
    const items = cell.split(/[,;|\n]/).map(name => name.trim())
    add(
      field,
      [...new Set(items.filter(name => name !== ''))]
        .slice(0, listMax)
        .map(name => newIncomingItem(kind, name, language))
    )
  }
  return { fields, named }
}

const venueFields = { venue_address: 'address', venue_zip: 'zip', venue_city: 'city', venue_state: 'state' } as const
const moreVenueFields = { venue_country: 'country', venue_phone: 'phone', venue_website: 'website' } as const
const organizerFields = { organizer_email: 'email', organizer_phone: 'phone', organizer_website: 'website' } as const

function readVenue(cells: Cells, language: Language): Incoming[] {
  const given = pickFilled(cells, { ...venueFields, ...moreVenueFields })
  const cell = cells.get('venue') ?? ''
  const hasAddress = Object.keys(venueFields).some(name => cells.has(name))
  // A single location column is split like the LOCATION of an iCalendar event.
  const { name, ...parts } = hasAddress ? { name: cell } : parseLocation(cell)
  const title = name !== '' ? name : (given.address ?? '')
  if (title === '') return []
  const said = { ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== '')), ...given }
  return [
    newIncomingItem('venue', title, language, {
      fields: said,
      key: [title, given.zip, given.city].filter(Boolean).join(', ')
    })
  ]
}

function readOrganizers(cells: Cells, language: Language): Incoming[] {
  const names = (cells.get('organizer') ?? '').split(/[;|\n]/).map(name => name.trim())
  const all = [...new Set(names.filter(name => name !== ''))].slice(0, listMax)
  // Contact data beside two organizers cannot be assigned to either.
  const fields = all.length === 1 ? pickFilled(cells, organizerFields) : {}
  return all.map(name => newIncomingItem('organizer', name, language, { fields }))
}

function pickFilled(cells: Cells, names: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([cell, field]) => {
      const value = cells.get(cell) ?? ''
      return value === '' ? [] : [[field, value]]
    })
  )
}

const boolFields = ['featured', 'sticky', 'hide_from_listings', 'is_virtual', 'show_map', 'show_map_link'] as const

function readPlainFields(cells: Cells, wrong: ReportError): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const field of boolFields) {
    if (cells.has(field)) fields[field] = readBoolCell(cells, field, wrong)
  }
  const cost = cells.get('cost')
  if (cost !== undefined) {
    const currency = cells.get('currency') ?? ''
    fields.cost = /^\d[\d.,]*$/.test(cost) && currency !== '' ? `${cost} ${currency}` : cost
  }
  const website = cells.get('website')
  if (website !== undefined) {
    // People omit the scheme that browsers add.
    const whole = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}(?:[/?#]|$)/.test(website) ? `https://${website}` : website
    fields.website = parseWebUrl(whole) ?? whole
  }
  return fields
}

/** The words of Eventbrite, Meetup, iCalendar programs and people. */
const statusWords: [words: string, field: 'event_status' | 'status', value: string][] = [
  [
    `scheduled, confirmed, live, started, ended, completed, active, past, upcoming, open, on sale, sold out, rescheduled,
    moved online, geplant, findet statt, bestätigt, aktiv, beendet, abgeschlossen, ausverkauft, ausgebucht, offen, fix`,
    'event_status',
    'scheduled'
  ],
  [
    'canceled, cancelled, deleted, abgesagt, storniert, entfällt, entfallen, fällt aus, ausgefallen',
    'event_status',
    'canceled'
  ],
  ['postponed, verschoben, verlegt', 'event_status', 'postponed'],
  ['publish, published, public, online, veröffentlicht, öffentlich', 'status', 'publish'],
  [
    'draft, tentative, proposed, suggested, unconfirmed, entwurf, vorläufig, unbestätigt, vorschlag, in planung',
    'status',
    'draft'
  ],
  ['pending, zu prüfen', 'status', 'pending'],
  ['private, privat', 'status', 'private']
]

const statusByWord = new Map(
  statusWords.flatMap(([words, field, value]) => words.split(/,\s+/).map(word => [word, { [field]: value }] as const))
)

/** An event with an unknown status becomes a draft: it is not lost, and not published by mistake. */
function parseStatus(cell: string | undefined, notes: Text[]): Record<string, unknown> {
  if (cell === undefined || cell === '') return {}
  const word = cell.toLowerCase().replaceAll(/[\s_]+/g, ' ')
  const known = statusByWord.get(word)
  if (known === undefined) notes.push(describeUnknownStatus(cell))
  return known ?? { status: 'draft' }
}

const describeUnknownStatus = (cell: string): Text =>
  buildText('import-source-reasons', 'unknownStatus', { cell: truncateCell(cell) })

const describeTooManyCells = ({ line, cells }: CsvRow, { columns }: RowContext): Text =>
  buildText('import-source-reasons', 'tooManyCells', { line, count: cells.length, columns: columns.length })
