import type { FastifyRequest } from 'fastify'
import { type Caller, callerOfUser, hashOfKey } from '../access.ts'
import { record } from '../activity/activity.ts'
import type { Database } from '../database.ts'
import { randomText } from '../keys/key.ts'
import { Problem } from '../problem.ts'
import type { Scope } from '../service.ts'
import { createDeviceLane, createStrangerLane, verifyPassword } from '../sign-in/attempts.ts'
import { isDeviceToken, makeDeviceToken } from '../sign-in/device.ts'
import { recordFailure } from '../sign-in/failures.ts'
import * as users from '../users/queries.ts'
import { folded } from '../users/user.ts'
import * as sessions from './queries.ts'
import type { NewSession, SignIn } from './schema.ts'

/** Somebody whose password was right a moment ago. */
export interface SignedIn {
  id: number
  hash: string
}

/** Finds out whose address and password these are; a device that is known for this account has attempts of its own. */
export async function recognise(
  { db, settings }: Pick<Scope, 'db' | 'settings'>,
  request: FastifyRequest,
  { email: given, password, deviceToken = '' }: SignIn
): Promise<SignedIn> {
  const email = folded(given)
  const user = await users.findHash(db, { email })
  const isKnown = isDeviceToken(deviceToken, user, new Date())
  const lane = isKnown ? createDeviceLane(deviceToken) : createStrangerLane(request, settings, email)
  const isRight = await verifyPassword(db, lane, password, user?.hash)
  if (user !== undefined && isRight) return user
  await recordFailure({ db, settings }, request, user?.id)
  throw badSignIn()
}

/** Makes the session of somebody who has just shown their password, and clears away those that have expired. */
export async function startSession(
  db: Database,
  { id, hash }: SignedIn,
  requestId: string,
  now = new Date()
): Promise<NewSession> {
  return await db.transaction(async tx => {
    const row = await users.holdWithHash(tx, id, hash)
    if (row === undefined) throw badSignIn()
    await sessions.removeExpired(tx, now)
    const { version: _, ...user } = row
    const finder = randomText(10)
    const token = `kls_${finder}_${randomText(32)}`
    const sessionId = await sessions.insert(tx, { finder, hash: hashOfKey(token), userId: id, now })
    const by = callerOfUser({ userId: id, id: sessionId, name: user.name, role: user.role }, requestId)
    await record(tx, by, now, 'session.started', { subject: 'session', id: sessionId })
    const expiresAt = sessions.expiryOf({ createdAt: now, lastUsedAt: now })
    return { token, expiresAt, deviceToken: makeDeviceToken({ id, hash }, now), user }
  })
}

export async function endSession(db: Database, by: Caller, id: number, now = new Date()): Promise<void> {
  await db.transaction(async tx => {
    if ((await sessions.remove(tx, id)) === 0) return
    await record(tx, by, now, 'session.ended', { subject: 'session', id })
  })
}

/** The same whether there is such an account or not. */
const badSignIn = () =>
  new Problem(401, 'bad-sign-in', {
    en: 'E-mail address or password is wrong.',
    de: 'E-Mail-Adresse oder Passwort ist falsch.'
  })
