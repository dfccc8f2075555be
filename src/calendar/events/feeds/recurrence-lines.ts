import { toTzid } from '../../time/vtimezone.ts'

/** The recurrence of a series, with local times. */
export interface ICalRecurrence {
  /** An RRULE; UNTIL as RFC 5545 wants it for these times. */
  rule: string
  except: string[]
  also: string[]
  /** The end of the last known date. */
  lastUtc: Date
}

/** The local time of a date that another event replaces, in the time zone of the series. */
export interface ICalReplacedDate {
  date: string
  timezone: string
  allDay: boolean
}

interface RecurringEntry {
  allDay: boolean
  repeats?: ICalRecurrence
  replaces?: ICalReplacedDate
}

/** RRULE, EXDATE and RDATE of a series, or the RECURRENCE-ID of an event that replaces one of its dates. */
export function buildRecurrenceLines(
  { allDay, repeats, replaces }: RecurringEntry,
  zone: string | undefined
): string[] {
  if (replaces !== undefined) {
    const own = replaces.allDay ? undefined : toTzid(replaces.timezone)
    return [`RECURRENCE-ID${formatTimes([replaces.date], replaces.allDay, own)}`]
  }
  if (repeats === undefined) return []
  return [
    `RRULE:${repeats.rule}`,
    ...(repeats.except.length === 0 ? [] : [`EXDATE${formatTimes(repeats.except, allDay, zone)}`]),
    ...(repeats.also.length === 0 ? [] : [`RDATE${formatTimes(repeats.also, allDay, zone)}`])
  ]
}

/** Parameters and values of a property with local times. */
function formatTimes(times: string[], allDay: boolean, zone: string | undefined): string {
  const basic = times.map(time => time.replaceAll(/[-:]/g, '').replace(' ', 'T'))
  if (allDay) return `;VALUE=DATE:${basic.map(time => time.slice(0, 8)).join(',')}`
  return zone === undefined ? `:${basic.map(time => `${time}Z`).join(',')}` : `;TZID=${zone}:${basic.join(',')}`
}
