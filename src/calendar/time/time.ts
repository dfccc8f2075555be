import { Temporal } from 'temporal-polyfill'
import { formatOffset, getFixedOffsetMinutes, getOffsetMinutes } from './zones.ts'

/** A local time without a zone: `2027-02-01 10:00:00`. */
export type LocalDateTime = string

export interface DateDetails {
  year: string
  month: string
  day: string
  hour: string
  minutes: string
  seconds: string
}

/** The instant of a local time in the zone. A repeated hour is the later one, a skipped one moves forward. */
export function toInstant(local: LocalDateTime, zone: string): Date {
  const fixedMinutes = getFixedOffsetMinutes(zone)
  if (fixedMinutes !== undefined) {
    return new Date(Date.parse(`${local.slice(0, 10)}T${local.slice(11)}Z`) - fixedMinutes * 60_000)
  }
  const zoned = Temporal.PlainDateTime.from(local).toZonedDateTime(zone, { disambiguation: 'later' })
  return new Date(zoned.epochMilliseconds)
}

/** The local time in the zone at that instant. */
export function toLocal(instant: Date, zone: string): LocalDateTime {
  const shown = new Date(instant.getTime() + getOffsetMinutes(zone, instant) * 60_000).toISOString()
  return `${shown.slice(0, 10)} ${shown.slice(11, 19)}`
}

/** The parts as in The Events Calendar: text, with leading zeros. */
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

/** Midnight at the beginning of that day. */
export function startOfDay(local: LocalDateTime): LocalDateTime {
  return `${local.slice(0, 10)} 00:00:00`
}

/** The last second of that day. */
export function endOfDay(local: LocalDateTime): LocalDateTime {
  return `${local.slice(0, 10)} 23:59:59`
}

/** `2027-02-01T10:00:00-05:00`: the local time and its UTC offset at that instant. */
export function formatIsoWithOffset(local: LocalDateTime, zone: string, instant: Date): string {
  return `${local.slice(0, 10)}T${local.slice(11)}${formatOffset(getOffsetMinutes(zone, instant), ':')}`
}

/** The same for an instant in a zone. */
export function formatInstant(instant: Date, zone: string): string {
  const offsetMinutes = getOffsetMinutes(zone, instant)
  const shown = new Date(instant.getTime() + offsetMinutes * 60_000).toISOString()
  return shown.slice(0, 19) + formatOffset(offsetMinutes, ':')
}

/** A day without a time: `2027-02-28`. */
export type IsoDate = string

const yearMin = 1900
const yearMax = 2200

/** Parses a date; undefined if it does not exist or is outside the supported years. */
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

/** How many days the second date is after the first. */
export function countDaysBetween(first: IsoDate, second: IsoDate): number {
  if (first === second) return 0
  return Math.round((Date.parse(`${second}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / dayMs)
}
