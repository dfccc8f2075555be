import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../config.ts'
import { type AccessLogEntry, redact, type WriteAccessLog } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { LoadShedder } from './load-shedding.ts'
import { canSendRaw, newTrailingHeaders, sendRaw, serializeHead } from './raw-response.ts'
import { newRequestId, parseRequestId } from './security-headers.ts'

/** Limits of the cache: how many different 503 responses it holds, and the size of one body. */
const refusalsMax = 1000
const bytesMax = 10_000

interface CachedRefusal {
  head: string
  /** The body, split at the request id. */
  body: string[]
  bytes: number
  route: string
  logEntry: AccessLogEntry
}

export interface OverloadFastPath {
  /** Under overload, replays the cached 503 response to the same request; returns whether it did. */
  replayRefusal(request: IncomingMessage, response: ServerResponse): boolean
  /** The router refuses this request because of overload: cache its 503 response. */
  remember(request: FastifyRequest): void
}

interface OverloadFastPathDeps {
  loadShedder: LoadShedder
  /** While true, each connection closes with its response. */
  isClosing: () => boolean
  settings: Settings
  metrics: Metrics
  writeAccessLog: WriteAccessLog
}

/**
 * Under overload most CPU goes into 503 responses. Going through the router costs three times a cache hit, so we replay
 * a cached 503 before routing.
 */
export function newOverloadFastPath(
  app: FastifyInstance,
  { loadShedder, isClosing, settings, metrics, writeAccessLog }: OverloadFastPathDeps
): OverloadFastPath {
  const refusals = new Map<string, CachedRefusal>()
  const remembered = new WeakSet<FastifyRequest>()
  const trailingHeaders = newTrailingHeaders(app.server.keepAliveTimeout)

  function storeRefusal(request: FastifyRequest, reply: FastifyReply, body: string): void {
    const { method, id, raw, originalUrl } = request
    // A caller's own request id might also occur elsewhere in the body.
    if (parseRequestId(raw.headers['x-request-id']) !== undefined || method === 'HEAD') return
    if (refusals.size >= refusalsMax || body.length > bytesMax) return
    const status = reply.statusCode
    refusals.set(buildRefusalKey({ method: raw.method, url: originalUrl, headers: raw.headers }, settings), {
      head: serializeHead(status, { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-length': undefined }),
      body: Buffer.from(body).toString('latin1').split(id),
      bytes: Buffer.byteLength(body),
      route: request.routeOptions.url ?? 'none',
      logEntry: {
        method,
        path: redact(request.url.split('?', 1)[0] ?? ''),
        status,
        caller: 'visitor',
        serialized: ''
      }
    })
  }

  app.addHook('onSend', (request, reply, payload, next) => {
    if (remembered.delete(request) && typeof payload === 'string') storeRefusal(request, reply, payload)
    next(null, payload)
  })

  return {
    replayRefusal: (request, response) => {
      if (!loadShedder.isShedding()) {
        if (refusals.size > 0) refusals.clear()
        return false
      }
      if (request.headers['x-request-id'] !== undefined || !canSendRaw(response) || isClosing()) return false
      const refusal = refusals.get(buildRefusalKey(request, settings))
      if (refusal === undefined || !loadShedder.shouldShed()) return false
      const beganAt = performance.now()
      const requestId = newRequestId()
      const { head, body, bytes, route, logEntry } = refusal
      sendRaw(
        response,
        `${head}${requestId}\r\ncontent-length: ${bytes}${trailingHeaders(beganAt)}`,
        body.join(requestId)
      )
      const ms = performance.now() - beganAt
      metrics.observe({ method: logEntry.method, route, status: logEntry.status, seconds: ms / 1000 })
      writeAccessLog(logEntry, { ms, requestId, headers: request.headers })
      return true
    },
    remember: request => void remembered.add(request)
  }
}

/** Everything that a refusal can depend on, in any service. */
function buildRefusalKey(
  { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  { defaultLanguage }: Settings
): string {
  const said = ['host', 'origin', 'accept', 'accept-language', 'content-type', ...routingHeaders].map(
    name => headers[name]
  )
  return `${method} ${url}\n${defaultLanguage}\n${said.join('\n')}`
}

const routingHeaders = [
  'x-http-method-override',
  'access-control-request-method',
  'x-forwarded-host',
  'x-forwarded-proto'
]
