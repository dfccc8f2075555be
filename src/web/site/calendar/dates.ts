import { addDays, parseClock } from '../../format/format.ts'

/** Range of days that the calendar API supports. */
export const firstDay = '1900-01-01'
export const lastDay = '2200-12-31'

export type WeekStart = 'monday' | 'sunday'

export function isMonth(when: string): boolean {
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(when) && when >= firstDay.slice(0, 7) && when <= lastDay.slice(0, 7)
}

/** Rejects days such as 30 February, which Date would turn into another day. */
export function isDay(when: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(when) || when < firstDay || when > lastDay) return false
  const date = parseClock(when)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(when)
}

/** A week of ISO 8601, such as 2027-W05. */
export function isWeek(when: string): boolean {
  if (!/^\d{4}-W\d{2}$/.test(when) || when < '1900' || when > '2201') return false
  return toWeek(getMonday(when), 'monday') === when
}

/** The days of a week. If weeks begin on Sunday, it has the Sunday before its Monday. */
export function listWeekDays(week: string, weekStart: WeekStart): string[] {
  const first = weekStart === 'monday' ? getMonday(week) : addDays(getMonday(week), -1)
  return Array.from({ length: 7 }, (_, number) => addDays(first, number))
}

/** The week of a day: 2027-W05. */
export function toWeek(day: string, weekStart: WeekStart): string {
  const shifted = weekStart === 'monday' ? day : addDays(day, 1)
  // The year of a week is the one that its Thursday is in.
  const thursday = addDays(shifted, 3 - ((parseClock(shifted).getUTCDay() + 6) % 7))
  const year = thursday.slice(0, 4)
  const dayOfYear = (parseClock(thursday).getTime() - parseClock(`${year}-01-01`).getTime()) / 86_400_000
  return `${year}-W${String(Math.floor(dayOfYear / 7) + 1).padStart(2, '0')}`
}

/** 4 January is always in the first week. */
function getMonday(week: string): string {
  const fourth = `${week.slice(0, 4)}-01-04`
  const monday = addDays(fourth, -((parseClock(fourth).getUTCDay() + 6) % 7))
  return addDays(monday, (Number(week.slice(6)) - 1) * 7)
}
