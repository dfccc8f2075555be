import type { FastifyRequest } from 'fastify'
import { record } from '../../activity/activity.ts'
import { type Caller, newUserCaller } from '../../caller.ts'
import type { Database } from '../../database/database.ts'
import { normalizeEmail } from '../../email-address.ts'
import type { RouteContext } from '../../http/service.ts'
import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'
import { createAnonymousSource, createDeviceSource, verifyPassword } from '../brute-force-protection/attempts.ts'
import { isDeviceToken, makeDeviceToken } from '../brute-force-protection/device-token.ts'
import { recordSignInFailure } from '../brute-force-protection/failures.ts'
import { generateRandomText, hashToken } from '../tokens/token.ts'
import * as users from '../users/queries.ts'
import * as sessions from './queries.ts'
import type { NewSession, SignIn } from './schema.ts'

/** A user whose password has just been verified. */
export interface AuthenticatedUser {
  id: number
  hash: string
}

/** Verifies e-mail address and password; a device that is known for the account has its own attempts. */
export async function verifyCredentials(
  { db, settings }: Pick<RouteContext, 'db' | 'settings'>,
  request: FastifyRequest,
  { email: given, password, deviceToken = '' }: SignIn
): Promise<AuthenticatedUser> {
  const email = normalizeEmail(given)
  const user = await users.findHash(db, { email })
  const isKnown = isDeviceToken(deviceToken, user, new Date())
  const source = isKnown ? createDeviceSource(deviceToken) : createAnonymousSource(request, settings, email)
  const isRight = await verifyPassword(db, source, password, user?.hash)
  if (user !== undefined && isRight) return user
  await recordSignInFailure({ db, settings }, request, user?.id)
  throw newBadSignInProblem()
}

/** Creates the session of a user who has just authenticated, and deletes expired ones. */
export async function startSession(
  db: Database,
  { id, hash }: AuthenticatedUser,
  requestId: string,
  now = new Date()
): Promise<NewSession> {
  return await db.transaction(async tx => {
    const row = await users.lockWithHash(tx, id, hash)
    if (row === undefined) throw newBadSignInProblem()
    await sessions.removeExpired(tx, now)
    const { version: _, ...user } = row
    const tokenPrefix = generateRandomText(10)
    const token = `kls_${tokenPrefix}_${generateRandomText(32)}`
    const sessionId = await sessions.insert(tx, { tokenPrefix, hash: hashToken(token), userId: id, now })
    const by = newUserCaller({ userId: id, id: sessionId, name: user.name, role: user.role }, requestId)
    await record(tx, { by, now }, 'session.started', { subject: 'session', id: sessionId })
    const expiresAt = sessions.computeExpiry({ createdAt: now, lastUsedAt: now })
    return { token, expiresAt, deviceToken: makeDeviceToken({ id, hash }, now), user }
  })
}

export async function endSession(db: Database, by: Caller, id: number, now = new Date()): Promise<void> {
  await db.transaction(async tx => {
    if ((await sessions.remove(tx, id)) === 0) return
    await record(tx, { by, now }, 'session.ended', { subject: 'session', id })
  })
}

/** The same error whether the account exists or not. */
const newBadSignInProblem = () => new Problem(401, 'bad-sign-in', buildText('auth-problems', 'badSignIn'))
