import { record } from '../../activity/activity.ts'
import type { Caller, Role } from '../../caller.ts'
import type { Database } from '../../database/database.ts'
import { buildText } from '../../messages/messages.ts'
import { newFieldProblem, Problem } from '../../problem.ts'
import { generateRandomText, hashToken } from '../tokens/token.ts'
import * as users from '../users/queries.ts'
import * as keys from './queries.ts'
import type { IssuedKey, Key, NewKey } from './schema.ts'

/** Author id of the site owner, who is admin through ADMIN_KEY or local access. No key or user has this id. */
export const ownerId = 1

/** True if a key or an account has, or had, this id. */
export async function isAuthor(db: Database, id: number): Promise<boolean> {
  return id === ownerId || (await keys.hasKey(db, id)) || (await users.hasUser(db, id))
}

/** The names of users and keys with these ids. The site owner and removed users have none. */
export async function listAuthorNames(db: Database, ids: number[]): Promise<{ id: number; name: string }[]> {
  return [...(await users.listNames(db, ids)), ...(await keys.listNames(db, ids))]
}

/** Creates a key. Only this response contains it. */
export async function issueKey(db: Database, by: Caller, input: NewKey, now = new Date()): Promise<IssuedKey> {
  const expiresAt = input.expiresAt ?? null
  if (expiresAt !== null && expiresAt <= now.toISOString()) {
    throw newFieldProblem(400, '/expiresAt', 'in-the-past', buildText('auth-problems', 'inThePast'))
  }

  return await db.transaction(async tx => {
    const madeBy = getMakerId(by)
    if (madeBy !== null) await requireMakerRole(tx, madeBy, input.role)
    const tokenPrefix = generateRandomText(10)
    const key = `kal_${tokenPrefix}_${generateRandomText(32)}`
    const issued = await keys.insert(tx, {
      tokenPrefix,
      hash: hashToken(key),
      name: input.name,
      role: input.role,
      createdAt: now,
      expiresAt,
      madeBy
    })
    await record(tx, { by, now }, 'key.created', {
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
      throw new Problem(404, 'key-not-found', buildText('auth-problems', 'keyNotFound', { id }))
    }
    await record(tx, { by, now }, 'key.revoked', {
      subject: 'key',
      id,
      details: { name: revoked.name, role: revoked.role }
    })
  })
}

/** For keys whose maker may no longer hold them: revoke them, or hand them over to the admin who makes the change. */
export type KeysOption = 'end' | 'handover'

/** Revokes or hands over the keys of a removed user (no role), or those that exceed the user's new role. */
export async function releaseKeys(
  tx: Database,
  by: Caller,
  { id, role, keys: option = 'end' }: { id: number; role: Role | undefined; keys?: KeysOption | undefined },
  now: Date
): Promise<Key[]> {
  const beyond = (await keys.lockOfMaker(tx, id)).filter(key => role === undefined || !isGranted(role, key.role))
  const madeBy = getMakerId(by)
  if (option === 'handover' && madeBy === id) throw newHandoverToSelfProblem()
  for (const key of beyond) {
    const action = option === 'handover' ? 'key.handed_over' : 'key.revoked'
    if (option === 'handover') await keys.setMaker(tx, key.id, madeBy)
    else await keys.revoke(tx, key.id, now)
    await record(tx, { by, now }, action, { subject: 'key', id: key.id, details: { name: key.name, role: key.role } })
  }
  return beyond
}

/** The user behind a caller: the signed-in user, or the maker of the key. */
function getMakerId({ userId, makerId }: Caller): number | null {
  return userId ?? makerId ?? null
}

/** Locks the maker, so that a concurrent removal cannot leave the new key behind. */
async function requireMakerRole(tx: Database, madeBy: number, role: Role): Promise<void> {
  const maker = await users.lock(tx, madeBy)
  if (maker !== undefined && isGranted(maker.role, role)) return
  throw new Problem(403, 'beyond-maker', buildText('auth-problems', 'beyondMaker'))
}

/** True if a user with this role may hold a key with that role. */
function isGranted(role: Role, ofKey: Role): boolean {
  if (role === 'admin' || role === ofKey) return true
  if (role === 'viewer') return false
  return ofKey === 'viewer' || (role === 'editor' && (ofKey === 'author' || ofKey === 'contributor'))
}

const newHandoverToSelfProblem = () => {
  const message = buildText('auth-problems', 'handoverToSelf')
  return new Problem(422, 'handover-to-self', message, {
    errors: [{ in: 'query', pointer: '/keys', code: 'handover-to-self', message }]
  })
}
