import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../config.ts'
import { type AccessLogEntry, redact, type WriteAccessLog } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { LoadShedder } from './load-shedding.ts'
import { canSendRaw, newTrailingHeaders, sendRaw, serializeHead } from './raw-response.ts'
import { newRequestId, parseRequestId } from './security-headers.ts'

/** Different requests whose refusal is remembered, and how long it may be. */
const refusalsMax = 1000
const bytesMax = 10_000

interface CachedRefusal {
  head: string
  /** What stands around the id of the request. */
  body: string[]
  bytes: number
  route: string
  logEntry: AccessLogEntry
}

export interface OverloadFastPath {
  /** Sends a newcomer away if there are too many, with what somebody before has heard who asked the same. */
  replayRefusal(request: IncomingMessage, response: ServerResponse): boolean
  /** The router sends this one away because there are too many. */
  remember(request: FastifyRequest): void
}

interface OverloadFastPathDeps {
  loadShedder: LoadShedder
  /** Then connections end with their answer. */
  isClosing: () => boolean
  settings: Settings
  metrics: Metrics
  writeAccessLog: WriteAccessLog
}

/**
 * When there are too many, most of the work is to send them away. The router takes three times as long for it as a kept
 * answer does, so its words are remembered and said again before it is asked.
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
    // An id of the caller's own might be a word of the answer.
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

/** Everything that a refusal may depend on, whatever the service. */
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
