import type { Language, Text } from '#platform/language.ts'
import { buildText, getMessages } from '#platform/messages/messages.ts'
import { getPostponedTexts } from '../../../events/feeds/icalendar.ts'
import { newIncomingItem, parseWebUrl } from '../incoming/incoming-items.ts'
import { type ParsedLocation, parseLocation } from '../incoming/location.ts'
import { extractBody, toHtmlParagraphs } from '../incoming/text-to-html.ts'
import type { Incoming, IncomingText } from '../source.ts'
import { type ClockLookup, type EventTimes, parseEventTimes } from './event-times.ts'
import { type Component, type Property, parseProperty, parseTextList, unescapeText } from './parser.ts'

/** What parsing an event depends on. */
export interface ICalContext extends ClockLookup {
  language: Language
  /** Written by Kalends, which separates organizers by commas. */
  isOurs: boolean
  /** The METHOD of the calendar cancels all its events. */
  isCalledOff: boolean
}

export interface ParsedEvent {
  lineNumber: number
  properties: Map<string, Property[]>
  when: EventTimes | undefined
  /** Empty if the event has none; its texts then have a title made of its description. */
  title: string
  texts: Incoming['texts']
  fields: Record<string, unknown>
  image: Incoming['image']
  /** The referenced venue, organizers and categories. */
  named: Incoming[]
  problems: Text[]
  skipped: Text[]
  notes: Text[]
}

/** Parses a VEVENT, except for its recurrence. */
export function parseEvent(component: Component, about: ICalContext): ParsedEvent {
  const notes: Text[] = []
  const problems: Text[] = []
  const properties = parseProperties(component, notes)
  const first = (name: string) => properties.get(name)?.[0]
  const value = (name: string) => first(name)?.value.trim() ?? ''
  if (component.isTruncated) problems.push(describeTruncated(component.lineNumber))

  const isPostponed = about.isOurs && value('STATUS').toUpperCase() === 'TENTATIVE'
  const texts = isPostponed
    ? removePostponedTexts(readTexts(properties, about.language))
    : readTexts(properties, about.language)
  const title = Object.values(texts)[0]?.title ?? ''
  const { venue, website: online } = readVenue(properties, about.language)
  const organizers = readOrganizers(properties, about)
  const categories = (properties.get('CATEGORIES') ?? [])
    .flatMap(property => parseTextList(property.value))
    .slice(0, categoriesMax)
    .map(name => newIncomingItem('category', name, about.language))
  const website = parseWebUrl(value('URL')) ?? online ?? null
  const called = value('STATUS').toUpperCase() === 'CANCELLED' || about.isCalledOff
  const image = findImage(properties)
  return {
    lineNumber: component.lineNumber,
    properties,
    when: parseEventTimes(properties, component.lineNumber, about, { problems, notes }),
    title,
    texts: title === '' ? buildUntitledTexts(properties, about.language) : texts,
    fields: {
      venue: venue === undefined ? [] : [venue.sourceId],
      organizer: organizers.map(one => one.sourceId),
      categories: categories.map(one => one.sourceId),
      website,
      event_status: called ? 'canceled' : isPostponed ? 'postponed' : 'scheduled'
    },
    image,
    named: [...(venue === undefined ? [] : [venue]), ...organizers, ...categories],
    problems,
    skipped: /^(?:PRIVATE|CONFIDENTIAL)$/i.test(value('CLASS'))
      ? [buildText('import-source-reasons', 'privateInCalendar')]
      : [],
    notes
  }
}

const categoriesMax = 50
const organizersMax = 20

const recurrenceNames = new Set(['RRULE', 'RDATE', 'EXRULE', 'EXDATE', 'RECURRENCE-ID'])

function parseProperties(component: Component, notes: Text[]): Map<string, Property[]> {
  const properties = new Map<string, Property[]>()
  for (const line of component.lines) {
    const property = parseProperty(line)
    if (property === undefined) {
      if (notes.length < 5) notes.push(describeUnreadable(line.lineNumber))
      continue
    }
    // An empty rule is no rule.
    if (property.value.trim() === '' && recurrenceNames.has(property.name)) continue
    const known = properties.get(property.name)
    if (known === undefined) properties.set(property.name, [property])
    else known.push(property)
  }
  return properties
}

/** Texts declare their language, or are in the language of the import request. */
function readTexts(properties: Map<string, Property[]>, language: Language): Incoming['texts'] {
  const texts: Partial<Record<Language, IncomingText>> = {}
  const languageOf = (property: Property): Language => {
    const said = property.parameters.get('LANGUAGE')?.toLowerCase() ?? ''
    return said.startsWith('de') ? 'de' : said.startsWith('en') ? 'en' : language
  }
  for (const property of properties.get('SUMMARY') ?? []) {
    const title = unescapeText(property.value).trim()
    if (title !== '') texts[languageOf(property)] ??= { title, description: '' }
  }
  const [first] = Object.keys(texts) as Language[]
  for (const property of properties.get('DESCRIPTION') ?? []) {
    const said = property.parameters.has('LANGUAGE') ? languageOf(property) : first
    const words = texts[said ?? language]
    if (words?.description === '') words.description = toHtmlParagraphs(unescapeText(property.value))
  }
  const html = properties.get('X-ALT-DESC')?.find(({ parameters }) => /html/i.test(parameters.get('FMTTYPE') ?? 'html'))
  const words = first === undefined ? undefined : texts[first]
  if (html !== undefined && words !== undefined) {
    const body = extractBody(unescapeText(html.value))
    if (body !== '') words.description = body
  }
  return texts
}

/** Our own feeds say in the texts that an event is postponed. */
function removePostponedTexts(texts: Incoming['texts']): Incoming['texts'] {
  const entries = Object.entries(texts).map(([language, { title, description = '', ...rest }]) => {
    const texts = getPostponedTexts(language as Language)
    const prefix = texts.title({ title: '' })
    return [
      language,
      {
        ...rest,
        title: title.startsWith(prefix) ? title.slice(prefix.length) : title,
        description: description.replace(`<p>${texts.paragraph}</p>`, '').trim()
      }
    ]
  })
  return Object.fromEntries(entries)
}

const titleWordsMax = 8

/** The title of an event without one is the beginning of its description. */
function buildUntitledTexts(properties: Map<string, Property[]>, language: Language): Incoming['texts'] {
  const description = unescapeText(properties.get('DESCRIPTION')?.[0]?.value ?? '').trim()
  const [line = ''] = description
    .replaceAll(/<[^<>]{0,200}>/g, '\n')
    .trim()
    .split('\n', 1)
  const words = line.slice(0, 200).toWellFormed().split(/\s+/).filter(Boolean)
  const title = words.slice(0, titleWordsMax).join(' ') + (words.length > titleWordsMax ? ' …' : '')
  return {
    [language]: {
      title: title || getMessages('import-source-reasons', language).untitled,
      description: toHtmlParagraphs(description)
    }
  }
}

function readVenue(
  properties: Map<string, Property[]>,
  language: Language
): { venue?: Incoming; website?: string | undefined } {
  const location = unescapeText(properties.get('LOCATION')?.[0]?.value ?? '').trim()
  const pin = properties.get('X-APPLE-STRUCTURED-LOCATION')?.[0]
  if (location === '') return {}
  // Many calendars put the URL of a video call here.
  if (/^https?:\/\/\S+$/i.test(location)) return { website: parseWebUrl(location) }
  const { name, ...address } = parseLocation(location, pin?.parameters.get('X-TITLE') ?? '')
  if (name === '') return {}
  const geo = parseGeo(properties.get('GEO')?.[0]?.value ?? /^geo:(.*)$/i.exec(pin?.value.trim() ?? '')?.[1] ?? '')
  return {
    venue: newIncomingItem('venue', name, language, { fields: { ...omitEmpty(address), ...geo }, key: location })
  }
}

function omitEmpty(address: Omit<ParsedLocation, 'name'>): Partial<ParsedLocation> {
  return Object.fromEntries(Object.entries(address).filter(([, value]) => value !== ''))
}

function parseGeo(text: string): { geo_lat?: number; geo_lng?: number } {
  const [, latitude, longitude] =
    /^\s*([+-]?\d{1,3}(?:\.\d{1,15})?)\s*[;,]\s*([+-]?\d{1,3}(?:\.\d{1,15})?)/.exec(text) ?? []
  const [lat, lng] = [Number(latitude), Number(longitude)]
  const isPlace = Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && !(lat === 0 && lng === 0)
  return isPlace ? { geo_lat: lat, geo_lng: lng } : {}
}

function readOrganizers(properties: Map<string, Property[]>, { language, isOurs }: ICalContext): Incoming[] {
  const organizers = (properties.get('ORGANIZER') ?? []).map(({ parameters, value }) => {
    const address = /^mailto:([^?]{1,320})/i.exec(value.trim())?.[1] ?? ''
    // Google's calendar addresses are not mailboxes that people read.
    const email = /@(?:[\w-]+\.)*calendar\.google\.com$/i.test(address) ? '' : decodeAddress(address)
    const name = unescapeText(parameters.get('CN') ?? '').trim() || email
    return name === ''
      ? undefined
      : newIncomingItem('organizer', name, language, { fields: email.includes('@') ? { email } : {} })
  })
  const known = organizers.filter(one => one !== undefined)
  if (known.length > 0) return known.slice(0, organizersMax)
  return (properties.get('CONTACT') ?? [])
    .flatMap(({ value }) => {
      const names = unescapeText(value).split(isOurs ? ', ' : /[,;\n]/)
      // Other programs write telephone and address after the name.
      return isOurs ? names : names.slice(0, 1)
    })
    .map(name => name.trim())
    .filter(name => name !== '')
    .slice(0, organizersMax)
    .map(name => newIncomingItem('organizer', name, language))
}

function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address).trim()
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return address.trim()
  }
}

function findImage(properties: Map<string, Property[]>): Incoming['image'] {
  for (const name of ['IMAGE', 'ATTACH']) {
    for (const { parameters, value } of properties.get(name) ?? []) {
      const url = parseWebUrl(value.trim())
      const isImage = name === 'IMAGE' || /^image\//i.test(parameters.get('FMTTYPE') ?? '') || imagePath.test(url ?? '')
      if (url !== undefined && isImage) return { url }
    }
  }
  return undefined
}

const imagePath = /^[^?#]+\.(?:jpe?g|png|webp|gif|avif)(?:[?#]|$)/i

const describeTruncated = (line: number): Text => buildText('import-source-reasons', 'truncated', { line })

const describeUnreadable = (line: number): Text => buildText('import-source-reasons', 'unreadable', { line })
