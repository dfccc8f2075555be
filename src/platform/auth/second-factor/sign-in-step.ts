import type { Database } from '../../database/database.ts'
import { generateRandomText, hashToken } from '../tokens/token.ts'
import type { SignInStep } from './queries.ts'
import * as factors from './queries.ts'

/** Long enough to fetch the phone from the other room. */
const stepMs = 5 * 60_000

/** Remembers for minutes what was begun; only its hash is kept of the answer, which is good for one use. */
export async function beginStep(
  db: Database,
  {
    kind,
    userId = null,
    details = {},
    lifetimeMs = stepMs,
    now = new Date()
  }: Partial<SignInStep> & { kind: string; lifetimeMs?: number; now?: Date }
): Promise<string> {
  const token = generateRandomText(40)
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  await factors.removeExpiredSteps(db, now)
  await factors.insertStep(db, { kind, userId, details, hash: hashToken(token), now, expiresAt })
  return token
}

export async function findStep(db: Database, kind: string, token: string): Promise<SignInStep | undefined> {
  return await factors.findStep(db, kind, hashToken(token), new Date())
}

/** The same, and nobody finds it a second time. */
export async function consumeStep(db: Database, kind: string, token: string): Promise<SignInStep | undefined> {
  return await factors.consumeStep(db, kind, hashToken(token), new Date())
}
