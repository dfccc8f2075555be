import type { Language } from '#platform/language.ts'
import { formatShortDay, formatTime, parseClock } from './format.ts'

interface Times {
  /** Local time of the event, as in the API. */
  start_date: string
  end_date: string
  /** Null for protected events. */
  all_day: boolean | null
}

/** Null for protected events, so it is derived from the times. */
export function isAllDay(event: Times): boolean {
  return event.all_day ?? (event.start_date.endsWith('00:00:00') && event.end_date.endsWith('23:59:59'))
}

/** An event that ends at midnight ends on the day before. */
export function getLastDay({ start_date: start, end_date: end }: Times): string {
  if (!endsAtMidnight({ start_date: start, end_date: end })) return end.slice(0, 10)
  return new Date(parseClock(end).getTime() - 1000).toISOString().slice(0, 10)
}

export function isSeveralDays(event: Times): boolean {
  return getLastDay(event) !== event.start_date.slice(0, 10)
}

/** Thu 24 Dec, 17:00 and Sun 27 Dec, 12:00: each day with its own time, and with its year if the years differ. */
export function formatPeriod(
  language: Language,
  event: Times,
  { withYear = false }: { withYear?: boolean } = {}
): { start: string; end: string } {
  const start = event.start_date
  return {
    start: formatDayTime(language, event, { day: start, time: formatTime(start), withYear: hasTwoYears(event) }),
    end: formatPeriodEnd(language, event, { withYear })
  }
}

/** Sun 27 Dec, 12:00: the end of such a period alone. */
export function formatPeriodEnd(
  language: Language,
  event: Times,
  { withYear = false }: { withYear?: boolean } = {}
): string {
  return formatDayTime(language, event, {
    day: getLastDay(event),
    time: endsAtMidnight(event) ? '24:00' : formatTime(event.end_date),
    withYear: withYear || hasTwoYears(event)
  })
}

const hasTwoYears = (event: Times) => event.start_date.slice(0, 4) !== getLastDay(event).slice(0, 4)

function formatDayTime(
  language: Language,
  event: Times,
  { day, time, withYear }: { day: string; time: string; withYear: boolean }
): string {
  const date = formatShortDay(language, day).replace(',', '') + (withYear ? ` ${day.slice(0, 4)}` : '')
  return isAllDay(event) ? date : `${date}, ${time}`
}

const endsAtMidnight = ({ start_date: start, end_date: end }: Pick<Times, 'start_date' | 'end_date'>) =>
  end.slice(11) === '00:00:00' && end > start
