import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import { getRateLimitKey, isLocalRequest } from '../http/client-address.ts'
import { Problem } from '../problem.ts'
import { incrementCounter } from './postgres-store.ts'

/** So many requests a minute from one address; 0 switches it off. */
export interface RateLimit {
  name: string
  perMinute: number
  /** Counted in the database, over all processes: for what matters more than a statement costs. */
  isShared?: boolean
}

const windowSeconds = 60

export interface RateLimiter {
  /** Refuses what is over a limit. People at the machine itself are not counted. */
  consume(request: FastifyRequest, reply: FastifyReply, limit: RateLimit): Promise<void>
  /** Counts one more of an address; answers what is said of that, and how long to wait if it was too many. */
  count(
    limit: RateLimit,
    address: string
  ): Promise<{ headers: Record<string, string>; isOver: boolean; seconds: number }>
}

/** Counts requests by where they come from. */
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

  const count: RateLimiter['count'] = async (limit, of) => {
    const { name, perMinute, isShared } = limit
    // Where the database is away, so is whatever the limit stands before.
    const { count: counted, secondsLeft } =
      isShared === true ? await incrementCounter(db, { name, of, windowSeconds }) : await countHere(limit, of)
    const headers = {
      'ratelimit-policy': `"${name}";q=${perMinute};w=${windowSeconds}`,
      ratelimit: `"${name}";r=${Math.max(0, perMinute - counted)};t=${secondsLeft}`
    }
    return { headers, isOver: counted > perMinute, seconds: secondsLeft }
  }

  return {
    count,
    consume: async (request, reply, limit) => {
      if (limit.perMinute === 0 || isLocalRequest(request.raw, settings)) return
      const { headers, isOver, seconds } = await count(limit, getRateLimitKey(request))
      reply.headers(headers)
      if (isOver) throw newRateLimitProblem(seconds)
    }
  }
}

const newRateLimitProblem = (seconds: number) =>
  new Problem(
    429,
    'too-many-requests',
    {
      en: `Too many requests. Try again in ${seconds} seconds.`,
      de: `Zu viele Anfragen. Bitte in ${seconds} Sekunden noch einmal versuchen.`
    },
    { headers: { 'retry-after': String(seconds) } }
  )
