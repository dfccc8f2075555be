import type { FastifyRequest } from 'fastify'
import { record } from '../../activity/activity.ts'
import { isLocalRequest } from '../../http/client-address.ts'
import type { RouteContext } from '../../http/service.ts'
import { incrementCounter } from '../../rate-limit/postgres-store.ts'
import { getWidestNetwork } from './networks.ts'

/** What strangers can make us write down of one account: one a minute, and so many a day. Beyond that failures are only counted. */
const perMinute = { name: 'failures-a-minute', most: 1, windowSeconds: 60 }
const perDay = { name: 'failures-a-day', most: 50, windowSeconds: 86_400 }

let failures = 0

/** How many attempts to sign in have failed since the start of this process. */
export function countSignInFailures(): number {
  return failures
}

/**
 * Records that somebody could not sign in: to which account, by its number, and from which network, as wide as networks are counted.
 * Neither the address that was typed nor that of the caller is kept. All accounts that do not exist are one.
 */
export async function recordSignInFailure(
  { db, settings }: Pick<RouteContext, 'db' | 'settings'>,
  request: FastifyRequest,
  userId: number | undefined,
  now = new Date()
): Promise<void> {
  failures += 1
  const id = userId ?? 'unknown'
  for (const { most, ...limit } of [perMinute, perDay]) {
    if ((await incrementCounter(db, { ...limit, of: String(id) })).count > most) return
  }
  const network = isLocalRequest(request.raw, settings) ? 'local' : getWidestNetwork(request.ip)
  await db.transaction(
    async tx =>
      await record(tx, request.caller, now, 'session.refused', { subject: 'session', id, details: { network } })
  )
}
