import { performance } from 'node:perf_hooks'
import fastifyPlugin from 'fastify-plugin'
import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import { Problem } from '../../problem.ts'
import { isInternal } from '../internal-client.ts'

/** A connection takes some 20 KB: so many fit on a small machine, and leave file descriptors for everything else. */
const connectionsMax = 4000
/** A request that would queue for longer than this is refused at once, which is better for it and for the others. */
const queueTimeMaxMs = 200
/** Lower bound of the limit while nothing is shed: only requests in progress show how fast they are served. */
const idleConcurrencyMax = 200
/** Lower bound of the limit while shedding, however slow requests are: without requests no recovery would show. */
const sheddingConcurrencyMin = 32
/** Window for counting served requests; the log reports refused ones once per window. */
const windowMs = 1000

/**
 * Counts a request from its complete arrival until its response is ready: the time that a slow client takes is no load.
 * The limit is the number of requests served within `queueTimeMaxMs`, measured as we go: a limit that fits one machine
 * and one kind of request would be wrong for all others.
 */
export const loadShedding = fastifyPlugin(async (app, { metrics, log }: { metrics: Metrics; log: Log }) => {
  const inProgress = new Set<object>()
  let windowBegan = performance.now()
  let servedInWindow = 0
  let servedInLastWindow = 0
  let refusedInWindow = 0
  let refusedInLastWindow = 0
  let refused = 0
  app.server.maxConnections = connectionsMax
  metrics.addGauge('kalends_requests_in_progress', 'Requests that are being served.', () => inProgress.size)
  metrics.addGauge(
    'kalends_requests_refused',
    'Requests that were sent away because of too many others.',
    () => refused
  )

  app.addHook('onRequest', (request, _reply, next) => {
    const mayShed = request.routeOptions.config.neverShed !== true && !isInternal(request)
    next(mayShed && shouldShed() ? overloadedProblem : undefined)
  })
  app.addHook('preValidation', (request, { raw }, next) => {
    if (!isInternal(request) && request.routeOptions.config.streaming !== true) {
      inProgress.add(raw)
      raw.once('close', () => finish(raw))
    }
    next()
  })
  app.addHook('onSend', (_request, { raw }, payload, next) => {
    finish(raw)
    next(null, payload)
  })

  function finish(answer: object): void {
    if (inProgress.delete(answer)) servedInWindow += 1
  }

  function advanceWindow(): void {
    const passedMs = performance.now() - windowBegan
    if (passedMs < windowMs) return
    if (refusedInWindow > 0)
      log.warn({ refused: refusedInWindow, inProgress: inProgress.size }, 'too many requests at once')
    windowBegan += passedMs
    servedInLastWindow = (servedInWindow / passedMs) * windowMs
    refusedInLastWindow = refusedInWindow
    servedInWindow = 0
    refusedInWindow = 0
  }

  function getConcurrencyLimit(): number {
    const inTime = (Math.max(servedInLastWindow, servedInWindow) * queueTimeMaxMs) / windowMs
    return Math.max(refusedInLastWindow > 0 ? sheddingConcurrencyMin : idleConcurrencyMax, inTime)
  }

  /** True if so many requests are in progress that one more would only queue. */
  function shouldShed(): boolean {
    advanceWindow()
    if (inProgress.size < getConcurrencyLimit()) return false
    refusedInWindow += 1
    refused += 1
    return true
  }
})

/** Created once, because under overload each refusal should cost as little as possible. */
export const overloadedProblem = new Problem(
  503,
  'overloaded',
  {
    en: 'There are more requests than can be answered at the moment. Please try again.',
    de: 'Es gibt gerade mehr Anfragen, als beantwortet werden können. Bitte noch einmal versuchen.'
  },
  { headers: { 'retry-after': '1' } }
)
