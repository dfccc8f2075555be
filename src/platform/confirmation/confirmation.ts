import type { FastifyRequest } from 'fastify'
import type { Caller } from '../access.ts'
import { record } from '../activity/activity.ts'
import type { Database } from '../database.ts'
import { fieldProblem, Problem } from '../problem.ts'
import * as sessions from '../sessions/queries.ts'
import { createSessionLane, verifyPassword } from '../sign-in/attempts.ts'
import * as users from '../users/queries.ts'

/** How long a proof of the password counts. */
const confirmedMs = 15 * 60_000

/** Whether a route needs a fresh proof of the password: always, or for what the request would change. */
export type NeedsConfirmation = true | ((request: FastifyRequest) => Promise<boolean>)

/**
 * Refuses a session whose owner has not proved their password lately, where the route asks for that. Keys are not asked: a key
 * is a credential of its own. After validation, as what a request changes decides.
 */
export async function requireConfirmation(request: FastifyRequest): Promise<void> {
  const { needsConfirmation } = request.routeOptions.config
  if (needsConfirmation === undefined || isConfirmed(request.caller, new Date())) return
  if (needsConfirmation === true || (await needsConfirmation(request))) throw confirmationNeeded()
}

function isConfirmed({ sessionId, confirmedAt }: Caller, now: Date): boolean {
  if (sessionId === undefined) return true
  return confirmedAt != null && Date.parse(confirmedAt) > now.getTime() - confirmedMs
}

/** Notes that the owner of a session has just proved their password; answers until when that counts. */
export async function confirmSession(
  db: Database,
  by: Caller,
  { sessionId, userId, password }: { sessionId: number; userId: number; password: string },
  now = new Date()
): Promise<Date> {
  const user = await users.findHash(db, { id: userId })
  if (!(await verifyPassword(db, createSessionLane(sessionId), password, user?.hash))) throw wrongPassword()
  await db.transaction(async tx => {
    await sessions.setConfirmed(tx, sessionId, now)
    await record(tx, by, now, 'session.confirmed', { subject: 'session', id: sessionId })
  })
  return new Date(now.getTime() + confirmedMs)
}

const confirmationNeeded = () =>
  new Problem(403, 'confirmation-needed', {
    en: 'This needs your password again: prove it with POST /sessions/current/confirm, which counts for 15 minutes.',
    de: 'Das braucht noch einmal Ihr Passwort: Bestätigen Sie es mit POST /sessions/current/confirm; das gilt 15 Minuten.'
  })

const wrongPassword = () =>
  fieldProblem(422, '/password', 'wrong-password', {
    en: 'This is not your password.',
    de: 'Das ist nicht Ihr Passwort.'
  })
