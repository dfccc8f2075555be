import type { Database } from '../../database/database.ts'
import { generateRandomText, hashToken } from '../tokens/token.ts'
import type { SignInStep } from './queries.ts'
import * as factors from './queries.ts'

/** Long enough to fetch a phone from another room. */
const stepMs = 5 * 60_000

/** Stores the first step for minutes and returns a token for the second; only its hash is stored, and it works once. */
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

/** The same, and deletes the step. */
export async function consumeStep(db: Database, kind: string, token: string): Promise<SignInStep | undefined> {
  return await factors.consumeStep(db, kind, hashToken(token), new Date())
}
