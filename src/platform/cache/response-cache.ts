import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Authenticator } from '../auth/authenticate.ts'
import type { Settings } from '../config.ts'
import { setTagsHeader } from '../http/cache-tags.ts'
import { newEncodedBodies } from '../http/content-coding.ts'
import { encodeLongText } from '../http/encode-body.ts'
import { buildContentEtag, findClientTag } from '../http/etag.ts'
import type { Cache, CachedResponse } from './cache.ts'
import { buildCacheKey } from './key.ts'
import { collectSharedHeaders, sendAgain, setSharedHeaders } from './sent-responses.ts'

/** Cache tags of a response that visitors share. */
export interface CachePolicy {
  /** Tags as in `CacheTags`, with path parameters (`campaign :campaignId`); or the handler sets `reply.cacheTags`. */
  tags: readonly string[] | 'set-by-handler'
  /** Depends on the time: scheduled content appears, past content disappears. */
  isTimeDependent?: boolean
  /** Pages get the body itself (`sendBodyToPage`), which is not cached: the page is. */
  isObjectForPages?: boolean
}

/** Entries expire, because not every change leaves a record: the database can also be written to by hand. */
const cacheMs = 60_000
const timeDependentCacheMs = 1000
/** Requests join a response in flight for this long; after that others may have written, so they query anew. */
const coalesceMs = 250

interface InFlightResponse {
  reply: FastifyReply
  content: Promise<ResponseContent | undefined>
  generation: number
  startedAtMs: number
  /** Whether other requests wait for the content. */
  isShared: boolean
}

type ResponseContent = Omit<CachedResponse, 'cacheTags'>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if the response may be stored in the cache. */
    cacheKey: string | undefined
  }
}

interface ResponseCacheOptions {
  cache: Cache | undefined
  settings: Settings
  authenticator: Pick<Authenticator, 'isProtectedModeOver'>
}

/**
 * Answers visitors from memory on routes with a cache policy. A response is cached until one of its tags is
 * invalidated; requests that arrive while it is computed wait for it (single flight). Cached responses are sent before
 * authentication: a request without credentials is anonymous, once protected mode is over.
 */
export const responseCache = fastifyPlugin(async (app, { cache, settings, authenticator }: ResponseCacheOptions) => {
  app.decorateReply('cacheTags')
  app.decorateRequest('cacheKey')
  app.addHook('onSend', (request, reply, payload, next) => {
    if (request.isInternal) setTagsHeader(reply)
    next(null, payload)
  })
  app.addHook('onRoute', route => {
    const policy = route.config?.cache
    if (policy !== undefined) route.handler = withResponseCache(route.handler, cache, policy)
  })
  if (cache === undefined) return
  app.addHook('onRequest', (request, reply, next) => {
    if (request.routeConfig.cache === undefined || request.headers.authorization !== undefined) return next()
    // A response that a password in a header unlocks is only for the caller who sent it.
    if (request.headers['event-password'] !== undefined || !authenticator.isProtectedModeOver()) return next()
    request.cacheKey = buildCacheKey(request, settings)
    const found = cache.find(request.cacheKey)
    if (!(found instanceof Promise)) respondOrContinue(found)
    else found.then(respondOrContinue, next)

    function respondOrContinue(cached: CachedResponse | undefined): void {
      const clientTag = request.method === 'GET' ? findClientTag(request, cached?.headers.etag) : undefined
      if (cached !== undefined && sendAgain(request, reply, { sentResponses: cached.sentResponses, clientTag })) return
      if (cached === undefined) {
        next()
        return
      }
      reply.cacheTags = cached.cacheTags
      // Not at the first time: most responses are not requested again.
      reply.sentResponses = cached.sentResponses
      if (clientTag === undefined) sendContent(reply, cached)
      else sendNotModified(reply, cached, clientTag)
    }
  })
})

function withResponseCache(
  handler: RouteHandlerMethod,
  cache: Cache | undefined,
  policy: CachePolicy
): RouteHandlerMethod {
  const inFlight = new Map<string, InFlightResponse>()

  return async function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    const respond = async () => await (handler.call(this, request, reply) as Promise<unknown>)
    if (request.headers['event-password'] !== undefined) reply.header('cache-control', 'private, no-store')
    const key = request.cacheKey
    if (cache === undefined || key === undefined || request.caller.role !== undefined) return await respond()
    const starting = cache.waitUntilReady()
    if (starting !== undefined) await starting
    if (request.method === 'HEAD') return await respond()

    const startedAtMs = performance.now()
    if (policy.isObjectForPages === true && request.isInternal) {
      setPolicyTags(startedAtMs)
      return await respond()
    }
    const generation = cache.getGeneration()
    const first = inFlight.get(key)
    if (first !== undefined && first.generation === generation && startedAtMs - first.startedAtMs < coalesceMs) {
      first.isShared = true
      const content = await first.content
      reply.cacheTags = first.reply.cacheTags
      return content === undefined ? await respond() : sendContent(reply, content)
    }

    let payload: unknown
    /** Undefined if nobody else needs the content; most responses are requested only once. */
    const compute = async () => {
      setPolicyTags(startedAtMs)
      payload = await respond()
      const { cacheTags } = reply
      const isStored = cacheTags !== undefined && isCacheable(reply) && cache.wants(key, cacheTags)
      const content = isStored || flight.isShared ? toContent(reply, payload) : undefined
      if (isStored && content !== undefined) cache.put(key, { ...content, cacheTags }, generation)
      return content
    }
    const computed = compute()
    const flight: InFlightResponse = { reply, content: computed, generation, startedAtMs, isShared: false }
    inFlight.set(key, flight)
    try {
      const content = await computed
      // Also a stream, a redirect or an error, which are for this request alone.
      if (content === undefined) return typeof payload === 'string' ? encodeLongText(payload) : payload
      // All other headers are set already.
      const { 'content-type': type, etag } = content.headers
      reply.headers({ 'content-type': type, etag }).encodedBodies = content.encoded
      return reply.send(content.body)
    } finally {
      if (inFlight.get(key) === flight) inFlight.delete(key)
    }

    /** Called before the handler, so that an error has the tags too. */
    function setPolicyTags(fromMs: number): void {
      if (policy.tags === 'set-by-handler') return
      const tags = policy.tags.map(name => fillTagParameters(name, request.params as Record<string, string>))
      reply.cacheTags = {
        tags,
        untilMs: fromMs + (policy.isTimeDependent === true ? timeDependentCacheMs : cacheMs)
      }
    }
  }
}

function fillTagParameters(name: string, params: Record<string, string>): string {
  return name.includes(':') ? name.replace(/:(\w+)/, (_, parameter: string) => params[parameter] ?? '') : name
}

const isCacheable = (reply: FastifyReply) =>
  reply.statusCode === 200 &&
  !/no-store|private/.test(String(reply.getHeader('cache-control') ?? '')) &&
  !reply.hasHeader('set-cookie')

/** The body and its headers. Undefined for a payload that can be sent only once, such as a stream. */
function toContent(reply: FastifyReply, payload: unknown): ResponseContent | undefined {
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
  const isData =
    typeof payload === 'object' &&
    payload !== null &&
    (Array.isArray(payload) || Object.getPrototypeOf(payload) === Object.prototype)
  if (reply.sent || reply.statusCode !== 200 || !(isWhole || isData)) return undefined
  const headers: ResponseContent['headers'] = {
    'content-type': 'application/json; charset=utf-8',
    ...collectSharedHeaders(reply)
  }
  // Encoded and given an ETag once for all requests that share it.
  const content = isWhole ? payload : (reply.serialize(payload as object) as string)
  const body = Buffer.isBuffer(content) ? content : encodeLongText(content)
  const etag = headers.etag ?? buildContentEtag(body)
  return { body, headers: { ...headers, etag }, encoded: newEncodedBodies(), sentResponses: new Map() }
}

/** 304: the headers without those of the body. */
function sendNotModified(reply: FastifyReply, { headers }: CachedResponse, clientTag: string): void {
  setSharedHeaders(reply, headers)
  reply.code(304).header('etag', clientTag).removeHeader('content-type').send()
}

function sendContent(reply: FastifyReply, { body, headers, encoded }: ResponseContent): FastifyReply {
  setSharedHeaders(reply, headers)
  reply.encodedBodies = encoded
  return reply.send(body)
}
