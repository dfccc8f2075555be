import type { Change, Store } from '../database/database.ts'
import type { CacheTags, InvalidatedTags, ValueCache } from '../http/cache-tags.ts'
import type { EncodedBodies } from '../http/content-coding.ts'
import type { ActivityType } from '../http/service.ts'
import type { Metrics } from '../metrics.ts'
import { newInvalidationFeed } from './invalidation-feed.ts'
import type { ChangeNotifier } from './notify.ts'
import type { SentResponses } from './sent-responses.ts'
import { newCacheStore } from './store.ts'

/** A response with its headers, but those of a single request. */
export interface CachedResponse {
  body: string | Buffer
  headers: Record<string, number | string | string[] | undefined>
  /** The same body compressed, for each coding that a client has requested. */
  encoded: EncodedBodies
  sentResponses: SentResponses
  cacheTags: CacheTags
}

/** Responses to visitors, and values computed for them, cached in memory until one of their tags is invalidated. */
export interface Cache {
  /** A number that changes after each change, by any process. */
  getGeneration(): number
  /** Finds the response of a key; after a pause it first polls what other processes wrote meanwhile. */
  find(key: string): CachedResponse | undefined | Promise<CachedResponse | undefined>
  /** Resolves once the writes of other processes are known, so that cached values can be used; undefined if they are. */
  waitUntilReady(): Promise<boolean> | undefined
  /** Whether `put` should be called for a response that is valid that long: not for the first request of a key. */
  wants(key: string, about: CacheTags): boolean
  put(key: string, response: CachedResponse, since: number): void
  values: ValueCache
  /** Calls the listener after each change, by any process. */
  onInvalidate(listener: (tags: InvalidatedTags) => void): void
  /** Another process has written. */
  pollSoon(): void
  close(): void
}

interface CacheOptions {
  megabytes: number
  activityTypes: Record<string, ActivityType>
  metrics: Metrics
  notifier: Pick<ChangeNotifier, 'subscribe'>
  /** Called after a change of the site's settings. */
  onSiteChange: () => Promise<void>
}

/** Undefined if the cache has no memory (`megabytes` is 0). */
export function newCache(
  store: Store,
  { megabytes, activityTypes, metrics, notifier, onSiteChange }: CacheOptions
): Cache | undefined {
  if (megabytes === 0) return undefined
  const entries = newCacheStore<unknown>(megabytes * 1_048_576)
  const listeners: ((tags: InvalidatedTags) => void)[] = []
  const counts = { found: 0, missed: 0 }
  metrics.addGauge('kalends_cached_responses', 'Entries of the response cache.', entries.countEntries)
  metrics.addGauge('kalends_cached_bytes', 'Memory of the response cache in bytes.', entries.countBytes)
  metrics.addGauge('kalends_cache_hits', 'Requests answered from the response cache.', () => counts.found)
  metrics.addGauge('kalends_cache_misses', 'Cacheable requests without an entry.', () => counts.missed)

  function invalidate(changes: Change[] | 'everything'): void {
    const tags = changes === 'everything' ? changes : collectTags(changes, activityTypes)
    entries.invalidate(tags)
    for (const listener of listeners) listener(tags)
    // Settings are part of every key, so entries made with the old ones are no longer found.
    const isOfSite = changes === 'everything' || changes.some(({ subject }) => subject === 'site')
    if (isOfSite && feed.isStarted()) void onSiteChange()
  }
  const feed = newInvalidationFeed(store, invalidate)
  const stop = store.onCommit(invalidate)

  return {
    getGeneration: entries.getGeneration,

    find: key => {
      const entry = entries.find(key)
      if (entry === undefined) {
        counts.missed += 1
        return undefined
      }
      counts.found += 1
      const response = entry.value as CachedResponse
      if (feed.isFresh()) return response
      return feed.catchUp().then(isKnown => (isKnown && !entry.isEvicted ? response : undefined))
    },

    waitUntilReady: () => {
      notifier.subscribe()
      return feed.isFresh() ? undefined : feed.catchUp()
    },

    wants: (key, { untilMs }) => entries.wants(key, untilMs),

    put: (key, response, since) => {
      entries.put({ key, value: response, bytes: Buffer.byteLength(response.body), since, ...response.cacheTags })
      response.encoded.onEncoded = bytes => entries.grow(key, response, bytes)
    },

    values: {
      getGeneration: entries.getGeneration,
      get: <Value>(key: string) =>
        feed.isStarted() && feed.isFresh() ? (entries.find(`value ${key}`)?.value as Value | undefined) : undefined,
      put: (name, value, about, since) => {
        const key = `value ${name}`
        if (entries.wants(key, about.untilMs)) entries.put({ key, value, since, ...about })
      },
      share: newSharing(entries.getGeneration)
    },

    onInvalidate: listener => void listeners.push(listener),
    pollSoon: feed.pollSoon,
    close: stop
  }
}

/** Shares a computation among its callers until it ends, or until the generation changes. */
function newSharing(getGeneration: () => number): ValueCache['share'] {
  const running = new Map<string, Promise<unknown>>()
  return async <Value>(key: string, compute: () => Promise<Value>) => {
    const name = `${getGeneration()} ${key}`
    const known = running.get(name) as Promise<Value> | undefined
    if (known !== undefined) return await known
    const started = compute().finally(() => running.delete(name))
    running.set(name, started)
    return await started
  }
}

/** A change whose type declares no tags invalidates everything. */
function collectTags(changes: Change[], activityTypes: Record<string, ActivityType>): InvalidatedTags {
  const tags = new Set<string>()
  for (const change of changes) {
    const names = activityTypes[change.subject]?.invalidates?.(change)
    if (names === undefined) return 'everything'
    for (const name of names) tags.add(name)
  }
  return tags
}
