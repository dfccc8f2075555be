import { parseClock } from '../../format/format.ts'

/** Range of days that the calendar API supports. */
export const firstDay = '1900-01-01'
export const lastDay = '2200-12-31'

export function isMonth(when: string): boolean {
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(when) && when >= firstDay.slice(0, 7) && when <= lastDay.slice(0, 7)
}

/** Rejects days such as 30 February, which Date would turn into another day. */
export function isDay(when: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(when) || when < firstDay || when > lastDay) return false
  const date = parseClock(when)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(when)
}
