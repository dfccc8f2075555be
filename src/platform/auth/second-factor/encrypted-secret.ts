import { decrypt, type EncryptionKeys, encrypt, getKeyId, listKeyIds } from '../../encryption/encryption.ts'
import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'

const purpose = 'second factors'

/** Encrypts the owner with the secret, so that the secret of one user cannot be substituted for that of another. */
export function encryptSecret(settings: EncryptionKeys, secret: string, userId: number): Buffer {
  requireKey(settings)
  return encrypt(settings, purpose, `${formatOwner(userId)}\n${secret}`)
}

/** Decrypts with the current key or an old one; throws a problem if none of them fits. */
export function decryptSecret(settings: EncryptionKeys, encrypted: Buffer | null, userId: number): string {
  requireKey(settings)
  if (encrypted === null || !listKeyIds(settings).some(id => id.equals(getKeyId(encrypted))))
    throw newSecretUnreadableProblem()
  const [of, secret] = decryptText(settings, encrypted)?.split('\n') ?? []
  if (of !== formatOwner(userId) || secret === undefined) throw newSecretUnreadableProblem()
  return secret
}

const formatOwner = (userId: number) => `user ${userId}`

function decryptText(settings: EncryptionKeys, encrypted: Buffer): string | undefined {
  try {
    return decrypt(settings, purpose, encrypted).toString()
  } catch {
    // The value was changed after encryption.
    return undefined
  }
}

function requireKey({ encryptionKey }: EncryptionKeys): void {
  if (encryptionKey === undefined) throw newSecretUnreadableProblem()
}

const newSecretUnreadableProblem = () =>
  new Problem(409, 'factor-unreadable', buildText('auth-problems', 'secretUnreadable'))
