import { buildText } from '#platform/messages/messages.ts'
import { newParam, type Param, ParamError } from '../contract/param-definition.ts'
import { isObject } from '../contract/params.ts'
import {
  intervalMax,
  newCountError,
  newEndError,
  newIntervalError,
  occurrencesMax,
  parseGivenTime,
  parseGivenTimes,
  type RecurrenceInput
} from './input.ts'
import { parseRecurrenceObject } from './input-object.ts'
import { parseRule, type RecurrenceRule } from './rule.ts'
import { parseBasicTime } from './wall-time.ts'

const textLengthMax = 20_000

const description =
  'Repeats the event: an RRULE (RFC 5545), optionally with EXDATE and RDATE lines, or an object such as `{"every": 2, "unit": "week", "weekdays": ["tuesday"], "until": "2027-07-31", "except": ["2026-12-24"]}`. `unit` is day, week, month or year; for months and years `weekdays` has items such as `{"nth": 2, "weekday": "tuesday"}`, and `month_days` of months has days such as 1, 15 or -1. `count` may be given instead of `until`; `also` has further dates.'

/** A recurrence, or null or an empty string for none. */
export const recurrenceParam: Param<RecurrenceInput | null> = newParam(
  { type: ['string', 'object', 'null'] },
  description,
  given => {
    if (given === null || given === '') return null
    if (isObject(given)) return parseRecurrenceObject(given)
    return typeof given === 'string' && given.length <= textLengthMax ? parseRecurrenceText(given) : newRuleError()
  }
)

const newRuleError = () => new ParamError('rule', buildText('calendar-rules', 'recurrence'))

/** One rule, with or without its name, and lines with excluded and further dates. */
function parseRecurrenceText(text: string): RecurrenceInput | ParamError {
  const rules: string[] = []
  const dates = { EXDATE: [] as string[], RDATE: [] as string[] }
  for (const line of text.split(/\r\n|\r|\n/).filter(one => one.trim() !== '')) {
    const [, name = 'RRULE', value = ''] = /^(?:([A-Z]+)(?:;[^:]*)?:)?(.*)$/is.exec(line.trimStart()) ?? []
    const known = name.toUpperCase()
    if (known === 'RRULE') rules.push(value)
    else if (known === 'EXDATE' || known === 'RDATE') dates[known].push(...value.split(','))
    else return newRuleError()
  }
  const [rule] = rules
  if (rule === undefined || rules.length > 1) return newRuleError()
  const until = /(?:^|;)\s*UNTIL\s*=\s*([^;]*)/i.exec(rule)?.[1]
  const parsed = hasOnlyKnownParts(rule) ? parseRule(rule, parseBasicTime) : undefined
  if (parsed === undefined) return newRuleError()
  const refused = findUnsupportedPart(parsed)
  if (refused !== undefined) return refused
  const except = parseGivenTimes(dates.EXDATE, 'except')
  const also = parseGivenTimes(dates.RDATE, 'also')
  if (except instanceof ParamError) return except
  if (also instanceof ParamError) return also
  return {
    rule: { ...parsed, until: undefined },
    until: until === undefined ? undefined : parseGivenTime(until),
    except,
    also
  }
}

const knownParts =
  /^(?:FREQ|UNTIL|COUNT|INTERVAL|BY(?:SECOND|MINUTE|HOUR|DAY|MONTHDAY|YEARDAY|WEEKNO|MONTH|SETPOS)|WKST|RSCALE)$/i

/** A misspelt part would otherwise change the rule unnoticed. */
function hasOnlyKnownParts(rule: string): boolean {
  const names = rule.split(';').map(part => part.split('=')[0]?.trim() ?? '')
  return names.every(name => name === '' || knownParts.test(name))
}

/** Rules that the RFC does not allow, and those that are not about days. */
function findUnsupportedPart(rule: RecurrenceRule): ParamError | undefined {
  const { frequency, weekdays, weeks, yearDays, monthDays, positions, months } = rule
  const isOfMonths = frequency === 'MONTHLY' || frequency === 'YEARLY'
  if (!isOfMonths && frequency !== 'DAILY' && frequency !== 'WEEKLY') return newFrequencyError()
  if ([rule.hours, rule.minutes, rule.seconds].some(list => list.length > 0)) return newTimeOfDayError()
  if (rule.interval > intervalMax) return newIntervalError()
  if (rule.count !== undefined && rule.until !== undefined) return newEndError()
  if (rule.count !== undefined && rule.count > occurrencesMax) return newCountError()
  const hasNth = weekdays.some(({ nth }) => nth !== 0)
  const isContradictory =
    (hasNth && (!isOfMonths || weeks.length > 0)) ||
    (weeks.length > 0 && frequency !== 'YEARLY') ||
    (yearDays.length > 0 && frequency !== 'YEARLY') ||
    (monthDays.length > 0 && frequency === 'WEEKLY') ||
    (positions.length > 0 && [months, weeks, yearDays, monthDays, weekdays].every(list => list.length === 0))
  return isContradictory ? newRuleError() : undefined
}

const newFrequencyError = () => new ParamError('frequency', buildText('calendar-rules', 'frequency'))

const newTimeOfDayError = () => new ParamError('time-of-day', buildText('calendar-rules', 'timeInRule'))
