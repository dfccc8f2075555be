import { type Sql, sql } from '#platform/database/sql.ts'
import { buildText } from '#platform/messages/messages.ts'
import type { DateTimeText } from '../contract/date-params.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import type { RequestContext } from '../contract/routing/route.ts'
import { parseDateTime } from '../time/natural-dates.ts'
import { endOfDay, type LocalDateTime, startOfDay, toInstant } from '../time/time.ts'
import { type DefaultDates, getDefaultDates } from './default-dates.ts'
import type { EventListInput } from './filter.ts'

export interface DateBounds {
  conditions: Sql[]
  parts: Sql[]
  /** Only the most common bounds are used: a window, or running and upcoming events. */
  areCommon: boolean
  /** Defaults for the bounds that were not given. */
  defaults: DefaultDates
}
/** Must match the definition of the column `lasts_long`. */
const longMs = 7 * 86_400_000
const defaultInstants = new Map<string, Date>()

/** Cached, because the default window stays the same for a whole day. */
function toCachedInstant(local: DateTimeText, zone: string): Date {
  const key = `${local} ${zone}`
  let instant = defaultInstants.get(key)
  if (instant === undefined) {
    instant = toInstant(String(local), zone)
    if (defaultInstants.size > 10) defaultInstants.clear()
    defaultInstants.set(key, instant)
  }
  return instant
}
/** A bound means a whole day unless `strict_dates` is set; `now` is always exact. */
function parseBound(
  { zone, now }: RequestContext,
  name: string,
  value: DateTimeText,
  { strict, day }: { strict: boolean; day: (local: LocalDateTime) => LocalDateTime }
): Date {
  // Events start and end at whole seconds, so rounding lets requests within the same second share a cached count.
  const moment = parseDateTime(value, zone, new Date(Math.floor(now.getTime() / 1000) * 1000))
  if (moment === undefined) {
    throw newInvalidParamProblem(name, 'date', buildText('event-problems', 'date'))
  }
  return strict || moment.isNow ? moment.instant : toInstant(day(moment.local), zone)
}
/**
 * Conditions for events that may end after a moment, without scanning the whole past: events that are not `lasts_long`
 * cannot have started much earlier, and the long ones are few.
 */
export function buildEndingAfter(moment: Date): Sql[] {
  const early = new Date(moment.getTime() - longMs)
  return [sql`not event.lasts_long and event.starts_at > ${early}`, sql`event.lasts_long`]
}

export function buildDateBounds(context: RequestContext, values: EventListInput): DateBounds {
  const all = { parts: [sql`true`], areCommon: false, defaults: {} }
  if (values.include !== undefined) return { ...all, conditions: [] }

  const strict = values.strict_dates === true
  const at = (name: string, value: DateTimeText, day: (local: LocalDateTime) => LocalDateTime) =>
    parseBound(context, name, value, { strict, day })
  const defaults = values.all === true ? {} : getDefaultDates(context, values)
  const from = values.start_date ?? defaults.start_date
  const until = values.end_date ?? defaults.end_date
  const { starts_after, starts_before, ends_after, ends_before } = values
  // An event that ends before a moment also starts before it, and vice versa: the extra bound limits the index scan.
  const byEnd = values.orderby === 'end_date'
  const conditions: Sql[] = []
  if (from !== undefined) {
    const moment =
      values.start_date === undefined ? toCachedInstant(from, context.zone) : at('start_date', from, startOfDay)
    conditions.push(sql`event.starts_at >= ${moment}`)
    if (byEnd) conditions.push(sql`event.ends_at >= ${moment}`)
  }
  if (until !== undefined) {
    const moment =
      values.end_date === undefined ? toCachedInstant(until, context.zone) : at('end_date', until, endOfDay)
    conditions.push(sql`event.ends_at <= ${moment}`)
    if (!byEnd) conditions.push(sql`event.starts_at <= ${moment}`)
  }
  if (starts_after !== undefined) conditions.push(sql`event.starts_at > ${at('starts_after', starts_after, endOfDay)}`)
  if (starts_before !== undefined)
    conditions.push(sql`event.starts_at < ${at('starts_before', starts_before, endOfDay)}`)
  if (ends_before !== undefined) {
    const moment = at('ends_before', ends_before, endOfDay)
    conditions.push(sql`event.ends_at < ${moment}`)
    if (!byEnd) conditions.push(sql`event.starts_at < ${moment}`)
  }
  const others = [starts_after, starts_before, ends_before]
  const bounds = { ...all, conditions, defaults, areCommon: others.every(value => value === undefined) }
  if (ends_after === undefined) return bounds

  const after = at('ends_after', ends_after, endOfDay)
  conditions.push(sql`event.ends_at > ${after}`)
  return byEnd ? bounds : { ...bounds, parts: buildEndingAfter(after) }
}
