import type { FastifyRequest } from 'fastify'
import { record } from '../../activity/activity.ts'
import { type Actor, newUserCaller } from '../../caller.ts'
import type { Settings } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { queueEmail } from '../../email/outbox.ts'
import { normalizeEmail } from '../../email-address.ts'
import { getRateLimitKey, isLocalRequest } from '../../http/client-address.ts'
import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'
import { incrementCounter } from '../../rate-limit/postgres-store.ts'
import {
  canMailLinks,
  issueLink,
  linkLifetimesMs,
  lockLink,
  newLinkEndedProblem
} from '../account-links/account-link.ts'
import * as links from '../account-links/queries.ts'
import { refuseContextWords } from '../passwords/context-words.ts'
import { refuseGuessable } from '../passwords/password.ts'
import * as sessions from '../sessions/queries.ts'
import { newUserNotFoundProblem } from '../users/problems.ts'
import * as users from '../users/queries.ts'
import type { ResetUse } from './schema.ts'

/** Limits e-mails that strangers can trigger: per hour from one network, and to one person. */
const perAddress = { name: 'resets-of-address', most: 10, windowSeconds: 3600 }
const perEmail = { name: 'resets-of-account', most: 3, windowSeconds: 3600 }

/**
 * Queues an e-mail with a reset link. The response and the work before it are the same whether the account exists or
 * not: the outbox finds out when it renders the e-mail.
 */
export async function requestReset(
  db: Database,
  request: FastifyRequest,
  given: string,
  { settings, now = new Date() }: { settings: Settings; now?: Date }
): Promise<void> {
  if (!canMailLinks(settings)) return
  const email = normalizeEmail(given)
  if (!isLocalRequest(request.raw, settings)) {
    const { count, secondsLeft } = await incrementCounter(db, { ...perAddress, of: getRateLimitKey(request) })
    if (count > perAddress.most) throw newTooManyResetsProblem(secondsLeft)
  }
  // Beyond the limit nothing is sent, without an error, so that the response reveals nothing about the account.
  const { count } = await incrementCounter(db, { ...perEmail, of: email })
  if (count > perEmail.most) return
  await db.transaction(async tx => {
    const user = await users.findHash(tx, { email })
    await queueEmail(tx, settings, { kind: 'password-reset', about: String(user?.id ?? 0) }, now)
  })
}

/** Creates a link that an admin passes on. Only this response contains the token; earlier links become invalid. */
export async function createResetLink(
  db: Database,
  { by, settings, now = new Date() }: Actor & { settings: Settings },
  userId: number
): Promise<{ token: string; expiresAt: Date }> {
  return await db.transaction(async tx => {
    const user = await users.lock(tx, userId)
    if (user === undefined) throw newUserNotFoundProblem(userId)
    await links.removeFor(tx, { userId })
    const expiresAt = new Date(now.getTime() + linkLifetimesMs.resetByAdmin)
    const token = await issueLink(tx, { userId }, expiresAt, now)
    const details = { name: user.name }
    await record(tx, { by, now }, 'user.reset_link_made', { subject: 'user', id: userId, details })
    await queueEmail(tx, settings, { kind: 'reset-link-made', about: String(userId) }, now)
    return { token, expiresAt }
  })
}

/** Sets a new password through a link, and ends all sessions and other links of the user. */
export async function resetPassword(
  db: Database,
  { token, password, passwordHash }: ResetUse & { passwordHash: string | undefined },
  { settings, requestId, now = new Date() }: { settings: Settings; requestId: string; now?: Date }
): Promise<void> {
  await db.transaction(async tx => {
    const { userId } = await lockLink(tx, token, now)
    const user = userId === null ? undefined : await users.lock(tx, userId)
    if (user === undefined || passwordHash === undefined) throw newLinkEndedProblem()
    refuseGuessable(password, user, '/password')
    await refuseContextWords(tx, password, user, '/password')
    const { id, name, role } = user
    await users.update(tx, id, { ...user, passwordHash })
    await sessions.removeOfUser(tx, id)
    await links.removeFor(tx, { userId: id })
    const by = newUserCaller({ id: 0, userId: id, name, role }, requestId)
    await record(tx, { by, now }, 'user.password_reset', { subject: 'user', id, details: { name } })
    await queueEmail(tx, settings, { kind: 'password-changed', about: String(id) }, now)
  })
}

const newTooManyResetsProblem = (seconds: number) =>
  new Problem(
    429,
    'too-many-resets',
    buildText('auth-problems', 'tooManyResets', { minutes: Math.ceil(seconds / 60) }),
    { headers: { 'retry-after': String(seconds) } }
  )
