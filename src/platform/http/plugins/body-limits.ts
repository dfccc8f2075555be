import type { IncomingHttpHeaders } from 'node:http'
import { Socket } from 'node:net'
import { type Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Settings } from '../../config.ts'
import { buildText } from '../../messages/messages.ts'
import type { Metrics } from '../../metrics.ts'
import { Problem } from '../../problem.ts'
import { type Lease, newBodyBudget } from '../body-budget.ts'

/** Body limit for callers without credentials; no public form comes near it. */
export const anonymousBytesMax = 65_536
/** How long a client whose body is not read may read our response before we close the connection. */
const closeDelayMs = 1000
const megabyte = 1_048_576

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * For pages: decides before the body is read whether the request has a session. It may send a response itself and
     * so refuse the body. Routes without it identify callers by the Authorization header.
     */
    admit?: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>
  }
  interface FastifyRequest {
    /** The caller is known, so that the body may be larger than that of an anonymous caller. */
    mayUpload: boolean
    heldBody: HeldBody | undefined
  }
}

interface HeldBody {
  lease: Lease
  /** The handler has the body, and holds it in memory until it has responded, even if the client disconnects. */
  isHandled: boolean
  isAnswered: boolean
  isClosed: boolean
}

/** Reads at most 64 KB from anonymous callers, and from all requests together at most the budget. */
export const bodyLimits = fastifyPlugin(
  async (app, { settings, metrics }: { settings: Settings; metrics: Metrics }) => {
    const budget = newBodyBudget(settings.bodyMemory * megabyte, anonymousBytesMax)
    app.decorateRequest('mayUpload', false)
    app.decorateRequest('heldBody')
    metrics.addGauge('kalends_request_body_bytes', 'Bytes of request bodies in memory.', budget.heldBytes)
    metrics.addGauge(
      'kalends_request_bodies_refused',
      'Requests rejected because BODY_MEMORY was exhausted.',
      budget.refused
    )
    // Clients that send Expect: 100-continue are told to continue when the body is about to be read.
    app.server.on('checkContinue', app.routing)

    app.addHook('onRequest', (request, reply, next) => {
      const { admit } = request.routeConfig
      request.mayUpload = request.caller.role !== undefined
      if (admit === undefined) return next()
      admit(request, reply).then(isKnown => {
        request.mayUpload = isKnown
        if (!reply.sent) next()
      }, next)
    })

    app.addHook('preParsing', (request, reply, payload, next) => {
      const { headers } = request
      if (!hasBody(headers)) return next(null, payload)
      // The body of the page's own request is already in memory and counted.
      if (request.isInternal) return next(null, payload)
      const length = getDeclaredLength(headers)
      const isKnown = request.mayUpload
      if (!isKnown && length !== undefined && length > anonymousBytesMax) return next(newAnonymousBodyTooLargeProblem())
      const held = hold(request, reply)
      // Fastify itself refuses a body that is larger than the limit of the route.
      const isTaken = length === undefined || length > request.routeOptions.bodyLimit || held.lease.reserve(length)
      if (!isTaken) return next(newUploadsFullProblem())
      if (headers.expect !== undefined) reply.raw.writeContinue()
      next(null, length === undefined ? countBytes(payload as Readable, held.lease, isKnown) : payload)
    })

    app.addHook('preValidation', (request, _reply, next) => {
      const held = request.heldBody
      if (held !== undefined) held.isHandled = true
      next()
    })

    app.addHook('onSend', (request, reply, payload, next) => {
      const held = request.heldBody
      if (held !== undefined) {
        held.isAnswered = true
        releaseIfDone(held)
      }
      if (isLargeBody(request.headers) && !request.raw.complete) closeAfterDelay(request, reply)
      next(null, payload)
    })

    function hold(request: FastifyRequest, reply: FastifyReply): HeldBody {
      const held: HeldBody = { lease: budget.lease(), isHandled: false, isAnswered: false, isClosed: false }
      request.heldBody = held
      // Once the response is sent, or the client has disconnected.
      reply.raw.once('close', () => close(held))
      return held
    }

    function close(held: HeldBody): void {
      held.isClosed = true
      releaseIfDone(held)
    }
  }
)

/** Whether the body may exceed the anonymous limit: the response then has to come before it. */
function isLargeBody(headers: IncomingHttpHeaders): boolean {
  return hasBody(headers) && (getDeclaredLength(headers) ?? Number.POSITIVE_INFINITY) > anonymousBytesMax
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Undefined if the body is chunked. */
function getDeclaredLength(headers: IncomingHttpHeaders): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined
}

function releaseIfDone({ lease, isHandled, isAnswered, isClosed }: HeldBody): void {
  if (isClosed && (isAnswered || !isHandled)) lease.release()
}

/** The length of a chunked body is known only while it arrives. */
function countBytes(payload: Readable, lease: Lease, isKnown: boolean): Readable {
  let bytes = 0
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length
      if (!isKnown && bytes > anonymousBytesMax) done(newAnonymousBodyTooLargeProblem())
      else if (!lease.reserve(chunk.length)) done(newUploadsFullProblem())
      else done(null, chunk)
    }
  })
  // Fastify handles errors while it reads; once it has refused the body it no longer listens.
  counted.on('error', () => payload.unpipe(counted))
  payload.once('error', error => counted.destroy(error))
  return payload.pipe(counted)
}

/**
 * Closing at once would reset the connection, and the client would often miss the response. Meanwhile nothing more is
 * read: what the client still sends stays in the socket buffers of both systems.
 */
function closeAfterDelay({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { socket } = raw
  if (!(socket instanceof Socket)) return
  // Fastify asks the client to close the connection at once after a body that it refuses.
  reply.removeHeader('connection')
  reply.raw.once('finish', () => {
    if (raw.complete) return
    // Node starts to read and drop the rest when a response is finished: pause after that.
    setImmediate(() => socket.pause())
    const timer = setTimeout(() => socket.destroy(), closeDelayMs).unref()
    socket.once('close', () => clearTimeout(timer))
  })
}

const newAnonymousBodyTooLargeProblem = () =>
  new Problem(413, 'body-too-large', buildText('request-problems', 'anonymousBodyTooLarge'))

const newUploadsFullProblem = () =>
  new Problem(503, 'uploads-full', buildText('request-problems', 'uploadsFull'), { headers: { 'retry-after': '5' } })
