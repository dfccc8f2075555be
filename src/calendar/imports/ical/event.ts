import type { Language, Text } from '#platform/language.ts'
import { type Place, placeIn } from '../reading/place.ts'
import { thing, webPage } from '../reading/things.ts'
import { bodyOf, paragraphs } from '../reading/words.ts'
import type { Incoming, Words } from '../source.ts'
import { type Component, type Property, plain, plainList, propertyOf } from './lines.ts'
import { readWhen, type TimesOf, type When } from './when.ts'

/** What the reading of an event depends on. */
export interface About extends TimesOf {
  language: Language
  /** Written by this program: it separates organizers by commas. */
  isOurs: boolean
  /** The calendar says that everything in it is called off. */
  isCalledOff: boolean
}

export interface EventRead {
  number: number
  properties: Map<string, Property[]>
  when: When | undefined
  title: string
  texts: Incoming['texts']
  fields: Record<string, unknown>
  image: Incoming['image']
  /** Venue, organizers and categories, which the fields name. */
  named: Incoming[]
  problems: Text[]
  skipped: Text[]
  notes: Text[]
}

/** Everything that a VEVENT says, but for when it comes again. */
export function readEvent(component: Component, about: About): EventRead {
  const notes: Text[] = []
  const problems: Text[] = []
  const properties = propertiesOf(component, notes)
  const first = (name: string) => properties.get(name)?.[0]
  const value = (name: string) => first(name)?.value.trim() ?? ''
  if (component.isCut) problems.push(cutOff(component.number))

  const texts = textsOf(properties, about.language)
  const title = Object.values(texts)[0]?.title ?? ''
  if (title === '') problems.push(untitled(component.number))
  const { venue, website: online } = venueOf(properties, about.language)
  const organizers = organizersOf(properties, about)
  const categories = (properties.get('CATEGORIES') ?? [])
    .flatMap(property => plainList(property.value))
    .slice(0, categoriesMax)
    .map(name => thing('category', name, about.language))
  const website = webPage(value('URL')) ?? online ?? null
  const called = value('STATUS').toUpperCase() === 'CANCELLED' || about.isCalledOff
  const image = imageOf(properties)
  return {
    number: component.number,
    properties,
    when: readWhen(properties, component.number, about, problems),
    title,
    texts,
    fields: {
      venue: venue === undefined ? [] : [venue.sourceId],
      organizer: organizers.map(one => one.sourceId),
      categories: categories.map(one => one.sourceId),
      website,
      event_status: called ? 'canceled' : 'scheduled'
    },
    image,
    named: [...(venue === undefined ? [] : [venue]), ...organizers, ...categories],
    problems,
    skipped: /^(?:PRIVATE|CONFIDENTIAL)$/i.test(value('CLASS')) ? [isPrivate] : [],
    notes
  }
}

const categoriesMax = 50
const organizersMax = 20

function propertiesOf(component: Component, notes: Text[]): Map<string, Property[]> {
  const properties = new Map<string, Property[]>()
  for (const line of component.lines) {
    const property = propertyOf(line)
    if (property === undefined) {
      if (notes.length < 5) notes.push(unreadable(line.number))
      continue
    }
    const known = properties.get(property.name)
    if (known === undefined) properties.set(property.name, [property])
    else known.push(property)
  }
  return properties
}

/** Texts say their language, or are in the one that the import was told. */
function textsOf(properties: Map<string, Property[]>, language: Language): Incoming['texts'] {
  const texts: Partial<Record<Language, Words>> = {}
  const languageOf = (property: Property): Language => {
    const said = property.parameters.get('LANGUAGE')?.toLowerCase() ?? ''
    return said.startsWith('de') ? 'de' : said.startsWith('en') ? 'en' : language
  }
  for (const property of properties.get('SUMMARY') ?? []) {
    const title = plain(property.value).trim()
    if (title !== '') texts[languageOf(property)] ??= { title, description: '' }
  }
  const [first] = Object.keys(texts) as Language[]
  for (const property of properties.get('DESCRIPTION') ?? []) {
    const said = property.parameters.has('LANGUAGE') ? languageOf(property) : first
    const words = texts[said ?? language]
    if (words?.description === '') words.description = paragraphs(plain(property.value))
  }
  const html = properties.get('X-ALT-DESC')?.find(({ parameters }) => /html/i.test(parameters.get('FMTTYPE') ?? 'html'))
  const words = first === undefined ? undefined : texts[first]
  if (html !== undefined && words !== undefined) {
    const body = bodyOf(plain(html.value))
    if (body !== '') words.description = body
  }
  return texts
}

function venueOf(
  properties: Map<string, Property[]>,
  language: Language
): { venue?: Incoming; website?: string | undefined } {
  const location = plain(properties.get('LOCATION')?.[0]?.value ?? '').trim()
  const pin = properties.get('X-APPLE-STRUCTURED-LOCATION')?.[0]
  if (location === '') return {}
  // Many write the address of a video call here.
  if (/^https?:\/\/\S+$/i.test(location)) return { website: webPage(location) }
  const { name, ...address } = placeIn(location, pin?.parameters.get('X-TITLE') ?? '')
  if (name === '') return {}
  const geo = geoIn(properties.get('GEO')?.[0]?.value ?? /^geo:(.*)$/i.exec(pin?.value.trim() ?? '')?.[1] ?? '')
  return { venue: thing('venue', name, language, { ...said(address), ...geo }, location) }
}

function said(address: Omit<Place, 'name'>): Partial<Place> {
  return Object.fromEntries(Object.entries(address).filter(([, value]) => value !== ''))
}

function geoIn(text: string): { geo_lat?: number; geo_lng?: number } {
  const [, latitude, longitude] =
    /^\s*([+-]?\d{1,3}(?:\.\d{1,15})?)\s*[;,]\s*([+-]?\d{1,3}(?:\.\d{1,15})?)/.exec(text) ?? []
  const [lat, lng] = [Number(latitude), Number(longitude)]
  const isPlace = Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && !(lat === 0 && lng === 0)
  return isPlace ? { geo_lat: lat, geo_lng: lng } : {}
}

function organizersOf(properties: Map<string, Property[]>, { language, isOurs }: About): Incoming[] {
  const organizers = (properties.get('ORGANIZER') ?? []).map(({ parameters, value }) => {
    const address = /^mailto:([^?]{1,320})/i.exec(value.trim())?.[1] ?? ''
    // The calendars of Google have addresses that nobody reads.
    const email = /@(?:[\w-]+\.)*calendar\.google\.com$/i.test(address) ? '' : decoded(address)
    const name = plain(parameters.get('CN') ?? '').trim() || email
    return name === '' ? undefined : thing('organizer', name, language, email.includes('@') ? { email } : {})
  })
  const known = organizers.filter(one => one !== undefined)
  if (known.length > 0) return known.slice(0, organizersMax)
  return (properties.get('CONTACT') ?? [])
    .flatMap(({ value }) => {
      const names = plain(value).split(isOurs ? ', ' : /[,;\n]/)
      // Elsewhere telephone and address follow the name.
      return isOurs ? names : names.slice(0, 1)
    })
    .map(name => name.trim())
    .filter(name => name !== '')
    .slice(0, organizersMax)
    .map(name => thing('organizer', name, language))
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address).trim()
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return address.trim()
  }
}

function imageOf(properties: Map<string, Property[]>): Incoming['image'] {
  for (const name of ['IMAGE', 'ATTACH']) {
    for (const { parameters, value } of properties.get(name) ?? []) {
      const url = webPage(value.trim())
      const isImage = name === 'IMAGE' || /^image\//i.test(parameters.get('FMTTYPE') ?? '') || imagePath.test(url ?? '')
      if (url !== undefined && isImage) return { url }
    }
  }
  return undefined
}

const imagePath = /^[^?#]+\.(?:jpe?g|png|webp|gif|avif)(?:[?#]|$)/i

const cutOff = (line: number): Text => ({
  en: `The event that begins in line ${line} has no end (END:VEVENT): the file is cut off or damaged there.`,
  de: `Der Termin ab Zeile ${line} hat kein Ende (END:VEVENT): Die Datei ist dort abgeschnitten oder beschädigt.`
})

const untitled = (line: number): Text => ({
  en: `The event that begins in line ${line} has no title (SUMMARY).`,
  de: `Der Termin ab Zeile ${line} hat keinen Titel (SUMMARY).`
})

const unreadable = (line: number): Text => ({
  en: `Line ${line} is no line of a calendar and was left out.`,
  de: `Zeile ${line} ist keine Zeile eines Kalenders und wurde ausgelassen.`
})

const isPrivate: Text = {
  en: 'The calendar marks it as private (CLASS), so it is not published here.',
  de: 'Der Kalender kennzeichnet ihn als privat (CLASS), deshalb wird er hier nicht veröffentlicht.'
}
