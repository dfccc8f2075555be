import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { countedAs } from './access.ts'
import type { Settings } from './config.ts'
import { countUp } from './counters.ts'
import type { Database } from './database.ts'
import { isDirect } from './local/direct.ts'
import { Problem } from './problem.ts'

/** So many requests a minute from one address; 0 switches it off. */
export interface Limit {
  name: string
  perMinute: number
  /** Counted in the database, over all processes: for what matters more than a statement costs. */
  isShared?: boolean
}

const windowSeconds = 60

export interface Limiter {
  /** Refuses what is over a limit. People at the machine itself are not counted. */
  take(request: FastifyRequest, reply: FastifyReply, limit: Limit): Promise<void>
  /** Counts one more of an address; answers what is said of that, and how long to wait if it was too many. */
  count(limit: Limit, address: string): Promise<{ headers: Record<string, string>; isOver: boolean; seconds: number }>
}

/** Counts requests by where they come from. */
export function newLimiter(db: Database, settings: Settings): Limiter {
  const counters = new Map<string, RateLimiterMemory>()

  async function countHere({ name, perMinute }: Limit, of: string): Promise<{ count: number; secondsLeft: number }> {
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

  const count: Limiter['count'] = async (limit, of) => {
    const { name, perMinute, isShared } = limit
    // Where the database is away, so is whatever the limit stands before.
    const { count: counted, secondsLeft } =
      isShared === true ? await countUp(db, { name, of, windowSeconds }) : await countHere(limit, of)
    const headers = {
      'ratelimit-policy': `"${name}";q=${perMinute};w=${windowSeconds}`,
      ratelimit: `"${name}";r=${Math.max(0, perMinute - counted)};t=${secondsLeft}`
    }
    return { headers, isOver: counted > perMinute, seconds: secondsLeft }
  }

  return {
    count,
    take: async (request, reply, limit) => {
      if (limit.perMinute === 0 || isDirect(request.raw, settings)) return
      const { headers, isOver, seconds } = await count(limit, countedAs(request))
      reply.headers(headers)
      if (isOver) throw tooMany(seconds)
    }
  }
}

const tooMany = (seconds: number) =>
  new Problem(
    429,
    'too-many-requests',
    {
      en: `Too many requests. Try again in ${seconds} seconds.`,
      de: `Zu viele Anfragen. Bitte in ${seconds} Sekunden noch einmal versuchen.`
    },
    { headers: { 'retry-after': String(seconds) } }
  )
