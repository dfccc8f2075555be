import type { CacheTags } from '../http/cache-tags.ts'

export interface CacheEntry<Value> extends CacheTags {
  key: string
  value: Value
  isEvicted: boolean
  /** Whether it was used since the last eviction. */
  wasUsed: boolean
  heldBytes: number
}

export interface NewEntry<Value> extends CacheTags {
  key: string
  value: Value
  /** Memory that the value takes. */
  bytes: number
  /** The generation when the value was requested. */
  since: number
}

export interface CacheStore<Value> {
  /** A number that changes after each invalidation. */
  getGeneration(): number
  find(key: string): CacheEntry<Value> | undefined
  /**
   * Whether a value that is valid until then should be stored: if its key was requested before within that time. Keys
   * that are requested once, as by clients that put something new into every URL, or so rarely that each entry would
   * expire without use, are not worth the memory. A value that was used until it expired is replaced with the next
   * request.
   */
  wants(key: string, untilMs: number): boolean
  /** Stores the value unless one of its tags was invalidated since it was requested, or it is too large. */
  put(entry: NewEntry<Value>): void
  /** Counts more memory of the value of an entry; nothing happens if another value has replaced it. */
  grow(key: string, value: Value, bytes: number): void
  /** Removes the entries that have one of these tags. */
  invalidate(names: Iterable<string> | 'everything'): void
  countEntries(): number
  countBytes(): number
}

/** Many entries are worth more than one large one: a larger response is rendered each time. */
const entryBytesMax = 1_048_576
/** Memory of an entry besides key and value; measured roughly, erring on the high side. */
const overheadBytes = 1500
/** Remembers at least this many requested keys, and at most twice as many. */
const seenKeysMax = 10_000
/** Invalidated tags that are remembered; beyond that, one generation counts for all. */
const invalidatedTagsMax = 10_000

export function newCacheStore<Value>(bytesMax: number, now: () => number = () => performance.now()): CacheStore<Value> {
  const entries = new Map<string, CacheEntry<Value>>()
  const entriesByTag = new Map<string, Set<CacheEntry<Value>>>()
  const invalidatedAt = new Map<string, number>()
  /** When keys were requested, by the hash of the key. */
  let seenKeys = new Map<number, number>()
  let seenKeysEarlier = new Map<number, number>()
  let allInvalidatedAt = 0
  let generation = 0
  let heldBytes = 0

  function removeEntry(entry: CacheEntry<Value>): void {
    entry.isEvicted = true
    heldBytes -= entry.heldBytes
    entries.delete(entry.key)
    for (const name of entry.tags) {
      const tagged = entriesByTag.get(name)
      tagged?.delete(entry)
      if (tagged?.size === 0) entriesByTag.delete(name)
    }
  }

  /** Entries used since the last eviction get a second chance; the others are removed, oldest first. */
  function evict(): void {
    for (const entry of entries.values()) {
      if (heldBytes <= bytesMax) return
      if (entry.wasUsed && now() < entry.untilMs) {
        entry.wasUsed = false
        entries.delete(entry.key)
        entries.set(entry.key, entry)
      } else removeEntry(entry)
    }
  }

  function rememberRequest(hash: number, atMs: number): void {
    if (seenKeys.size >= seenKeysMax && !seenKeys.has(hash)) {
      seenKeysEarlier = seenKeys
      seenKeys = new Map()
    }
    seenKeys.set(hash, atMs)
  }

  function isValidSince(names: readonly string[], since: number): boolean {
    return allInvalidatedAt <= since && names.every(name => (invalidatedAt.get(name) ?? 0) <= since)
  }

  return {
    getGeneration: () => generation,

    find: key => {
      const found = entries.get(key)
      if (found === undefined) return undefined
      if (now() >= found.untilMs) {
        removeEntry(found)
        if (found.wasUsed) rememberRequest(hashKey(key), found.untilMs)
        return undefined
      }
      found.wasUsed = true
      return found
    },

    wants: (key, untilMs) => {
      const hash = hashKey(key)
      const seenAtMs = seenKeys.get(hash) ?? seenKeysEarlier.get(hash)
      const nowMs = now()
      rememberRequest(hash, nowMs)
      return seenAtMs !== undefined && nowMs - seenAtMs < untilMs - nowMs
    },

    put: ({ key, value, tags, untilMs, bytes, since }) => {
      if (now() >= untilMs || !isValidSince(tags, since)) return
      if (bytes > entryBytesMax || bytes > bytesMax / 4) return
      const before = entries.get(key)
      if (before !== undefined) removeEntry(before)
      const size = bytes + 2 * key.length + overheadBytes
      const entry = { key, value, tags, untilMs, isEvicted: false, wasUsed: false, heldBytes: size }
      entries.set(key, entry)
      for (const name of tags) {
        const tagged = entriesByTag.get(name)
        if (tagged === undefined) entriesByTag.set(name, new Set([entry]))
        else tagged.add(entry)
      }
      heldBytes += size
      if (heldBytes > bytesMax) evict()
    },

    grow: (key, value, bytes) => {
      const entry = entries.get(key)
      if (entry?.value !== value) return
      entry.heldBytes += bytes
      heldBytes += bytes
      if (heldBytes > bytesMax) evict()
    },

    invalidate: names => {
      generation += 1
      if (names === 'everything' || invalidatedAt.size > invalidatedTagsMax) {
        allInvalidatedAt = generation
        invalidatedAt.clear()
        for (const entry of entries.values()) entry.isEvicted = true
        entries.clear()
        entriesByTag.clear()
        heldBytes = 0
        return
      }
      for (const name of names) {
        invalidatedAt.set(name, generation)
        for (const entry of entriesByTag.get(name) ?? []) removeEntry(entry)
      }
    },

    countEntries: () => entries.size,
    countBytes: () => heldBytes
  }
}

/** Hashes a key to a number (FNV-1a), because clients can choose long keys. A collision does no harm. */
function hashKey(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >> 1
}
