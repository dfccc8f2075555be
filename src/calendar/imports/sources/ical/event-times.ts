import type { Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { formatWallTime, parseBasicTime, type WallTime } from '../../../recurrence/wall-time.ts'
import type { Property } from './parser.ts'
import type { Clock } from './timezones.ts'

/** Clocks for floating times, for UTC times, and for times with a TZID. */
export interface ClockLookup {
  floating: Clock
  utc: Clock
  clockOf(tzid: string): Clock | undefined
}

/** When an event takes place. An all-day event ends with its last day, not at the start of the next. */
export interface EventTimes {
  start: WallTime
  /** Difference between start and end in local time. */
  lengthMs: number
  isDay: boolean
  clock: Clock
}

export interface ICalTime {
  wall: WallTime
  isDay: boolean
  clock: Clock
  /** How the value was read if it is not what the RFC allows. */
  note?: Text
}

/** Problems refuse the event; notes are reported with it. */
export interface EventReport {
  problems: Text[]
  notes: Text[]
}

const dayMs = 86_400_000
/** A longer event is probably a typing error. */
const lengthMaxMs = 3660 * dayMs
const yearMin = 1900
const yearMax = 2200

/** Reports an error and returns undefined if the times cannot be parsed. */
export function parseEventTimes(
  properties: Map<string, Property[]>,
  line: number,
  about: ClockLookup,
  { problems, notes }: EventReport
): EventTimes | undefined {
  const begin = properties.get('DTSTART')?.[0]
  if (begin === undefined) {
    problems.push(describeMissingStart(line))
    return undefined
  }
  const start = parseTime(begin, about)
  if ('en' in start) {
    problems.push(start)
    return undefined
  }
  addNote(notes, start.note)
  const length = parseLength(properties, start, about, notes)
  if (typeof length === 'object') {
    problems.push(length)
    return undefined
  }
  const saysDay = /^true$/i.test(properties.get('X-MICROSOFT-CDO-ALLDAYEVENT')?.[0]?.value.trim() ?? '')
  const isDay = start.isDay || (saysDay && start.wall % dayMs === 0 && length % dayMs === 0)
  return {
    start: start.wall,
    lengthMs: isDay ? Math.max(length, dayMs) - 1000 : length,
    isDay,
    clock: isDay ? about.floating : start.clock
  }
}

/** The times as API fields. */
export function toDateFields({ start, lengthMs, isDay, clock }: EventTimes): Record<string, unknown> {
  const [first, last] = isDay
    ? [formatWallTime(start), formatWallTime(start + lengthMs)]
    : [clock.local(start), clock.local(start + lengthMs)]
  return { start_date: first, end_date: last, timezone: clock.zone, all_day: isDay }
}

/** Two times with the same fault are one note. */
function addNote(notes: Text[], note: Text | undefined): void {
  if (note !== undefined && !notes.some(known => known.en === note.en)) notes.push(note)
}

/** Parses a date or a time; returns an error text for anything else. A time in an unknown zone is a floating time. */
export function parseTime(property: Property, about: ClockLookup, value = property.value): ICalTime | Text {
  const wall = parseBasicTime(value)
  const year = wall === undefined ? 0 : new Date(wall).getUTCFullYear()
  if (wall === undefined || year < yearMin || year > yearMax) return describeInvalidTime(property)
  // Some programs declare a date and write a time: midnight means the day, anything else is a time.
  const saysDay = property.parameters.get('VALUE')?.toUpperCase() === 'DATE'
  const isDay = !/t/i.test(value) || (saysDay && wall % dayMs === 0)
  if (isDay) return { wall, isDay, clock: about.floating }
  const note = saysDay ? { note: describeDateWithTime(property) } : {}
  if (/z\s*$/i.test(value)) return { wall, isDay, clock: about.utc, ...note }
  const tzid = property.parameters.get('TZID')
  if (tzid === undefined) return { wall, isDay, clock: about.floating, ...note }
  const clock = about.clockOf(tzid)
  if (clock !== undefined) return { wall, isDay, clock, ...note }
  return { wall, isDay, clock: about.floating, note: describeUnknownZone(tzid, about.floating.zone) }
}

function parseLength(
  properties: Map<string, Property[]>,
  start: ICalTime,
  about: ClockLookup,
  notes: Text[]
): number | Text {
  const end = properties.get('DTEND')?.[0]
  const duration = properties.get('DURATION')?.[0]
  if (end === undefined && duration === undefined) return start.isDay ? dayMs : 0
  if (end === undefined) {
    const length = parseDuration(duration?.value ?? '')
    return length !== undefined && length <= lengthMaxMs ? length : describeInvalidDuration(duration?.lineNumber ?? 0)
  }
  // An end without a time zone has the one of the start.
  const moment = parseTime(end, start.isDay ? about : { ...about, floating: start.clock })
  if ('en' in moment) return moment
  addNote(notes, moment.note)
  // A flight starts in one time zone and ends in another.
  const wall =
    moment.isDay || moment.clock === start.clock ? moment.wall : start.clock.wall(moment.clock.instant(moment.wall))
  const length = wall - start.wall
  return length >= 0 && length <= lengthMaxMs ? length : describeInvalidEnd(end.lineNumber)
}

const durationPattern = /^\s*\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?\s*$/i

/** A duration such as `PT6H`, in milliseconds. */
export function parseDuration(text: string): number | undefined {
  const found = durationPattern.exec(text)
  if (found === null) return undefined
  const [weeks, days, hours, minutes, seconds] = found.slice(1).map(count => Number(count ?? 0))
  return ((((weeks ?? 0) * 7 + (days ?? 0)) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60_000 + (seconds ?? 0) * 1000
}

const describeMissingStart = (line: number): Text => buildText('import-source-reasons', 'missingStart', { line })

const describeInvalidTime = ({ name, lineNumber, value }: Property): Text =>
  buildText('import-source-reasons', 'invalidTime', { lineNumber, name, value: value.slice(0, 40) })

const describeUnknownZone = (tzid: string, zone: string): Text =>
  buildText('import-source-reasons', 'unknownZone', { tzid: tzid.slice(0, 60).toWellFormed(), zone })

const describeDateWithTime = ({ name, lineNumber }: Property): Text =>
  buildText('import-source-reasons', 'dateWithTime', { lineNumber, name })

const describeInvalidDuration = (line: number): Text => buildText('import-source-reasons', 'invalidDuration', { line })

const describeInvalidEnd = (line: number): Text => buildText('import-source-reasons', 'invalidEnd', { line })
