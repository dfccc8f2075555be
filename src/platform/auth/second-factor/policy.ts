import { record } from '../../activity/activity.ts'
import type { Actor, Caller } from '../../caller.ts'
import type { Database } from '../../database/database.ts'
import { type IfMatch, requireVersion } from '../../http/etag.ts'
import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'
import { userRoles } from '../users/schema.ts'
import { listFactorKinds } from './factor.ts'
import type { PolicyRow } from './policy-queries.ts'
import * as policy from './policy-queries.ts'
import type { SignInPolicy } from './policy-schema.ts'

/** An admin who requires second factors must have one, which proves that setting one up works on this site. */
export async function changePolicy(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  wanted: SignInPolicy
): Promise<PolicyRow> {
  return await db.transaction(async tx => {
    const before = await policy.lock(tx)
    requireVersion(expected, before.version)
    const roles = userRoles.filter(role => wanted.requireSecondFactor.includes(role))
    const added = roles.filter(role => !before.requireSecondFactor.includes(role))
    if (added.length > 0 && !(await isProtected(tx, by))) throw newOwnFactorMissingProblem(by.userId === undefined)
    if (String(roles) === String(before.requireSecondFactor)) return before
    const after = await policy.update(tx, roles)
    const details = { requireSecondFactor: roles }
    await record(tx, { by, now }, 'site.sign_in_policy_changed', { subject: 'site', id: 1, details })
    return after
  })
}

/** A key has no second factor: for a key, at least one admin must have one. */
async function isProtected(tx: Database, { userId }: Caller): Promise<boolean> {
  if (userId === undefined) return await policy.hasProtectedAdmin(tx)
  return (await listFactorKinds(tx, userId)).length > 0
}

const newOwnFactorMissingProblem = (isKey: boolean) =>
  new Problem(
    409,
    'own-factor-missing',
    isKey ? buildText('auth-problems', 'ownFactorMissing') : buildText('auth-problems', 'ownFactorFirst')
  )
