import { decrypt, type EncryptionKeys, encrypt, listFingerprints, listKeyIds } from '#platform/encryption/encryption.ts'

export type { EncryptionKeys }

/** Encrypts an IBAN for storage, so that the database alone does not reveal it. */
export function encryptIban(settings: EncryptionKeys, iban: string): Buffer {
  return encrypt(settings, 'accounts', iban)
}

/** Decrypts an IBAN with the current key or an old one. */
export function decryptIban(settings: EncryptionKeys, encrypted: Buffer): string {
  return decrypt(settings, 'accounts', encrypted).toString('utf8')
}

/** A keyed hash: equal for equal IBANs and reveals nothing about them; used to find accounts. */
export function getIbanFingerprint(settings: EncryptionKeys, iban: string): Buffer {
  const [current] = listIbanFingerprints(settings, iban)
  if (current === undefined) throw new Error('No encryption key is loaded.')
  return current
}

/** Fingerprints with every known key. During key rotation an IBAN can have any of them, so search for all. */
export function listIbanFingerprints(settings: EncryptionKeys, iban: string): Buffer[] {
  return listFingerprints(settings, 'accounts', iban)
}

/** Both columns of an optional IBAN. */
export function toEncryptedIbanColumns(
  settings: EncryptionKeys,
  iban: string | null | undefined
): { encryptedIban: Buffer | null; ibanFingerprint: Buffer | null } {
  if (iban === null || iban === undefined) return { encryptedIban: null, ibanFingerprint: null }
  return { encryptedIban: encryptIban(settings, iban), ibanFingerprint: getIbanFingerprint(settings, iban) }
}

/** The ids of all loaded keys, the current one first. */
export const getKeyIds = listKeyIds
