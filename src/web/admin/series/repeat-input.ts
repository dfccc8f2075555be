import { getMessages } from '#platform/messages/messages.ts'
import type { Series } from '../../server/calendar-api.ts'
import { getFormField, getFormFieldValues } from '../../server/context.ts'
import type { AdminContext } from '../shared/context.ts'

/** What the part of the event editor about repetition contains, as typed. */
export interface RepeatInput {
  /** Empty if it does not repeat; `keep` leaves a rule that the form cannot show. */
  unit: string
  every: string
  weekdays: string[]
  /** Of months and years. */
  by: string
  until: string
  count: string
  except: string[]
  also: string[]
  /** The rule as the form first showed it, to recognise a change. */
  before: string
}

export const repeatUnits = ['day', 'week', 'month', 'year'] as const
export const monthChoices = ['day', 'weekday', 'last'] as const
type MonthChoice = (typeof monthChoices)[number]

/** From Monday, as in the form. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** More dates than these are not read from a form. */
const datesMax = 1000

const empty = { unit: '', every: '1', weekdays: [], by: 'day', until: '', count: '', except: [], also: [] }

/** Of an event that does not repeat. */
export function newRepeatInput(): RepeatInput {
  return withBefore(empty)
}

const withBefore = (input: Omit<RepeatInput, 'before'>): RepeatInput => ({ ...input, before: getRepeatKey(input) })

/** Equal for forms that mean the same rule. */
function getRepeatKey({ unit, every, by, until, count, ...lists }: Omit<RepeatInput, 'before'>): string {
  if (unit === '' || unit === 'keep') return unit
  const chosen = unit === 'week' ? [...lists.weekdays].sort().join() : unit === 'day' ? '' : by
  const dates = [lists.except, lists.also].map(list => [...list].sort().join())
  return [unit, every, chosen, until, count, ...dates].join('|')
}

export function isRepeatChanged(input: RepeatInput): boolean {
  return getRepeatKey(input) !== input.before
}

/** Converts the rule of a saved series, for the editor of its event on that date. */
export function toRepeatInput({ recurrence }: Pick<Series, 'recurrence'>, except: string[], date: string): RepeatInput {
  const by = recurrence === null ? undefined : findMonthChoice(recurrence, date)
  if (recurrence === null || by === undefined) return withBefore({ ...empty, unit: 'keep' })
  const { every, unit, until = '', count, also } = recurrence
  const names = (recurrence.weekdays ?? []).filter(day => typeof day === 'string')
  return withBefore({
    unit,
    every: String(every),
    weekdays: unit === 'week' ? names : [],
    by,
    until,
    count: count === undefined ? '' : String(count),
    except,
    also
  })
}

/** Undefined for rules about other days of the month than that of the date. */
function findMonthChoice(
  { unit, weekdays: days = [], month_days }: NonNullable<Series['recurrence']>,
  date: string
): MonthChoice | undefined {
  if (unit === 'day' || unit === 'week') return 'day'
  if (month_days !== undefined || days.length > 1) return undefined
  const [day] = days
  if (day === undefined) return 'day'
  const isSame = (choice: MonthChoice) => JSON.stringify(getNthWeekday(date, choice)) === JSON.stringify(day)
  return (['last', 'weekday'] as const).find(isSame)
}

/** The date as a weekday of its month: the second Tuesday, or the last one. */
function getNthWeekday(date: string, choice: MonthChoice): { nth: number; weekday: string } {
  const day = new Date(`${date.slice(0, 10)}T00:00:00Z`)
  const weekday = weekdays[(day.getUTCDay() + 6) % 7] ?? ''
  return { nth: choice === 'last' ? -1 : Math.ceil(day.getUTCDate() / 7), weekday }
}

export function parseRepeatInput(context: AdminContext): RepeatInput {
  const field = (name: string) => getFormField(context, `repeat${name}`)
  const dates = (name: string) => [...new Set(getFormFieldValues(context, `repeat_${name}`))].slice(0, datesMax)
  return {
    unit: ['keep', ...repeatUnits].includes(field('')) ? field('') : '',
    every: field('_every'),
    weekdays: getFormFieldValues(context, 'repeat_weekdays').filter(name =>
      (weekdays as readonly string[]).includes(name)
    ),
    by: field('_by'),
    until: field('_until'),
    count: field('_count'),
    except: dates('except'),
    also: dates('also'),
    before: field('_before').slice(0, 30_000)
  }
}

/** For the API: null if the event does not repeat, undefined to leave the rule as it is. */
export function toRecurrence(input: RepeatInput, startDate: string): object | null | undefined {
  const { unit, every, by, until, count, except, also } = input
  if (unit === 'keep') return undefined
  if (unit === '') return null
  const isOfMonth = (unit === 'month' || unit === 'year') && (by === 'weekday' || by === 'last')
  const isDate = /^\d{4}-\d\d-\d\d$/.test(startDate) && !Number.isNaN(Date.parse(startDate))
  return {
    every: every === '' ? 1 : toNumber(every),
    unit,
    ...(unit === 'week' && input.weekdays.length > 0 ? { weekdays: input.weekdays } : {}),
    ...(isOfMonth && isDate ? { weekdays: [getNthWeekday(startDate, by)] } : {}),
    ...(until === '' ? {} : { until }),
    ...(count === '' ? {} : { count: toNumber(count) }),
    except,
    also
  }
}

/** Anything else is left to the API to refuse. */
const toNumber = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : text)

/** Labels of the API's parameters. */
export function getRepeatLabels({ language }: AdminContext): Record<string, string> {
  const { repeat, apply } = getMessages('series-admin', language)
  const { unit, every, weekdays: days, until, count, except, also } = repeat
  return {
    apply: apply.title,
    recurrence: unit,
    'recurrence.unit': unit,
    'recurrence.every': every,
    'recurrence.weekdays': days,
    'recurrence.until': until,
    'recurrence.count': count,
    'recurrence.except': except,
    'recurrence.also': also
  }
}

/** What can be checked without the API, by field. */
export function findRepeatErrors(
  { language }: AdminContext,
  { unit, until, count }: RepeatInput
): Record<string, string> {
  const isRepeated = unit !== '' && unit !== 'keep'
  return isRepeated && until !== '' && count !== ''
    ? { repeat_count: getMessages('series-admin', language).repeat.oneEnd }
    : {}
}

/** Errors of the API by the names of the form. */
export function toRepeatErrors({ language }: AdminContext, errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([name, message]) => {
      if (name === 'apply') return [name, getMessages('series-admin', language).apply.needed]
      const isUnit = name === 'recurrence' || name === 'recurrence.unit'
      return [isUnit ? 'repeat' : name.replace(/^recurrence\./, 'repeat_'), message]
    })
  )
}
