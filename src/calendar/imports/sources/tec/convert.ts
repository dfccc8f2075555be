import { createHash } from 'node:crypto'
import { type Language, languages, pickByLanguage } from '#platform/language.ts'
import { buildText, findText, getMessages } from '#platform/messages/messages.ts'
import { normalizeHost, toSingleLineText } from '#platform/rich-text/html.ts'
import { canParseUrl } from '#platform/url/parse-url.ts'
import { type ParamDefs, ParamError } from '../../../contract/param-definition.ts'
import { isObject } from '../../../contract/params.ts'
import { eventFields } from '../../../events/schema.ts'
import { organizerFields } from '../../../organizers/schema.ts'
import { categoryFields, tagFields } from '../../../terms/schema.ts'
import { toLocal } from '../../../time/time.ts'
import { parseZone } from '../../../time/zones.ts'
import { venueFields } from '../../../venues/schema.ts'
import type { Reason } from '../reason.ts'
import type { Incoming, IncomingFile, IncomingImage, IncomingText, SingleKind } from '../source.ts'
import { normalizeDescription } from './description.ts'
import { type EventDetails, findEventStatus } from './event-details.ts'
import type { Json } from './remote-site.ts'
import {
  buildUid,
  escapeLoneBrackets,
  normalizeWebsite,
  parseId,
  readCost,
  readWebsite,
  toBool,
  toText
} from './values.ts'

/** Converts items of another site to our fields. A value of an unexpected type counts as missing. */

export interface ConvertContext {
  /** The language of items that do not declare one. */
  language: Language
  now: Date
  zone: string
  /** Details of the events of this page, by their id. */
  details?: Map<string, EventDetails>
  /** Details of events that are not over, by their id; undefined if WordPress' own API is not available. */
  upcoming?: Map<string, EventDetails> | undefined
  /** Alternative texts of the images of this page, by image id. */
  alts?: Map<string, string>
  /** The host of the site's API. */
  host: string
}

const paramDefsByKind: Record<SingleKind, ParamDefs> = {
  event: eventFields,
  venue: venueFields,
  organizer: organizerFields,
  category: categoryFields,
  tag: tagFields
}

/** Without these the item would not be the same, so an invalid value is a problem instead of being dropped. */
const requiredFields = new Set(['title', 'start_date', 'end_date'])

export function toIncoming(kind: SingleKind, thing: Json, reading: ConvertContext): Incoming {
  const sourceId = parseId(thing.id)
  const language = findLanguage(thing) ?? reading.language
  const title = toText(thing[kind === 'event' ? 'title' : kind === 'venue' || kind === 'organizer' ? kind : 'name'])
  const details = kind === 'event' && sourceId !== undefined ? reading.details?.get(sourceId) : undefined
  const { words, notes: textNotes, images, files } = readTexts(thing, { language, details, reading })
  const { cost, notes: costNotes } = kind === 'event' ? readCost(thing) : { cost: undefined, notes: [] }
  const given = {
    ...fieldReaders[kind](thing, reading),
    ...(cost === undefined ? {} : { cost }),
    ...(details?.password === undefined ? {} : { post_password: details.password })
  }
  const { fields, notes } = keepValidFields(kind, given, reading)
  const image = findImage(thing.image, reading)
  const uid = kind === 'event' ? buildUid(thing) : undefined
  return {
    kind,
    sourceId: sourceId ?? `? ${createHash('sha256').update(JSON.stringify(thing)).digest('hex')}`,
    texts: { [language]: { title: title === undefined ? '' : escapeLoneBrackets(title), ...words } },
    fields,
    ...(uid === undefined ? {} : { uid }),
    ...(image === undefined ? {} : { image }),
    ...(images.length === 0 ? {} : { inlineImages: images }),
    ...(files.length === 0 ? {} : { files }),
    ...readPage(thing),
    originals: { [language]: thing },
    problems: [
      ...(sourceId === undefined ? [messages.withoutId()] : []),
      ...(title === undefined || toSingleLineText(title) === '' ? [messages.withoutTitle()] : [])
    ],
    ...(kind === 'event' && thing.all_day === null ? { skipped: [messages.isProtected()] } : {}),
    notes: [...textNotes, ...costNotes, ...notes]
  }
}

/** The texts of an item besides its title. */
function readTexts(
  thing: Json,
  { language, details, reading }: { language: Language; details: EventDetails | undefined; reading: ConvertContext }
): { words: Omit<IncomingText, 'title'>; notes: Reason[]; images: IncomingImage[]; files: IncomingFile[] } {
  const rendered = toText(thing.description)
  const excerpt = toText(thing.excerpt)
  const slug = toText(thing.slug)
  const page = toText(thing.url)
  const hosts = new Set([reading.host, ...(page !== undefined && canParseUrl(page) ? [new URL(page).host] : [])])
  const about = { page, hosts: new Set([...hosts].map(normalizeHost)), alts: reading.alts ?? new Map() }
  const body = rendered === undefined ? undefined : normalizeDescription(rendered, about)
  const reason = details?.statusReason
  const status = findEventStatus(thing, details)
  const description =
    reason === undefined || status === undefined
      ? body?.html
      : `<p><strong>${findText(getMessages('import-source-reasons', language).statuses, status) ?? status}:</strong> ${reason}</p>\n${body?.html ?? ''}`
  return {
    words: {
      ...(description === undefined ? {} : { description }),
      ...(excerpt === undefined ? {} : { excerpt }),
      ...(slug === undefined ? {} : { slug })
    },
    notes: [...(reason === undefined ? [] : [messages.withReason()]), ...(body?.notes ?? [])],
    images: body?.images ?? [],
    files: body?.files ?? []
  }
}

/** The page of an item at the site. */
function readPage({ url }: Json): Pick<Incoming, 'url'> {
  const page = toText(url) ?? ''
  return /^https?:\/\//i.test(page) && page.length <= 2000 && canParseUrl(page) ? { url: page } : {}
}

/** The language that an item declares, if any. */
export function findLanguage({ language }: Json): Language | undefined {
  return languages.find(known => known === language)
}

/** The other languages with texts. */
export function listTranslations(thing: Json): Language[] {
  const { translations } = thing
  if (!Array.isArray(translations)) return []
  return languages.filter(language => translations.includes(language) && language !== findLanguage(thing))
}

/** The items embedded in an event: from an array, an object or nothing. */
export function listEmbedded(event: Json, member: string): Json[] {
  const value = event[member]
  return (Array.isArray(value) ? value : [value]).filter(isObject)
}

const fieldReaders: Record<SingleKind, (thing: Json, reading: ConvertContext) => Json> = {
  event: (event, reading) => {
    const parent = parseId(event.post_parent)
    const eventStatus = findEventStatus(event, reading.details?.get(parseId(event.id) ?? ''))
    return {
      ...readTimes(event, reading),
      ...pickFields(event, ['status', 'date_utc'], toText),
      ...(eventStatus === undefined ? {} : { event_status: eventStatus }),
      ...pickFields(
        event,
        ['show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured', 'ticketed', 'is_virtual'],
        toBool
      ),
      website: readWebsite(event),
      venue: listEmbeddedIds(event, 'venue'),
      organizer: listEmbeddedIds(event, 'organizer'),
      categories: listEmbeddedIds(event, 'categories'),
      tags: listEmbeddedIds(event, 'tags'),
      ...(parent === undefined ? {} : { post_parent: parent })
    }
  },
  venue: venue => ({
    ...pickFields(venue, ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'stateprovince'], toText),
    ...pickFields(venue, ['website', 'status', 'date_utc'], toText),
    ...pickFields(venue, ['show_map', 'show_map_link'], toBool),
    ...pickFields(venue, ['geo_lat', 'geo_lng'], value => (typeof value === 'number' ? value : toText(value)))
  }),
  organizer: organizer => pickFields(organizer, ['phone', 'website', 'email', 'status', 'date_utc'], toText),
  category: ({ parent }) => ({ parent: parseId(parent) ?? null }),
  tag: () => ({})
}

/** The local time and, if it is consistent, the exact instant, which tells apart an hour that occurs twice. */
function readTimes(event: Json, { zone: fallback }: ConvertContext): Json {
  const zone = parseZone(toText(event.timezone) ?? '')
  const allDay = toBool(event.all_day)
  const moment = (name: 'start_date' | 'end_date') => {
    const local = toText(event[name])
    const utc = toText(event[`utc_${name}`])
    if (utc === undefined || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(utc)) return local
    const instant = new Date(`${utc.replace(' ', 'T')}Z`)
    if (Number.isNaN(instant.getTime())) return local
    const isSame = zone !== undefined && toLocal(instant, zone) === local
    return zone === undefined || isSame || local === undefined ? `${utc.replace(' ', 'T')}Z` : local
  }
  return {
    start_date: allDay === true ? toText(event.start_date) : moment('start_date'),
    end_date: allDay === true ? toText(event.end_date) : moment('end_date'),
    timezone: zone ?? fallback,
    all_day: allDay ?? false
  }
}

/** Drops and reports invalid values, as long as the item stays the same without them. */
function keepValidFields(
  kind: SingleKind,
  given: Json,
  { zone, now }: ConvertContext
): { fields: Json; notes: Reason[] } {
  const fields: Json = {}
  const notes: Reason[] = []
  for (const [name, value] of Object.entries(given)) {
    const parameter = referenceFields.has(name) || requiredFields.has(name) ? undefined : paramDefsByKind[kind][name]
    const mended = name === 'website' && typeof value === 'string' ? normalizeWebsite(value) : value
    const outcome = mended === undefined || mended === null ? undefined : parameter?.parse(mended, { zone, now })
    if (outcome instanceof ParamError) notes.push(messages.leftOut(name, outcome))
    else if (mended !== undefined) fields[name] = mended
  }
  return { fields, notes }
}

const referenceFields = new Set(['venue', 'organizer', 'categories', 'tags', 'parent', 'post_parent'])

function pickFields(thing: Json, names: string[], read: (value: unknown) => unknown): Json {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = read(thing[name])
      return value === undefined ? [] : [[name, value]]
    })
  )
}

function listEmbeddedIds(event: Json, member: string): string[] {
  return listEmbedded(event, member).flatMap(({ id }) => parseId(id) ?? [])
}

function findImage(value: unknown, { alts }: ConvertContext): Incoming['image'] {
  const url = toText(isObject(value) ? value.url : value)
  if (url === undefined || !/^https?:\/\//i.test(url)) return undefined
  const alt = isObject(value) ? toText(value.alt) || alts?.get(parseId(value.id) ?? '') : undefined
  return alt === undefined || alt === '' ? { url } : { url, alt }
}

const messages = {
  withoutId: (): Reason => ({ code: 'rejected', ...buildText('import-source-reasons', 'withoutId') }),
  withoutTitle: (): Reason => ({ code: 'rejected', ...buildText('import-source-reasons', 'withoutTitle') }),
  isProtected: (): Reason => ({ code: 'password-protected', ...buildText('import-source-reasons', 'isProtected') }),
  withReason: (): Reason => ({ code: 'status-reason-in-text', ...buildText('import-source-reasons', 'withReason') }),
  leftOut: (name: string, { message }: ParamError): Reason => ({
    code: 'value-left-out',
    field: name,
    ...buildText('import-source-reasons', 'leftOut', language => ({ message: pickByLanguage(message, language), name }))
  })
} as const
