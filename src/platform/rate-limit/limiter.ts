import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import { getRateLimitKey, isLocalRequest } from '../http/client-address.ts'
import { buildText } from '../messages/messages.ts'
import { Problem } from '../problem.ts'
import { incrementCounter } from './postgres-store.ts'

/** Requests per minute from one address; 0 switches the limit off. */
export interface RateLimit {
  name: string
  perMinute: number
  /** Counted in the database, over all processes: for limits that are worth the cost of a statement. */
  isShared?: boolean
}

const windowSeconds = 60

export interface RateLimiter {
  /** Rejects if the request exceeds the limit. Undefined for local requests, which are not counted. */
  consume(request: FastifyRequest, reply: FastifyReply, limit: RateLimit): Promise<void> | undefined
}

/** Counts requests by client address. */
export function newRateLimiter(db: Database, settings: Settings): RateLimiter {
  const counters = new Map<string, RateLimiterMemory>()

  async function countHere(
    { name, perMinute }: RateLimit,
    of: string
  ): Promise<{ count: number; secondsLeft: number }> {
    let counter = counters.get(name)
    if (counter === undefined) {
      counter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds, keyPrefix: name })
      counters.set(name, counter)
    }
    const state = await counter.consume(of).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused
      throw refused
    })
    return { count: state.consumedPoints, secondsLeft: Math.ceil(state.msBeforeNext / 1000) }
  }

  /** Counts one request of an address; returns the headers, and how long to wait if it exceeds the limit. */
  async function count(
    limit: RateLimit,
    of: string
  ): Promise<{ headers: Record<string, string>; isOver: boolean; seconds: number }> {
    const { name, perMinute, isShared } = limit
    // If the database is unavailable, so is whatever this limit protects.
    const { count: counted, secondsLeft } =
      isShared === true ? await incrementCounter(db, { name, of, windowSeconds }) : await countHere(limit, of)
    const headers = {
      'ratelimit-policy': `"${name}";q=${perMinute};w=${windowSeconds}`,
      ratelimit: `"${name}";r=${Math.max(0, perMinute - counted)};t=${secondsLeft}`
    }
    return { headers, isOver: counted > perMinute, seconds: secondsLeft }
  }

  return {
    consume: (request, reply, limit) => {
      if (limit.perMinute === 0 || isLocalRequest(request.raw, settings)) return undefined
      return count(limit, getRateLimitKey(request)).then(({ headers, isOver, seconds }) => {
        reply.headers(headers)
        if (isOver) throw newRateLimitProblem(seconds)
      })
    }
  }
}

const newRateLimitProblem = (seconds: number) =>
  new Problem(429, 'too-many-requests', buildText('request-problems', 'rateLimit', { seconds }), {
    headers: { 'retry-after': String(seconds) }
  })
