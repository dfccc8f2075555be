import type { Language } from '#platform/language.ts'
import type { CalendarEvent } from '../../calendar-api.ts'
import { addDays, clock, longDay, money, timeOf } from '../../format.ts'
import { eventWords } from '../../text/event.ts'
import { frameWords } from '../../text/frame.ts'
import type { Visit } from '../../visit.ts'

type Times = Pick<
  CalendarEvent,
  'start_date' | 'end_date' | 'utc_start_date' | 'utc_end_date' | 'all_day' | 'timezone' | 'timezone_abbr'
>

/** When it is, in words: the beginning, and the end where it says more than the beginning. */
export interface When {
  start: string
  /** Another day, or only another time. */
  end: string | undefined
  /** What stands between the two: a short dash between times, a word between days. */
  between: string
  /** Behind all of it. */
  after: string
}

/** Saturday, 12 June 2027, 14:00–18:00. */
export function whenOf(language: Language, event: Times): When {
  const words = eventWords[language]
  const [start, end] = [event.start_date, event.end_date]
  // What goes on until midnight ends on the same day, for everybody but a clock.
  const endsAtMidnight = end.slice(11, 16) === '00:00' && end.slice(0, 10) === addDays(start, 1)
  const isOneDay = start.slice(0, 10) === end.slice(0, 10) || (event.all_day !== true && endsAtMidnight)
  const [firstDay, lastDay] = [longDay(language, start), longDay(language, end)]
  if (event.all_day === true) {
    return isOneDay
      ? { start: `${firstDay}, ${words.allDay}`, end: undefined, between: '', after: '' }
      : { start: firstDay, end: lastDay, between: ` ${words.until} `, after: '' }
  }
  const isOneMoment = start.slice(0, 16) === end.slice(0, 16)
  if (isOneMoment || isOneDay) {
    return {
      start: `${firstDay}, ${timeOf(start)}`,
      end: isOneMoment ? undefined : timeOf(end),
      between: '–',
      after: words.oClock
    }
  }
  return {
    start: `${firstDay}, ${timeOf(start)}${words.oClock}`,
    end: `${lastDay}, ${timeOf(end)}`,
    between: ` ${words.until} `,
    after: words.oClock
  }
}

/** The same in one piece. */
export function whenText(language: Language, event: Times): string {
  const { start, end, between, after } = whenOf(language, event)
  return start + (end === undefined ? '' : between + end) + after
}

/** What is said of the time zone of an event that is not in the site's: its name, and the time here. */
export function zoneText({ language, site }: Pick<Visit, 'language' | 'site'>, event: Times): string | undefined {
  const isElsewhere = event.timezone !== site.timezone && event.all_day !== true
  if (!isElsewhere || isSameClock(site.timezone, event)) return undefined
  const words = eventWords[language]
  const name = event.timezone.replaceAll('_', ' ')
  const abbreviation = /^[A-Z]{2,5}$/.test(event.timezone_abbr) ? ` (${event.timezone_abbr})` : ''
  const start = localIn(site.timezone, event.utc_start_date)
  const end = localIn(site.timezone, event.utc_end_date)
  const here = whenText(language, { ...event, start_date: start, end_date: end })
  return `${words.zone(name + abbreviation)}; ${words.here(here)}`
}

function isSameClock(timezone: string, event: Times): boolean {
  return localIn(timezone, event.utc_start_date) === event.start_date
}

const zones = new Map<string, Intl.DateTimeFormat>()

/** What clocks in a zone show: `2027-06-12 20:00:00`. */
function localIn(timezone: string, utc: string): string {
  let format = zones.get(timezone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
    zones.set(timezone, format)
  }
  return format.format(clock(utc))
}

/** 2027-06-12T14:00:00+02:00, for programs; only the day where it lasts all day. */
export function machineTime(local: string, utc: string, allDay: boolean | null): string {
  if (allDay === true) return local.slice(0, 10)
  const minutes = Math.round((clock(local).getTime() - clock(utc).getTime()) / 60_000)
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return `${local.replace(' ', 'T')}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`
}

/** Where an event is in time; what does not take place neither runs nor is over. */
export function stateOf(event: CalendarEvent, now: Date): 'canceled' | 'postponed' | 'past' | 'running' | 'ahead' {
  if (event.event_status === 'canceled' || event.event_status === 'postponed') return event.event_status
  if (isOver(event, now)) return 'past'
  return clock(event.utc_start_date) <= now ? 'running' : 'ahead'
}

export function isOver(event: Times, now: Date): boolean {
  return clock(event.utc_end_date) < now
}

/** What it costs. Plain numbers are written as people in the language do. */
export function costOf(language: Language, currency: string, event: CalendarEvent & WithCostDetails): string {
  const { cost, cost_details: details } = event
  const values = (details?.values ?? []).map(Number)
  const { free } = frameWords[language]
  if (details?.currency_symbol !== '' || values.length === 0 || values.some(Number.isNaN)) {
    return cost === 'Free' ? free : cost
  }
  const shown = [Math.min(...values), Math.max(...values)].map(one =>
    one === 0 ? free : money(language, currency, one)
  )
  return [...new Set(shown)].join(' – ')
}

export interface WithCostDetails {
  cost_details?: { currency_symbol: string; values: string[] }
}
