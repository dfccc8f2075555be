import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'

export const newPasskeyExpiredProblem = () =>
  new Problem(409, 'passkey-expired', buildText('auth-problems', 'passkeyExpired'))

export const newPasskeyRefusedProblem = () =>
  new Problem(422, 'passkey-refused', buildText('auth-problems', 'passkeyRefused'))

export const newPasskeyUnknownProblem = () =>
  new Problem(401, 'wrong-passkey', buildText('auth-problems', 'passkeyUnknown'))

export const newPasskeyClonedProblem = () =>
  new Problem(401, 'passkey-cloned', buildText('auth-problems', 'passkeyCloned'))

export const newPasskeyKnownProblem = () =>
  new Problem(409, 'passkey-known', buildText('auth-problems', 'passkeyKnown'))

export const newTooManyPasskeysProblem = (most: number) =>
  new Problem(409, 'too-many-passkeys', buildText('auth-problems', 'tooManyPasskeys', { most }))

export const newPasskeyNotFoundProblem = (id: number) =>
  new Problem(404, 'passkey-not-found', buildText('auth-problems', 'passkeyNotFound', { id }))
