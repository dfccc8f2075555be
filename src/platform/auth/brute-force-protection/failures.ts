import type { FastifyRequest } from 'fastify'
import { record } from '../../activity/activity.ts'
import { isLocalRequest } from '../../http/client-address.ts'
import type { RouteContext } from '../../http/service.ts'
import { incrementCounter } from '../../rate-limit/postgres-store.ts'
import { getWidestNetwork } from './networks.ts'

/**
 * Limits the failures that are recorded per account, so that strangers cannot flood the log; further ones are only
 * counted.
 */
const perMinute = { name: 'failures-a-minute', most: 1, windowSeconds: 60 }
const perDay = { name: 'failures-a-day', most: 50, windowSeconds: 86_400 }

let failures = 0

/** Failed sign-ins since the start of this process. */
export function countSignInFailures(): number {
  return failures
}

/**
 * Records a failed sign-in with the id of the account and the widest network of the caller. Stores neither the e-mail
 * address that was entered nor the IP address. All unknown accounts share one id.
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
      await record(tx, { by: request.caller, now }, 'session.refused', { subject: 'session', id, details: { network } })
  )
}
