import type { DateTimeText } from '../contract/date-params.ts'
import type { ParseContext } from '../contract/param-definition.ts'
import { parseDateTime } from '../time/natural-dates.ts'
import { endOfDay, type LocalDateTime, startOfDay, toLocal } from '../time/time.ts'

/** Default date bounds for those that were not given. */
export interface DefaultDates {
  start_date?: LocalDateTime
  end_date?: LocalDateTime
}

/** Date filters besides start and end. */
export const dateFilterNames = ['starts_before', 'starts_after', 'ends_before', 'ends_after'] as const
const monthsAhead = 24

type DateFilters = Partial<Record<'start_date' | 'end_date' | (typeof dateFilterNames)[number], DateTimeText>>

/** From today to two years ahead, unless the request has date filters of its own. */
export function getDefaultDates({ zone, now }: ParseContext, values: DateFilters): DefaultDates {
  if (dateFilterNames.some(name => values[name] !== undefined)) return {}
  if (values.start_date === undefined && values.end_date === undefined) return getUsualDates(zone, now)
  const today = toLocal(now, zone)
  const from = values.start_date === undefined ? today : parseDateTime(values.start_date, zone, now)?.local
  const end = addMonths(today, monthsAhead)
  return {
    ...(values.start_date === undefined ? { start_date: startOfDay(today) } : {}),
    ...(values.end_date === undefined
      ? { end_date: endOfDay(from !== undefined && from > end ? addMonths(from, monthsAhead) : end) }
      : {})
  }
}

let usual: { zone: string; minute: number; dates: DefaultDates } | undefined

/** Nearly all requests have no dates: their defaults are computed once a minute, because a day begins with one. */
function getUsualDates(zone: string, now: Date): DefaultDates {
  const minute = Math.floor(now.getTime() / 60_000)
  if (usual?.zone !== zone || usual.minute !== minute) {
    const today = toLocal(now, zone)
    const dates = { start_date: startOfDay(today), end_date: endOfDay(addMonths(today, monthsAhead)) }
    usual = { zone, minute, dates }
  }
  return usual.dates
}

function addMonths(local: LocalDateTime, months: number): LocalDateTime {
  const [year = 0, month = 1, day = 1] = local.slice(0, 10).split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  const date = new Date(Date.UTC(year, month - 1 + months, Math.min(day, last)))
  return `${date.toISOString().slice(0, 10)}${local.slice(10)}`
}
