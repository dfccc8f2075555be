import { decrypt, encrypt, type Keys, listFingerprints, listKeyIds } from '#platform/encryption.ts'

export type { Keys }

/** An account number as it is stored: nobody reads it who has only the database. */
export function sealIban(settings: Keys, iban: string): Buffer {
  return encrypt(settings, 'accounts', iban)
}

/** The account number again, with the key of today or one of those before. */
export function openIban(settings: Keys, sealed: Buffer): string {
  return decrypt(settings, 'accounts', sealed).toString('utf8')
}

/** The same for the same account, and telling nothing of it: what accounts are found by. */
export function printOf(settings: Keys, iban: string): Buffer {
  const [current] = printsOf(settings, iban)
  if (current === undefined) throw new Error('There is no key.')
  return current
}

/** With every key that is known: until all is sealed anew, an account has one print for each. Look for any of them. */
export function printsOf(settings: Keys, iban: string): Buffer[] {
  return listFingerprints(settings, 'accounts', iban)
}

/** Both columns of a number that there may be. */
export function sealedColumns(
  settings: Keys,
  iban: string | null | undefined
): { sealedIban: Buffer | null; accountPrint: Buffer | null } {
  if (iban === null || iban === undefined) return { sealedIban: null, accountPrint: null }
  return { sealedIban: sealIban(settings, iban), accountPrint: printOf(settings, iban) }
}

/** The ids of all keys that this process has, the one it seals with first. */
export const keyIds = listKeyIds
