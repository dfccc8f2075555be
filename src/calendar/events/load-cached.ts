import type { Database } from '#platform/database/database.ts'
import type { ValueCache } from '#platform/http/cache-tags.ts'
import { findCacheEndMs } from './cache-lifetime.ts'

/** What is read by id, and how it is cached. */
interface CachedItems<Item> {
  /** Undefined for readers who do not get cached items. */
  cache: ValueCache | undefined
  toKey(id: number): string
  countBytes(item: Item): number
  /** Reads the items of these ids; `untilMs` is when their entries in the cache expire. */
  load(ids: number[], untilMs: number): Promise<Item[]>
}

/** The items of the ids that are in the cache, and the others from the database. */
export async function loadCached<Item extends { id: number }>(
  db: Database,
  ids: Iterable<number>,
  { cache, toKey, countBytes, load }: CachedItems<Item>
): Promise<Map<number, Item>> {
  const found = new Map<number, Item>()
  const missing: number[] = []
  for (const id of ids) {
    const item = cache?.get<Item>(toKey(id))
    if (item === undefined) missing.push(id)
    else found.set(id, item)
  }
  if (missing.length === 0) return found
  const since = cache?.getGeneration() ?? 0
  const untilMs = cache === undefined ? 0 : await findCacheEndMs(db, cache)
  for (const item of await load(missing, untilMs)) {
    found.set(item.id, item)
    cache?.put(toKey(item.id), item, { tags: ['calendar'], untilMs, bytes: countBytes(item) }, since)
  }
  return found
}
