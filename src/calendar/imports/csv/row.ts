import { createHash } from 'node:crypto'
import type { TableRow } from '#platform/csv-reading.ts'
import { type Language, languages, type Text } from '#platform/language.ts'
import { placeIn } from '../reading/place.ts'
import { idOf, thing, webPage } from '../reading/things.ts'
import { paragraphs } from '../reading/words.ts'
import type { Incoming, Words } from '../source.ts'
import { type Cells, cellsOf, shown, truthCell, truthOf, type Wrong } from './cells.ts'
import type { DayOrder } from './dates.ts'
import { type Field, type Meaning, type TextField, textFields } from './fields.ts'
import { datesOf, zoneOf } from './when.ts'

/** What the reading of a row depends on. */
export interface About {
  /** The meaning of each column, in their order. */
  meanings: (Meaning | undefined)[]
  columns: string[]
  language: Language
  timezone: string
  order: DayOrder
  /** Where the ids of the table are at home, if it has any. */
  home: string
}

export interface RowRead {
  named: Incoming[]
  event: Incoming
}

/** An event, and what it names. */
export function readRow(row: TableRow, about: About): RowRead {
  const cells = cellsOf(row.cells, about.meanings)
  const problems: Text[] = []
  const notes: Text[] = []
  const wrong = (field: Field, en: string, de: string) => {
    const column = about.columns[about.meanings.findIndex(meaning => meaning?.field === field)] ?? field
    problems.push({ en: `Line ${row.line}, ${column}: ${en}`, de: `Zeile ${row.line}, ${column}: ${de}` })
  }
  if (row.cells.slice(about.columns.length).some(cell => cell.trim() !== '')) problems.push(tooManyCells(row, about))

  const texts = textsOf(cells, about.language)
  const title = Object.values(texts)[0]?.title ?? ''
  if (title === '') wrong('title', 'the title is empty.', 'Der Titel ist leer.')
  const zone = zoneOf(cells.get('timezone'), about.timezone, wrong)
  const dates = datesOf(cells, { order: about.order, zone, wrong, notes })
  const { fields, named } = linksOf(cells, about)
  const image = webPage(cells.get('image') ?? '')
  const isPrivate = cells.has('private') && truthOf(cells.get('private') ?? '') === true
  return {
    named: problems.length === 0 && !isPrivate ? named : [],
    event: {
      kind: 'event',
      sourceId: sourceIdOf(cells, title, String(dates.start_date ?? row.line), about.home),
      texts: title === '' ? { [about.language]: { title: `Line ${row.line}` } } : texts,
      fields: { ...dates, ...fields, ...plainFields(cells, wrong) },
      ...(image === undefined ? {} : { image: { url: image } }),
      problems,
      ...(isPrivate ? { skipped: [markedPrivate] } : {}),
      ...(notes.length === 0 ? {} : { notes })
    }
  }
}

function textsOf(cells: Cells, language: Language): Incoming['texts'] {
  const texts: Partial<Record<Language, Words>> = {}
  const own = languages.filter(one => textFields.some(field => cells.has(`${field}_${one}`)))
  // A column without a language is in the one that the others leave over.
  const plain = own.length === 1 && own[0] === language ? (language === 'en' ? 'de' : 'en') : language
  for (const one of languages) {
    const said = (field: TextField) => cells.get(`${field}_${one}`) ?? (one === plain ? cells.get(field) : undefined)
    const title = said('title') ?? ''
    if (title === '') continue
    const [description, excerpt] = [said('description'), said('excerpt')]
    texts[one] = {
      title,
      ...(description === undefined ? {} : { description: paragraphs(description) }),
      ...(excerpt === undefined ? {} : { excerpt: paragraphs(excerpt) })
    }
  }
  return texts
}

/** Without an id of its own a row is known by its title and its start. */
function sourceIdOf(cells: Cells, title: string, start: string, home: string): string {
  const id = cells.get('id') ?? ''
  if (id === '') return `${idOf(title)} ${start}`
  return id.length > 100 ? createHash('sha256').update(`${home} ${id}`).digest('base64url') : `${home} ${id}`
}

const lists = { categories: 'category', tags: 'tag' } as const
const listMax = 50

/** Venue, organizers, categories and tags: what the event names, and what is to be named. */
function linksOf(cells: Cells, { language }: About): { fields: Record<string, unknown>; named: Incoming[] } {
  const fields: Record<string, unknown> = {}
  const named: Incoming[] = []
  const add = (field: string, things: Incoming[]) => {
    fields[field] = things.map(one => one.sourceId)
    named.push(...things)
  }
  if (cells.has('venue') || cells.has('venue_address')) add('venue', venueOf(cells, language))
  if (cells.has('organizer')) add('organizer', organizersOf(cells, language))
  for (const [field, kind] of Object.entries(lists)) {
    const cell = cells.get(field)
    if (cell === undefined) continue
    const items = cell.split(/[,;|\n]/).map(name => name.trim())
    add(
      field,
      [...new Set(items.filter(name => name !== ''))].slice(0, listMax).map(name => thing(kind, name, language))
    )
  }
  return { fields, named }
}

const venueFields = { venue_address: 'address', venue_zip: 'zip', venue_city: 'city', venue_state: 'state' } as const
const moreVenueFields = { venue_country: 'country', venue_phone: 'phone', venue_website: 'website' } as const
const organizerFields = { organizer_email: 'email', organizer_phone: 'phone', organizer_website: 'website' } as const

function venueOf(cells: Cells, language: Language): Incoming[] {
  const given = filled(cells, { ...venueFields, ...moreVenueFields })
  const cell = cells.get('venue') ?? ''
  const hasAddress = Object.keys(venueFields).some(name => cells.has(name))
  // One column for all is taken apart like the location of a calendar.
  const { name, ...parts } = hasAddress ? { name: cell } : placeIn(cell)
  const title = name !== '' ? name : (given.address ?? '')
  if (title === '') return []
  const said = { ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== '')), ...given }
  return [thing('venue', title, language, said, [title, given.zip, given.city].filter(Boolean).join(', '))]
}

function organizersOf(cells: Cells, language: Language): Incoming[] {
  const names = (cells.get('organizer') ?? '').split(/[;|\n]/).map(name => name.trim())
  const all = [...new Set(names.filter(name => name !== ''))].slice(0, listMax)
  // An address beside two names belongs to neither.
  const fields = all.length === 1 ? filled(cells, organizerFields) : {}
  return all.map(name => thing('organizer', name, language, fields))
}

function filled(cells: Cells, names: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([cell, field]) => {
      const value = cells.get(cell) ?? ''
      return value === '' ? [] : [[field, value]]
    })
  )
}

const truths = ['featured', 'sticky', 'hide_from_listings', 'show_map', 'show_map_link'] as const

function plainFields(cells: Cells, wrong: Wrong): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const field of truths) {
    if (cells.has(field)) fields[field] = truthCell(cells, field, wrong)
  }
  const cost = cells.get('cost')
  if (cost !== undefined) {
    const currency = cells.get('currency') ?? ''
    fields.cost = /^\d[\d.,]*$/.test(cost) && currency !== '' ? `${cost} ${currency}` : cost
  }
  const website = cells.get('website')
  if (website !== undefined) {
    // People leave out what browsers add.
    const whole = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}(?:[/?#]|$)/.test(website) ? `https://${website}` : website
    fields.website = webPage(whole) ?? whole
  }
  return { ...fields, ...statusOf(cells.get('status'), wrong) }
}

const statusWords: [words: string[], field: 'event_status' | 'status', value: string][] = [
  [['scheduled', 'confirmed', 'geplant', 'findet statt', 'bestätigt'], 'event_status', 'scheduled'],
  [['canceled', 'cancelled', 'abgesagt', 'entfällt', 'fällt aus'], 'event_status', 'canceled'],
  [['postponed', 'verschoben'], 'event_status', 'postponed'],
  [['publish', 'published', 'veröffentlicht'], 'status', 'publish'],
  [['draft', 'entwurf'], 'status', 'draft'],
  [['pending', 'zu prüfen'], 'status', 'pending'],
  [['private', 'privat'], 'status', 'private']
]

function statusOf(cell: string | undefined, wrong: Wrong): Record<string, unknown> {
  if (cell === undefined || cell === '') return {}
  const word = cell.toLowerCase()
  const [, field, value] = statusWords.find(([words]) => words.includes(word)) ?? []
  if (field !== undefined) return { [field]: value }
  const known = statusWords.map(([[first]]) => first).join(', ')
  wrong('status', `“${shown(cell)}” must be one of ${known}.`, `„${shown(cell)}“ muss eines von ${known} sein.`)
  return {}
}

const markedPrivate: Text = {
  en: 'The table marks it as private, so it is not published here.',
  de: 'Die Tabelle kennzeichnet ihn als privat, deshalb wird er hier nicht veröffentlicht.'
}

const tooManyCells = ({ line, cells }: TableRow, { columns }: About): Text => ({
  en: `Line ${line} has ${cells.length} cells, but the table has ${columns.length} columns: a quote may be missing.`,
  de: `Zeile ${line} hat ${cells.length} Zellen, die Tabelle aber ${columns.length} Spalten: Vielleicht fehlt ein Anführungszeichen.`
})
