import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { isInside } from './inside.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { Problem } from './problem.ts'

/** Each takes some 20 KB: so many are not the end of a small machine, and leave descriptors for everything else. */
const connectionsMax = 4000
/** A newcomer who would wait for longer than this behind those who are in is sent away at once: both are better off. */
const waitMaxMs = 200
/** So many are let in while nobody has to wait: how fast they are served shows only then. */
const calmMax = 200
/** Fewer it never is, however slow everything has become, or nobody would see it get better. */
const crowdedMin = 32
/** Over which it is counted how many are served, and how often the log hears of those who are not. */
const windowMs = 1000

export interface Overload {
  /** Whether so many are being served that one more would only wait; whoever asks then sends the newcomer away. */
  isFull(): boolean
  /** Whether anybody was sent away within the last second or two. */
  isCrowded(): boolean
}

/**
 * Counts requests from when they have arrived in full until their answer is ready: what a client is slow with burdens
 * nobody. As many may be in as are served in that time, whatever the machine and the requests are: a limit that fits
 * one of them would be wrong for all others.
 */
export function watchOverload(app: FastifyInstance, metrics: Metrics, log: Log): Overload {
  const beingServed = new Set<object>()
  let windowBegan = performance.now()
  let servedNow = 0
  let servedBefore = 0
  let refusedNow = 0
  let refusedBefore = 0
  let refused = 0
  app.server.maxConnections = connectionsMax
  metrics.watch('kalends_requests_in_progress', 'Requests that are being served.', () => beingServed.size)
  metrics.watch('kalends_requests_refused', 'Requests that were sent away because of too many others.', () => refused)

  app.addHook('preValidation', (request, { raw }, next) => {
    if (!isInside(request) && request.routeOptions.config.endless !== true) {
      beingServed.add(raw)
      raw.once('close', () => leave(raw))
    }
    next()
  })
  app.addHook('onSend', (_request, { raw }, payload, next) => {
    leave(raw)
    next(null, payload)
  })

  function leave(answer: object): void {
    if (beingServed.delete(answer)) servedNow += 1
  }

  function lookAtTheClock(): void {
    const passedMs = performance.now() - windowBegan
    if (passedMs < windowMs) return
    if (refusedNow > 0) log.warn({ refused: refusedNow, inProgress: beingServed.size }, 'too many requests at once')
    windowBegan += passedMs
    servedBefore = (servedNow / passedMs) * windowMs
    refusedBefore = refusedNow
    servedNow = 0
    refusedNow = 0
  }

  function roomFor(): number {
    const inTime = (Math.max(servedBefore, servedNow) * waitMaxMs) / windowMs
    return Math.max(refusedBefore > 0 ? crowdedMin : calmMax, inTime)
  }

  return {
    isCrowded: () => {
      if (refusedNow + refusedBefore === 0) return false
      lookAtTheClock()
      return refusedNow + refusedBefore > 0
    },
    isFull: () => {
      lookAtTheClock()
      if (beingServed.size < roomFor()) return false
      refusedNow += 1
      refused += 1
      return true
    }
  }
}

/** What a client may take for its part. */
export const patience = {
  requestTimeout: 30_000,
  // Without an interval, what has taken too long to arrive is looked for twice a minute only.
  // A missing Host is refused where all malformed ones are, in our own words.
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000, requireHostHeader: false }
}

/** Made once: when there are too many already, each should cost as little as possible. */
export const overloaded = new Problem(
  503,
  'overloaded',
  {
    en: 'There are more requests than can be answered at the moment. Please try again.',
    de: 'Es gibt gerade mehr Anfragen, als beantwortet werden können. Bitte noch einmal versuchen.'
  },
  { headers: { 'retry-after': '1' } }
)
