import { addDays, addMonths, parseClock, toLocalDay } from '../../format/format.ts'
import type { Query } from '../../server/api-client.ts'
import type { PageContext } from '../../server/context.ts'
import { isDay } from './dates.ts'

/** Periods that follow the calendar, so that a link to them stays right. */
export const periods = ['today', 'weekend', 'month'] as const
export type Period = (typeof periods)[number]

/** Dates of the list: a period, or a range of days. */
export interface DateFilters {
  when: Period | ''
  /** First and last day; each may be missing. */
  from: string
  to: string
}

export const noDateFilters: DateFilters = { when: '', from: '', to: '' }

/** A range takes precedence over a period; days in the wrong order are swapped. */
export function parseDateFilters(query: Record<string, string>): DateFilters {
  const [from, to] = [query.from ?? '', query.to ?? ''].map(day => (isDay(day.trim()) ? day.trim() : '')) as [
    string,
    string
  ]
  if (from === '' && to === '') return { ...noDateFilters, when: periods.find(one => one === query.when) ?? '' }
  return from !== '' && to !== '' && from > to ? { when: '', from: to, to: from } : { when: '', from, to }
}

export function hasDates({ when, from, to }: DateFilters): boolean {
  return when !== '' || from !== '' || to !== ''
}

/** The days of a period, from today on. */
export function getPeriodDays(period: Period, today: string): { from: string; to: string } {
  if (period === 'today') return { from: today, to: today }
  if (period === 'month') return { from: today, to: addDays(`${addMonths(today.slice(0, 7), 1)}-01`, -1) }
  const weekday = parseClock(today).getUTCDay()
  if (weekday === 0) return { from: today, to: today }
  const saturday = addDays(today, 6 - weekday)
  return { from: saturday, to: addDays(saturday, 1) }
}

/** Parameters of the calendar API for events on these days: of a period only those that are not over. */
export function toDateQuery({ site, now }: Pick<PageContext, 'site' | 'now'>, filters: DateFilters): Query {
  const today = toLocalDay(site.timezone, now)
  const { from, to } = filters.when === '' ? filters : getPeriodDays(filters.when, today)
  const isFromNow = filters.when !== '' && from <= today
  return {
    strict_dates: true,
    ends_after: isFromNow ? 'now' : from === '' ? undefined : `${from} 00:00:00`,
    starts_before: to === '' ? undefined : `${addDays(to, 1)} 00:00:00`
  }
}
