import type { DaysJson } from '../../contract/day-shapes.ts'
import type { RequestContext } from '../../contract/routing/route.ts'
import { findCacheEndMs } from '../cache-lifetime.ts'
import { buildEventConditions } from '../filter.ts'
import { toReader } from '../list.ts'
import { resolveFilter } from '../resolve-filter.ts'
import { canShareEvents, describeAudience } from '../shared-events.ts'
import { type DayRange, listDays } from './queries.ts'
import type { DayValues } from './schema.ts'
import { toDaysJson } from './wire.ts'

/** The days with their events, which visitors share as they share events. Nobody may change the result. */
export async function loadDays(context: RequestContext, values: DayValues, range: DayRange): Promise<DaysJson> {
  const { db, valueCache: cache } = context
  const conditions = buildEventConditions(context, values, await resolveFilter(context, values))
  const read = async () => toDaysJson(await listDays(db, conditions, range, toReader(context)), range, context)
  if (cache === undefined || !canShareEvents(context, {})) return await read()

  const key = `days ${describeAudience(context)} ${JSON.stringify([range, conditions.joined, conditions.conditions])}`
  const known = cache.get<DaysJson>(key)
  if (known !== undefined) return known
  const since = cache.getGeneration()
  const untilMs = await findCacheEndMs(db, cache)
  const days = await read()
  cache.put(key, days, { tags: ['calendar'], untilMs, bytes: 2 * JSON.stringify(days).length }, since)
  return days
}
