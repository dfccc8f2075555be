import type { FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Log } from '../../log.ts'
import { buildText } from '../../messages/messages.ts'
import type { Metrics } from '../../metrics.ts'
import { Problem } from '../../problem.ts'
import { newConcurrencyLimiter } from '../concurrency-limiter.ts'
import type { SendError } from './error-handler.ts'

/** A connection takes some 20 KB: so many fit on a small machine, and leave file descriptors for everything else. */
const connectionsMax = 4000
/**
 * Refusals of one turn of the event loop take no longer than this; the others wait for the next turn. In each turn, accepted
 * requests make one step, and Node accepts one connection.
 */
const refusalsMsMax = 2
/** While refusals wait for longer than this, nothing is accepted. */
const refusalWaitMsMax = 500

interface LoadSheddingOptions {
  metrics: Metrics
  log: Log
  sendError: SendError
}

/**
 * Refuses requests that would wait too long. Counts a request from its complete arrival until its response is ready: the
 * time that a slow client takes is no load.
 *
 * A refusal comes before the plugins that cost more, and is sent without an error, whose handling costs as much again.
 * Cached responses are sent before this plugin.
 */
export const loadShedding = fastifyPlugin(async (app, { metrics, log, sendError }: LoadSheddingOptions) => {
  const limiter = newConcurrencyLimiter(refused =>
    log.warn({ refused, inProgress: limiter.countInProgress() }, 'overloaded: requests rejected with 503')
  )
  app.server.maxConnections = connectionsMax
  metrics.addGauge('kalends_requests_in_progress', 'Requests in progress.', limiter.countInProgress)
  metrics.addGauge('kalends_requests_refused', 'Requests rejected with 503 because of overload.', limiter.countRefused)

  app.addHook('onRequest', (request, reply, next) => {
    if (isSheddable(request) && limiter.shouldRefuse(isRefusalLate())) refuseSoon(request, reply)
    else next()
  })
  app.addHook('preValidation', (request, reply, next) => {
    if (request.isInternal || request.routeConfig.streaming === true) return next()
    const { raw } = reply
    limiter.begin(raw)
    raw.once('close', () => limiter.finish(raw))
    next()
  })
  app.addHook('onSend', (_request, { raw }, payload, next) => {
    limiter.finish(raw)
    next(null, payload)
  })

  const refusals: Refusal[] = []

  /**
   * Thousands of refusals may be due in one turn of the event loop. Sent at once, they would delay the next step of every
   * accepted request: the database's answers arrive in the same turn.
   */
  function refuseSoon(request: FastifyRequest, reply: FastifyReply): void {
    if (refusals.push({ request, reply, sinceMs: performance.now() }) === 1) setImmediate(refuseSome)
  }
  function isRefusalLate(): boolean {
    const [oldest] = refusals
    return oldest !== undefined && performance.now() - oldest.sinceMs > refusalWaitMsMax
  }
  function refuseSome(): void {
    const untilMs = performance.now() + refusalsMsMax
    do {
      const refusal = refusals.shift()
      if (refusal === undefined) return
      sendError(getOverloadedProblem(), refusal.request, refusal.reply)
    } while (performance.now() < untilMs)
    if (refusals.length > 0) setImmediate(refuseSome)
  }
})

interface Refusal {
  request: FastifyRequest
  reply: FastifyReply
  /** When it was decided. */
  sinceMs: number
}

const isSheddable = (request: FastifyRequest) => request.routeConfig.neverShed !== true && !request.isInternal

let overloaded: Problem | undefined

/** Created once, because under overload each refusal should cost as little as possible. */
export function getOverloadedProblem(): Problem {
  overloaded ??= new Problem(503, 'overloaded', buildText('request-problems', 'overloaded'), {
    headers: { 'retry-after': '1' }
  })
  return overloaded
}
