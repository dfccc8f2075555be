import type { FastifyRequest } from 'fastify'
import { countUp } from '../counters.ts'
import { isDirect } from '../local/direct.ts'
import type { Scope } from '../service.ts'
import { tooManyAttempts } from './attempts.ts'
import { listNetworks } from './networks.ts'

const windowSeconds = 60

/**
 * Counts a guess at something that a word opens, and refuses it with 429 if its network has made too many in this minute, whether it
 * is right or not. The same guess again is none: whoever knows the word may use it as often as they like.
 */
export async function limitGuesses(
  { db, settings }: Pick<Scope, 'db' | 'settings'>,
  request: FastifyRequest,
  name: string,
  guess: string
): Promise<void> {
  if (isDirect(request.raw, settings)) return
  const networks = listNetworks(request.ip)
  // In a transaction, which writes also where visitors read from a replica, and takes back what a refused guess has counted.
  await db.transaction(async tx => {
    const seen = { name: `${name}-known`, of: `${networks[0]?.prefix} ${guess}`, windowSeconds }
    if ((await countUp(tx, seen)).count > 1) return
    for (const { prefix, perMinute } of networks) {
      const { count, secondsLeft } = await countUp(tx, { name, of: prefix, windowSeconds })
      if (count > perMinute) throw tooManyAttempts(secondsLeft, 'too-many-guesses')
    }
  })
}
