import { createHash } from 'node:crypto'
import type { Language, Text } from '#platform/language.ts'
import { languages } from '#platform/language.ts'
import { eventFields } from '../../events/schema.ts'
import { plainText } from '../../html.ts'
import { organizerFields } from '../../organizers/schema.ts'
import { type Declared, Fault } from '../../parameters.ts'
import { isObject } from '../../rules.ts'
import { categoryFields, tagFields } from '../../terms/schema.ts'
import { toLocal } from '../../time.ts'
import { venueFields } from '../../venues/schema.ts'
import { readZone } from '../../zones.ts'
import type { Incoming, Kind, Words } from '../source.ts'
import type { Json } from './site.ts'

/** What the things of another site are in our words. Whatever has another form than it should have counts as not said. */

export interface Reading {
  /** The language of what does not say its own. */
  language: Language
  now: Date
  zone: string
}

const declared: Record<Kind, Declared> = {
  event: eventFields,
  venue: venueFields,
  organizer: organizerFields,
  category: categoryFields,
  tag: tagFields
}

/** Without these it is not the same any more, so a value that does not fit is a problem and not just left out. */
const essential = new Set(['title', 'start_date', 'end_date'])

export function toIncoming(kind: Kind, thing: Json, reading: Reading): Incoming {
  const sourceId = idOf(thing.id)
  const title = textOf(thing[kind === 'event' ? 'title' : kind === 'venue' || kind === 'organizer' ? kind : 'name'])
  const description = textOf(thing.description)
  const excerpt = textOf(thing.excerpt)
  const slug = textOf(thing.slug)
  const words: Words = {
    title: title ?? '',
    ...(description === undefined ? {} : { description }),
    ...(excerpt === undefined ? {} : { excerpt }),
    ...(slug === undefined ? {} : { slug })
  }
  const { fields, notes } = fitting(kind, fieldsOf[kind](thing, reading), reading)
  const image = imageIn(thing.image)
  return {
    kind,
    sourceId: sourceId ?? `? ${createHash('sha256').update(JSON.stringify(thing)).digest('hex')}`,
    texts: { [languageOf(thing) ?? reading.language]: words },
    fields,
    ...(image === undefined ? {} : { image }),
    problems: [
      ...(sourceId === undefined ? [told.withoutId] : []),
      ...(title === undefined || plainText(title) === '' ? [told.withoutTitle] : [])
    ],
    ...(kind === 'event' && thing.all_day === null ? { skipped: [told.isProtected] } : {}),
    notes
  }
}

/** The language that a thing says it is in, where it says so. */
export function languageOf({ language }: Json): Language | undefined {
  return languages.find(known => known === language)
}

/** The other languages that there are texts in. */
export function translationsOf(thing: Json): Language[] {
  const { translations } = thing
  if (!Array.isArray(translations)) return []
  return languages.filter(language => translations.includes(language) && language !== languageOf(thing))
}

/** The things inside an event; a list, an object or nothing. */
export function embedded(event: Json, member: string): Json[] {
  const value = event[member]
  return (Array.isArray(value) ? value : [value]).filter(isObject)
}

const fieldsOf: Record<Kind, (thing: Json, reading: Reading) => Json> = {
  event: (event, reading) => {
    const website = textOf(event.website)
    const parent = idOf(event.post_parent)
    return {
      ...whenOf(event, reading),
      ...pick(event, ['status', 'date_utc', 'event_status'], textOf),
      ...pick(event, ['cost'], value => (textOf(value) === undefined ? undefined : plainText(textOf(value) ?? ''))),
      ...pick(event, ['show_map', 'show_map_link', 'sticky', 'featured', 'ticketed'], truthOf),
      // Its own page is shown there where nothing was said.
      website: website === undefined || website === textOf(event.url) ? null : website,
      venue: idsIn(event, 'venue'),
      organizer: idsIn(event, 'organizer'),
      categories: idsIn(event, 'categories'),
      tags: idsIn(event, 'tags'),
      ...(parent === undefined ? {} : { post_parent: parent })
    }
  },
  venue: venue => ({
    ...pick(venue, ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'stateprovince'], textOf),
    ...pick(venue, ['website', 'status', 'date_utc'], textOf),
    ...pick(venue, ['show_map', 'show_map_link'], truthOf),
    ...pick(venue, ['geo_lat', 'geo_lng'], value => (typeof value === 'number' ? value : textOf(value)))
  }),
  organizer: organizer => pick(organizer, ['phone', 'website', 'email', 'status', 'date_utc'], textOf),
  category: ({ parent }) => ({ parent: idOf(parent) ?? null }),
  tag: () => ({})
}

/** The clock of its zone and, where that fits, the very moment: an hour that comes twice is told apart by it. */
function whenOf(event: Json, { zone: fallback }: Reading): Json {
  const zone = readZone(textOf(event.timezone) ?? '')
  const allDay = truthOf(event.all_day)
  const moment = (name: 'start_date' | 'end_date') => {
    const local = textOf(event[name])
    const utc = textOf(event[`utc_${name}`])
    if (utc === undefined || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(utc)) return local
    const instant = new Date(`${utc.replace(' ', 'T')}Z`)
    if (Number.isNaN(instant.getTime())) return local
    const isSame = zone !== undefined && toLocal(instant, zone) === local
    return zone === undefined || isSame || local === undefined ? `${utc.replace(' ', 'T')}Z` : local
  }
  return {
    start_date: allDay === true ? textOf(event.start_date) : moment('start_date'),
    end_date: allDay === true ? textOf(event.end_date) : moment('end_date'),
    timezone: zone ?? fallback,
    all_day: allDay ?? false
  }
}

/** What does not fit is left out and told of, as long as the thing is still the same without it. */
function fitting(kind: Kind, given: Json, { zone, now }: Reading): { fields: Json; notes: Text[] } {
  const fields: Json = {}
  const notes: Text[] = []
  for (const [name, value] of Object.entries(given)) {
    const parameter = refers.has(name) || essential.has(name) ? undefined : declared[kind][name]
    const mended = name === 'website' && typeof value === 'string' ? withScheme(value) : value
    const outcome = mended === undefined || mended === null ? undefined : parameter?.read(mended, { zone, now })
    if (outcome instanceof Fault) notes.push(told.leftOut(name, outcome))
    else if (mended !== undefined) fields[name] = mended
  }
  return { fields, notes }
}

const refers = new Set(['venue', 'organizer', 'categories', 'tags', 'parent', 'post_parent'])

/** People write `www.example.org`. */
const withScheme = (website: string) =>
  /^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(website.slice(0, 300)) ? `https://${website}` : website

function pick(thing: Json, names: string[], read: (value: unknown) => unknown): Json {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = read(thing[name])
      return value === undefined ? [] : [[name, value]]
    })
  )
}

function idsIn(event: Json, member: string): string[] {
  return embedded(event, member).flatMap(({ id }) => idOf(id) ?? [])
}

export function idOf(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  return /^[1-9]\d{0,17}$/.test(text) ? text : undefined
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' ? value : undefined
}

function truthOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  return value === 1 || value === '1' ? true : value === 0 || value === '0' ? false : undefined
}

function imageIn(value: unknown): Incoming['image'] {
  const url = textOf(isObject(value) ? value.url : value)
  if (url === undefined || !/^https?:\/\//i.test(url)) return undefined
  const alt = isObject(value) ? textOf(value.alt) : undefined
  return alt === undefined || alt === '' ? { url } : { url, alt }
}

const told = {
  withoutId: { en: 'It has no number.', de: 'Hat keine Nummer.' },
  withoutTitle: { en: 'It has no title.', de: 'Hat keinen Titel.' },
  isProtected: {
    en: 'It is protected with a password, so the site does not tell what is in it.',
    de: 'Ist durch ein Passwort geschützt; die Website sagt nicht, was darin steht.'
  },
  leftOut: (name: string, { message }: Fault): Text => ({
    en: `Without ${name}, which ${message.en}.`,
    de: `Ohne ${name}: ${message.de}.`
  })
}
