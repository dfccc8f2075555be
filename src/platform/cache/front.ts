import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countedAs } from '../access.ts'
import { isFreshBy } from '../conditional.ts'
import type { Settings } from '../config.ts'
import { newRequestId, wellFormedId } from '../headers.ts'
import type { Limiter } from '../limits.ts'
import { isDirect } from '../local/direct.ts'
import { type WriteLine, withoutSecrets } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { canSendReady, headOf, linesOf, newLastLines, sendReady } from '../ready.ts'
import type { Cache } from './cache.ts'
import { askedIn } from './key.ts'
import type { Way } from './shelf.ts'

/** Addresses of visitors as a proxy tells them, and how they are counted. */
const addressesMax = 10_000
/** Up to here it is faster to write head and body as one text; beyond, not to copy the body. */
const pieceBytes = 12_288

export interface Front {
  /** False if the others have to answer. */
  answers(request: IncomingMessage, response: ServerResponse): boolean
  /** Notes how an answer that is kept looks as a whole. */
  learn(request: FastifyRequest, reply: FastifyReply): void
}

interface Around {
  cache: Cache
  settings: Settings
  limiter: Limiter
  metrics: Metrics
  writeLine: WriteLine
  /** Does it hold that whoever shows no credentials is a visitor, and may come in? */
  isOpen: () => boolean
  /** For answers that are still on their way. */
  watch: (response: ServerResponse) => void
}

/** Answers what is kept before anything else looks at the request: with what every answer has, counted and written down. */
export function newFront(app: FastifyInstance, around: Around): Front {
  const { cache, settings, limiter, metrics, writeLine, isOpen, watch } = around
  const limit = { name: 'requests', perMinute: settings.rateLimit }
  const addresses = new Map<string, string>()
  const ofEveryAnswer = newLastLines(app.server.keepAliveTimeout)

  /** As whom a visitor is counted: '' for nobody, undefined if only the others know. */
  function countedIn(request: IncomingMessage): string | undefined {
    if (limit.perMinute === 0 || isDirect(request, settings)) return ''
    return addresses.get(saidAddress(request, settings))
  }

  function send(request: IncomingMessage, response: ServerResponse, way: Way, beganAt: number, more: string): void {
    const { method = 'GET', headers } = request
    const requestId = wellFormedId(headers['x-request-id']) ?? newRequestId()
    const wanted = headers['if-none-match']
    const isUnchanged = wanted !== undefined && isFreshBy(wanted, way.etag)
    const { status, head, answered } = isUnchanged ? way.unchanged : way.whole
    sendReady(
      response,
      `${head}${requestId}${more}${ofEveryAnswer(beganAt)}`,
      isUnchanged || method === 'HEAD' ? '' : way.body
    )
    if (response.socket !== null && response.socket.writableLength > 0) watch(response)

    const ms = performance.now() - beganAt
    metrics.observe({ method, route: way.route, status, seconds: ms / 1000 })
    writeLine(method === 'GET' ? answered : { ...answered, method, spelt: '' }, { ms, requestId, headers })
  }

  function answers(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, headers } = request
    if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return false
    if (headers['event-password'] !== undefined) return false
    if (!canSendReady(response)) return false
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
    const beganAt = performance.now()
    const way = cache.findWay(askedIn(request, settings), beganAt)
    const address = way === undefined ? undefined : countedIn(request)
    if (way === undefined || address === undefined || !isOpen()) return false
    if (address === '') send(request, response, way, beganAt, '')
    else {
      void limiter.count(limit, address).then(({ headers: counted, isOver }) => {
        // Who is refused hears of it from the others.
        if (isOver) app.routing(request, response)
        else send(request, response, way, beganAt, linesOf(counted))
      })
    }
    return true
  }

  return {
    answers,
    learn: (request, reply) => {
      const { kept, raw } = request
      const etag = reply.getHeader('etag')
      if (kept === undefined || kept.isGone || typeof etag !== 'string') return
      if (addresses.size >= addressesMax) addresses.clear()
      addresses.set(saidAddress(raw, settings), countedAs(request))
      const { url: route = 'none' } = request.routeOptions
      const path = withoutSecrets(request.url.split('?', 1)[0] ?? '')
      const formOf = (status: number, headers: OutgoingHttpHeaders) => ({
        status,
        head: headOf(status, headers),
        answered: { method: 'GET', path, status, caller: 'visitor', spelt: '' }
      })
      const all = reply.getHeaders() as OutgoingHttpHeaders
      const { 'content-type': type, 'content-length': _, ...unchanged } = all
      const head = { 'content-type': type, 'content-length': String(kept.bytes.length), ...unchanged }
      kept.body ??= kept.bytes.length > pieceBytes ? kept.bytes : kept.bytes.toString('latin1')
      cache.addWay({
        asked: askedIn(asItCame(request), settings),
        kept,
        whole: formOf(200, head),
        unchanged: formOf(304, unchanged),
        etag,
        body: kept.body,
        route
      })
    }
  }
}

/** The router may have rewritten the address. */
function asItCame({ raw, originalUrl }: FastifyRequest): Pick<IncomingMessage, 'url' | 'headers' | 'socket'> {
  return { url: originalUrl, headers: raw.headers, socket: raw.socket }
}

function saidAddress({ socket, headers }: IncomingMessage, { trustProxy }: Settings): string {
  const address = socket.remoteAddress ?? ''
  return trustProxy === false ? address : `${address} ${headers['x-forwarded-for']}`
}
