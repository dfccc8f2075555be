import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { Problem } from '../problem.ts'
import { isInternal } from './internal-client.ts'

/** Each takes some 20 KB: so many are not the end of a small machine, and leave descriptors for everything else. */
const connectionsMax = 4000
/** A newcomer who would wait for longer than this behind those who are in is sent away at once: both are better off. */
const queueTimeMaxMs = 200
/** So many are let in while nobody has to wait: how fast they are served shows only then. */
const idleConcurrencyMax = 200
/** Fewer it never is, however slow everything has become, or nobody would see it get better. */
const sheddingConcurrencyMin = 32
/** Over which it is counted how many are served, and how often the log hears of those who are not. */
const windowMs = 1000

export interface LoadShedder {
  /** Whether so many are being served that one more would only wait; whoever asks then sends the newcomer away. */
  shouldShed(): boolean
  /** Whether anybody was sent away within the last second or two. */
  isShedding(): boolean
}

/**
 * Counts requests from when they have arrived in full until their answer is ready: what a client is slow with burdens
 * nobody. As many may be in as are served in that time, whatever the machine and the requests are: a limit that fits
 * one of them would be wrong for all others.
 */
export function newLoadShedder(app: FastifyInstance, metrics: Metrics, log: Log): LoadShedder {
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

  return {
    isShedding: () => {
      if (refusedInWindow + refusedInLastWindow === 0) return false
      advanceWindow()
      return refusedInWindow + refusedInLastWindow > 0
    },
    shouldShed: () => {
      advanceWindow()
      if (inProgress.size < getConcurrencyLimit()) return false
      refusedInWindow += 1
      refused += 1
      return true
    }
  }
}

/** What a client may take for its part. */
export const serverTimeouts = {
  requestTimeout: 30_000,
  // Without an interval, what has taken too long to arrive is looked for twice a minute only.
  // A missing Host is refused where all malformed ones are, in our own words.
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000, requireHostHeader: false }
}

/** Made once: when there are too many already, each should cost as little as possible. */
export const overloadedProblem = new Problem(
  503,
  'overloaded',
  {
    en: 'There are more requests than can be answered at the moment. Please try again.',
    de: 'Es gibt gerade mehr Anfragen, als beantwortet werden können. Bitte noch einmal versuchen.'
  },
  { headers: { 'retry-after': '1' } }
)
