import { createHmac } from 'node:crypto'
import { record } from '../../activity/activity.ts'
import { type Caller, newUserCaller } from '../../caller.ts'
import type { Settings } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { queueEmail } from '../../email/outbox.ts'
import { normalizeEmail } from '../../email-address.ts'
import type { Proof } from '../second-factor/schema.ts'
import { beginStep, consumeStep } from '../second-factor/sign-in-step.ts'
import { proveIdentity } from '../second-factor/verify.ts'
import { newUserNotFoundProblem } from '../users/problems.ts'
import * as users from '../users/queries.ts'
import { newEmailNotVerifiedProblem, newNoAccountProblem, newOtherIdentityProblem } from './problems.ts'
import type { OpenIdProvider, ProviderIdentity, RequestSecrets } from './provider.ts'
import * as identities from './queries.ts'
import type { OpenIdRequest } from './schema.ts'

const kind = 'openid-sign-in'
/** Long enough to sign in at the provider, with a mail or a phone that it asks for. */
const lifetimeMs = 15 * 60_000

/** Begins a sign-in: where the browser goes, and the token for the other half. */
export async function beginSignIn(db: Database, provider: OpenIdProvider): Promise<OpenIdRequest> {
  const attempt = await beginStep(db, { kind, lifetimeMs })
  return { location: await provider.buildLocation(deriveSecrets(attempt)), attempt }
}

/** Uses an attempt up; undefined if it was used before, or has ended. */
export async function consumeAttempt(db: Database, attempt: string): Promise<RequestSecrets | undefined> {
  const step = await consumeStep(db, kind, attempt)
  return step === undefined ? undefined : deriveSecrets(attempt)
}

/**
 * Made of the attempt, of which only a hash is kept: no table and no backup has anything that finishes a sign-in. The provider and
 * the address see the state and the nonce, which do not lead back to the attempt or to the verifier.
 */
function deriveSecrets(attempt: string): RequestSecrets {
  const derive = (purpose: string) => createHmac('sha256', attempt).update(`openid ${purpose}`).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}

/**
 * Whose account an identity is: the one that it is linked with. The first time it is linked with the account of the same address,
 * if the provider has verified that address. No account is made.
 */
export async function recogniseIdentity(
  db: Database,
  settings: Settings,
  { identity, name, requestId }: { identity: ProviderIdentity; name: string; requestId: string },
  now = new Date()
): Promise<{ id: number; hash: string }> {
  return await db.transaction(async tx => {
    const known = await identities.lock(tx, identity)
    if (known !== undefined) {
      const user = await users.findHash(tx, { id: known.userId })
      if (user === undefined) throw newNoAccountProblem()
      await identities.updateUse(tx, identity, now)
      return user
    }
    const { email, isEmailVerified } = identity
    if (email === undefined || !isEmailVerified) throw newEmailNotVerifiedProblem(name)
    const found = await users.findHash(tx, { email: normalizeEmail(email) })
    const user = found && (await users.lock(tx, found.id))
    if (found === undefined || user === undefined) throw newNoAccountProblem()
    if (!(await identities.insert(tx, identity, { userId: user.id, now }))) throw newOtherIdentityProblem(name)
    const by = newUserCaller({ userId: user.id, id: 0, name: user.name, role: user.role }, requestId)
    const details = { name: user.name, provider: name }
    await record(tx, by, now, 'user.identity_linked', { subject: 'user', id: user.id, details })
    await queueEmail(tx, settings, { kind: 'identity-linked', about: String(user.id) }, now)
    return found
  })
}

/** By their owner. Who signs in at the provider again with the same address is linked again. */
export async function unlinkOwnIdentities(
  db: Database,
  by: Caller,
  { settings, userId, proof }: { settings: Settings; userId: number; proof: Proof }
): Promise<void> {
  await proveIdentity(db, { settings, userId, proof })
  await unlinkIdentities(db, by, userId)
}

export async function unlinkIdentities(db: Database, by: Caller, userId: number, now = new Date()): Promise<void> {
  await db.transaction(async tx => {
    const user = await users.lock(tx, userId)
    if (user === undefined) throw newUserNotFoundProblem(userId)
    if ((await identities.removeOfUser(tx, userId)) === 0) return
    const details = { name: user.name }
    await record(tx, by, now, 'user.identity_unlinked', { subject: 'user', id: userId, details })
  })
}
