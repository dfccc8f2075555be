import {
  buildVtimezone,
  formatBasicTime,
  getZoneClock,
  isUnambiguous,
  toTzid,
  type ZoneClock
} from '../../time/vtimezone.ts'

/** An event as a calendar program is told about it. Wall clocks are written 2027-02-01 10:00:00. */
export interface ICalEvent {
  id: number
  /** Counts the changes. */
  version: number
  createdAt: Date
  modifiedAt: Date
  /** Plain text, like all texts here; empty where there is none. */
  title: string
  description: string
  /** Wall clock in the time zone. */
  start: string
  end: string
  startUtc: Date
  endUtc: Date
  /** An IANA name, or an offset or abbreviation (UTC+5.5, +02:00, EST): such times are written in UTC. */
  timezone: string
  /** The end is then 23:59:59 of the last day. */
  allDay: boolean
  cancelled: boolean
  url: string
  location: string
  geo: { latitude: number; longitude: number } | null
  categories: string[]
  image: { url: string; mimeType: string } | null
  /** The organizers. */
  contact: string
}

export interface ICalHeader {
  name: string
  description: string
  language: 'en' | 'de'
  /** Where this very text can be fetched again. */
  source: string
  /** The page for people. */
  url: string
  /** The part of every UID behind the @: when it changes, every subscriber sees every event anew. */
  host: string
}

const dayMs = 24 * 60 * 60 * 1000

/** RFC 5545, 3.1: octets in a line, not counting the line break. */
const lineOctets = 75

/** How often a program should fetch a calendar again. */
const refreshInterval = 'PT1H'

/** Years for which time zones are written out; a date beyond them, likely a slip of the pen, is written in UTC. */
const firstZonedYear = 1970
const lastZonedYear = 2099

/** The iCalendar text (RFC 5545, with the names of RFC 7986) of these entries. */
export function formatICalendar(head: ICalHeader, entries: ICalEvent[]): string {
  const clocks = buildZoneClocks(entries)
  const zones = new Set<string>()
  const events: string[] = []
  for (const entry of entries) {
    const zone = chooseZone(entry, clocks)
    if (zone !== undefined) zones.add(zone)
    events.push(...buildEventLines(head, entry, zone))
  }
  const lines = [
    'BEGIN:VCALENDAR',
    ...buildHeaderLines(head, findSharedZone(entries)),
    ...[...zones].flatMap(zone => clocks.get(zone)?.vtimezone ?? []),
    // A calendar must have a component, and Outlook refuses one that has none.
    ...(entries.length === 0 ? buildVtimezone('UTC', firstZonedYear, firstZonedYear) : []),
    ...events,
    'END:VCALENDAR',
    ''
  ]
  return lines.map(foldLine).join('\r\n')
}

/**
 * The same for more entries than memory should hold. What zones they will be in is not known before, so that a zone is
 * written out where it is needed first, for all years.
 */
export async function* streamICalendar(head: ICalHeader, batches: AsyncIterable<ICalEvent[]>): AsyncGenerator<string> {
  const clocks = new Map<string, ZoneClock>()
  const isWritten = new Set<string>()
  let isEmpty = true
  yield joinLines(['BEGIN:VCALENDAR', ...buildHeaderLines(head, undefined)])
  for await (const entries of batches) {
    const lines: string[] = []
    for (const entry of entries) {
      isEmpty = false
      const possible = findZone(entry)
      if (possible !== undefined) clocks.set(possible, getZoneClock(possible, firstZonedYear, lastZonedYear))
      const zone = chooseZone(entry, clocks)
      if (zone !== undefined && !isWritten.has(zone)) lines.push(...(clocks.get(zone)?.vtimezone ?? []))
      if (zone !== undefined) isWritten.add(zone)
      lines.push(...buildEventLines(head, entry, zone))
    }
    yield joinLines(lines)
  }
  yield joinLines([...(isEmpty ? buildVtimezone('UTC', firstZonedYear, firstZonedYear) : []), 'END:VCALENDAR'])
}

const joinLines = (lines: string[]) => lines.map(line => `${foldLine(line)}\r\n`).join('')

function buildHeaderLines(head: ICalHeader, zone: string | undefined): string[] {
  return [
    'VERSION:2.0',
    'PRODID:-//Kalends//Events Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    // The X- names are the same, for programs older than RFC 7986.
    ...buildProperty('NAME', escapeText(head.name)),
    ...buildProperty('X-WR-CALNAME', escapeText(head.name)),
    ...buildProperty('DESCRIPTION', escapeText(head.description)),
    ...buildProperty('X-WR-CALDESC', escapeText(head.description)),
    ...buildProperty('SOURCE;VALUE=URI', escapeUri(head.source)),
    ...buildProperty('URL', escapeUri(head.url)),
    `REFRESH-INTERVAL;VALUE=DURATION:${refreshInterval}`,
    `X-PUBLISHED-TTL:${refreshInterval}`,
    ...buildProperty('X-WR-TIMEZONE', zone ?? '')
  ]
}

function buildEventLines(head: ICalHeader, entry: ICalEvent, zone: string | undefined): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:event-${entry.id}@${escapeText(head.host)}`,
    `DTSTAMP:${formatUtc(entry.modifiedAt)}`,
    `CREATED:${formatUtc(entry.createdAt)}`,
    `LAST-MODIFIED:${formatUtc(entry.modifiedAt)}`,
    `SEQUENCE:${Math.max(entry.version - 1, 0)}`,
    ...buildTimeLines(entry, zone),
    ...buildProperty(`SUMMARY;LANGUAGE=${head.language}`, escapeText(entry.title)),
    ...buildProperty('DESCRIPTION', escapeText(entry.description)),
    ...buildProperty('LOCATION', escapeText(entry.location)),
    ...buildGeoLines(entry.geo),
    ...buildProperty('CATEGORIES', entry.categories.map(escapeText).filter(Boolean).join(',')),
    ...buildProperty('URL', escapeUri(entry.url)),
    ...buildImageLines(entry.image),
    // Not ORGANIZER: programs would send the organizer mail about every invitation they think was accepted.
    ...buildProperty('CONTACT', escapeText(entry.contact)),
    `STATUS:${entry.cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:OPAQUE',
    'END:VEVENT'
  ]
}

function buildTimeLines(entry: ICalEvent, zone: string | undefined): string[] {
  if (entry.allDay) {
    const first = parseDay(entry.start)
    const last = Math.max(parseDay(entry.end), first)
    return [`DTSTART;VALUE=DATE:${formatDate(first)}`, `DTEND;VALUE=DATE:${formatDate(last + dayMs)}`]
  }
  const [start, end] =
    zone === undefined
      ? [`:${formatUtc(entry.startUtc)}`, `:${formatUtc(entry.endUtc)}`]
      : [entry.start, entry.end].map(time => `;TZID=${zone}:${formatBasicTime(new Date(parseWallClock(time)))}`)
  // DTEND must be later than DTSTART; without it an event ends when it starts (RFC 5545, 3.6.1).
  if (entry.endUtc <= entry.startUtc) return [`DTSTART${start}`]
  return [`DTSTART${start}`, `DTEND${end}`]
}

function buildGeoLines(geo: ICalEvent['geo']): string[] {
  if (geo === null) return []
  return [`GEO:${formatDegrees(geo.latitude)};${formatDegrees(geo.longitude)}`]
}

function buildImageLines(image: ICalEvent['image']): string[] {
  if (image === null) return []
  const type = /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/i.test(image.mimeType) ? `;FMTTYPE=${image.mimeType}` : ''
  return buildProperty(`IMAGE;VALUE=URI;DISPLAY=BADGE${type}`, escapeUri(image.url))
}

/** One clock for each zone, good for the decades of its entries: whole decades, so that other calendars can use it too. */
function buildZoneClocks(entries: ICalEvent[]): Map<string, ZoneClock> {
  const years = new Map<string, { first: number; last: number }>()
  for (const entry of entries) {
    const zone = findZone(entry)
    if (zone === undefined) continue
    const first = entry.startUtc.getUTCFullYear()
    const last = entry.endUtc.getUTCFullYear()
    const known = years.get(zone) ?? { first, last }
    years.set(zone, { first: Math.min(known.first, first), last: Math.max(known.last, last) })
  }
  const clocks = new Map<string, ZoneClock>()
  for (const [zone, { first, last }] of years) {
    clocks.set(zone, getZoneClock(zone, first - (first % 10), last - (last % 10) + 9))
  }
  return clocks
}

/** The zone in which an entry's times can be written, if its wall clocks are sure to be read as its instants. */
function chooseZone(entry: ICalEvent, clocks: Map<string, ZoneClock>): string | undefined {
  const zone = findZone(entry)
  const clock = zone === undefined ? undefined : clocks.get(zone)
  if (clock === undefined) return undefined
  const sure =
    isUnambiguous(clock, parseWallClock(entry.start), entry.startUtc.getTime()) &&
    isUnambiguous(clock, parseWallClock(entry.end), entry.endUtc.getTime())
  return sure ? zone : undefined
}

function findZone(entry: ICalEvent): string | undefined {
  const known =
    !entry.allDay &&
    entry.startUtc.getUTCFullYear() >= firstZonedYear &&
    entry.endUtc.getUTCFullYear() <= lastZonedYear &&
    entry.endUtc >= entry.startUtc
  return known ? toTzid(entry.timezone) : undefined
}

function findSharedZone(entries: ICalEvent[]): string | undefined {
  const timezones = new Set(entries.map(entry => entry.timezone))
  const [timezone] = timezones
  if (timezone === undefined || timezones.size > 1) return undefined
  return timezone === 'UTC' ? timezone : toTzid(timezone)
}

function buildProperty(name: string, value: string): string[] {
  return value === '' ? [] : [`${name}:${value}`]
}

/** Half characters (Cs) and control characters (Cc) among them. Most texts have none of these. */
const needsEscaping = /[\\;,\u2028\u2029\p{Cc}\p{Cs}]/u

/** Text in which nothing can end the line or the value. */
function escapeText(value: string): string {
  if (!needsEscaping.test(value)) return value
  return value
    .toWellFormed()
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
}

/** An address in which everything that RFC 3986 has no place for is percent-encoded, line breaks included. */
function escapeUri(value: string): string {
  return value
    .trim()
    .toWellFormed()
    .replaceAll(/[^!#-;=?-[\]_a-z~]+/g, encodeURIComponent)
}

function parseWallClock(time: string): number {
  return Date.parse(`${time.replace(' ', 'T')}Z`)
}

function parseDay(time: string): number {
  return Date.parse(time.slice(0, 10))
}

function formatDate(day: number): string {
  return formatBasicTime(new Date(day)).slice(0, 8)
}

function formatUtc(instant: Date): string {
  return `${formatBasicTime(instant)}Z`
}

function formatDegrees(degrees: number): string {
  return String(Number(degrees.toFixed(6)))
}

/** Cuts a long line between characters; every further line starts with a blank, which counts. */
function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= lineOctets) return line
  let folded = ''
  let start = 0
  let room = lineOctets
  for (let index = 0; index < line.length; index += 1) {
    const octets = countOctets(line.charCodeAt(index))
    if (octets > room) {
      folded += `${line.slice(start, index)}\r\n `
      start = index
      room = lineOctets - 1
    }
    room -= octets
  }
  return folded + line.slice(start)
}

/** In UTF-8. The first half of a surrogate pair counts for both, so that no line ends between the two. */
function countOctets(unit: number): number {
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  if (unit < 0xd800 || unit > 0xdfff) return 3
  return unit < 0xdc00 ? 4 : 0
}
