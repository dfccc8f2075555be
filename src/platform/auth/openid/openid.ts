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
/** Long enough to sign in at the provider, including a second factor by e-mail or phone. */
const lifetimeMs = 15 * 60_000

/** Starts a sign-in: returns the URL for the browser, and the token that completes it. */
export async function beginSignIn(db: Database, provider: OpenIdProvider): Promise<OpenIdRequest> {
  const attempt = await beginStep(db, { kind, lifetimeMs })
  return { location: await provider.buildLocation(deriveSecrets(attempt)), attempt }
}

/** Consumes an attempt; undefined if it was already used or has expired. */
export async function consumeAttempt(db: Database, attempt: string): Promise<RequestSecrets | undefined> {
  const step = await consumeStep(db, kind, attempt)
  return step === undefined ? undefined : deriveSecrets(attempt)
}

/**
 * Derives the secrets from the attempt token, of which only a hash is stored: neither a table nor a backup contains
 * what completes a sign-in. Provider and URL see state and nonce, from which the token and the verifier cannot be
 * derived.
 */
function deriveSecrets(attempt: string): RequestSecrets {
  const derive = (purpose: string) => createHmac('sha256', attempt).update(`openid ${purpose}`).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}

/**
 * Finds the account that is linked to an identity. On first use, links the account with the same e-mail address, if the
 * provider has verified that address. Never creates an account.
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
    await record(tx, { by, now }, 'user.identity_linked', { subject: 'user', id: user.id, details })
    await queueEmail(tx, settings, { kind: 'identity-linked', about: String(user.id) }, now)
    return found
  })
}

/** Called by the owner. Signing in at the provider again with the same address creates the link again. */
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
    await record(tx, { by, now }, 'user.identity_unlinked', { subject: 'user', id: userId, details })
  })
}
