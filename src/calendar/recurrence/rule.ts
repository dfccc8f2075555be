import { formatBasicDate, type WallTime } from './wall-time.ts'

/** RFC 5545, 3.3.10. Weekdays count from Sunday, 0. */
export interface RecurrenceRule {
  frequency: Frequency
  interval: number
  count: number | undefined
  until: WallTime | undefined
  months: number[]
  weeks: number[]
  yearDays: number[]
  monthDays: number[]
  weekdays: { nth: number; weekday: number }[]
  hours: number[]
  minutes: number[]
  seconds: number[]
  positions: number[]
  weekStart: number
}

export const frequencies = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
export type Frequency = (typeof frequencies)[number]

export const weekdayCodes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Real rules are short; anything longer is not a rule. */
const ruleLengthMax = 2000

/** Parses the value of an RRULE; undefined if it is invalid. */
export function parseRule(text: string, readUntil: (text: string) => WallTime | undefined): RecurrenceRule | undefined {
  if (text.length > ruleLengthMax) return undefined
  const said = new Map<string, string>()
  for (const part of text.trim().toUpperCase().split(';').filter(Boolean)) {
    const equals = part.indexOf('=')
    if (equals < 1) return undefined
    said.set(part.slice(0, equals).trim(), part.slice(equals + 1).trim())
  }
  const frequency = frequencies.find(known => known === said.get('FREQ'))
  if (frequency === undefined || (said.get('RSCALE') ?? 'GREGORIAN') !== 'GREGORIAN') return undefined

  const numbers = (name: string, least: number, most: number, signed = false) =>
    parseNumbers(said.get(name), { least, most, signed })
  const one = (name: string) => numbers(name, 1, Number.MAX_SAFE_INTEGER)?.[0]
  const until = said.has('UNTIL') ? readUntil(said.get('UNTIL') ?? '') : undefined
  const rule = {
    frequency,
    interval: said.has('INTERVAL') ? one('INTERVAL') : 1,
    months: numbers('BYMONTH', 1, 12),
    weeks: numbers('BYWEEKNO', 1, 53, true),
    yearDays: numbers('BYYEARDAY', 1, 366, true),
    monthDays: numbers('BYMONTHDAY', 1, 31, true),
    weekdays: parseWeekdays(said.get('BYDAY')),
    hours: numbers('BYHOUR', 0, 23),
    minutes: numbers('BYMINUTE', 0, 59),
    seconds: numbers('BYSECOND', 0, 60),
    positions: numbers('BYSETPOS', 1, 366, true),
    weekStart: said.has('WKST') ? weekdayCodes.indexOf(said.get('WKST') ?? '') : 1
  }
  const unclear =
    Object.values(rule).includes(undefined) ||
    rule.weekStart < 0 ||
    (said.has('UNTIL') && until === undefined) ||
    (said.has('COUNT') && one('COUNT') === undefined)
  return unclear
    ? undefined
    : ({ ...rule, until, count: said.has('COUNT') ? one('COUNT') : undefined } as RecurrenceRule)
}

/** Sorted and unique; undefined if a value is out of range, an empty list if none is given. */
function parseNumbers(
  list: string | undefined,
  { least, most, signed }: { least: number; most: number; signed: boolean }
): number[] | undefined {
  if (list === undefined) return []
  const numbers = list.split(',').map(text => (/^\s*[+-]?\d{1,15}\s*$/.test(text) ? Number(text) : Number.NaN))
  const fitting = numbers.every(number => {
    const size = signed ? Math.abs(number) : number
    return size >= least && size <= most
  })
  return fitting ? [...new Set(numbers)].sort((one, other) => one - other) : undefined
}

function parseWeekdays(list: string | undefined): RecurrenceRule['weekdays'] | undefined {
  if (list === undefined) return []
  const weekdays = list.split(',').map(text => {
    const [, nth = '0', name = ''] = /^\s*(?:([+-]?\d{1,2})\s*)?(SU|MO|TU|WE|TH|FR|SA)\s*$/.exec(text) ?? []
    return { nth: Number(nth), weekday: weekdayCodes.indexOf(name) }
  })
  return weekdays.every(({ nth, weekday }) => weekday >= 0 && Math.abs(nth) <= 53) ? weekdays : undefined
}

/** The value of an RRULE in one notation: the same rule is always the same text. UNTIL is a date. */
export function formatRule(rule: RecurrenceRule): string {
  const list = (name: string, values: (number | string)[]) =>
    values.length === 0 ? [] : [`${name}=${values.join(',')}`]
  const days = rule.weekdays.map(({ nth, weekday }) => `${nth === 0 ? '' : nth}${weekdayCodes[weekday]}`)
  return [
    `FREQ=${rule.frequency}`,
    ...(rule.interval === 1 ? [] : [`INTERVAL=${rule.interval}`]),
    ...list('BYMONTH', rule.months),
    ...list('BYWEEKNO', rule.weeks),
    ...list('BYYEARDAY', rule.yearDays),
    ...list('BYMONTHDAY', rule.monthDays),
    ...list('BYDAY', days),
    ...list('BYSETPOS', rule.positions),
    ...(rule.count === undefined ? [] : [`COUNT=${rule.count}`]),
    ...(rule.until === undefined ? [] : [`UNTIL=${formatBasicDate(rule.until)}`]),
    ...(rule.weekStart === 1 ? [] : [`WKST=${weekdayCodes[rule.weekStart]}`])
  ].join(';')
}
