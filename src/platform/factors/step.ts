import { hashOfKey } from '../access.ts'
import type { Database } from '../database.ts'
import { randomText } from '../keys/key.ts'
import type { Step } from './queries.ts'
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
  }: Partial<Step> & { kind: string; lifetimeMs?: number; now?: Date }
): Promise<string> {
  const token = randomText(40)
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  await factors.removeExpiredSteps(db, now)
  await factors.insertStep(db, { kind, userId, details, hash: hashOfKey(token), now, expiresAt })
  return token
}

export async function findStep(db: Database, kind: string, token: string): Promise<Step | undefined> {
  return await factors.findStep(db, kind, hashOfKey(token), new Date())
}

/** The same, and nobody finds it a second time. */
export async function takeStep(db: Database, kind: string, token: string): Promise<Step | undefined> {
  return await factors.takeStep(db, kind, hashOfKey(token), new Date())
}
