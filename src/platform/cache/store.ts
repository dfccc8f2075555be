import type { CacheTags } from '../http/cache-tags.ts'
import type { AccessLogEntry } from '../log.ts'
import { type CacheKeyParts, isEqualKey } from './key.ts'

/** An answer as it is sent, without what belongs to one request. */
export interface ResponseContent {
  bytes: Buffer
  headers: Record<string, number | string | string[] | undefined>
}

export interface CacheEntry extends ResponseContent, CacheTags {
  key: string
  isEvicted: boolean
  /** Since the last eviction. */
  wasUsed: boolean
  rawResponses: RawResponse[]
  heldBytes: number
  /** The same as it is sent: if there are few, as text of one byte each, which goes out in one piece with the head. */
  body?: string | Buffer
}

/** The whole answer to a request as it goes over the wire. */
export interface RawResponse {
  keyParts: CacheKeyParts
  entry: CacheEntry
  full: ResponseVariant
  /** For who has it already. */
  notModified: ResponseVariant
  etag: string
  body: string | Buffer
  route: string
}

export interface ResponseVariant {
  status: number
  /** The first line and those that are the same every time, up to the id of the request. */
  head: string
  /** For the log, of a GET. */
  logEntry: AccessLogEntry
}

export interface CacheStore {
  /** Another number after each change. */
  getGeneration(): number
  find(key: string): CacheEntry | undefined
  /**
   * Keeps what was asked for at a moment, unless something that it rests on has changed since, it is too large, or nobody
   * has asked for it before: what is wanted once, as by those who put something new into every address, is not worth room.
   */
  put(key: string, content: ResponseContent, cacheTags: CacheTags, askedAt: number): CacheEntry | undefined
  /** Another way to the same answer. */
  addRawResponse(way: RawResponse): void
  findRawResponse(asked: CacheKeyParts): RawResponse | undefined
  /** Forgets what rests on one of these names. */
  invalidate(names: Iterable<string> | 'everything'): void
  countEntries(): number
  countBytes(): number
}

/** Room for the whole is better than for one answer: what is larger is made anew each time. */
const entryBytesMax = 1_048_576
/** What an answer, and a way to it, take besides their texts; measured roughly, to the safe side. */
const overheadBytes = 1500
/** To one address: browsers spell languages in many ways. */
const rawResponsesMax = 200
/** Of what was asked for, so many are remembered at least, and twice as many at most. */
const seenKeysMax = 10_000
/** Names of things that were touched; beyond that one moment stands for all. */
const invalidatedTagsMax = 10_000

export function newCacheStore(bytesMax: number, now: () => number = () => performance.now()): CacheStore {
  const entries = new Map<string, CacheEntry>()
  /** By address: a text that is put together for each request would be read anew each time. */
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

  /** What was asked for since the last time gets a second chance; the rest goes, oldest first. */
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
      // Whoever makes up hosts does not keep the others out.
      if (oldest !== undefined && others.length + 1 >= rawResponsesMax) {
        if (oldest.entry === one) return
        removeEntry(oldest.entry)
      }
      one.rawResponses.push(way)
      rawResponses.set(keyParts.url, [...(rawResponses.get(keyParts.url) ?? []), way])
      const { url, host = '', languages = '', proxied = '' } = keyParts
      const letters = url.length + host.length + languages.length + proxied.length
      // All ways share the text of the body.
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

/** A number for a text (FNV-1a), because texts that somebody else chooses may be long. Another that has the same does no harm. */
function hashKey(text: string): number {
  let print = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) print = Math.imul(print ^ text.charCodeAt(at), 0x01000193)
  return print >> 1
}
