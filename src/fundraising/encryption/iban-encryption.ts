import { decrypt, type EncryptionKeys, encrypt, listFingerprints, listKeyIds } from '#platform/encryption/encryption.ts'

export type { EncryptionKeys }

/** An account number as it is stored: nobody reads it who has only the database. */
export function encryptIban(settings: EncryptionKeys, iban: string): Buffer {
  return encrypt(settings, 'accounts', iban)
}

/** The account number again, with the key of today or one of those before. */
export function decryptIban(settings: EncryptionKeys, encrypted: Buffer): string {
  return decrypt(settings, 'accounts', encrypted).toString('utf8')
}

/** The same for the same account, and telling nothing of it: what accounts are found by. */
export function getIbanFingerprint(settings: EncryptionKeys, iban: string): Buffer {
  const [current] = listIbanFingerprints(settings, iban)
  if (current === undefined) throw new Error('There is no key.')
  return current
}

/** With every key that is known: until all is encrypted anew, an account has one print for each. Look for any of them. */
export function listIbanFingerprints(settings: EncryptionKeys, iban: string): Buffer[] {
  return listFingerprints(settings, 'accounts', iban)
}

/** Both columns of a number that there may be. */
export function toEncryptedIbanColumns(
  settings: EncryptionKeys,
  iban: string | null | undefined
): { encryptedIban: Buffer | null; ibanFingerprint: Buffer | null } {
  if (iban === null || iban === undefined) return { encryptedIban: null, ibanFingerprint: null }
  return { encryptedIban: encryptIban(settings, iban), ibanFingerprint: getIbanFingerprint(settings, iban) }
}

/** The ids of all keys that this process has, the one it encrypts with first. */
export const getKeyIds = listKeyIds
