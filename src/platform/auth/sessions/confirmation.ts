import type { FastifyRequest } from 'fastify'
import { record } from '../../activity/activity.ts'
import type { Caller } from '../../caller.ts'
import type { Database } from '../../database/database.ts'
import { buildText } from '../../messages/messages.ts'
import { newFieldProblem, Problem } from '../../problem.ts'
import { createSessionSource, verifyPassword } from '../brute-force-protection/attempts.ts'
import * as users from '../users/queries.ts'
import * as sessions from './queries.ts'

/** How long a confirmation of the password is valid. */
const confirmedMs = 15 * 60_000

/** Whether a route requires a recent confirmation of the password: always, or depending on the request. */
export type ConfirmationRequirement = true | ((request: FastifyRequest) => Promise<boolean>)

/**
 * Refuses a session whose user has not confirmed the password recently, if the route requires it. Keys are exempt: a
 * key is a credential of its own. Runs after validation, because the answer may depend on the body.
 */
export async function requireConfirmation(request: FastifyRequest): Promise<void> {
  const { requiresConfirmation } = request.routeConfig
  if (requiresConfirmation === undefined || isConfirmed(request.caller, new Date())) return
  if (requiresConfirmation === true || (await requiresConfirmation(request))) throw newConfirmationNeededProblem()
}

function isConfirmed({ sessionId, confirmedAt }: Caller, now: Date): boolean {
  if (sessionId === undefined) return true
  return confirmedAt != null && Date.parse(confirmedAt) > now.getTime() - confirmedMs
}

/** Stores that the user has just confirmed the password; returns until when that is valid. */
export async function confirmSession(
  db: Database,
  by: Caller,
  { sessionId, userId, password }: { sessionId: number; userId: number; password: string },
  now = new Date()
): Promise<Date> {
  const user = await users.findHash(db, { id: userId })
  if (!(await verifyPassword(db, createSessionSource(sessionId), password, user?.hash))) throw newWrongPasswordProblem()
  await db.transaction(async tx => {
    await sessions.setConfirmed(tx, sessionId, now)
    await record(tx, { by, now }, 'session.confirmed', { subject: 'session', id: sessionId })
  })
  return new Date(now.getTime() + confirmedMs)
}

const newConfirmationNeededProblem = () =>
  new Problem(403, 'confirmation-needed', buildText('auth-problems', 'confirmationNeeded'))

const newWrongPasswordProblem = () =>
  newFieldProblem(422, '/password', 'wrong-password', buildText('auth-problems', 'wrongPassword'))
