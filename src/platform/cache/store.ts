import type { CacheTags } from '../http/cache-tags.ts'
import type { AccessLogEntry } from '../log.ts'
import { type CacheKeyParts, isEqualKey } from './key.ts'

/** A response without the headers that belong to one request. */
export interface ResponseContent {
  bytes: Buffer
  headers: Record<string, number | string | string[] | undefined>
}

export interface CacheEntry extends ResponseContent, CacheTags {
  key: string
  isEvicted: boolean
  /** Whether it was used since the last eviction. */
  wasUsed: boolean
  rawResponses: RawResponse[]
  heldBytes: number
  /** The bytes as they are sent: a small body as a latin1 string, which is written in one piece with the head. */
  body?: string | Buffer
}

/** The complete response to a request as it goes over the wire. */
export interface RawResponse {
  keyParts: CacheKeyParts
  entry: CacheEntry
  full: ResponseVariant
  /** For a client that already has this version. */
  notModified: ResponseVariant
  etag: string
  body: string | Buffer
  route: string
}

export interface ResponseVariant {
  status: number
  /** The status line and the headers that are the same for every request, up to the request id. */
  head: string
  /** The access log entry of a GET. */
  logEntry: AccessLogEntry
}

export interface CacheStore {
  /** A number that changes after each invalidation. */
  getGeneration(): number
  find(key: string): CacheEntry | undefined
  /**
   * Stores the response unless one of its tags was invalidated since the request began, it is too large, or this is the
   * first request for the key: keys that are requested once, as by clients that put something new into every URL, are
   * not worth the memory.
   */
  put(key: string, content: ResponseContent, cacheTags: CacheTags, askedAt: number): CacheEntry | undefined
  /** Adds a raw response for the same entry. */
  addRawResponse(way: RawResponse): void
  findRawResponse(asked: CacheKeyParts): RawResponse | undefined
  /** Removes the entries that have one of these tags. */
  invalidate(names: Iterable<string> | 'everything'): void
  countEntries(): number
  countBytes(): number
}

/** Many entries are worth more than one large one: a larger response is rendered each time. */
const entryBytesMax = 1_048_576
/** Memory of an entry or a raw response besides its strings; measured roughly, erring on the high side. */
const overheadBytes = 1500
/** Raw responses per URL: browsers send many different Accept-Language headers. */
const rawResponsesMax = 200
/** Remembers at least this many requested keys, and at most twice as many. */
const seenKeysMax = 10_000
/** Invalidated tags that are remembered; beyond that, one generation counts for all. */
const invalidatedTagsMax = 10_000

export function newCacheStore(bytesMax: number, now: () => number = () => performance.now()): CacheStore {
  const entries = new Map<string, CacheEntry>()
  /** By URL: a key string that is concatenated for each request would have to be hashed each time. */
  const rawResponses = new Map<string, RawResponse[]>()
  const entriesByTag = new Map<string, Set<CacheEntry>>()
  const invalidatedAt = new Map<string, number>()
  let seenKeys = new Set<number>()
  let seenKeysEarlier = new Set<number>()
  let allInvalidatedAt = 0
  let generation = 0
  let heldBytes = 0

  function removeEntry(one: CacheEntry): void {
    one.isEvicted = true
    heldBytes -= one.heldBytes
    entries.delete(one.key)
    for (const way of one.rawResponses) removeRawResponse(way)
    for (const name of one.tags) {
      const all = entriesByTag.get(name)
      all?.delete(one)
      if (all?.size === 0) entriesByTag.delete(name)
    }
  }

  const findWay = (asked: CacheKeyParts) => rawResponses.get(asked.url)?.find(way => isEqualKey(way.keyParts, asked))

  function removeRawResponse(way: RawResponse): void {
    const { url } = way.keyParts
    const others = rawResponses.get(url)?.filter(other => other !== way) ?? []
    if (others.length === 0) rawResponses.delete(url)
    else rawResponses.set(url, others)
  }

  function addBytes(one: CacheEntry, bytes: number): void {
    one.heldBytes += bytes
    heldBytes += bytes
    if (heldBytes > bytesMax) evict()
  }

  /** Entries used since the last eviction get a second chance; the others are removed, oldest first. */
  function evict(): void {
    for (const one of entries.values()) {
      if (heldBytes <= bytesMax) return
      if (one.wasUsed && now() < one.untilMs) {
        one.wasUsed = false
        entries.delete(one.key)
        entries.set(one.key, one)
      } else removeEntry(one)
    }
  }

  function hasBeenSeen(key: string): boolean {
    const print = hashKey(key)
    if (seenKeys.has(print)) return true
    if (seenKeys.size >= seenKeysMax) {
      seenKeysEarlier = seenKeys
      seenKeys = new Set()
    }
    seenKeys.add(print)
    return seenKeysEarlier.has(print)
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
        return undefined
      }
      found.wasUsed = true
      return found
    },

    put: (key, content, { tags, untilMs }, askedAt) => {
      if (now() >= untilMs || !isValidSince(tags, askedAt)) return undefined
      const size = content.bytes.length
      if (size > entryBytesMax || size > bytesMax / 4 || !hasBeenSeen(key)) return undefined
      const before = entries.get(key)
      if (before !== undefined) removeEntry(before)
      const one: CacheEntry = {
        ...content,
        key,
        tags: tags,
        untilMs,
        isEvicted: false,
        wasUsed: false,
        rawResponses: [],
        heldBytes: 0
      }
      entries.set(key, one)
      for (const name of tags) {
        const all = entriesByTag.get(name)
        if (all === undefined) entriesByTag.set(name, new Set([one]))
        else all.add(one)
      }
      addBytes(one, size + 2 * key.length + overheadBytes)
      return one.isEvicted ? undefined : one
    },

    addRawResponse: way => {
      const { keyParts, entry: one, body } = way
      if (one.isEvicted || one.rawResponses.length >= rawResponsesMax || findWay(keyParts) !== undefined) return
      const [oldest, ...others] = rawResponses.get(keyParts.url) ?? []
      // A client that invents hosts must not keep other raw responses out.
      if (oldest !== undefined && others.length + 1 >= rawResponsesMax) {
        if (oldest.entry === one) return
        removeEntry(oldest.entry)
      }
      one.rawResponses.push(way)
      rawResponses.set(keyParts.url, [...(rawResponses.get(keyParts.url) ?? []), way])
      const { url, host = '', languages = '', proxied = '' } = keyParts
      const letters = url.length + host.length + languages.length + proxied.length
      // All raw responses of an entry share the body string.
      addBytes(
        one,
        (one.rawResponses.length === 1 && typeof body === 'string' ? body.length : 0) + 2 * letters + overheadBytes
      )
    },

    findRawResponse: findWay,

    invalidate: names => {
      generation += 1
      if (names === 'everything' || invalidatedAt.size > invalidatedTagsMax) {
        allInvalidatedAt = generation
        invalidatedAt.clear()
        entries.clear()
        rawResponses.clear()
        for (const all of entriesByTag.values()) for (const one of all) one.isEvicted = true
        entriesByTag.clear()
        heldBytes = 0
        return
      }
      for (const name of names) {
        invalidatedAt.set(name, generation)
        for (const one of entriesByTag.get(name) ?? []) removeEntry(one)
      }
    },

    countEntries: () => entries.size,
    countBytes: () => heldBytes
  }
}

/** Hashes a key to a number (FNV-1a), because clients can choose long keys. A collision does no harm. */
function hashKey(text: string): number {
  let print = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) print = Math.imul(print ^ text.charCodeAt(at), 0x01000193)
  return print >> 1
}
