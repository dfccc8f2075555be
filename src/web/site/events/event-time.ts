import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { addDays, formatLongDay, formatTime, parseClock } from '../../format/format.ts'
import type { CalendarEvent } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'

type Times = Pick<
  CalendarEvent,
  'start_date' | 'end_date' | 'utc_start_date' | 'utc_end_date' | 'all_day' | 'timezone' | 'timezone_abbr'
>

/** Formatted time of an event: start, and end if it adds information. */
export interface WhenParts {
  start: string
  /** Another day, or only another time. */
  end: string | undefined
  /** Separator: a dash between times, a word between days. */
  between: string
  /** Suffix. */
  after: string
}

/** Saturday, 12 June 2027, 14:00–18:00. */
export function formatWhenParts(language: Language, event: Times): WhenParts {
  const strings = getMessages('event', language)
  const [start, end] = [event.start_date, event.end_date]
  // An event until midnight ends on the same day for readers.
  const endsAtMidnight = end.slice(11, 16) === '00:00' && end.slice(0, 10) === addDays(start, 1)
  const isOneDay = start.slice(0, 10) === end.slice(0, 10) || (event.all_day !== true && endsAtMidnight)
  const [firstDay, lastDay] = [formatLongDay(language, start), formatLongDay(language, end)]
  if (event.all_day === true) {
    return isOneDay
      ? { start: `${firstDay}, ${strings.allDay}`, end: undefined, between: '', after: '' }
      : { start: firstDay, end: lastDay, between: ` ${strings.until} `, after: '' }
  }
  const isOneMoment = start.slice(0, 16) === end.slice(0, 16)
  if (isOneMoment || isOneDay) {
    return {
      start: `${firstDay}, ${formatTime(start)}`,
      end: isOneMoment ? undefined : formatTime(end),
      between: '–',
      after: strings.oClock
    }
  }
  return {
    start: `${firstDay}, ${formatTime(start)}${strings.oClock}`,
    end: `${lastDay}, ${formatTime(end)}`,
    between: ` ${strings.until} `,
    after: strings.oClock
  }
}

/** As one string. */
export function formatWhen(language: Language, event: Times): string {
  const { start, end, between, after } = formatWhenParts(language, event)
  return start + (end === undefined ? '' : between + end) + after
}

/** Time zone note for an event outside the site's zone: its name, and the site's local time. */
export function formatZone(
  { language, site }: Pick<PageContext, 'language' | 'site'>,
  event: Times
): string | undefined {
  const isElsewhere = event.timezone !== site.timezone && event.all_day !== true
  if (!isElsewhere || isSameClock(site.timezone, event)) return undefined
  const strings = getMessages('event', language)
  const name = event.timezone.replaceAll('_', ' ')
  const abbreviation = /^[A-Z]{2,5}$/.test(event.timezone_abbr) ? ` (${event.timezone_abbr})` : ''
  const start = toLocalTime(site.timezone, event.utc_start_date)
  const end = toLocalTime(site.timezone, event.utc_end_date)
  const here = formatWhen(language, { ...event, start_date: start, end_date: end })
  return `${strings.zone({ name: name + abbreviation })}; ${strings.here({ time: here })}`
}

function isSameClock(timezone: string, event: Times): boolean {
  return toLocalTime(timezone, event.utc_start_date) === event.start_date
}

const zones = new Map<string, Intl.DateTimeFormat>()

/** Local time in a zone: `2027-06-12 20:00:00`. */
function toLocalTime(timezone: string, utc: string): string {
  let format = zones.get(timezone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
    zones.set(timezone, format)
  }
  return format.format(parseClock(utc))
}

/** 2027-06-12T14:00:00+02:00, machine-readable; only the date if it is all-day. */
export function formatIsoTime(local: string, utc: string, allDay: boolean | null): string {
  if (allDay === true) return local.slice(0, 10)
  const minutes = Math.round((parseClock(local).getTime() - parseClock(utc).getTime()) / 60_000)
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return `${local.replace(' ', 'T')}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`
}

/** State of an event in time; cancelled and postponed ones are neither running nor past. */
export function getEventState(
  event: CalendarEvent,
  now: Date
): 'canceled' | 'postponed' | 'past' | 'running' | 'ahead' {
  if (event.event_status === 'canceled' || event.event_status === 'postponed') return event.event_status
  if (isOver(event, now)) return 'past'
  return parseClock(event.utc_start_date) <= now ? 'running' : 'ahead'
}

export function isOver(event: Times, now: Date): boolean {
  return parseClock(event.utc_end_date) < now
}
