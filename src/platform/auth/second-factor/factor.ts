import { record } from '../../activity/activity.ts'
import type { Caller } from '../../caller.ts'
import type { Settings } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { queueEmail } from '../../email/outbox.ts'
import * as site from '../../site/queries.ts'
import { hashToken } from '../tokens/token.ts'
import * as users from '../users/queries.ts'
import { decryptSecret, encryptSecret } from './encrypted-secret.ts'
import * as passkeys from './passkey-queries.ts'
import {
  newAccountNotFoundProblem,
  newFactorMissingProblem,
  newSecondFactorRequiredProblem,
  newSignInExpiredProblem,
  newTotpAlreadySetUpProblem,
  newTotpNotStartedProblem,
  newWrongCodeFieldProblem,
  newWrongCodeProblem
} from './problems.ts'
import * as factors from './queries.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import type { FactorKind, Factors, NewTotp, Proof, SecondStep } from './schema.ts'
import { beginStep, consumeStep, findStep } from './sign-in-step.ts'
import { buildTotpUri, findTotpStep, newTotpSecret } from './totp.ts'
import { countAttempt, proveIdentity, resetAttempts, verifyFactor } from './verify.ts'

/** A user whose password has just been verified. */
interface AuthenticatedUser {
  id: number
  hash: string
}

const signInKind = 'sign-in'

export async function listFactors(db: Database, userId: number): Promise<Factors> {
  const [row, known, recoveryCodesLeft] = await Promise.all([
    factors.findTotp(db, userId),
    passkeys.list(db, userId),
    factors.countRecoveryCodes(db, userId)
  ])
  const { confirmedAt = null, lastUsedAt = null } = row ?? {}
  const totp = confirmedAt === null ? null : { createdAt: confirmedAt, lastUsedAt }
  return { totp, passkeys: known, recoveryCodesLeft }
}

/** The second factors that a user has; empty if none. */
export async function listFactorKinds(db: Database, userId: number): Promise<FactorKind[]> {
  const { totp, passkeys: known, recoveryCodesLeft } = await listFactors(db, userId)
  if (totp === null && known.length === 0) return []
  return [
    ...(totp === null ? [] : (['totp'] as const)),
    ...(known.length === 0 ? [] : (['passkey'] as const)),
    ...(recoveryCodesLeft > 0 ? (['recoveryCode'] as const) : [])
  ]
}

/**
 * Called after the password was verified: a user with a second factor sends its code now, or later with the attempt
 * token of the error.
 */
export async function requireSecondFactor(
  db: Database,
  settings: Settings,
  user: AuthenticatedUser,
  code: string | undefined
): Promise<void> {
  const kinds = await listFactorKinds(db, user.id)
  if (kinds.length === 0) return
  if (code === undefined || code.trim() === '') {
    const details = { password: fingerprintPassword(user.hash) }
    throw newSecondFactorRequiredProblem(kinds, await beginStep(db, { kind: signInKind, userId: user.id, details }))
  }
  await countAttempt(db, user.id)
  if ((await verifyFactor(db, { settings, userId: user.id, code })) === undefined) throw newWrongCodeProblem()
  await resetAttempts(db, user.id)
}

/** Counts an attempt at the second step of a sign-in, outside the transaction that a wrong code rolls back. */
export async function countSignInAttempt(db: Database, { attempt }: Pick<SecondStep, 'attempt'>): Promise<void> {
  const { userId = null } = (await findStep(db, signInKind, attempt)) ?? {}
  if (userId !== null) await countAttempt(db, userId)
}

/** The second step of a sign-in: returns the user if the code is correct and the password has not changed since. */
export async function finishSignIn(
  db: Database,
  settings: Settings,
  { attempt, code }: SecondStep
): Promise<AuthenticatedUser> {
  const user = await findSignIn(db, attempt)
  if ((await verifyFactor(db, { settings, userId: user.id, code })) === undefined) throw newWrongCodeProblem()
  await resetAttempts(db, user.id)
  return await consumeSignIn(db, attempt)
}

/** The user whose password was verified when this attempt began. */
export async function findSignIn(db: Database, attempt: string): Promise<AuthenticatedUser> {
  const step = await findStep(db, signInKind, attempt)
  const user = step?.userId == null ? undefined : await users.findHash(db, { id: step.userId })
  if (user === undefined || step?.details.password !== fingerprintPassword(user.hash)) throw newSignInExpiredProblem()
  return user
}

/** The same, and consumes the attempt. */
export async function consumeSignIn(db: Database, attempt: string): Promise<AuthenticatedUser> {
  const user = await findSignIn(db, attempt)
  if ((await consumeStep(db, signInKind, attempt)) === undefined) throw newSignInExpiredProblem()
  return user
}

/** Starts the setup of an authenticator app: it is active once a code has been verified. */
export async function startTotp(
  db: Database,
  { settings, userId, proof }: { settings: Settings; userId: number; proof: Proof }
): Promise<NewTotp> {
  await proveIdentity(db, { settings, userId, proof })
  const secret = newTotpSecret()
  const encrypted = encryptSecret(settings, secret, userId)
  const [{ name: issuer }, user] = await Promise.all([site.find(db), users.find(db, userId)])
  if (!(await factors.insertTotp(db, { userId, encrypted, now: new Date() }))) throw newTotpAlreadySetUpProblem()
  return { secret, uri: buildTotpUri(secret, { account: user?.email ?? '', issuer }) }
}

/** The first correct code activates the factor. Returns recovery codes if the user has none yet. */
export async function confirmTotp(
  db: Database,
  by: Caller,
  { settings, userId, code, now = new Date() }: { settings: Settings; userId: number; code: string; now?: Date }
): Promise<string[]> {
  await countAttempt(db, userId)
  const codes = await db.transaction(async tx => {
    const row = await factors.lockTotp(tx, userId)
    if (row === undefined) throw newTotpNotStartedProblem()
    if (row.confirmedAt !== null) throw newTotpAlreadySetUpProblem()
    const secret = decryptSecret(settings, row.encrypted, userId)
    const plain = code.replace(/[\s-]/g, '')
    const step = /^\d{6}$/.test(plain) ? findTotpStep(secret, plain, now, row.lastStep) : undefined
    if (step === undefined) throw newWrongCodeFieldProblem()
    await factors.updateTotp(tx, userId, { step, now })
    await recordFactor(tx, by, 'user.factor_added', { factor: 'totp' })
    return await makeFirstRecoveryCodes(tx, userId, now)
  })
  await resetAttempts(db, userId)
  return codes
}

export async function removeTotp(
  db: Database,
  by: Caller,
  { settings, userId, proof }: { settings: Settings; userId: number; proof: Proof }
): Promise<void> {
  await proveIdentity(db, { settings, userId, proof })
  await db.transaction(async tx => {
    if (!(await factors.removeTotp(tx, userId))) throw newFactorMissingProblem()
    await recordFactor(tx, by, 'user.factor_removed', { factor: 'totp' })
    await removeUselessRecoveryCodes(tx, userId)
  })
}

/** Replaces the recovery codes; the previous ones become invalid. */
export async function renewRecoveryCodes(
  db: Database,
  by: Caller,
  { settings, userId, proof, now = new Date() }: { settings: Settings; userId: number; proof: Proof; now?: Date }
): Promise<string[]> {
  await proveIdentity(db, { settings, userId, proof })
  return await db.transaction(async tx => {
    if ((await listFactorKinds(tx, userId)).length === 0) throw newFactorMissingProblem()
    await recordFactor(tx, by, 'user.recovery_codes_created')
    return await makeRecoveryCodes(tx, userId, now)
  })
}

/** Creates recovery codes with the first factor; empty if the user has some. */
export async function makeFirstRecoveryCodes(tx: Database, userId: number, now: Date): Promise<string[]> {
  return (await factors.countRecoveryCodes(tx, userId)) > 0 ? [] : await makeRecoveryCodes(tx, userId, now)
}

async function makeRecoveryCodes(tx: Database, userId: number, now: Date): Promise<string[]> {
  const codes = newRecoveryCodes()
  await factors.replaceRecoveryCodes(tx, userId, codes.map(hashRecoveryCode), now)
  return codes
}

/** Recovery codes replace a lost factor: without any factor they are deleted. */
export async function removeUselessRecoveryCodes(tx: Database, userId: number): Promise<void> {
  if ((await listFactorKinds(tx, userId)).length === 0) await factors.removeRecoveryCodes(tx, userId)
}

export async function removeFactorsOfUser(tx: Database, userId: number): Promise<boolean> {
  const had = (await listFactorKinds(tx, userId)).length > 0
  await factors.removeTotp(tx, userId)
  await passkeys.removeOfUser(tx, userId)
  await factors.removeRecoveryCodes(tx, userId)
  await factors.removeStepsOfUser(tx, userId)
  return had
}

/**
 * Lets an admin remove the factors of a user who has lost them. The user gets an e-mail, in case they did not ask for
 * it.
 */
export async function removeLostFactors(
  db: Database,
  by: Caller,
  { settings, userId, now = new Date() }: { settings: Settings; userId: number; now?: Date }
): Promise<void> {
  await db.transaction(async tx => {
    const user = await users.lock(tx, userId)
    if (user === undefined) throw newAccountNotFoundProblem(userId)
    if (!(await removeFactorsOfUser(tx, userId))) return
    const details = { name: user.name }
    await record(tx, { by, now }, 'user.factors_removed', { subject: 'user', id: userId, details })
    await queueEmail(tx, settings, { kind: 'factors-removed', about: String(userId) }, now)
  })
}

export async function recordFactor(tx: Database, by: Caller, action: string, details: object = {}): Promise<void> {
  const id = by.userId ?? 0
  const name = (await users.find(tx, id))?.name ?? ''
  await record(tx, { by, now: new Date() }, action, { subject: 'user', id, details: { name, ...details } })
}

/** Ends an attempt when the password changes, without storing the password hash a second time. */
const fingerprintPassword = (hash: string) => hashToken(`password of a sign-in ${hash}`).toString('hex')
