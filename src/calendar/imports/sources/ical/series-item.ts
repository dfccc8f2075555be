import type { Text } from '#platform/language.ts'
import { pickByLanguage } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { intervalMax, occurrencesMax } from '../../../recurrence/input.ts'
import { dayMs, type Effort, listOccurrences } from '../../../recurrence/occurrences.ts'
import { getTimeOfDay, isEndless, type Recurrence, resolveRecurrence } from '../../../recurrence/recurrence.ts'
import { formatRule, frequencies, type RecurrenceRule } from '../../../recurrence/rule.ts'
import { formatWallTime, type WallTime } from '../../../recurrence/wall-time.ts'
import { getHorizon } from '../../../series/series-state.ts'
import type { IncomingSeries } from '../source.ts'
import type { ICalContext, ParsedEvent } from './event.ts'
import type { EventTimes } from './event-times.ts'
import { buildKey, buildSpan, effortMax, type Limits, parseRules, parseWallTimes } from './series.ts'

/** An occurrence that differs from its series, with the time that the rule has for it. */
export interface ChangedOccurrence {
  wall: WallTime
  event: ParsedEvent
}

export interface BuiltSeries {
  recurrence: Omit<IncomingSeries, 'changes'>
  changes: { date: string; event: ParsedEvent }[]
  /** Changed occurrences that cannot or must not be imported: their dates are excluded. */
  leftOut: { key: string; event: ParsedEvent }[]
  /** How many events it has from today on; of an endless rule, up to the horizon of series. */
  dates: number
  isEndless: boolean
}

interface BuildContext {
  about: ICalContext
  limits: Limits
  changes: ChangedOccurrence[]
}

/** A series from the properties of a recurring entry, the reason why it cannot be one, or undefined for an invalid rule. */
export function buildSeries(
  event: ParsedEvent,
  when: EventTimes,
  { about, limits, changes }: BuildContext
): BuiltSeries | { reason: Text } | undefined {
  const { rules, unclear } = parseRules(event, 'RRULE', when)
  if (unclear !== undefined) return undefined
  if (event.properties.has('EXRULE') || rules.length > 1)
    return { reason: describeSingle(buildText('import-source-reasons', 'severalRules')) }
  const rule = toDailyRule(rules[0] ?? once, when)
  if (rule === undefined) return { reason: describeSingle(buildText('import-source-reasons', 'withinDay')) }
  if (rule.interval > intervalMax)
    return { reason: describeSingle(buildText('import-source-reasons', 'rareRepeat', { intervalMax })) }
  if (rule.until !== undefined && rule.until < when.start) return undefined

  const isAtStart = (wall: WallTime) => getTimeOfDay(wall) === getTimeOfDay(when.start)
  const excluded = new Set(parseWallTimes(event, 'EXDATE', when, about).filter(isAtStart))
  const meant = changes.filter(({ wall }) => !excluded.has(wall))
  const effort: Effort = { left: Math.min(effortMax, limits.effort.left) }
  const given = effort.left
  const leftOut = meant.filter(({ event: { problems, skipped } }) => problems.length + skipped.length > 0)
  const differing = meant.filter(change => !leftOut.includes(change))
  const unruled = differing.map(({ wall }) => wall).filter(wall => !isInRule(rule, when.start, wall, effort))
  const also = [...parseWallTimes(event, 'RDATE', when, about), ...unruled].filter(wall => wall !== when.start)
  if (also.some(wall => wall < when.start || !isAtStart(wall)))
    return { reason: describeSingle(buildText('import-source-reasons', 'datesBefore')) }
  const except = [...excluded, ...leftOut.map(({ wall }) => wall).filter(isAtStart)]
  if (Math.max(except.length, also.length) > occurrencesMax)
    return { reason: describeSingle(buildText('import-source-reasons', 'tooManyDates', { occurrencesMax })) }

  const toGiven = (wall: WallTime) => ({ wall, kind: 'local' as const })
  const recurrence = resolveRecurrence(
    {
      rule: { ...rule, until: undefined },
      until: rule.until === undefined ? undefined : toGiven(rule.until),
      except: except.map(toGiven),
      also: also.map(toGiven)
    },
    { start: when.start, timezone: when.clock.zone }
  )
  const { from } = buildSpan(when, limits.now)
  const dates = listUpcoming(recurrence, when, { from, now: limits.now, effort })
  limits.effort.left -= given - effort.left
  if (dates === undefined || dates.length > limits.left)
    return { reason: describeSingle(buildText('import-source-reasons', 'tooManyDates', { occurrencesMax })) }
  const isLocal = (wall: WallTime) => when.isDay || when.clock.local(wall) === formatWallTime(wall)
  if (![when.start, ...dates].every(isLocal))
    return { reason: describeSingle(buildText('import-source-reasons', 'otherClock')) }
  const movedIn = differing.filter(one => one.wall < from && (one.event.when?.start ?? from) >= from)
  return {
    recurrence: {
      rule: formatRule(recurrence.rule),
      also: recurrence.also.map(formatWallTime),
      except: recurrence.except.map(formatWallTime),
      from: formatWallTime(from)
    },
    changes: differing.map(({ wall, event: changed }) => ({ date: formatWallTime(wall), event: changed })),
    leftOut: leftOut.map(({ wall, event: changed }) => ({ key: buildKey(wall, when), event: changed })),
    dates: dates.length + movedIn.length,
    isEndless: isEndless(recurrence.rule)
  }
}

/** An entry with further dates only. */
const once: RecurrenceRule = {
  frequency: 'DAILY',
  interval: 1,
  count: 1,
  until: undefined,
  months: [],
  weeks: [],
  yearDays: [],
  monthDays: [],
  weekdays: [],
  hours: [],
  minutes: [],
  seconds: [],
  positions: [],
  weekStart: 1
}

/** The rule without times, if these are the time of the start; undefined if there are several times a day. */
function toDailyRule(rule: RecurrenceRule, { start }: EventTimes): RecurrenceRule | undefined {
  const time = new Date(start)
  const isOnce =
    frequencies.indexOf(rule.frequency) >= frequencies.indexOf('DAILY') &&
    rule.hours.every(hour => hour === time.getUTCHours()) &&
    rule.minutes.every(minute => minute === time.getUTCMinutes()) &&
    rule.seconds.every(second => second === time.getUTCSeconds())
  return isOnce ? { ...rule, hours: [], minutes: [], seconds: [] } : undefined
}

function isInRule(rule: RecurrenceRule, start: WallTime, wall: WallTime, effort: Effort): boolean {
  const [found] = listOccurrences(rule, start, { from: wall, to: wall }, effort)
  return found === wall
}

/** The dates that become events; undefined if they are too many. */
function listUpcoming(
  { rule, also, except }: Recurrence,
  { start, clock }: EventTimes,
  { from, now, effort }: { from: WallTime; now: Date; effort: Effort }
): WallTime[] | undefined {
  const to = isEndless(rule) ? getHorizon(start, clock.zone, now) : lastTime
  const excluded = new Set(except)
  const found = new Set(also.filter(wall => wall >= from && wall <= to && !excluded.has(wall)))
  for (const wall of listOccurrences(rule, start, { from, to }, effort)) {
    if (!excluded.has(wall)) found.add(wall)
    if (found.size > occurrencesMax) return undefined
  }
  return effort.left > 0 ? [...found] : undefined
}

/** The last day that events may have. */
const lastTime = Date.UTC(2200, 11, 31) + dayMs - 1

const describeSingle = (cause: Text): Text =>
  buildText('import-source-reasons', 'single', language => ({ cause: pickByLanguage(cause, language) }))
