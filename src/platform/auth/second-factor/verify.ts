import type { Settings } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { incrementCounter, resetCounter } from '../../rate-limit/postgres-store.ts'
import { isCorrectPassword } from '../passwords/password.ts'
import * as users from '../users/queries.ts'
import { decryptSecret } from './encrypted-secret.ts'
import {
  newProofMissingProblem,
  newTooManyCodesProblem,
  newWrongCodeFieldProblem,
  newWrongCurrentPasswordProblem
} from './problems.ts'
import * as factors from './queries.ts'
import { hashRecoveryCode, parseCode } from './recovery-codes.ts'
import type { FactorKind, Proof } from './schema.ts'
import { findTotpStep } from './totp.ts'

/** Limits wrong codes and passwords of authenticated users: strangers cannot reach this counter. */
const perUser = { name: 'second-factor-codes', most: 10, windowSeconds: 900 }

/** Every attempt counts until one is correct. */
export async function countAttempt(db: Database, userId: number): Promise<void> {
  const { count, secondsLeft } = await incrementCounter(db, { ...perUser, of: String(userId) })
  if (count > perUser.most) throw newTooManyCodesProblem(secondsLeft)
}

export async function resetAttempts(db: Database, userId: number): Promise<void> {
  await resetCounter(db, { ...perUser, of: String(userId) })
}

/** Returns the factor of a correct code and consumes the code. The caller counts attempts (`countAttempt`). */
export async function verifyFactor(
  db: Database,
  { settings, userId, code, now = new Date() }: { settings: Settings; userId: number; code: string; now?: Date }
): Promise<FactorKind | undefined> {
  const typed = parseCode(code)
  if (typed === undefined) return undefined
  return await db.transaction(async tx => {
    if ('recoveryCode' in typed) {
      const isRight = await factors.useRecoveryCode(tx, userId, hashRecoveryCode(typed.recoveryCode), now)
      return isRight ? 'recoveryCode' : undefined
    }
    const row = await factors.lockTotp(tx, userId)
    if (row === undefined || row.confirmedAt === null) return undefined
    const secret = decryptSecret(settings, row.encrypted, userId)
    const step = findTotpStep(secret, typed.totp, now, row.lastStep)
    if (step === undefined) return undefined
    await factors.updateTotp(tx, userId, { step, now })
    return 'totp'
  })
}

/** Required before changing how a user signs in: the session alone could be a browser left open. */
export async function proveIdentity(
  db: Database,
  { settings, userId, proof }: { settings: Settings; userId: number; proof: Proof }
): Promise<void> {
  const { currentPassword = '', code = '' } = proof
  if (currentPassword === '' && code.trim() === '') throw newProofMissingProblem()
  await countAttempt(db, userId)
  if (code.trim() !== '') {
    if ((await verifyFactor(db, { settings, userId, code })) === undefined) throw newWrongCodeFieldProblem()
  } else {
    const user = await users.findHash(db, { id: userId })
    if (!(await isCorrectPassword(currentPassword, user?.hash))) throw newWrongCurrentPasswordProblem()
  }
  await resetAttempts(db, userId)
}
