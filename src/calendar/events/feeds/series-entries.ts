import type { Database } from '#platform/database/database.ts'
import type { Viewer } from '../../permissions/permissions.ts'
import { isEndless, listDates } from '../../recurrence/recurrence.ts'
import { formatRule } from '../../recurrence/rule.ts'
import { formatBasicDate, formatWallTime, parseWallTime } from '../../recurrence/wall-time.ts'
import { toOccurrenceSchedule } from '../../series/occurrence-schedule.ts'
import { type ListedSeriesRow, listWithOccurrences } from '../../series/queries.ts'
import { parseSeries, type SeriesState } from '../../series/series-state.ts'
import { toInstant } from '../../time/time.ts'
import { getZoneClock, isUnambiguous, toTzid } from '../../time/vtimezone.ts'
import type { EventRow } from '../event-row.ts'
import type { ICalEvent } from './icalendar.ts'

/** What the events of a feed are read for. */
export interface SeriesFeed {
  db: Database
  viewer: Viewer
  /** The feed has no earlier events than this; undefined if that depends on other filters. */
  from: Date | undefined
  toEntry(row: EventRow): ICalEvent
}

/**
 * The entries of a feed. A series of which all events from the first day of the feed on are in it is one entry with a
 * rule, and an entry for each event that differs from it; events of other series are single ones.
 */
export async function buildFeedEntries(rows: EventRow[], feed: SeriesFeed): Promise<ICalEvent[]> {
  const rowsBySeries = groupBySeries(rows)
  const ids = [...rowsBySeries].flatMap(([id, own]) => (own.some(hasWallClock) ? [id] : []))
  if (ids.length === 0) return rows.map(feed.toEntry)
  const included = new Set(rows.map(({ id }) => id))
  const whole = new Map(
    (await listWithOccurrences(feed.db, ids, feed.viewer))
      .filter(series => isWhole(series, included, feed.from))
      .map(series => [series.id, series])
  )
  const written = new Set<number>()
  return rows.flatMap(row => {
    const series = row.seriesId === null ? undefined : whole.get(row.seriesId)
    if (series === undefined) return [feed.toEntry(row)]
    if (written.has(series.id)) return []
    written.add(series.id)
    return buildSeriesEntries(series, rowsBySeries.get(series.id) ?? [], feed)
  })
}

function groupBySeries(rows: EventRow[]): Map<number, EventRow[]> {
  const groups = new Map<number, EventRow[]>()
  for (const row of rows) {
    if (row.seriesId === null) continue
    const group = groups.get(row.seriesId)
    if (group === undefined) groups.set(row.seriesId, [row])
    else group.push(row)
  }
  return groups
}

/** A rule needs the wall clock of a time zone, which calendar programs know by its name. */
function hasWallClock({ allDay, timezone }: { allDay: boolean; timezone: string }): boolean {
  return allDay || toTzid(timezone) !== undefined
}

function isWhole(series: ListedSeriesRow, included: Set<number>, from: Date | undefined): boolean {
  const year = Number(series.start.slice(0, 4))
  return (
    hasWallClock(series) &&
    year >= 1970 &&
    year < 2090 &&
    series.occurrences.every(
      ({ id, startsAt }) => included.has(id) || (from !== undefined && new Date(startsAt) < from)
    )
  )
}

function buildSeriesEntries(series: ListedSeriesRow, rows: EventRow[], feed: SeriesFeed): ICalEvent[] {
  const state = parseSeries(series)
  const last = rows.at(-1)
  const model = rows.find(row => isRegular(row, state)) ?? rows[0]
  if (model === undefined || last === undefined) return []
  const first = toOccurrenceSchedule(state.start, state.times)
  const to = series.madeUntil === null ? {} : { to: parseWallTime(series.madeUntil) }
  const dates = listDates(state.recurrence, state.start, { ...to, most: Number.POSITIVE_INFINITY })
  const names = dates.map(formatWallTime)
  const inFeed = new Map(rows.map(row => [row.seriesDate ?? '', row]))
  // Earlier events that differ are not in the feed, so that their dates are left out.
  const kept = new Set(
    series.occurrences.filter(({ date, isException }) => inFeed.has(date) || !isException).map(({ date }) => date)
  )
  const ruled = new Set(names)
  const also = series.also.filter(date => kept.has(date) && ruled.has(date))
  const master: ICalEvent = {
    ...feed.toEntry(model),
    uid: series.uid,
    version: series.version,
    createdAt: new Date(series.createdAt),
    modifiedAt: new Date(Math.max(...[series, ...rows].map(({ modifiedAt }) => Date.parse(modifiedAt)))),
    start: formatWallTime(state.start),
    end: formatWallTime(state.start + state.times.durationMs),
    startUtc: first.starts_at,
    endUtc: first.ends_at,
    timezone: series.timezone,
    allDay: series.allDay,
    repeats: {
      rule: formatFeedRule(state),
      except: [...series.except, ...names.filter(date => !kept.has(date))].sort(),
      also,
      lastUtc: new Date(last.endsAt)
    }
  }
  const replaced = rows
    .filter(row => !isRegular(row, state) && ruled.has(row.seriesDate ?? ''))
    .map(row => ({
      ...feed.toEntry(row),
      uid: series.uid,
      replaces: { date: row.seriesDate ?? '', timezone: series.timezone, allDay: series.allDay }
    }))
  const single = rows.filter(row => !ruled.has(row.seriesDate ?? '')).map(feed.toEntry)
  return [master, ...replaced, ...single]
}

/** As the rule says: at its time and without any change. */
function isRegular(row: EventRow, { times }: SeriesState): boolean {
  const date = row.seriesDate ?? ''
  const isAsPlanned =
    row.timezone === times.timezone &&
    row.allDay === times.allDay &&
    row.start === (times.allDay ? `${date.slice(0, 10)} 00:00:00` : date) &&
    parseWallTime(row.end) - parseWallTime(row.start) === times.durationMs
  return row.seriesChanges.length === 0 && isAsPlanned && (times.allDay || hasClearTimes(row))
}

/** Whether calendar programs find the instants of the event by its local times: not in an hour that is skipped or repeated. */
function hasClearTimes({ start, end, startsAt, endsAt, timezone }: EventRow): boolean {
  const decade = Math.floor(Number(start.slice(0, 4)) / 10) * 10
  const clock = getZoneClock(toTzid(timezone) ?? timezone, decade, decade + 9)
  return (
    isUnambiguous(clock, parseWallTime(start), Date.parse(startsAt)) &&
    isUnambiguous(clock, parseWallTime(end), Date.parse(endsAt))
  )
}

/** UNTIL is a date for whole days, and the UTC time of the last date otherwise (RFC 5545, 3.3.10). */
function formatFeedRule({ recurrence, start, times }: SeriesState): string {
  const { rule } = recurrence
  if (isEndless(rule) || rule.until === undefined || times.allDay) return formatRule(rule)
  const timeOfDay = formatWallTime(start).slice(11)
  const local = `${formatWallTime(rule.until).slice(0, 10)} ${timeOfDay}`
  const utc = toInstant(local, times.timezone)
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '')
  return formatRule(rule).replace(`UNTIL=${formatBasicDate(rule.until)}`, `UNTIL=${utc}`)
}
