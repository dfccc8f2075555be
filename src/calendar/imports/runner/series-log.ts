import { record } from '#platform/activity/activity.ts'
import type { Actor } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { emptySql, type Sql, sql } from '#platform/database/sql.ts'
import { removeVersionsFrom } from '../../events/save-versions.ts'
import { removeAll } from '../../series/occurrence-queries.ts'
import { withTermCounts } from '../../series/term-counts.ts'
import type { ItemState, TableColumns } from './undo-log.ts'

/** The undo log of series: the state of a series and all of its events as one item. */

export const seriesTable = 'series'
/** Tables that depend on events. */
const eventParts = {
  event_texts: sql`calendar.event_texts`,
  event_venues: sql`calendar.event_venues`,
  event_organizers: sql`calendar.event_organizers`,
  event_terms: sql`calendar.event_terms`
}

/**
 * Changes with each change of the series or of one of its events, but not when the daily job makes further events,
 * which have the version 1. Never 0.
 */
const seriesVersion = sql`(
  ('x' || left(md5(concat_ws(' ', series.version, series.except_dates, (
    select string_agg(event.id || '.' || event.version, ' ' order by event.id)
    from calendar.events as event
    where event.series_id = series.id and event.version > 1
  ))), 7))::bit(28)::integer + 1
)`

export async function lockSeriesStates(tx: Database, ids: number[]): Promise<ItemState[]> {
  return await tx.all(sql`
    select series.id, ${seriesVersion} as version,
      not exists (
        select from calendar.events as event where event.series_id = series.id and event.status <> 'trash'
      ) as "isTrashed"
    from calendar.series as series
    where series.id = any(${ids}::bigint[])
    order by series.id
    for update`)
}

export async function listSeriesVersions(tx: Database, ids: number[]): Promise<{ id: number; version: number }[]> {
  return await tx.all(sql`
    select series.id, ${seriesVersion} as version
    from calendar.series as series
    where series.id = any(${ids}::bigint[])`)
}

/** Series with all of their events, as JSON text that PostgreSQL restores byte for byte. */
export async function listSeriesSnapshots(tx: Database, ids: number[]): Promise<{ id: number; before: string }[]> {
  const named = Object.entries(eventParts).reduce(
    (all, [part, table]) => sql`${all}, ${part}::text, (
      select coalesce(jsonb_agg(to_jsonb(part)), '[]')
      from calendar.events as event join ${table} as part on part.event_id = event.id
      where event.series_id = series.id
    )`,
    sql`'thing', to_jsonb(series), 'events', (
      select coalesce(jsonb_agg(to_jsonb(event)), '[]') from calendar.events as event where event.series_id = series.id
    )`
  )
  return await tx.all(sql`
    select series.id, jsonb_build_object(${named})::text as before
    from calendar.series as series
    where series.id = any(${ids}::bigint[])`)
}

/** A snapshot, and the columns of each table, without the id for those that have one. */
interface Restoration {
  before: string
  columns: TableColumns
  own: { series: Sql; events: Sql }
}

/** Restores a series and its events; deletes events that were made since. */
export async function restoreSeries(tx: Database, id: number, restoration: Restoration): Promise<void> {
  const { before, own } = restoration
  const { events } = JSON.parse(before) as { events: { id: number; version: number }[] }
  const ids = events.map(event => event.id)
  const made = await tx.all<{ id: number }>(sql`
    select id from calendar.events where series_id = ${id} and id <> all(${ids}::bigint[]) order by id for update`)
  const madeIds = made.map(event => event.id)
  await withTermCounts(tx, [...ids, ...madeIds], async () => {
    await removeAll(tx, madeIds)
    await tx.run(sql`
      update calendar.series as series
      set (${own.series}) = (select ${own.series} from jsonb_populate_record(null::calendar.series, ${before}::jsonb -> 'thing'))
      where series.id = ${id}`)
    await restoreEvents(tx, ids, restoration)
  })
  await removeVersionsFrom(tx, events)
}

async function restoreEvents(tx: Database, ids: number[], { before, columns, own }: Restoration): Promise<void> {
  // A date may be the present one of another event.
  await tx.run(sql`update calendar.events set series_date = null where id = any(${ids}::bigint[])`)
  await tx.run(sql`
    update calendar.events as event
    set (${own.events}) = (select ${own.events} from jsonb_populate_record(null::calendar.events, given.value))
    from jsonb_array_elements(${before}::jsonb -> 'events') as given
    where event.id = (given.value ->> 'id')::bigint`)
  for (const [part, table] of Object.entries(eventParts)) {
    const all = columns.get(part) ?? emptySql
    await tx.run(sql`delete from ${table} where event_id = any(${ids}::bigint[])`)
    await tx.run(sql`
      insert into ${table} (${all})
      select ${all} from jsonb_populate_recordset(null::${table}, ${before}::jsonb -> ${part}::text)`)
  }
}

/** One record stands for all events of the series. */
export async function recordSeriesChange(
  tx: Database,
  by: Required<Actor>,
  id: number,
  details: object
): Promise<void> {
  const events = await tx.all<{ id: number }>(sql`
    select id from calendar.events where series_id = ${id} order by series_date`)
  const [first] = events
  if (first === undefined) return
  await record(tx, by, 'event.updated', {
    subject: 'event',
    id: first.id,
    details: { ...details, series: id, occurrences: events.length }
  })
}
