import { readMoment } from '../date-words.ts'
import type { Reading } from '../parameters.ts'
import type { MomentText } from '../rules.ts'
import { endOfDay, type Local, startOfDay, toLocal } from '../time.ts'

/** Bounds that take the place of those that were not given. */
export interface Window {
  start_date?: Local
  end_date?: Local
}

/** Dates besides start and end that a list can be narrowed by. */
export const dateNames = ['starts_before', 'starts_after', 'ends_before', 'ends_after'] as const
const monthsAhead = 24

type AskedDates = Partial<Record<'start_date' | 'end_date' | (typeof dateNames)[number], MomentText>>

/** From today to two years ahead, unless other dates are asked for. */
export function defaultsOf({ zone, now }: Reading, values: AskedDates): Window {
  if (dateNames.some(name => values[name] !== undefined)) return {}
  const today = toLocal(now, zone)
  const from = values.start_date === undefined ? today : readMoment(values.start_date, zone, now)?.local
  const end = monthsLater(today, monthsAhead)
  return {
    ...(values.start_date === undefined ? { start_date: startOfDay(today) } : {}),
    ...(values.end_date === undefined
      ? { end_date: endOfDay(from !== undefined && from > end ? monthsLater(from, monthsAhead) : end) }
      : {})
  }
}

function monthsLater(local: Local, months: number): Local {
  const [year = 0, month = 1, day = 1] = local.slice(0, 10).split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  const date = new Date(Date.UTC(year, month - 1 + months, Math.min(day, last)))
  return `${date.toISOString().slice(0, 10)}${local.slice(10)}`
}
