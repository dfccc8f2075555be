import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Cache } from './cache/cache.ts'
import { groundOf, restOn } from './cache/ground.ts'
import { keyOf } from './cache/key.ts'
import type { Content, Kept } from './cache/shelf.ts'
import { contentTag } from './conditional.ts'
import type { Settings } from './config.ts'
import { atEndOfTurn } from './turn.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The answer that was kept for others, or found among what was. */
    kept?: Kept | undefined
  }
}

/** What an answer that visitors share rests on. */
export interface Sharing {
  /** Names as `Ground` has them, with parameters of the path (`campaign :campaignId`); or its handler says it with `restOn`. */
  restsOn: readonly string[] | 'what it asks'
  /** Looks at the clock: what is scheduled appears, what is over goes. */
  isTimed?: boolean
}

/** What belongs to one request and not to its answer. */
export const ofOneRequest = ['x-request-id', 'ratelimit', 'ratelimit-policy', 'connection']

/** Nobody promises that every change leaves a record: somebody may write to the database by hand. */
const keptMs = 60_000
const timedMs = 1000
/** Others may have written since; what takes longer is asked for anew. */
const joinableMs = 250

interface Flight {
  reply: FastifyReply
  whole: Promise<Content | undefined>
  moment: number | undefined
  atMs: number
}

/**
 * Visitors who ask the same share one answer. It is kept until something that it rests on changes, where there is a cache and
 * the route says what that is; otherwise it is for those who ask in the same turn of the event loop. Statements leave for the
 * database at the end of that turn, so everybody's question was there before it was put: nobody gets anything older than alone.
 */
export function sharing(
  handler: RouteHandlerMethod,
  { cache, settings, shared }: { cache: Cache | undefined; settings: Settings; shared: true | Sharing }
): RouteHandlerMethod {
  const flights = new Map<string, Flight>()
  const rests = shared === true ? undefined : shared
  const keeping = rests === undefined ? undefined : cache

  return async function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    const answer = async () => await (handler.call(this, request, reply) as Promise<unknown>)
    if (!/^(?:GET|HEAD)$/.test(request.method) || request.caller.role !== undefined) return await answer()
    // What a password in a header opens is for whoever sent it.
    if (request.headers['event-password'] !== undefined) {
      reply.header('cache-control', 'private, no-store')
      return await answer()
    }

    const key = keyOf(request, settings)
    if (keeping !== undefined) {
      const beginning = keeping.begin()
      if (beginning !== undefined) await beginning
      const found = keeping.recall(key)
      const kept = found instanceof Promise ? await found : found
      if (kept !== undefined) {
        request.kept = kept
        restOn(reply, kept)
        return sendWhole(reply, kept)
      }
    }
    if (request.method === 'HEAD') return await answer()

    const atMs = performance.now()
    const moment = keeping?.moment()
    const first = flights.get(key)
    if (first !== undefined && first.moment === moment && atMs - first.atMs < joinableMs) {
      const whole = await first.whole
      const ground = groundOf(first.reply)
      if (ground !== undefined) restOn(reply, ground)
      return whole === undefined ? await answer() : sendWhole(reply, whole)
    }

    let unshared: unknown
    const whole = ask().then(payload => {
      unshared = payload
      return wholeOf(reply, payload)
    })
    const flight = { reply, whole, moment, atMs }
    flights.set(key, flight)
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key)
    }
    if (keeping === undefined) atEndOfTurn(land)
    try {
      const content = await whole
      if (content === undefined) return unshared
      const ground = groundOf(reply)
      if (ground !== undefined && moment !== undefined && mayBeKept(content)) {
        request.kept = keeping?.keep(key, content, ground, moment)
      }
      return sendWhole(reply, content)
    } finally {
      land()
    }

    async function ask(): Promise<unknown> {
      // Before anything is asked, so that a refusal rests on it too.
      if (rests !== undefined && rests.restsOn !== 'what it asks') {
        const names = rests.restsOn.map(name => named(name, request.params as Record<string, string>))
        restOn(reply, { names, untilMs: atMs + (rests.isTimed === true ? timedMs : keptMs) })
      }
      return await answer()
    }
  }
}

function named(name: string, params: Record<string, string>): string {
  return name.replace(/:(\w+)/, (_, parameter: string) => params[parameter] ?? '')
}

const mayBeKept = ({ headers }: Content) =>
  !/no-store|private/.test(String(headers['cache-control'] ?? '')) && headers['set-cookie'] === undefined

/** Undefined for what can be sent once only, such as a stream. */
function wholeOf(reply: FastifyReply, payload: unknown): Content | undefined {
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
  const isData =
    typeof payload === 'object' &&
    payload !== null &&
    (Array.isArray(payload) || Object.getPrototypeOf(payload) === Object.prototype)
  if (reply.sent || reply.statusCode !== 200 || !(isWhole || isData)) return undefined
  const headers: Content['headers'] = { 'content-type': 'application/json; charset=utf-8', ...reply.getHeaders() }
  for (const name of ofOneRequest) delete headers[name]
  const content = isWhole ? payload : (reply.serialize(payload as object) as string)
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content)
  // Encoded and tagged once for all who share it.
  return { bytes, headers: { ...headers, etag: headers.etag ?? contentTag(bytes) } }
}

function sendWhole(reply: FastifyReply, { bytes, headers }: Content): FastifyReply {
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) reply.header(name, value)
  }
  return reply.send(bytes)
}
