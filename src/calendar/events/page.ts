import { sql } from '#platform/sql.ts'
import { chunks } from '#platform/stream.ts'
import { pageIn, totalIfShort } from '../paging.ts'
import type { Visit } from '../tec.ts'
import { totalsOf } from '../totals.ts'
import { type EventFilter, eventFilter } from './filter.ts'
import { list } from './list-queries.ts'
import { namedBy } from './named.ts'
import type { EventRow, Reader } from './queries.ts'
import type { EventFilterValues } from './schema.ts'

/** The page a list shows, and how many there are: counted only if nobody knows. */
export async function findPage(
  visit: Visit,
  values: EventFilterValues
): Promise<{ rows: EventRow[]; total: number; filter: EventFilter }> {
  const page = pageIn(values)
  const filter = eventFilter(visit, values, await namedBy(visit, values))
  const totals = totalsOf(visit.db)
  const key = JSON.stringify([filter.joined, filter.conditions, filter.parts])
  const nowMs = visit.now.getTime()
  const known = totals.find(key, nowMs)
  const countedAt = totals.moment()
  const { rows, found, total } = await list(
    visit.db,
    filter,
    { rows: page.size, offset: page.offset },
    readerOf(visit),
    known === undefined
  )
  if (known === undefined && total !== undefined)
    totals.keep(key, total, countedAt, { fromMs: nowMs, toMs: Date.now() })
  return { rows, total: totalIfShort(page, found) ?? known ?? total ?? 0, filter }
}

/** The first of them, up to a number; how many there are does not matter. */
export async function findFirst(visit: Visit, values: EventFilterValues, most: number): Promise<EventRow[]> {
  const filter = eventFilter(visit, values, await namedBy(visit, values))
  const { rows } = await list(visit.db, filter, { rows: most, offset: 0 }, readerOf(visit), false)
  return rows
}

/** As many as are held in memory at a time: an event may have a long text. */
const chunkEvents = 100

/**
 * All of them, by start; dates that are not given do not matter. For those who look after the whole calendar what is left
 * out of lists comes behind the rest.
 */
export async function* findAll(visit: Visit, values: EventFilterValues): AsyncGenerator<EventRow[]> {
  const resolved = await namedBy(visit, values)
  const asked = { ...values, orderby: 'start_date', order: 'asc', all: true } as const
  const alsoHidden = visit.viewer.sees === 'all' && values.hidden === undefined
  for (const hidden of alsoHidden ? [false, true] : [values.hidden]) {
    const filter = eventFilter(visit, hidden === undefined ? asked : { ...asked, hidden }, resolved)
    const reader = readerOf(visit)
    yield* chunks<EventRow>(async after => {
      const { rows } = await list(visit.db, behind(filter, after), { rows: chunkEvents, offset: 0 }, reader, false)
      return rows
    }, chunkEvents)
  }
}

function behind(filter: EventFilter, after: EventRow | undefined): EventFilter {
  if (after === undefined) return filter
  const further = sql`(event.starts_at, event.id) > (${after.startsAt}::timestamptz, ${after.id}::bigint)`
  return { ...filter, conditions: sql`${filter.conditions} and ${further}` }
}

export function readerOf(visit: Visit, wanted = visit.language): Reader {
  return {
    viewer: visit.viewer,
    zone: visit.zone,
    choice: { wanted, fallback: visit.site.settings.defaultLanguage }
  }
}
