import { sql } from '#platform/database/sql.ts'
import { fetchBatches } from '#platform/database/streaming.ts'
import { inferTotal, parsePage } from '../contract/routing/paging.ts'
import type { RequestContext } from '../contract/routing/route.ts'
import type { EventRow, Reader } from './event-row.ts'
import { buildEventFilter, type EventFilter } from './filter.ts'
import { count, list, listIds } from './list-queries.ts'
import { resolveFilter } from './resolve-filter.ts'
import type { EventFilterValues } from './schema.ts'
import { loadSharedEvents, type SharedEvent } from './shared-events.ts'

/** Counting a hundred thousand events takes longer than reading a page of them, so that slow counts are cached longer. */
const totalCacheMs = { min: 1000, max: 10_000, perCountingMs: 10 }

/** A page without its events: the total is counted only if the page does not reveal it. */
export interface ListedEvents {
  total: number
  filter: EventFilter
}

export async function listEvents(
  context: RequestContext,
  values: EventFilterValues
): Promise<ListedEvents & { rows: EventRow[] }> {
  const page = parsePage(values)
  const filter = buildEventFilter(context, values, await resolveFilter(context, values))
  const { rows, found } = await list(context.db, filter, { rows: page.size, offset: page.offset }, toReader(context))
  return { rows, total: inferTotal(page, found) ?? (await countEvents(context, filter)), filter }
}

/** The same for visitors: their events are cached, so that the ids are searched first. */
export async function listSharedEvents(
  context: RequestContext,
  values: EventFilterValues
): Promise<ListedEvents & { events: SharedEvent[] }> {
  const page = parsePage(values)
  const filter = buildEventFilter(context, values, await resolveFilter(context, values))
  const ids = await listIds(context.db, filter, { rows: page.size, offset: page.offset })
  const events = await loadSharedEvents(context, ids, toReader(context))
  return { events, total: inferTotal(page, ids.length) ?? (await countEvents(context, filter)), filter }
}

/** The total from the cache, or counted once for all requests that wait for it. */
async function countEvents({ db, valueCache }: RequestContext, filter: EventFilter): Promise<number> {
  if (valueCache === undefined) return await count(db, filter)
  const key = `events total ${JSON.stringify([filter.joined, filter.conditions, filter.parts, filter.once !== undefined])}`
  const known = valueCache.get<number>(key)
  if (known !== undefined) return known
  return await valueCache.share(key, async () => {
    const since = valueCache.getGeneration()
    const fromMs = performance.now()
    const total = await count(db, filter)
    const untilMs = fromMs + getTotalCacheMs(fromMs)
    valueCache.put(key, total, { tags: ['calendar'], untilMs, bytes: 8 }, since)
    return total
  })
}

function getTotalCacheMs(fromMs: number): number {
  const { min, max, perCountingMs } = totalCacheMs
  return Math.min(Math.max(min, perCountingMs * (performance.now() - fromMs)), max)
}

/** The first matching events up to a limit, without a total. */
export async function listFirstEvents(
  context: RequestContext,
  values: EventFilterValues,
  most: number
): Promise<EventRow[]> {
  const filter = buildEventFilter(context, values, await resolveFilter(context, values))
  const { rows } = await list(context.db, filter, { rows: most, offset: 0 }, toReader(context))
  return rows
}

/** Events held in memory at a time: an event may have a long text. */
const chunkEvents = 100

/**
 * All matching events by start; missing dates mean no bound. For roles that see the whole calendar, events that are
 * hidden from lists follow after the others.
 */
export async function* listAllEvents(context: RequestContext, values: EventFilterValues): AsyncGenerator<EventRow[]> {
  const resolved = await resolveFilter(context, values)
  const params = { ...values, orderby: 'start_date', order: 'asc', all: true } as const
  const alsoHidden = context.viewer.visibility === 'all' && values.hidden === undefined
  for (const hidden of alsoHidden ? [false, true] : [values.hidden]) {
    const filter = buildEventFilter(context, hidden === undefined ? params : { ...params, hidden }, resolved)
    const reader = toReader(context)
    yield* fetchBatches<EventRow>(async after => {
      const { rows } = await list(context.db, continueAfter(filter, after), { rows: chunkEvents, offset: 0 }, reader)
      return rows
    }, chunkEvents)
  }
}

function continueAfter(filter: EventFilter, after: EventRow | undefined): EventFilter {
  if (after === undefined) return filter
  const further = sql`(event.starts_at, event.id) > (${after.startsAt}::timestamptz, ${after.id}::bigint)`
  return { ...filter, conditions: sql`${filter.conditions} and ${further}` }
}

export function toReader(context: RequestContext, wanted = context.language): Reader {
  return {
    viewer: context.viewer,
    zone: context.zone,
    now: context.now,
    choice: { wanted, fallback: context.site.settings.defaultLanguage },
    cache: context.caller.role === undefined ? context.valueCache : undefined
  }
}
