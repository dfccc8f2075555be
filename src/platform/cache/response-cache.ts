import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Settings } from '../config.ts'
import { batchUntilImmediate } from '../database/batch-until-immediate.ts'
import { getCacheTags, setCacheTags } from '../http/cache-tags.ts'
import { buildContentEtag } from '../http/etag.ts'
import { perRequestHeaders } from '../http/raw-response.ts'
import type { Cache } from './cache.ts'
import { buildCacheKey } from './key.ts'
import type { CacheEntry, ResponseContent } from './store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The cache entry that was stored for this request or that answers it. */
    cacheEntry?: CacheEntry | undefined
  }
}

/** Cache tags of a response that visitors share. */
export interface CachePolicy {
  /** Tags as in `CacheTags`, with path parameters (`campaign :campaignId`); or the handler calls `setCacheTags`. */
  tags: readonly string[] | 'set-by-handler'
  /** Depends on the time: scheduled content appears, past content disappears. */
  isTimeDependent?: boolean
}

/** Entries expire, because not every change leaves a record: the database can also be written to by hand. */
const cacheMs = 60_000
const timeDependentCacheMs = 1000
/** Requests join a response in flight for this long; after that others may have written, so they query anew. */
const coalesceMs = 250

interface InFlightResponse {
  reply: FastifyReply
  content: Promise<ResponseContent | undefined>
  generation: number | undefined
  startedAtMs: number
}

/**
 * Visitors with the same request share one response. It is cached until one of its tags is invalidated, where there is
 * a cache and the route names its tags; otherwise requests share it only within one turn of the event loop. Statements
 * leave for the database at the end of that turn, so all requests arrive before the query: none gets older data than it
 * would alone.
 */
export function withResponseCache(
  handler: RouteHandlerMethod,
  { cache, settings, shared: cacheOption }: { cache: Cache | undefined; settings: Settings; shared: true | CachePolicy }
): RouteHandlerMethod {
  const inFlight = new Map<string, InFlightResponse>()
  const policy = cacheOption === true ? undefined : cacheOption
  const policyCache = policy === undefined ? undefined : cache

  return async function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    const answer = async () => await (handler.call(this, request, reply) as Promise<unknown>)
    if (!/^(?:GET|HEAD)$/.test(request.method) || request.caller.role !== undefined) return await answer()
    // A response that a password in a header unlocks is only for the caller who sent it.
    if (request.headers['event-password'] !== undefined) {
      reply.header('cache-control', 'private, no-store')
      return await answer()
    }

    const key = buildCacheKey(request, settings)
    if (policyCache !== undefined) {
      const beginning = policyCache.waitUntilReady()
      if (beginning !== undefined) await beginning
      const found = policyCache.find(key)
      const kept = found instanceof Promise ? await found : found
      if (kept !== undefined) {
        request.cacheEntry = kept
        setCacheTags(reply, kept)
        return sendContent(reply, kept)
      }
    }
    if (request.method === 'HEAD') return await answer()

    const atMs = performance.now()
    const generation = policyCache?.getGeneration()
    const first = inFlight.get(key)
    if (first !== undefined && first.generation === generation && atMs - first.startedAtMs < coalesceMs) {
      const whole = await first.content
      const cacheTags = getCacheTags(first.reply)
      if (cacheTags !== undefined) setCacheTags(reply, cacheTags)
      return whole === undefined ? await answer() : sendContent(reply, whole)
    }

    let unshared: unknown
    const whole = callHandler().then(payload => {
      unshared = payload
      return toContent(reply, payload)
    })
    const flight = { reply, content: whole, generation: generation, startedAtMs: atMs }
    inFlight.set(key, flight)
    const removeFromFlight = () => {
      if (inFlight.get(key) === flight) inFlight.delete(key)
    }
    if (policyCache === undefined) batchUntilImmediate(removeFromFlight)
    try {
      const content = await whole
      if (content === undefined) return unshared
      const cacheTags = getCacheTags(reply)
      if (cacheTags !== undefined && generation !== undefined && isCacheable(content)) {
        request.cacheEntry = policyCache?.put(key, content, cacheTags, generation)
      }
      return sendContent(reply, content)
    } finally {
      removeFromFlight()
    }

    async function callHandler(): Promise<unknown> {
      // Set before the handler runs, so that an error has the tags too.
      if (policy !== undefined && policy.tags !== 'set-by-handler') {
        const names = policy.tags.map(name => fillTagParameters(name, request.params as Record<string, string>))
        setCacheTags(reply, {
          tags: names,
          untilMs: atMs + (policy.isTimeDependent === true ? timeDependentCacheMs : cacheMs)
        })
      }
      return await answer()
    }
  }
}

function fillTagParameters(name: string, params: Record<string, string>): string {
  return name.replace(/:(\w+)/, (_, parameter: string) => params[parameter] ?? '')
}

const isCacheable = ({ headers }: ResponseContent) =>
  !/no-store|private/.test(String(headers['cache-control'] ?? '')) && headers['set-cookie'] === undefined

/** Undefined for a payload that can be sent only once, such as a stream. */
function toContent(reply: FastifyReply, payload: unknown): ResponseContent | undefined {
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
  const isData =
    typeof payload === 'object' &&
    payload !== null &&
    (Array.isArray(payload) || Object.getPrototypeOf(payload) === Object.prototype)
  if (reply.sent || reply.statusCode !== 200 || !(isWhole || isData)) return undefined
  const headers: ResponseContent['headers'] = {
    'content-type': 'application/json; charset=utf-8',
    ...reply.getHeaders()
  }
  for (const name of perRequestHeaders) delete headers[name]
  const content = isWhole ? payload : (reply.serialize(payload as object) as string)
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content)
  // Encoded and given an ETag once for all requests that share it.
  return { bytes, headers: { ...headers, etag: headers.etag ?? buildContentEtag(bytes) } }
}

function sendContent(reply: FastifyReply, { bytes, headers }: ResponseContent): FastifyReply {
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) reply.header(name, value)
  }
  return reply.send(bytes)
}
