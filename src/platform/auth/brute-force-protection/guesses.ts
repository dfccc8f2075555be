import type { FastifyRequest } from 'fastify'
import { isLocalRequest } from '../../http/client-address.ts'
import type { RouteContext } from '../../http/service.ts'
import { incrementCounter } from '../../rate-limit/postgres-store.ts'
import { newTooManyAttemptsProblem } from './attempts.ts'
import { listNetworks } from './networks.ts'

const windowSeconds = 60

/**
 * Counts a guess at a password, and refuses it with 429 if its network has made too many in this minute, whether it is
 * correct or not. Repeating the same guess does not count: users who know the password may use it as often as they
 * like.
 */
export async function limitGuesses(
  { db, settings }: Pick<RouteContext, 'db' | 'settings'>,
  request: FastifyRequest,
  name: string,
  guess: string
): Promise<void> {
  if (isLocalRequest(request.raw, settings)) return
  const networks = listNetworks(request.ip)
  // A transaction, because it goes to the primary even where reads use a replica, and because it rolls back the counts
  // of a refused guess.
  await db.transaction(async tx => {
    const seen = { name: `${name}-known`, of: `${networks[0]?.prefix} ${guess}`, windowSeconds }
    if ((await incrementCounter(tx, seen)).count > 1) return
    for (const { prefix, perMinute } of networks) {
      const { count, secondsLeft } = await incrementCounter(tx, { name, of: prefix, windowSeconds })
      if (count > perMinute) throw newTooManyAttemptsProblem(secondsLeft, 'too-many-guesses')
    }
  })
}
