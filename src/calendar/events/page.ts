import { pageIn, totalIfShort } from '../paging.ts'
import type { Visit } from '../tec.ts'
import { totalsOf } from '../totals.ts'
import { type EventFilter, eventFilter } from './filter.ts'
import { namedBy } from './named.ts'
import type { EventRow, Reader } from './queries.ts'
import * as events from './queries.ts'
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
  const { rows, total } = await events.list(
    visit.db,
    filter,
    { rows: page.size, offset: page.offset },
    readerOf(visit),
    known === undefined
  )
  if (known === undefined && total !== undefined)
    totals.keep(key, total, countedAt, { fromMs: nowMs, toMs: Date.now() })
  return { rows, total: totalIfShort(page, rows.length) ?? known ?? total ?? 0, filter }
}

/** The first of them, up to a number; how many there are does not matter. */
export async function findFirst(visit: Visit, values: EventFilterValues, most: number): Promise<EventRow[]> {
  const filter = eventFilter(visit, values, await namedBy(visit, values))
  const { rows } = await events.list(visit.db, filter, { rows: most, offset: 0 }, readerOf(visit), false)
  return rows
}

export function readerOf(visit: Visit, wanted = visit.language): Reader {
  return {
    viewer: visit.viewer,
    zone: visit.zone,
    choice: { wanted, fallback: visit.site.settings.defaultLanguage }
  }
}
