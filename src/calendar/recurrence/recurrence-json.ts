import { type RecurrenceUnit, unitFrequencies, weekdayNames } from './input-object.ts'
import type { Recurrence } from './recurrence.ts'
import { formatWallTime, type WallTime } from './wall-time.ts'

/** A recurrence as writers give it as an object. */
export interface RecurrenceJson {
  every: number
  unit: RecurrenceUnit
  weekdays?: (string | { nth: number; weekday: string })[]
  month_days?: number[]
  until?: string
  count?: number
  except: string[]
  also: string[]
}

/** The recurrence as an object; null for rules that only an RRULE can express. */
export function toRecurrenceJson({ rule, except, also }: Recurrence, start: WallTime): RecurrenceJson | null {
  const { frequency, interval, weekdays, monthDays, months, weeks, yearDays, positions, weekStart } = rule
  const date = new Date(start)
  const unit = (Object.keys(unitFrequencies) as RecurrenceUnit[]).find(name => unitFrequencies[name] === frequency)
  const isOfStartMonth = months.length === 1 && months[0] === date.getUTCMonth() + 1
  const hasOwnWeek = weekStart !== 1 && frequency === 'WEEKLY' && interval > 1 && weekdays.length > 1
  const isComplicated =
    [weeks, yearDays, positions].some(list => list.length > 0) ||
    hasOwnWeek ||
    (weekdays.length > 0 && monthDays.length > 0) ||
    (frequency === 'YEARLY' ? !isOfStartMonth : months.length > 0) ||
    (frequency === 'DAILY' && (weekdays.length > 0 || monthDays.length > 0)) ||
    (frequency !== 'WEEKLY' && weekdays.some(({ nth }) => nth === 0 || Math.abs(nth) > 5)) ||
    (frequency === 'YEARLY' && monthDays.length > 0 && monthDays.join() !== String(date.getUTCDate()))
  if (unit === undefined || isComplicated) return null
  const isOfDay = monthDays.length === 1 && monthDays[0] === date.getUTCDate()
  return {
    every: interval,
    unit,
    ...(weekdays.length === 0
      ? {}
      : {
          weekdays: weekdays.map(({ nth, weekday }) => {
            const name = weekdayNames[weekday] ?? ''
            return unit === 'week' ? name : { nth, weekday: name }
          })
        }),
    ...(unit === 'month' && monthDays.length > 0 && !isOfDay ? { month_days: monthDays } : {}),
    ...(rule.until === undefined ? {} : { until: toDateText(rule.until) }),
    ...(rule.count === undefined ? {} : { count: rule.count }),
    except: except.map(toDateText),
    also: also.map(toDateText)
  }
}

const toDateText = (wall: WallTime) => formatWallTime(wall).slice(0, 10)
