import { Type } from 'typebox'
import { type Sql, sql } from '#platform/database/sql.ts'
import type { Rule } from '#platform/http/validation.ts'
import { buildText } from '#platform/messages/messages.ts'

/** A time bound in a query: a timestamp, or a whole day in the site's time zone. */
export const buildDayOrMomentSchema = (description: string) =>
  Type.String({ line: true, dayOrMoment: true, maxLength: 40, description, examples: ['2026-12-24'] })

export const dayPattern = /^(\d{4})-(\d\d)-(\d\d)$/
const momentPattern = /^(\d{4}-\d\d-\d\d)[Tt]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)$/

export const dayOrMomentRule: Rule = {
  keyword: 'dayOrMoment',
  type: 'string',
  check: (text: string) => {
    const day = dayPattern.test(text) ? text : momentPattern.exec(text)?.[1]
    if (day !== undefined && isDay(day)) {
      if (day === text) return { value: text }
      const moment = new Date(text)
      if (!Number.isNaN(moment.getTime())) return { value: moment.toISOString() }
    }
    return {
      code: 'date-time',
      message: buildText('fundraising-rules', 'dateTime')
    }
  }
}

export function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return year >= 1900 && year <= 2200 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth
}

/** The inclusive lower bound as a timestamp. */
export function toLowerBound(bound: string, timezone: string): Sql {
  return dayPattern.test(bound) ? toStartOfDay(sql`${bound}::date`, timezone) : sql`${bound}::timestamptz`
}

/** The exclusive upper bound as a timestamp; a day counts until its end. */
export function toUpperBound(bound: string, timezone: string): Sql {
  return dayPattern.test(bound) ? toStartOfDay(sql`(${bound}::date + 1)`, timezone) : sql`${bound}::timestamptz`
}

function toStartOfDay(day: Sql, timezone: string): Sql {
  return sql`(${day}::timestamp at time zone ${timezone})`
}

/** Every day between two bounds, at most `most`; if there are more, the last ones up to today or the upper bound. */
export function listDaysBetween(
  bounds: { from: string; to: string | undefined },
  { timezone, now, most }: { timezone: string; now: Date; most: number }
): string[] {
  const today = toLocalDay(now, timezone)
  const first = dayPattern.test(bounds.from) ? bounds.from : toLocalDay(new Date(bounds.from), timezone)
  let last = today
  if (bounds.to !== undefined) {
    // The upper bound is exclusive.
    last = dayPattern.test(bounds.to) ? bounds.to : toLocalDay(new Date(Date.parse(bounds.to) - 1), timezone)
  }
  if (toDayNumber(last) - toDayNumber(first) >= most && last > today) last = today > first ? today : first
  const start = Math.max(toDayNumber(first), toDayNumber(last) - most + 1)
  const length = Math.max(0, toDayNumber(last) - start + 1)
  return Array.from({ length }, (_, index) => new Date((start + index) * dayMs).toISOString().slice(0, 10))
}

const dayMs = 86_400_000
const toDayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / dayMs

/** The local day at a timestamp. */
export function toLocalDay(moment: Date, timezone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(moment)
    .map(({ type, value }) => [type, value])
  const { year, month, day } = Object.fromEntries(parts)
  return `${year}-${month}-${day}`
}
