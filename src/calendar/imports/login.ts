import { decrypt, type EncryptionKeys, encrypt } from '#platform/encryption/encryption.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import type { SourceLogin, SourceName } from './sources/source.ts'

const purpose = 'import passwords'

/** The application password as it is stored until the import ends. */
export function encryptPassword(settings: EncryptionKeys, password: string): Buffer {
  if (settings.encryptionKey === undefined) throw newNoKeyProblem()
  return encrypt(settings, purpose, password)
}

/** The login of an import; its password is deleted when the import ends, and unreadable after the key has changed. */
export function decryptLogin(settings: EncryptionKeys, user: string, encrypted: Buffer | null): SourceLogin {
  if (encrypted === null || settings.encryptionKey === undefined) throw newPasswordGoneProblem()
  return { user, password: decrypt(settings, purpose, encrypted).toString() }
}

/** User name and password come together, and only for a site. */
export function parseLogin(
  source: SourceName,
  { username, password }: { username?: string | null; password?: string | null }
): SourceLogin | undefined {
  const isGiven = (text: string | null | undefined) => text !== undefined && text !== null && text !== ''
  if (!isGiven(username) && !isGiven(password)) return undefined
  if (source !== 'tec') {
    throw newInvalidParamProblem('username', 'only-tec', buildText('import-problems', 'onlyTec'))
  }
  if (!isGiven(username)) throw newMissingLoginProblem('username')
  if (!isGiven(password)) throw newMissingLoginProblem('password')
  return { user: username ?? '', password: password ?? '' }
}

export const newMissingLoginProblem = (parameter: 'username' | 'password') =>
  newInvalidParamProblem(parameter, 'required', buildText('import-problems', 'missingLogin'))

const newNoKeyProblem = () => new Problem(409, 'import-login-impossible', buildText('import-problems', 'noKey'))

const newPasswordGoneProblem = () =>
  new Problem(409, 'import-password-gone', buildText('import-problems', 'passwordGone'))
