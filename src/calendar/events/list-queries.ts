import type { Database } from '#platform/database/database.ts'
import { type Sql, sql } from '#platform/database/sql.ts'
import { eventTexts, joinText } from '../content/texts.ts'
import { buildPublishedCondition, type Viewer } from '../permissions/permissions.ts'
import { type EventRow, getEventColumns, type Reader } from './event-row.ts'
import { buildCountQuery, buildPageQuery, type EventFilter } from './filter.ts'

/** The maximum page size of the API; a larger read is part of a whole and must come from one snapshot. */
const pageRowsMax = 50

/** A page, the number of ids found for it, and the total if requested. */
export async function list(
  db: Database,
  filter: EventFilter,
  { withTotal, ...page }: { rows: number; offset: number; withTotal: boolean },
  reader: Reader
): Promise<{ rows: EventRow[]; found: number; total: number | undefined }> {
  const isLong = page.rows > pageRowsMax
  // Only a few variants are prepared statements: first pages of the usual sizes.
  const isUsual = !isLong && filter.isPlain && page.offset === 0 && page.rows % 10 === 0
  if (isUsual || isLong) {
    const statement = buildListQuery(filter, page, reader, withTotal)
    const all = await db.all<EventRow & { total: number | null }>(isUsual ? statement : statement.unprepared())
    const rows = all.filter(row => row.id !== null)
    return { rows, found: rows.length, total: all[0]?.total ?? undefined }
  }
  // Planning the event columns takes ten times as long as running them, so only the search is planned per request.
  const ids = await db.all<{ id: number | null; total: number | null }>(
    buildIdsQuery(filter, page, withTotal).unprepared()
  )
  const found = ids.flatMap(({ id }) => (id === null ? [] : [id]))
  const rows = found.length === 0 ? [] : await db.all<EventRow>(buildEventsQuery(found, reader))
  return { rows, found: found.length, total: ids[0]?.total ?? undefined }
}

/** The page and its events in one statement. */
export function buildListQuery(
  filter: EventFilter,
  page: { rows: number; offset: number },
  reader: Reader,
  withTotal: boolean
): Sql {
  return sql`
    select found.total, item.*
    from (select ${buildTotal(filter, withTotal)} as total) as found
    left join lateral (
      select page.place, ${getEventColumns(reader)}
      from (${buildPageQuery(filter, page.rows, page.offset)}) as page
      join calendar.events as event on event.id = page.id
      ${joinText(eventTexts, sql`event`, reader.choice)}
    ) as item on true
    order by item.place`
}

/** The ids of the page only. */
export function buildIdsQuery(filter: EventFilter, page: { rows: number; offset: number }, withTotal: boolean): Sql {
  return sql`
    select found.total, page.id
    from (select ${buildTotal(filter, withTotal)} as total) as found
    left join lateral (${buildPageQuery(filter, page.rows, page.offset)}) as page on true
    order by page.place`
}

const buildTotal = (filter: EventFilter, isWanted: boolean) =>
  isWanted ? sql`(${buildCountQuery(filter)})` : sql`null::bigint`

/** The events of a page that the reader can still see: they may have changed since their ids were read. */
export function buildEventsQuery(ids: number[], reader: Reader): Sql {
  return sql`
    select ${getEventColumns(reader)}
    from unnest(${ids}::bigint[]) with ordinality as page (id, place)
    join calendar.events as event on event.id = page.id
    ${joinText(eventTexts, sql`event`, reader.choice)}
    where ${buildStillVisibleCondition(reader.viewer)}
    order by page.place`
}

/** Unlike `buildVisibleCondition` it allows the trash, because the filter may have asked for it. */
function buildStillVisibleCondition({ visibility, authorId }: Viewer): Sql {
  if (visibility === 'all') return sql`true`
  const published = buildPublishedCondition(sql`event`)
  return visibility === 'own' ? sql`(event.author_id = ${authorId} or (${published}))` : published
}
