import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { contentTag } from './conditional.ts'
import { atEndOfTurn } from './turn.ts'

interface Shared {
  bytes: Buffer
  headers: Record<string, number | string | string[] | undefined>
}

/** What belongs to one request and not to its answer. */
const ofOneRequest = ['x-request-id', 'ratelimit', 'ratelimit-policy', 'connection']

/**
 * Visitors who ask the same in the same turn of the event loop share one answer. Statements leave for the database at the
 * end of that turn, so everybody's question was there before it was put: nobody gets anything older than alone.
 */
export function sharing(handler: RouteHandlerMethod): RouteHandlerMethod {
  const asked = new Map<string, Promise<Shared | undefined>>()

  return async function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    const answer = async () => await (handler.call(this, request, reply) as Promise<unknown>)
    if (request.method !== 'GET' || request.caller.role !== undefined) return await answer()

    const { origin, 'accept-language': languages } = request.headers
    // The host as answers spell it in links: behind a trusted proxy it is the one that the proxy was asked for.
    const key = `${request.originalUrl} ${request.protocol} ${request.host} ${languages} ${origin === undefined}`
    const first = asked.get(key)
    if (first !== undefined) {
      const whole = await first
      return whole === undefined ? await answer() : sendShared(reply, whole)
    }

    let unshared: unknown
    const own = answer().then(payload => {
      unshared = payload
      return wholeOf(reply, payload)
    })
    asked.set(key, own)
    atEndOfTurn(() => asked.delete(key))
    const whole = await own
    return whole === undefined ? unshared : sendShared(reply, whole)
  }
}

/** Undefined for what can be sent once only, such as a stream. */
function wholeOf(reply: FastifyReply, payload: unknown): Shared | undefined {
  const isText = typeof payload === 'string'
  const isData =
    typeof payload === 'object' &&
    payload !== null &&
    (Array.isArray(payload) || Object.getPrototypeOf(payload) === Object.prototype)
  if (reply.sent || reply.statusCode !== 200 || !(isText || isData)) return undefined
  const headers: Shared['headers'] = { 'content-type': 'application/json; charset=utf-8', ...reply.getHeaders() }
  for (const name of ofOneRequest) delete headers[name]
  const bytes = Buffer.from(isText ? payload : (reply.serialize(payload as object) as string))
  // Encoded and tagged once for all who share it.
  return { bytes, headers: { ...headers, etag: headers.etag ?? contentTag(bytes) } }
}

function sendShared(reply: FastifyReply, { bytes, headers }: Shared): FastifyReply {
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) reply.header(name, value)
  }
  return reply.send(bytes)
}
