import type { FastifyReply } from 'fastify'

/** Cache tags of a response, and how long it is valid even if none of them is invalidated. */
export interface CacheTags {
  /** Tags that changes invalidate: a service (`calendar`), or a resource in it (`campaign 5`). */
  tags: readonly string[]
  /** In `performance.now()` time, which setting the system clock does not change. */
  untilMs: number
}

declare module 'fastify' {
  interface FastifyReply {
    /** Cache tags of the response; without them it is not cached. */
    cacheTags: CacheTags | undefined
  }
}

/** Header of responses to internal requests: tells the page what its own response depends on. */
const tagsHeader = 'x-kalends-cache-tags'

/** Only for internal requests: `untilMs` has a meaning within this process only. */
export function setTagsHeader(reply: FastifyReply): void {
  if (reply.cacheTags !== undefined) reply.header(tagsHeader, JSON.stringify(reply.cacheTags))
}

export function parseTagsHeader(headers: Record<string, unknown>): CacheTags | undefined {
  const value = headers[tagsHeader]
  return typeof value === 'string' ? (JSON.parse(value) as CacheTags) : undefined
}

/** Tags of a response composed of several others; undefined if the tags of one of them are unknown. */
export function mergeCacheTags(all: (CacheTags | undefined)[], untilMs: number): CacheTags | undefined {
  const names = new Set<string>()
  let least = untilMs
  for (const one of all) {
    if (one === undefined) return undefined
    for (const name of one.tags) names.add(name)
    least = Math.min(least, one.untilMs)
  }
  return { tags: [...names], untilMs: least }
}

/** The cache tags that a change invalidates. */
export type InvalidatedTags = Set<string> | 'everything'

/** Lowers how long a response is valid: it contains something that is valid until then. */
export function limitLifetime(reply: FastifyReply, untilMs: number): void {
  const { cacheTags } = reply
  if (cacheTags !== undefined && untilMs < cacheTags.untilMs) reply.cacheTags = { ...cacheTags, untilMs }
}

/** The part of the response cache for what a service reads from the database, such as totals of lists. */
export interface ValueCache {
  get<Value>(key: string): Value | undefined
  /** Read this before computing a value, and pass it to `put`. */
  getGeneration(): number
  /** Stores the value, which takes this much memory, unless one of its tags was invalidated since that generation. */
  put(key: string, value: unknown, about: CacheTags & { bytes: number }, since: number): void
  /** Computes a value once for all callers that wait for the same key, unless something was invalidated meanwhile. */
  share<Value>(key: string, compute: () => Promise<Value>): Promise<Value>
}
