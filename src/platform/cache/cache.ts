import type { Change } from '../database/after-commit.ts'
import type { Store } from '../database/database.ts'
import type { CacheTags, InvalidatedTags } from '../http/cache-tags.ts'
import type { ActivityType } from '../http/service.ts'
import type { Metrics } from '../metrics.ts'
import { newInvalidationFeed } from './invalidation-feed.ts'
import type { CacheKeyParts } from './key.ts'
import { newChangeNotifier } from './notify.ts'
import { type CacheEntry, newCacheStore, type RawResponse, type ResponseContent } from './store.ts'

/** Responses to visitors, cached in memory until one of their tags is invalidated. */
export interface Cache {
  /** A number that changes after each change, by any process. */
  getGeneration(): number
  /** Finds the entry of a key; after a pause it first polls what other processes wrote meanwhile. */
  find(key: string): CacheEntry | undefined | Promise<CacheEntry | undefined>
  /** Resolves once writes from now on are tracked; undefined if they are already. */
  waitUntilReady(): Promise<boolean> | undefined
  put(key: string, content: ResponseContent, cacheTags: CacheTags, askedAt: number): CacheEntry | undefined
  addRawResponse(way: RawResponse): void
  /** The raw response for these key parts, if it may be sent now. */
  findRawResponse(asked: CacheKeyParts, nowMs: number): RawResponse | undefined
  /** Calls the listener after each change, by any process. */
  onInvalidate(listener: (touched: InvalidatedTags) => void): void
  close(): Promise<void>
}

/** Undefined if the cache has no memory (`megabytes` is 0). */
export function newCache(
  store: Store,
  {
    megabytes,
    subjects,
    metrics,
    onSite
  }: { megabytes: number; subjects: Record<string, ActivityType>; metrics: Metrics; onSite: () => Promise<void> }
): Cache | undefined {
  if (megabytes === 0) return undefined
  const cacheStore = newCacheStore(megabytes * 1_048_576)
  const listeners: ((tags: InvalidatedTags) => void)[] = []
  const counts = { found: 0, missed: 0 }
  metrics.addGauge('kalends_cached_answers', 'Entries in the response cache.', cacheStore.countEntries)
  metrics.addGauge('kalends_cached_bytes', 'Size of the response cache in bytes.', cacheStore.countBytes)
  metrics.addGauge('kalends_cache_hits', 'Response cache hits.', () => counts.found)
  metrics.addGauge('kalends_cache_misses', 'Response cache misses.', () => counts.missed)

  function invalidate(changes: Change[] | 'everything'): void {
    const touched = changes === 'everything' ? changes : collectTags(changes, subjects)
    cacheStore.invalidate(touched)
    for (const listener of listeners) listener(touched)
    // Settings are part of every key, so entries made with the old ones are no longer found.
    const isOfSite = changes === 'everything' || changes.some(({ subject }) => subject === 'site')
    if (isOfSite && feed.isStarted()) void onSite()
  }
  const feed = newInvalidationFeed(store, invalidate)
  const notifier = newChangeNotifier(store, feed.pollSoon)
  const stop = store.onCommit(changes => {
    invalidate(changes)
    notifier.publish()
  })

  return {
    getGeneration: cacheStore.getGeneration,

    find: key => {
      const found = cacheStore.find(key)
      if (found === undefined) {
        counts.missed += 1
        return undefined
      }
      counts.found += 1
      if (feed.isFresh()) return found
      return feed.catchUp().then(isKnown => (isKnown && !found.isEvicted ? found : undefined))
    },

    waitUntilReady: () => {
      notifier.subscribe()
      return feed.isStarted() ? undefined : feed.catchUp()
    },
    put: cacheStore.put,
    addRawResponse: cacheStore.addRawResponse,

    findRawResponse: (asked, nowMs) => {
      const way = cacheStore.findRawResponse(asked)
      if (way === undefined || nowMs >= way.entry.untilMs || !feed.isFresh(nowMs)) return undefined
      counts.found += 1
      way.entry.wasUsed = true
      return way
    },

    onInvalidate: listener => void listeners.push(listener),
    close: async () => {
      stop()
      await notifier.close()
    }
  }
}

/** A change whose type declares no tags invalidates everything. */
function collectTags(changes: Change[], subjects: Record<string, ActivityType>): InvalidatedTags {
  const touched = new Set<string>()
  for (const change of changes) {
    const names = subjects[change.subject]?.invalidates?.(change)
    if (names === undefined) return 'everything'
    for (const name of names) touched.add(name)
  }
  return touched
}
