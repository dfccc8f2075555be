import { Temporal } from 'temporal-polyfill'
import { formatOffset, getFixedOffsetMinutes, getOffsetMinutes } from './zones.ts'

/** What a clock on the wall shows: `2027-02-01 10:00:00`. */
export type LocalDateTime = string

export interface DateDetails {
  year: string
  month: string
  day: string
  hour: string
  minutes: string
  seconds: string
}

/** When a clock of that zone shows this. A repeated hour is the later one, a skipped one moves forward. */
export function toInstant(local: LocalDateTime, zone: string): Date {
  const fixedMinutes = getFixedOffsetMinutes(zone)
  if (fixedMinutes !== undefined) {
    return new Date(Date.parse(`${local.slice(0, 10)}T${local.slice(11)}Z`) - fixedMinutes * 60_000)
  }
  const zoned = Temporal.PlainDateTime.from(local).toZonedDateTime(zone, { disambiguation: 'later' })
  return new Date(zoned.epochMilliseconds)
}

/** What a clock of that zone shows at that instant. */
export function toLocal(instant: Date, zone: string): LocalDateTime {
  const shown = new Date(instant.getTime() + getOffsetMinutes(zone, instant) * 60_000).toISOString()
  return `${shown.slice(0, 10)} ${shown.slice(11, 19)}`
}

/** The parts as The Events Calendar spells them: text, with leading zeros. */
export function toDateDetails(local: LocalDateTime): DateDetails {
  return {
    year: local.slice(0, 4),
    month: local.slice(5, 7),
    day: local.slice(8, 10),
    hour: local.slice(11, 13),
    minutes: local.slice(14, 16),
    seconds: local.slice(17, 19)
  }
}

/** Midnight, with which the day of that wall clock begins. */
export function startOfDay(local: LocalDateTime): LocalDateTime {
  return `${local.slice(0, 10)} 00:00:00`
}

/** The last second of the day of that wall clock. */
export function endOfDay(local: LocalDateTime): LocalDateTime {
  return `${local.slice(0, 10)} 23:59:59`
}

/** `2027-02-01T10:00:00-05:00`: the wall clock and how far it is ahead of UTC at that instant. */
export function formatIsoWithOffset(local: LocalDateTime, zone: string, instant: Date): string {
  return `${local.slice(0, 10)}T${local.slice(11)}${formatOffset(getOffsetMinutes(zone, instant), ':')}`
}

/** A day without a time: `2027-02-28`. */
export type IsoDate = string

const yearMin = 1900
const yearMax = 2200

/** The day that is meant, if there is such a day in the years that we take. */
export function parseDate(given: unknown): IsoDate | undefined {
  if (typeof given !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(given)) return undefined
  const year = Number(given.slice(0, 4))
  const ms = Date.parse(`${given}T00:00:00Z`)
  const exists = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(given)
  return exists && year >= yearMin && year <= yearMax ? given : undefined
}

const dayMs = 86_400_000

export function addDays(date: IsoDate, days: number): IsoDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}

/** How many days the second is after the first. */
export function countDaysBetween(first: IsoDate, second: IsoDate): number {
  return Math.round((Date.parse(`${second}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / dayMs)
}
