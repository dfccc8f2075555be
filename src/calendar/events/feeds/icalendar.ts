import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import {
  buildVtimezone,
  formatBasicTime,
  getZoneClock,
  isUnambiguous,
  toTzid,
  type ZoneClock
} from '../../time/vtimezone.ts'
import { buildProperty, escapeText, escapeUri, foldLine } from './content-lines.ts'
import { buildRecurrenceLines, type ICalRecurrence, type ICalReplacedDate } from './recurrence-lines.ts'

/** An event as input of the iCalendar writer. Local times look like 2027-02-01 10:00:00. */
export interface ICalEvent {
  /** Subscribers recognise an event by it: it must never change. */
  uid: string
  /** Number of changes. */
  version: number
  createdAt: Date
  modifiedAt: Date
  /** Plain text, like all texts here; empty if there is none. */
  title: string
  description: string
  /** Local time in the time zone. */
  start: string
  end: string
  startUtc: Date
  endUtc: Date
  /** An IANA name, or an offset or abbreviation (UTC+5.5, +02:00, EST); times of the latter are written in UTC. */
  timezone: string
  /** If true, the end is 23:59:59 of the last day. */
  allDay: boolean
  status: 'scheduled' | 'canceled' | 'postponed'
  url: string
  location: string
  geo: { latitude: number; longitude: number } | null
  categories: string[]
  image: { url: string; mimeType: string } | null
  /** The names of the organizers. */
  contact: string
  /** The rule of a series, whose first date is the start. */
  repeats?: ICalRecurrence
  /** The date of the series that this event replaces. */
  replaces?: ICalReplacedDate
  /** A reminder this long before the start. */
  alarmMinutes?: number | undefined
}

export interface ICalHeader {
  name: string
  description: string
  language: Language
  /** The URL of this feed. */
  source: string
  /** The public page. */
  url: string
}

const dayMs = 24 * 60 * 60 * 1000

/** How often clients should fetch a calendar again. */
const refreshInterval = 'PT1H'

/** Years that VTIMEZONE components cover; a date beyond them, probably a typing error, is written in UTC. */
const firstZonedYear = 1970
const lastZonedYear = 2099

/** Formats the events as iCalendar (RFC 5545, with the properties of RFC 7986). */
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
    // A calendar must have a component; Outlook rejects one without.
    ...(entries.length === 0 ? buildVtimezone('UTC', firstZonedYear, firstZonedYear) : []),
    ...events,
    'END:VCALENDAR',
    ''
  ]
  return lines.map(foldLine).join('\r\n')
}

/**
 * Like `formatICalendar`, for more events than fit into memory. Their time zones are not known in advance, so each
 * VTIMEZONE precedes the first event that needs it and covers all years.
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
    // The X- properties repeat these for clients older than RFC 7986.
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
    `UID:${escapeText(entry.uid)}`,
    `DTSTAMP:${formatUtc(entry.modifiedAt)}`,
    `CREATED:${formatUtc(entry.createdAt)}`,
    `LAST-MODIFIED:${formatUtc(entry.modifiedAt)}`,
    `SEQUENCE:${Math.max(entry.version - 1, 0)}`,
    ...buildTimeLines(entry, zone),
    ...buildRecurrenceLines(entry, entry.repeats === undefined ? undefined : zone),
    ...buildProperty(`SUMMARY;LANGUAGE=${head.language}`, escapeText(buildSummary(entry, head.language))),
    ...buildProperty('DESCRIPTION', escapeText(buildDescription(entry, head.language))),
    ...buildProperty('LOCATION', escapeText(entry.location)),
    ...buildGeoLines(entry.geo),
    ...buildProperty('CATEGORIES', entry.categories.map(escapeText).filter(Boolean).join(',')),
    ...buildProperty('URL', escapeUri(entry.url)),
    ...buildImageLines(entry.image),
    // Not ORGANIZER: clients would e-mail the organizer about every invitation they consider accepted.
    ...buildProperty('CONTACT', escapeText(entry.contact)),
    `STATUS:${statusNames[entry.status]}`,
    'TRANSP:OPAQUE',
    ...buildAlarmLines(entry),
    'END:VEVENT'
  ]
}

function buildAlarmLines({ alarmMinutes, title }: ICalEvent): string[] {
  if (alarmMinutes === undefined) return []
  const description = `DESCRIPTION:${escapeText(title)}`
  return ['BEGIN:VALARM', 'ACTION:DISPLAY', description, `TRIGGER:-PT${alarmMinutes}M`, 'END:VALARM']
}

const statusNames = { scheduled: 'CONFIRMED', canceled: 'CANCELLED', postponed: 'TENTATIVE' }

/** Calendar programs have no word for a postponed event, and many do not show that it is tentative. */
export const getPostponedTexts = (language: Language) => getMessages('calendar-feed', language).postponed

function buildSummary({ status, title }: ICalEvent, language: Language): string {
  return status === 'postponed' ? getPostponedTexts(language).title({ title }) : title
}

function buildDescription({ status, description }: ICalEvent, language: Language): string {
  if (status !== 'postponed') return description
  return [getPostponedTexts(language).paragraph, description].filter(Boolean).join('\n\n')
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

/** One clock per zone that covers the years of its events, in whole decades so that other calendars can reuse it. */
function buildZoneClocks(entries: ICalEvent[]): Map<string, ZoneClock> {
  const years = new Map<string, { first: number; last: number }>()
  for (const entry of entries) {
    const zone = findZone(entry)
    if (zone === undefined) continue
    const first = entry.startUtc.getUTCFullYear()
    const last = (entry.repeats?.lastUtc ?? entry.endUtc).getUTCFullYear()
    const known = years.get(zone) ?? { first, last }
    years.set(zone, { first: Math.min(known.first, first), last: Math.max(known.last, last) })
  }
  const clocks = new Map<string, ZoneClock>()
  for (const [zone, { first, last }] of years) {
    clocks.set(zone, getZoneClock(zone, first - (first % 10), last - (last % 10) + 9))
  }
  return clocks
}

/** The zone to write the event's times in, if its local times map unambiguously to its instants. */
function chooseZone(entry: ICalEvent, clocks: Map<string, ZoneClock>): string | undefined {
  const zone = findZone(entry)
  const clock = zone === undefined ? undefined : clocks.get(zone)
  if (clock === undefined) return undefined
  // A rule needs the wall clock; dates at which it is ambiguous are written as events of their own.
  if (entry.repeats !== undefined) return zone
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
