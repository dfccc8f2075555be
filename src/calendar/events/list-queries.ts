import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import { eventTexts, joinText } from '../content/texts.ts'
import { buildPublishedCondition, type Viewer } from '../permissions/permissions.ts'
import { buildEventColumns, type EventRow, joinSeries, type Reader, type StoredEvent } from './event-row.ts'
import { buildCountQuery, buildPageQuery, type EventFilter } from './filter.ts'
import { loadLinked } from './load-linked.ts'

/** The maximum page size of the API; a larger read is part of a whole and must come from one snapshot. */
const pageRowsMax = 50

/** Only a few variants are prepared statements: the plain filter with the usual page sizes. */
const isUsual = (filter: EventFilter, { rows }: { rows: number }) => filter.isPlain && rows % 10 === 0

/** A page, and the number of ids found for it. */
export async function list(
  db: Database,
  filter: EventFilter,
  page: { rows: number; offset: number },
  reader: Reader
): Promise<{ rows: EventRow[]; found: number }> {
  const isLong = page.rows > pageRowsMax
  if (isLong || isUsual(filter, page)) {
    const statement = buildListQuery(filter, page, reader)
    const stored = await db.all<StoredEvent>(isLong ? statement.unprepared() : statement)
    return { rows: await loadLinked(db, stored, reader), found: stored.length }
  }
  // Planning the event columns takes longer than running them, so only the search is planned per request.
  const ids = await listIds(db, filter, page)
  return { rows: ids.length === 0 ? [] : await listPage(db, ids, reader), found: ids.length }
}

/** The ids of a page. */
export async function listIds(
  db: Database,
  filter: EventFilter,
  page: { rows: number; offset: number }
): Promise<number[]> {
  const statement = buildPageQuery(filter, page.rows, page.offset)
  const rows = await db.all<{ id: number }>(isUsual(filter, page) ? statement : statement.unprepared())
  return rows.map(({ id }) => id)
}

/** The number of matching events. */
export async function count(db: Database, filter: EventFilter): Promise<number> {
  const statement = sql`select ${buildCountQuery(filter)} as total`
  const { total } = await db.one<{ total: number }>(filter.isPlain ? statement : statement.unprepared())
  return total
}

/** The events of a page of ids, in that order, that the reader can still see. */
export async function listPage(db: Database, ids: number[], reader: Reader): Promise<EventRow[]> {
  return await loadLinked(db, await db.all<StoredEvent>(buildEventsQuery(ids, reader)), reader)
}

/** The page and its events in one statement. */
export function buildListQuery(filter: EventFilter, page: { rows: number; offset: number }, reader: Reader): Sql {
  return sql`
    select ${buildEventColumns(reader.zone)}
    from (${buildPageQuery(filter, page.rows, page.offset)}) as page
    join calendar.events as event on event.id = page.id
    ${joinText(eventTexts, sql`event`, reader.choice)} ${joinSeries}
    order by page.place`
}

/** The events of a page that the reader can still see: they may have changed since their ids were read. */
export function buildEventsQuery(ids: number[], reader: Reader): Sql {
  return sql`
    select ${buildEventColumns(reader.zone)}
    from unnest(${ids}::bigint[]) with ordinality as page (id, place)
    join calendar.events as event on event.id = page.id
    ${joinText(eventTexts, sql`event`, reader.choice)} ${joinSeries}
    where ${buildStillVisibleCondition(reader.viewer)}
    order by page.place`
}

/** Unlike `buildVisibleCondition` it allows the trash, because the filter may have asked for it. */
export function buildStillVisibleCondition({ visibility, authorId }: Viewer): Sql {
  if (visibility === 'all') return sql`true`
  const published = buildPublishedCondition(sql`event`)
  return visibility === 'own' ? sql`(event.author_id = ${authorId} or (${published}))` : published
}
