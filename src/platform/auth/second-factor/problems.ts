import { buildText } from '../../messages/messages.ts'
import { newFieldProblem, Problem } from '../../problem.ts'
import type { FactorKind } from './schema.ts'

/** The password was correct. `attempt` is valid for minutes, and for one session. */
export const newSecondFactorRequiredProblem = (factors: FactorKind[], attempt: string) =>
  new Problem(401, 'second-factor-required', buildText('auth-problems', 'secondFactorRequired'), {
    data: { factors, attempt }
  })

export const newWrongCodeProblem = () =>
  new Problem(401, 'wrong-second-factor', buildText('auth-problems', 'wrongCode'))

export const newSignInExpiredProblem = () =>
  new Problem(401, 'sign-in-expired', buildText('auth-problems', 'signInExpired'))

export const newTooManyCodesProblem = (seconds: number) =>
  new Problem(429, 'too-many-codes', buildText('auth-problems', 'tooManyCodes', { seconds }), {
    headers: { 'retry-after': String(seconds) }
  })

export const newWrongCodeFieldProblem = () =>
  newFieldProblem(422, '/code', 'wrong-code', buildText('auth-problems', 'wrongCodeField'))

export const newWrongCurrentPasswordProblem = () =>
  newFieldProblem(422, '/currentPassword', 'wrong-password', buildText('auth-problems', 'wrongCurrentPassword'))

export const newProofMissingProblem = () =>
  newFieldProblem(422, '/currentPassword', 'proof-missing', buildText('auth-problems', 'proofMissing'))

export const newTotpAlreadySetUpProblem = () =>
  new Problem(409, 'totp-already-set-up', buildText('auth-problems', 'totpAlreadySetUp'))

export const newTotpNotStartedProblem = () =>
  new Problem(409, 'totp-not-started', buildText('auth-problems', 'totpNotStarted'))

export const newAccountNotFoundProblem = (id: number) =>
  new Problem(404, 'user-not-found', buildText('auth-problems', 'userNotFound', { id }))

/** For sessions of users whose role requires a second factor that they do not have. */
export const newEnrolmentRequiredProblem = () =>
  new Problem(403, 'second-factor-enrolment-required', buildText('auth-problems', 'enrolmentRequired'))

export const newFactorMissingProblem = () =>
  new Problem(409, 'no-second-factor', buildText('auth-problems', 'factorMissing'))
