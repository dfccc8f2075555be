import type { Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { type Effort, listOccurrences } from '../../../recurrence/occurrences.ts'
import { parseRule, type RecurrenceRule } from '../../../recurrence/rule.ts'
import { parseBasicTime, type WallTime } from '../../../recurrence/wall-time.ts'
import type { ParsedEvent } from './event.ts'
import { type ClockLookup, type EventTimes, type ICalTime, parseTime } from './event-times.ts'
import type { Property } from './parser.ts'

/** An occurrence of a series, identified by its time according to the rule, even if it was moved. */
export interface Occurrence {
  key: string
  start: WallTime
}

/** Limits for a whole calendar: its rules are untrusted input. */
export interface Limits {
  now: Date
  /** Remaining occurrences for the whole calendar. */
  left: number
  effort: Effort
}

export interface Series {
  occurrences: Occurrence[]
  /** Whether an EXDATE or EXRULE excludes the occurrence. */
  isExcluded(key: string): boolean
  /** Whether an occurrence at this time is within the import window. */
  isInSpan(start: WallTime): boolean
  /** There are more occurrences than the limits allow. */
  isTruncated: boolean
  problem?: Text
}

/** A daily event for a year, with some margin. */
export const seriesMax = 400
export const monthsAhead = 12
/** Enough for every day since 1890. */
export const effortMax = 50_000
const dayMs = 86_400_000
const datesMax = 5000

export function isSeries({ properties }: ParsedEvent): boolean {
  return properties.has('RRULE') || properties.has('RDATE')
}

/** The occurrences of the event from today on, twelve months ahead. */
export function expandRules(event: ParsedEvent, when: EventTimes, about: ClockLookup, limits: Limits): Series {
  const span = buildSpan(when, limits.now)
  const rules = parseRules(event, 'RRULE', when)
  const exceptRules = parseRules(event, 'EXRULE', when)
  const excluded = parseKeys(event, 'EXDATE', when, about)
  const effort: Effort = { left: Math.min(effortMax, limits.effort.left) }
  const given = effort.left
  for (const rule of exceptRules.rules) {
    for (const wall of listOccurrences(rule, when.start, span, effort)) excluded.add(buildKey(wall, when))
  }
  const isExcluded = (key: string) => excluded.has(key) || excluded.has(key.slice(0, 8))

  const found = new Map<string, WallTime>()
  const starts = [...parseWallTimes(event, 'RDATE', when, about), ...(rules.rules.length === 0 ? [when.start] : [])]
  for (const wall of starts) {
    if (isInSpan(span, wall) && !isExcluded(buildKey(wall, when))) found.set(buildKey(wall, when), wall)
  }
  let isCut = found.size > seriesMax
  for (const rule of rules.rules) {
    for (const wall of listOccurrences(rule, when.start, span, effort)) {
      const key = buildKey(wall, when)
      if (isExcluded(key) || found.has(key)) continue
      isCut ||= found.size >= seriesMax
      if (isCut) break
      found.set(key, wall)
    }
  }
  limits.effort.left -= given - effort.left
  const all = [...found].map(([key, start]) => ({ key, start })).sort((one, other) => one.start - other.start)
  const room = Math.min(seriesMax, limits.left)
  const kept = all.slice(0, Math.max(room, 0))
  limits.left -= kept.length
  const unclear = rules.unclear ?? exceptRules.unclear
  return {
    occurrences: kept,
    isExcluded,
    isInSpan: start => isInSpan(span, start),
    isTruncated: isCut || kept.length < all.length || effort.left <= 0,
    ...(unclear === undefined ? {} : { problem: describeInvalidRule(unclear) })
  }
}

interface Span {
  from: WallTime
  to: WallTime
}

const isInSpan = ({ from, to }: Span, wall: WallTime) => wall >= from && wall <= to

/** From the start of today, including events still running, to the end of the same day in a year. */
export function buildSpan({ clock, lengthMs }: EventTimes, now: Date): Span {
  const wall = clock.wall(now.getTime())
  const today = wall - (wall % dayMs)
  const date = new Date(today)
  const year = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsAhead, date.getUTCDate())
  return { from: today - Math.max(lengthMs - 1, 0), to: year + dayMs - 1 }
}

/** Identifies an occurrence across calendars: by its day or its instant. */
export function buildKey(wall: WallTime, { isDay, clock }: EventTimes): string {
  const text = new Date(isDay ? wall : clock.instant(wall)).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return isDay ? text.slice(0, 8) : text
}

/** The occurrence key of a RECURRENCE-ID. */
export function parseRecurrenceKey(property: Property, when: EventTimes, about: ClockLookup): string | undefined {
  const wall = parseRecurrenceTime(property, when, about)
  return wall === undefined ? undefined : buildKey(wall, when)
}

/** The time of a RECURRENCE-ID in the time zone of the series. */
export function parseRecurrenceTime(property: Property, when: EventTimes, about: ClockLookup): WallTime | undefined {
  const moment = parseTime(property, toSeriesLookup(when, about))
  if ('en' in moment) return undefined
  // A date without a time means the start time of the series.
  return moment.isDay && !when.isDay ? moment.wall + (when.start % dayMs) : toSeriesClock(when, moment)
}

/** A time without a time zone has the one of the series. */
function toSeriesLookup(when: EventTimes, about: ClockLookup): ClockLookup {
  return when.isDay ? about : { ...about, floating: when.clock }
}

/** Converts a time to the time zone of the series. */
function toSeriesClock(when: EventTimes, moment: ICalTime): WallTime {
  if (when.isDay) return moment.wall - (moment.wall % dayMs)
  if (moment.isDay) return moment.wall + (when.start % dayMs)
  return moment.clock === when.clock ? moment.wall : when.clock.wall(moment.clock.instant(moment.wall))
}

function parseTimes(event: ParsedEvent, name: string, about: ClockLookup) {
  return (event.properties.get(name) ?? [])
    .flatMap(property =>
      property.value.split(',', datesMax).map(value => ({ property, value: value.split('/')[0] ?? '' }))
    )
    .slice(0, datesMax)
    .map(({ property, value }) => parseTime(property, about, value))
    .filter((moment): moment is ICalTime => !('en' in moment))
}

/** The times of RDATE or EXDATE in the time zone of the series. */
export function parseWallTimes(event: ParsedEvent, name: string, when: EventTimes, about: ClockLookup): WallTime[] {
  return parseTimes(event, name, toSeriesLookup(when, about)).map(moment => toSeriesClock(when, moment))
}

function parseKeys(event: ParsedEvent, name: string, when: EventTimes, about: ClockLookup): Set<string> {
  return new Set(parseWallTimes(event, name, when, about).map(wall => buildKey(wall, when)))
}

export function parseRules(
  event: ParsedEvent,
  name: string,
  when: EventTimes
): { rules: RecurrenceRule[]; unclear?: Property } {
  const rules: RecurrenceRule[] = []
  for (const property of event.properties.get(name)?.slice(0, 20) ?? []) {
    const rule = parseRule(property.value, text => parseUntil(text, when))
    if (rule === undefined) return { rules, unclear: property }
    rules.push(rule)
  }
  return { rules }
}

function parseUntil(text: string, { clock, isDay }: EventTimes): WallTime | undefined {
  const wall = parseBasicTime(text)
  if (wall === undefined) return undefined
  if (isDay || !/t/i.test(text)) return wall - (wall % dayMs) + dayMs - 1
  return /z\s*$/i.test(text) ? clock.wall(wall) : wall
}

const describeInvalidRule = ({ name, lineNumber, value }: Property): Text =>
  buildText('import-source-reasons', 'invalidRule', { lineNumber, name, value: value.slice(0, 80) })
