import { decrypt, type EncryptionKeys, encrypt } from '#platform/encryption/encryption.ts'
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
    throw newInvalidParamProblem('username', 'only-tec', {
      en: 'works only with the source tec',
      de: 'gibt es nur bei der Quelle tec'
    })
  }
  if (!isGiven(username)) throw newMissingLoginProblem('username')
  if (!isGiven(password)) throw newMissingLoginProblem('password')
  return { user: username ?? '', password: password ?? '' }
}

export const newMissingLoginProblem = (parameter: 'username' | 'password') =>
  newInvalidParamProblem(parameter, 'required', {
    en: 'is required: user name and application password belong together',
    de: 'fehlt: Benutzername und Anwendungspasswort gehören zusammen'
  })

const newNoKeyProblem = () =>
  new Problem(409, 'import-login-impossible', {
    en: 'This process has no encryption key, so it cannot store a password.',
    de: 'Dieser Prozess hat keinen Schlüssel und kann daher kein Passwort speichern.'
  })

const newPasswordGoneProblem = () =>
  new Problem(409, 'import-password-gone', {
    en: 'The application password of this import is no longer stored. Start the import again.',
    de: 'Das Anwendungspasswort dieses Imports ist nicht mehr gespeichert. Bitte den Import neu starten.'
  })
