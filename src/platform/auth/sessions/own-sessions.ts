import { record } from '../../activity/activity.ts'
import type { Actor, Caller } from '../../caller.ts'
import type { Database } from '../../database/database.ts'
import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'
import { newUserNotFoundProblem } from '../users/problems.ts'
import * as users from '../users/queries.ts'
import * as sessions from './queries.ts'
import { parseUserAgent } from './user-agent.ts'

/** Stores the device of a new session, so that its owner recognises it. */
export async function recordDevice(tx: Database, token: string, userAgent: string | undefined): Promise<void> {
  const [, tokenPrefix = ''] = token.split('_')
  await sessions.setDevice(tx, tokenPrefix, parseUserAgent(userAgent))
}

/** Ends one of the caller's own sessions. Sessions of other users count as not found. */
export async function endOwnSession(
  db: Database,
  { by, now = new Date() }: Actor,
  userId: number,
  id: number
): Promise<void> {
  await db.transaction(async tx => {
    if ((await sessions.removeOwn(tx, userId, id)) === 0) throw newSessionNotFoundProblem(id)
    await record(tx, { by, now }, 'session.ended', { subject: 'session', id })
  })
}

export async function endOtherSessions(
  db: Database,
  { by, now = new Date() }: Actor,
  userId: number,
  current: number
): Promise<void> {
  await db.transaction(async tx => {
    const count = await sessions.removeOfUser(tx, userId, current)
    if (count > 0) {
      await record(tx, { by, now }, 'session.others_ended', { subject: 'session', id: current, details: { count } })
    }
  })
}

/** Lets an admin end all sessions of a user. */
export async function endSessionsOfUser(db: Database, by: Caller, id: number, now = new Date()): Promise<void> {
  await db.transaction(async tx => {
    const user = await users.lock(tx, id)
    if (user === undefined) throw newUserNotFoundProblem(id)
    const count = await sessions.removeOfUser(tx, id)
    const details = { name: user.name, count }
    if (count > 0) await record(tx, { by, now }, 'user.signed_out', { subject: 'user', id, details })
  })
}

const newSessionNotFoundProblem = (id: number) =>
  new Problem(404, 'session-not-found', buildText('auth-problems', 'sessionNotFound', { id }))
