import { basicTime, namesOneInstant, vtimezone, type ZoneClock, zoneClock, zoneName } from './vtimezone.ts'

/** An event as a calendar program is told about it. Wall clocks are written 2027-02-01 10:00:00. */
export interface CalendarEntry {
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

export interface CalendarHead {
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
export function calendarText(head: CalendarHead, entries: CalendarEntry[]): string {
  const clocks = clocksOf(entries)
  const zones = new Set<string>()
  const events: string[] = []
  for (const entry of entries) {
    const zone = writtenZone(entry, clocks)
    if (zone !== undefined) zones.add(zone)
    events.push(...eventLines(head, entry, zone))
  }
  const lines = [
    'BEGIN:VCALENDAR',
    ...headLines(head, sharedZone(entries)),
    ...[...zones].flatMap(zone => clocks.get(zone)?.vtimezone ?? []),
    // A calendar must have a component, and Outlook refuses one that has none.
    ...(entries.length === 0 ? vtimezone('UTC', firstZonedYear, firstZonedYear) : []),
    ...events,
    'END:VCALENDAR',
    ''
  ]
  return lines.map(fold).join('\r\n')
}

/**
 * The same for more entries than memory should hold. What zones they will be in is not known before, so that a zone is
 * written out where it is needed first, for all years.
 */
export async function* calendarPieces(
  head: CalendarHead,
  batches: AsyncIterable<CalendarEntry[]>
): AsyncGenerator<string> {
  const clocks = new Map<string, ZoneClock>()
  const isWritten = new Set<string>()
  let isEmpty = true
  yield whole(['BEGIN:VCALENDAR', ...headLines(head, undefined)])
  for await (const entries of batches) {
    const lines: string[] = []
    for (const entry of entries) {
      isEmpty = false
      const possible = zoneOf(entry)
      if (possible !== undefined) clocks.set(possible, zoneClock(possible, firstZonedYear, lastZonedYear))
      const zone = writtenZone(entry, clocks)
      if (zone !== undefined && !isWritten.has(zone)) lines.push(...(clocks.get(zone)?.vtimezone ?? []))
      if (zone !== undefined) isWritten.add(zone)
      lines.push(...eventLines(head, entry, zone))
    }
    yield whole(lines)
  }
  yield whole([...(isEmpty ? vtimezone('UTC', firstZonedYear, firstZonedYear) : []), 'END:VCALENDAR'])
}

const whole = (lines: string[]) => lines.map(line => `${fold(line)}\r\n`).join('')

function headLines(head: CalendarHead, zone: string | undefined): string[] {
  return [
    'VERSION:2.0',
    'PRODID:-//Kalends//Events Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    // The X- names are the same, for programs older than RFC 7986.
    ...optional('NAME', text(head.name)),
    ...optional('X-WR-CALNAME', text(head.name)),
    ...optional('DESCRIPTION', text(head.description)),
    ...optional('X-WR-CALDESC', text(head.description)),
    ...optional('SOURCE;VALUE=URI', uri(head.source)),
    ...optional('URL', uri(head.url)),
    `REFRESH-INTERVAL;VALUE=DURATION:${refreshInterval}`,
    `X-PUBLISHED-TTL:${refreshInterval}`,
    ...optional('X-WR-TIMEZONE', zone ?? '')
  ]
}

function eventLines(head: CalendarHead, entry: CalendarEntry, zone: string | undefined): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:event-${entry.id}@${text(head.host)}`,
    `DTSTAMP:${utc(entry.modifiedAt)}`,
    `CREATED:${utc(entry.createdAt)}`,
    `LAST-MODIFIED:${utc(entry.modifiedAt)}`,
    `SEQUENCE:${Math.max(entry.version - 1, 0)}`,
    ...timeLines(entry, zone),
    ...optional(`SUMMARY;LANGUAGE=${head.language}`, text(entry.title)),
    ...optional('DESCRIPTION', text(entry.description)),
    ...optional('LOCATION', text(entry.location)),
    ...geoLines(entry.geo),
    ...optional('CATEGORIES', entry.categories.map(text).filter(Boolean).join(',')),
    ...optional('URL', uri(entry.url)),
    ...imageLines(entry.image),
    // Not ORGANIZER: programs would send the organizer mail about every invitation they think was accepted.
    ...optional('CONTACT', text(entry.contact)),
    `STATUS:${entry.cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:OPAQUE',
    'END:VEVENT'
  ]
}

function timeLines(entry: CalendarEntry, zone: string | undefined): string[] {
  if (entry.allDay) {
    const first = dayOf(entry.start)
    const last = Math.max(dayOf(entry.end), first)
    return [`DTSTART;VALUE=DATE:${date(first)}`, `DTEND;VALUE=DATE:${date(last + dayMs)}`]
  }
  const [start, end] =
    zone === undefined
      ? [`:${utc(entry.startUtc)}`, `:${utc(entry.endUtc)}`]
      : [entry.start, entry.end].map(time => `;TZID=${zone}:${basicTime(new Date(wallClock(time)))}`)
  // DTEND must be later than DTSTART; without it an event ends when it starts (RFC 5545, 3.6.1).
  if (entry.endUtc <= entry.startUtc) return [`DTSTART${start}`]
  return [`DTSTART${start}`, `DTEND${end}`]
}

function geoLines(geo: CalendarEntry['geo']): string[] {
  if (geo === null) return []
  return [`GEO:${sixDecimals(geo.latitude)};${sixDecimals(geo.longitude)}`]
}

function imageLines(image: CalendarEntry['image']): string[] {
  if (image === null) return []
  const type = /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/i.test(image.mimeType) ? `;FMTTYPE=${image.mimeType}` : ''
  return optional(`IMAGE;VALUE=URI;DISPLAY=BADGE${type}`, uri(image.url))
}

/** One clock for each zone, good for the decades of its entries: whole decades, so that other calendars can use it too. */
function clocksOf(entries: CalendarEntry[]): Map<string, ZoneClock> {
  const years = new Map<string, { first: number; last: number }>()
  for (const entry of entries) {
    const zone = zoneOf(entry)
    if (zone === undefined) continue
    const first = entry.startUtc.getUTCFullYear()
    const last = entry.endUtc.getUTCFullYear()
    const known = years.get(zone) ?? { first, last }
    years.set(zone, { first: Math.min(known.first, first), last: Math.max(known.last, last) })
  }
  const clocks = new Map<string, ZoneClock>()
  for (const [zone, { first, last }] of years) {
    clocks.set(zone, zoneClock(zone, first - (first % 10), last - (last % 10) + 9))
  }
  return clocks
}

/** The zone in which an entry's times can be written, if its wall clocks are sure to be read as its instants. */
function writtenZone(entry: CalendarEntry, clocks: Map<string, ZoneClock>): string | undefined {
  const zone = zoneOf(entry)
  const clock = zone === undefined ? undefined : clocks.get(zone)
  if (clock === undefined) return undefined
  const sure =
    namesOneInstant(clock, wallClock(entry.start), entry.startUtc.getTime()) &&
    namesOneInstant(clock, wallClock(entry.end), entry.endUtc.getTime())
  return sure ? zone : undefined
}

function zoneOf(entry: CalendarEntry): string | undefined {
  const known =
    !entry.allDay &&
    entry.startUtc.getUTCFullYear() >= firstZonedYear &&
    entry.endUtc.getUTCFullYear() <= lastZonedYear &&
    entry.endUtc >= entry.startUtc
  return known ? zoneName(entry.timezone) : undefined
}

function sharedZone(entries: CalendarEntry[]): string | undefined {
  const timezones = new Set(entries.map(entry => entry.timezone))
  const [timezone] = timezones
  if (timezone === undefined || timezones.size > 1) return undefined
  return timezone === 'UTC' ? timezone : zoneName(timezone)
}

function optional(name: string, value: string): string[] {
  return value === '' ? [] : [`${name}:${value}`]
}

/** Half characters (Cs) and control characters (Cc) among them. Most texts have none of these. */
const needsCare = /[\\;,\u2028\u2029\p{Cc}\p{Cs}]/u

/** Text in which nothing can end the line or the value. */
function text(value: string): string {
  if (!needsCare.test(value)) return value
  return value
    .toWellFormed()
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
}

/** An address in which everything that RFC 3986 has no place for is percent-encoded, line breaks included. */
function uri(value: string): string {
  return value
    .trim()
    .toWellFormed()
    .replaceAll(/[^!#-;=?-[\]_a-z~]+/g, encodeURIComponent)
}

function wallClock(time: string): number {
  return Date.parse(`${time.replace(' ', 'T')}Z`)
}

function dayOf(time: string): number {
  return Date.parse(time.slice(0, 10))
}

function date(day: number): string {
  return basicTime(new Date(day)).slice(0, 8)
}

function utc(instant: Date): string {
  return `${basicTime(instant)}Z`
}

function sixDecimals(degrees: number): string {
  return String(Number(degrees.toFixed(6)))
}

/** Cuts a long line between characters; every further line starts with a blank, which counts. */
function fold(line: string): string {
  if (Buffer.byteLength(line) <= lineOctets) return line
  let folded = ''
  let start = 0
  let room = lineOctets
  for (let index = 0; index < line.length; index += 1) {
    const octets = octetsOf(line.charCodeAt(index))
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
function octetsOf(unit: number): number {
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  if (unit < 0xd800 || unit > 0xdfff) return 3
  return unit < 0xdc00 ? 4 : 0
}
