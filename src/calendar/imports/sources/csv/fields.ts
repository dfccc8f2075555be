import { type Language, languages } from '#platform/language.ts'

/** The fields a column can have, named as in the API where possible, with the column names used in practice. */
const fieldAliases = {
  id: 'id, uid, event id, external id, nummer, nr, kennung',
  title: `title, event, event name, was, event title, name, summary, subject, headline, titel, betreff, veranstaltung, termin,
    name der veranstaltung, veranstaltungsname, veranstaltungstitel, bezeichnung, überschrift`,
  description: `description, event description, details, text, content, body, beschreibung, veranstaltungsbeschreibung,
    beschreibungstext, inhalt`,
  excerpt: 'excerpt, event excerpt, short description, teaser, auszug, kurzbeschreibung, kurztext',
  start_date: `start date, event start date, start, date, day, begin, begins, from, starts, starts at, starts on, datum, beginn,
    startdatum, von, anfang, anfangsdatum, beginnt am, start datum, datetime, date time, wann`,
  start_time: `start time, event start time, time, begin time, uhrzeit, startzeit, anfangszeit, zeit, beginn uhrzeit, uhrzeit von,
    beginnt um, start uhrzeit`,
  end_date: 'end date, event end date, end, ends, to, until, ends on, ende, enddatum, bis, endet am, end datum',
  end_time: 'end time, event end time, endzeit, uhrzeit bis, ende uhrzeit, endet um, end uhrzeit',
  all_day: 'all day, all day event, allday, whole day, ganztägig, ganztags, ganztägiges ereignis',
  timezone: 'timezone, time zone, event time zone, event timezone, tz, zeitzone',
  venue: `venue, venue name, event venue, event venue name, location, location name, place, veranstaltungsort, ort,
    name des ortes, spielstätte, lokalität, wo`,
  venue_address: `venue address, venue address 1, event venue address, address, street, street address, adresse, anschrift, straße, strasse,
    straße und hausnummer`,
  venue_zip: 'venue zip, venue postal code, zip, zip code, postal code, postcode, plz, postleitzahl',
  venue_city: 'venue city, city, town, stadt, wohnort, gemeinde',
  venue_state: 'venue state, state, province, state province, bundesland',
  venue_country: 'venue country, country, land',
  venue_phone: 'venue phone',
  venue_website: 'venue website, venue url',
  organizer: `organizer, organiser, organizer name, event organizer, event organizer name, event organizers, organizers, host,
    veranstalter, veranstalterin, organisator, organisatorin`,
  organizer_email: 'organizer email, organizer e mail, email, e mail, mail, kontakt, veranstalter e mail',
  organizer_phone: 'organizer phone, phone, telephone, telefon, tel',
  organizer_website: 'organizer website, organizer url',
  categories: 'categories, category, event category, event categories, kategorie, kategorien, rubrik, rubriken, sparte',
  tags: 'tags, event tag, event tags, keywords, schlagwort, schlagwörter, schlagworte, stichwort, stichwörter, stichworte',
  cost: 'cost, event cost, price, admission, entry fee, fee, preis, preise, eintritt, eintrittspreis, kosten, gebühr',
  currency: 'currency, event currency symbol, currency symbol, event currency code, währung',
  website: 'website, event website, url, event url, eventurl, link, web, webseite, homepage, internet, internetadresse',
  image:
    'image, event featured image, featured image, event image, image url, picture, photo, bild, foto, bild url, bild link',
  status: 'status, event status, zustand',
  featured: 'featured, event featured, featured event, hervorgehoben',
  sticky: 'sticky, sticky in month view, event sticky in month view, angeheftet',
  hide_from_listings: 'hide from listings, hide from event listings, event hide from listings, ausblenden',
  is_virtual: 'is virtual, virtual, virtual event, online, online event, is online, virtuell, online veranstaltung',
  show_map: 'show map, event show map, karte zeigen',
  show_map_link: 'show map link, event show map link, link zur karte zeigen',
  private: 'private, privat'
}

export type Field = keyof typeof fieldAliases
/** Text fields that an event has in each language. */
export const textFields = ['title', 'description', 'excerpt'] as const
export type TextField = (typeof textFields)[number]

/** The meaning of a column: a field, and for text fields the language if it is known. */
export interface ColumnMeaning {
  field: Field
  language?: Language
}

/** The field names that `mapping` accepts. */
export const fieldNames: string[] = [
  ...Object.keys(fieldAliases),
  ...textFields.flatMap(field => languages.map(language => `${field}_${language}`))
]

/** Columns that The Events Calendar exports and that need no warning when ignored. */
const ignoredColumns = new Set([
  'allow comments',
  'allow trackbacks and pingbacks',
  'event currency position',
  'event iso currency code'
])

const fieldsByAlias = new Map(
  Object.entries(fieldAliases).flatMap(([field, list]) =>
    list.split(',').map(name => [normalizeName(name), field as Field] as const)
  )
)

const textColumn = new RegExp(`^(title|description|excerpt)_(${languages.join('|')})$`)

/** Parses a field name of `mapping`; undefined if there is no such field. */
export function parseMeaning(name: string): ColumnMeaning | undefined {
  const [, field = name, language] = textColumn.exec(name) ?? []
  if (!Object.hasOwn(fieldAliases, field)) return undefined
  return { field: field as Field, ...(language === undefined ? {} : { language: language as Language }) }
}

export function formatMeaning({ field, language }: ColumnMeaning): string {
  return language === undefined ? field : `${field}_${language}`
}

/** Guesses the meaning of each column from its name; undefined for unknown names. */
export function guessMeanings(columns: string[]): (ColumnMeaning | undefined)[] {
  const meanings = columns.map(column => findByAlias(normalizeName(column)))
  const has = (field: Field) => meanings.some(meaning => meaning?.field === field)
  // Beside a venue or a postal code, the German column "Ort" is the city.
  const places = columns.filter((_, place) => meanings[place]?.field === 'venue')
  for (const [place, column] of columns.entries()) {
    const isCity = normalizeName(column) === 'ort' && (places.length > 1 || has('venue_zip')) && !has('venue_city')
    if (isCity) meanings[place] = { field: 'venue_city' }
  }
  // Beside a date column, "Beginn" and "Start" are times.
  const isDay = (column: string) => /^(?:date|day|datum|wann)$/.test(normalizeName(column))
  if (columns.some(isDay) && !has('start_time')) {
    const place = columns.findIndex((column, at) => meanings[at]?.field === 'start_date' && !isDay(column))
    if (place >= 0) meanings[place] = { field: 'start_time' }
  }
  return removeDuplicates(addLanguages(columns, meanings))
}

/** Of two columns with the same meaning the first one is used; the other is reported as ignored. */
function removeDuplicates(meanings: (ColumnMeaning | undefined)[]): (ColumnMeaning | undefined)[] {
  const known = new Set<string>()
  return meanings.map(meaning => {
    if (meaning === undefined || known.has(formatMeaning(meaning))) return undefined
    known.add(formatMeaning(meaning))
    return meaning
  })
}

export function isIgnoredColumn(column: string): boolean {
  return ignoredColumns.has(normalizeName(column))
}

function findByAlias(name: string): ColumnMeaning | undefined {
  const field = fieldsByAlias.get(name)
  if (field !== undefined) return { field }
  const [, stem = '', said = ''] = /^(.+) (en|de|eng|deu|ger|english|german|englisch|deutsch)$/.exec(name) ?? []
  const text = textFields.find(one => one === fieldsByAlias.get(stem))
  return text === undefined ? undefined : { field: text, language: /^(?:de|ger)/.test(said) ? 'de' : 'en' }
}

/** With both `Title` and `Titel`, the language of each column is that of its name. */
function addLanguages(columns: string[], meanings: (ColumnMeaning | undefined)[]): (ColumnMeaning | undefined)[] {
  for (const field of textFields) {
    const same = [...columns.entries()].filter(
      ([place]) => meanings[place]?.field === field && meanings[place]?.language === undefined
    )
    if (same.length < 2) continue
    for (const [place, column] of same)
      meanings[place] = { field, language: isGerman(normalizeName(column)) ? 'de' : 'en' }
  }
  return meanings
}

const isGerman = (name: string) =>
  /titel|betreff|veranstaltung|termin|bezeichnung|überschrift|beschreibung|inhalt|kurz|auszug/.test(name)

/** Lower-case letters and digits, with one space between words. */
function normalizeName(name: string): string {
  return name
    .slice(0, 200)
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
