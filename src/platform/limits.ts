import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { isDirect } from './access.ts'
import { Problem } from './problem.ts'

/** So many requests a minute from one address; 0 switches it off. */
export interface Limit {
  name: string
  perMinute: number
}

const windowSeconds = 60

/** Counts requests and refuses those over a limit. People at the machine itself are not counted. */
export function newLimiter(): (request: FastifyRequest, reply: FastifyReply, limit: Limit) => Promise<void> {
  const counters = new Map<string, RateLimiterMemory>()

  return async (request, reply, { name, perMinute }) => {
    if (perMinute === 0 || isDirect(request)) return
    let counter = counters.get(name)
    if (counter === undefined) {
      counter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds, keyPrefix: name })
      counters.set(name, counter)
    }

    const state = await counter.consume(countedAs(request)).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused
      throw refused
    })
    const seconds = Math.ceil(state.msBeforeNext / 1000)
    reply.header('ratelimit-policy', `"${name}";q=${perMinute};w=${windowSeconds}`)
    reply.header('ratelimit', `"${name}";r=${state.remainingPoints};t=${seconds}`)
    if (state.consumedPoints > perMinute) throw tooMany(seconds)
  }
}

/** Whoever has an IPv6 address has a network of them: the first half is the household. */
export function countedAs({ ip }: FastifyRequest): string {
  return ip.includes(':') && !ip.startsWith('::ffff:') ? expandedPrefix(ip) : ip
}

function expandedPrefix(ip: string): string {
  const [head = '', tail] = ip.split('::', 2)
  const before = head.split(':').filter(part => part !== '')
  const after = tail === undefined ? [] : tail.split(':').filter(part => part !== '')
  const zeros = Array(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
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
