import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from './config.ts'
import { newRequestId, wellFormedId } from './headers.ts'
import { type Answered, type WriteLine, withoutSecrets } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Overload } from './overload.ts'
import { canSendReady, headOf, newLastLines, sendReady } from './ready.ts'

/** Different requests whose refusal is remembered, and how long it may be. */
const knownMax = 1000
const bytesMax = 10_000

interface Refusal {
  head: string
  /** What stands around the id of the request. */
  body: string[]
  bytes: number
  route: string
  answered: Answered
}

export interface Turnstile {
  /** Sends a newcomer away if there are too many, with what somebody before has heard who asked the same. */
  refuses(request: IncomingMessage, response: ServerResponse): boolean
  /** The router sends this one away because there are too many. */
  watch(request: FastifyRequest): void
}

interface Around {
  overload: Overload
  /** Then connections end with their answer. */
  isClosing: () => boolean
  settings: Settings
  metrics: Metrics
  writeLine: WriteLine
}

/**
 * When there are too many, most of the work is to send them away. The router takes three times as long for it as a kept
 * answer does, so its words are remembered and said again before it is asked.
 */
export function newTurnstile(
  app: FastifyInstance,
  { overload, isClosing, settings, metrics, writeLine }: Around
): Turnstile {
  const known = new Map<string, Refusal>()
  const watched = new WeakSet<FastifyRequest>()
  const lastLines = newLastLines(app.server.keepAliveTimeout)

  function learn(request: FastifyRequest, reply: FastifyReply, body: string): void {
    const { method, id, raw, originalUrl } = request
    // An id of the caller's own might be a word of the answer.
    if (wellFormedId(raw.headers['x-request-id']) !== undefined || method === 'HEAD') return
    if (known.size >= knownMax || body.length > bytesMax) return
    const status = reply.statusCode
    known.set(keyOf({ method: raw.method, url: originalUrl, headers: raw.headers }, settings), {
      head: headOf(status, { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-length': undefined }),
      body: Buffer.from(body).toString('latin1').split(id),
      bytes: Buffer.byteLength(body),
      route: request.routeOptions.url ?? 'none',
      answered: {
        method,
        path: withoutSecrets(request.url.split('?', 1)[0] ?? ''),
        status,
        caller: 'visitor',
        spelt: ''
      }
    })
  }

  app.addHook('onSend', (request, reply, payload, next) => {
    if (watched.delete(request) && typeof payload === 'string') learn(request, reply, payload)
    next(null, payload)
  })

  return {
    refuses: (request, response) => {
      if (!overload.isCrowded()) {
        if (known.size > 0) known.clear()
        return false
      }
      if (request.headers['x-request-id'] !== undefined || !canSendReady(response) || isClosing()) return false
      const refusal = known.get(keyOf(request, settings))
      if (refusal === undefined || !overload.isFull()) return false
      const beganAt = performance.now()
      const requestId = newRequestId()
      const { head, body, bytes, route, answered } = refusal
      sendReady(response, `${head}${requestId}\r\ncontent-length: ${bytes}${lastLines(beganAt)}`, body.join(requestId))
      const ms = performance.now() - beganAt
      metrics.observe({ method: answered.method, route, status: answered.status, seconds: ms / 1000 })
      writeLine(answered, { ms, requestId, headers: request.headers })
      return true
    },
    watch: request => void watched.add(request)
  }
}

/** Everything that a refusal may depend on, whatever the service. */
function keyOf(
  { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  { defaultLanguage }: Settings
): string {
  const said = ['host', 'origin', 'accept', 'accept-language', 'content-type', ...steering].map(name => headers[name])
  return `${method} ${url}\n${defaultLanguage}\n${said.join('\n')}`
}

const steering = ['x-http-method-override', 'access-control-request-method', 'x-forwarded-host', 'x-forwarded-proto']
