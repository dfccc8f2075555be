import { randomInt } from 'node:crypto'
import { type Caller, hashOfKey } from '../access.ts'
import { record } from '../activity/activity.ts'
import type { Database } from '../database.ts'
import { fieldProblem, Problem } from '../problem.ts'
import * as users from '../users/queries.ts'
import * as keys from './queries.ts'
import type { IssuedKey, NewKey } from './schema.ts'

/** The site's owner, who is admin by ADMIN_KEY or by being at the machine: as an author they have this number, which nobody else has. */
export const ownerId = 1

/** Is this the number of somebody who has, or had, a key or an account? */
export async function isAuthor(db: Database, id: number): Promise<boolean> {
  return id === ownerId || (await keys.wasIssued(db, id)) || (await users.wasUser(db, id))
}

/** Makes a key. The answer is the only place where it can be read. */
export async function issueKey(db: Database, by: Caller, input: NewKey, now = new Date()): Promise<IssuedKey> {
  const expiresAt = input.expiresAt ?? null
  if (expiresAt !== null && expiresAt <= now.toISOString()) {
    throw fieldProblem(400, '/expiresAt', 'in-the-past', {
      en: 'expiresAt must be in the future.',
      de: 'expiresAt muss in der Zukunft liegen.'
    })
  }

  return await db.transaction(async tx => {
    const finder = randomText(10)
    const key = `kal_${finder}_${randomText(32)}`
    const issued = await keys.insert(tx, {
      finder,
      hash: hashOfKey(key),
      name: input.name,
      role: input.role,
      createdAt: now,
      expiresAt
    })
    await record(tx, by, now, 'key.created', {
      subject: 'key',
      id: issued.id,
      details: { name: issued.name, role: issued.role }
    })
    return { ...issued, key }
  })
}

export async function revokeKey(db: Database, by: Caller, id: number, now = new Date()): Promise<void> {
  await db.transaction(async tx => {
    const revoked = await keys.revoke(tx, id, now)
    if (revoked === undefined) {
      throw new Problem(404, 'key-not-found', {
        en: `There is no key ${id}.`,
        de: `Den Schlüssel ${id} gibt es nicht.`
      })
    }
    await record(tx, by, now, 'key.revoked', {
      subject: 'key',
      id,
      details: { name: revoked.name, role: revoked.role }
    })
  })
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Letters and digits that nobody can guess. */
export function randomText(length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
}
