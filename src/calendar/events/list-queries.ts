import type { Database } from '#platform/database.ts'
import { type Sql, sql } from '#platform/sql.ts'
import { eventTexts, joinText } from '../texts.ts'
import { isPublished, type Viewer } from '../viewer.ts'
import { countOf, type EventFilter, pageOf } from './filter.ts'
import { columns, type EventRow, type Reader } from './queries.ts'

/** What a page of the API has at most; more at once is a part of a whole, which must come from one moment. */
const pageRowsMax = 50

/** A page, how many were found for it, and how many there are in all where that is asked. */
export async function list(
  db: Database,
  filter: EventFilter,
  page: { rows: number; offset: number },
  reader: Reader,
  withTotal: boolean
): Promise<{ rows: EventRow[]; found: number; total: number | undefined }> {
  const isLong = page.rows > pageRowsMax
  // Few forms are kept prepared: those of first pages in the usual sizes.
  const isUsual = !isLong && filter.isPlain && page.offset === 0 && page.rows % 10 === 0
  if (isUsual || isLong) {
    const statement = listStatement(filter, page, reader, withTotal)
    const all = await db.all<EventRow & { total: number | null }>(isUsual ? statement : statement.unprepared())
    const rows = all.filter(row => row.id !== null)
    return { rows, found: rows.length, total: all[0]?.total ?? undefined }
  }
  // To plan how events are put together takes ten times as long as to do it, so that only the search for them is planned anew.
  const ids = await db.all<{ id: number | null; total: number | null }>(
    idsStatement(filter, page, withTotal).unprepared()
  )
  const found = ids.flatMap(({ id }) => (id === null ? [] : [id]))
  const rows = found.length === 0 ? [] : await db.all<EventRow>(eventsStatement(found, reader))
  return { rows, found: found.length, total: ids[0]?.total ?? undefined }
}

/** The page and its events at once. */
export function listStatement(
  filter: EventFilter,
  page: { rows: number; offset: number },
  reader: Reader,
  withTotal: boolean
): Sql {
  return sql`
    select found.total, item.*
    from (select ${totalOf(filter, withTotal)} as total) as found
    left join lateral (
      select page.place, ${columns(reader)}
      from (${pageOf(filter, page.rows, page.offset)}) as page
      join calendar.events as event on event.id = page.id
      ${joinText(eventTexts, sql`event`, reader.choice)}
    ) as item on true
    order by item.place`
}

/** The page alone. */
export function idsStatement(filter: EventFilter, page: { rows: number; offset: number }, withTotal: boolean): Sql {
  return sql`
    select found.total, page.id
    from (select ${totalOf(filter, withTotal)} as total) as found
    left join lateral (${pageOf(filter, page.rows, page.offset)}) as page on true
    order by page.place`
}

const totalOf = (filter: EventFilter, isWanted: boolean) => (isWanted ? sql`(${countOf(filter)})` : sql`null::bigint`)

/** The events of a page, as far as the reader may still see them: a moment has passed since they were found. */
export function eventsStatement(ids: number[], reader: Reader): Sql {
  return sql`
    select ${columns(reader)}
    from unnest(${ids}::bigint[]) with ordinality as page (id, place)
    join calendar.events as event on event.id = page.id
    ${joinText(eventTexts, sql`event`, reader.choice)}
    where ${stillSeenBy(reader.viewer)}
    order by page.place`
}

/** Unlike `visibleTo` it leaves the trash to those who looked for it there. */
function stillSeenBy({ sees, authorId }: Viewer): Sql {
  if (sees === 'all') return sql`true`
  const published = isPublished(sql`event`)
  return sees === 'own' ? sql`(event.author_id = ${authorId} or (${published}))` : published
}
