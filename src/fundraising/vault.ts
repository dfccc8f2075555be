import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Settings } from '#platform/config.ts'

/** Of the settings, those that account numbers are sealed with. */
export type Keys = Pick<Settings, 'encryptionKey' | 'encryptionKeysOld'>

/** A sealed number is one byte that says in which form, the key's id, a nonce, the sealed text, and its seal. */
const form = 1
const idBytes = 4
const nonceBytes = 12
const tagBytes = 16
const printBytes = 16

/** An account number as it is stored: nobody reads it who has only the database. */
export function sealIban(settings: Keys, iban: string): Buffer {
  const key = currentKey(settings)
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key.seal, nonce)
  const text = Buffer.concat([cipher.update(iban, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(form), key.id, nonce, text, cipher.getAuthTag()])
}

/** The account number again, with the key of today or one of those before. */
export function openIban(settings: Keys, sealed: Buffer): string {
  const id = keyIdOf(sealed)
  const key = knownKeys(settings).find(known => known.id.equals(id))
  if (key === undefined) {
    throw new Error(`An account number is sealed with key ${id.toString('hex')}, which this process does not have.`)
  }
  const nonce = sealed.subarray(1 + idBytes, 1 + idBytes + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key.seal, nonce, { authTagLength: tagBytes })
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const text = sealed.subarray(1 + idBytes + nonceBytes, -tagBytes)
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
}

/** The same for the same account, and telling nothing of it: what accounts are found by. */
export function printOf(settings: Keys, iban: string): Buffer {
  return printWith(currentKey(settings), iban)
}

/** With every key that is known: until all is sealed anew, an account has one print for each. Look for any of them. */
export function printsOf(settings: Keys, iban: string): Buffer[] {
  return knownKeys(settings).map(key => printWith(key, iban))
}

/** Both columns of a number that there may be. */
export function sealedColumns(
  settings: Keys,
  iban: string | null | undefined
): { sealedIban: Buffer | null; accountPrint: Buffer | null } {
  if (iban === null || iban === undefined) return { sealedIban: null, accountPrint: null }
  return { sealedIban: sealIban(settings, iban), accountPrint: printOf(settings, iban) }
}

/** Which key a number is sealed with. */
export function keyIdOf(sealed: Buffer): Buffer {
  if (sealed[0] !== form || sealed.length <= 1 + idBytes + nonceBytes + tagBytes) {
    throw new Error('A sealed account number is not in a form that this program knows.')
  }
  return sealed.subarray(1, 1 + idBytes)
}

/** The ids of all keys that this process has, the one it seals with first. */
export function keyIds(settings: Keys): Buffer[] {
  return knownKeys(settings).map(({ id }) => id)
}

interface Key {
  id: Buffer
  seal: Buffer
  print: Buffer
}

/** Deriving takes longer than sealing, and there are few keys in the life of a process. */
const derived = new Map<string, Key>()

function keyFrom(secret: string): Key {
  let key = derived.get(secret)
  if (key === undefined) {
    const part = (purpose: string, bytes: number) =>
      Buffer.from(hkdfSync('sha256', secret, 'kalends', `${purpose} of accounts`, bytes))
    key = { id: part('id', idBytes), seal: part('seal', 32), print: part('print', 32) }
    derived.set(secret, key)
  }
  return key
}

function currentKey({ encryptionKey }: Keys): Key {
  // Whoever starts a process brings it one, so this is a mistake of ours.
  if (encryptionKey === undefined) throw new Error('This process was started without a key for account numbers.')
  return keyFrom(encryptionKey)
}

function knownKeys(settings: Keys): Key[] {
  return [currentKey(settings), ...settings.encryptionKeysOld.map(keyFrom)]
}

function printWith(key: Key, iban: string): Buffer {
  return createHmac('sha256', key.print).update(iban).digest().subarray(0, printBytes)
}
