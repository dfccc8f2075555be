import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../config.ts'
import { getRateLimitKey, isLocalRequest } from '../http/client-address.ts'
import { isEtagMatch } from '../http/etag.ts'
import { canSendRaw, newTrailingHeaders, sendRaw, serializeHead, serializeHeaders } from '../http/raw-response.ts'
import { newRequestId, parseRequestId } from '../http/security-headers.ts'
import { redact, type WriteAccessLog } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { RateLimiter } from '../rate-limit/limiter.ts'
import type { Cache } from './cache.ts'
import { getCacheKeyParts } from './key.ts'
import type { RawResponse } from './store.ts'

/** Maximum number of client addresses, as a proxy reports them, whose rate-limit key we remember. */
const addressesMax = 10_000
/** Up to this size it is faster to write head and body as one string; beyond it, not to copy the body. */
const singleWriteBytesMax = 12_288

export interface EarlyResponder {
  /** Returns false if the router has to respond. */
  tryRespond(request: IncomingMessage, response: ServerResponse): boolean
  /** Stores the complete raw response for a cache entry. */
  remember(request: FastifyRequest, reply: FastifyReply): void
}

interface EarlyResponderDeps {
  cache: Cache
  settings: Settings
  limiter: RateLimiter
  metrics: Metrics
  writeAccessLog: WriteAccessLog
  /** True if a request without credentials is from a visitor and may be served. */
  canServeAnonymous: () => boolean
  /** Tracks responses that are not fully sent yet. */
  trackResponse: (response: ServerResponse) => void
}

/** Sends cache hits before any hook runs, with the headers of every response, the rate limit, metrics and the log. */
export function newEarlyResponder(app: FastifyInstance, around: EarlyResponderDeps): EarlyResponder {
  const { cache, settings, limiter, metrics, writeAccessLog, canServeAnonymous, trackResponse } = around
  const limit = { name: 'requests', perMinute: settings.rateLimit }
  const addresses = new Map<string, string>()
  const trailingHeaders = newTrailingHeaders(app.server.keepAliveTimeout)

  /** The rate-limit key of a visitor: '' if not limited, undefined if only the router knows it. */
  function findRateLimitKey(request: IncomingMessage): string | undefined {
    if (limit.perMinute === 0 || isLocalRequest(request, settings)) return ''
    return addresses.get(buildAddressKey(request, settings))
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    rawResponse: RawResponse,
    beganAt: number,
    more: string
  ): void {
    const { method = 'GET', headers } = request
    const requestId = parseRequestId(headers['x-request-id']) ?? newRequestId()
    const wanted = headers['if-none-match']
    const isUnchanged = wanted !== undefined && isEtagMatch(wanted, rawResponse.etag)
    const { status, head, logEntry } = isUnchanged ? rawResponse.notModified : rawResponse.full
    sendRaw(
      response,
      `${head}${requestId}${more}${trailingHeaders(beganAt)}`,
      isUnchanged || method === 'HEAD' ? '' : rawResponse.body
    )
    if (response.socket !== null && response.socket.writableLength > 0) trackResponse(response)

    const ms = performance.now() - beganAt
    metrics.observe({ method, route: rawResponse.route, status, seconds: ms / 1000 })
    writeAccessLog(method === 'GET' ? logEntry : { ...logEntry, method, serialized: '' }, { ms, requestId, headers })
  }

  function tryRespond(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, headers } = request
    if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return false
    if (headers['event-password'] !== undefined) return false
    if (!canSendRaw(response)) return false
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
    const beganAt = performance.now()
    const way = cache.findRawResponse(getCacheKeyParts(request, settings), beganAt)
    const address = way === undefined ? undefined : findRateLimitKey(request)
    if (way === undefined || address === undefined || !canServeAnonymous()) return false
    if (address === '') send(request, response, way, beganAt, '')
    else {
      void limiter.count(limit, address).then(({ headers: counted, isOver }) => {
        // The router sends the refusal.
        if (isOver) app.routing(request, response)
        else send(request, response, way, beganAt, serializeHeaders(counted))
      })
    }
    return true
  }

  return {
    tryRespond: tryRespond,
    remember: (request, reply) => {
      const { cacheEntry, raw } = request
      const etag = reply.getHeader('etag')
      if (cacheEntry === undefined || cacheEntry.isEvicted || typeof etag !== 'string') return
      if (addresses.size >= addressesMax) addresses.clear()
      addresses.set(buildAddressKey(raw, settings), getRateLimitKey(request))
      const { url: route = 'none' } = request.routeOptions
      const path = redact(request.url.split('?', 1)[0] ?? '')
      const buildVariant = (status: number, headers: OutgoingHttpHeaders) => ({
        status,
        head: serializeHead(status, headers),
        logEntry: { method: 'GET', path, status, caller: 'visitor', serialized: '' }
      })
      const all = reply.getHeaders() as OutgoingHttpHeaders
      const { 'content-type': type, 'content-length': _, ...unchanged } = all
      const head = { 'content-type': type, 'content-length': String(cacheEntry.bytes.length), ...unchanged }
      cacheEntry.body ??=
        cacheEntry.bytes.length > singleWriteBytesMax ? cacheEntry.bytes : cacheEntry.bytes.toString('latin1')
      cache.addRawResponse({
        keyParts: getCacheKeyParts(toOriginalRequest(request), settings),
        entry: cacheEntry,
        full: buildVariant(200, head),
        notModified: buildVariant(304, unchanged),
        etag,
        body: cacheEntry.body,
        route
      })
    }
  }
}

/** The router may have rewritten the URL. */
function toOriginalRequest({ raw, originalUrl }: FastifyRequest): Pick<IncomingMessage, 'url' | 'headers' | 'socket'> {
  return { url: originalUrl, headers: raw.headers, socket: raw.socket }
}

function buildAddressKey({ socket, headers }: IncomingMessage, { trustProxy }: Settings): string {
  const address = socket.remoteAddress ?? ''
  return trustProxy === false ? address : `${address} ${headers['x-forwarded-for']}`
}
