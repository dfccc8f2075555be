import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import type { Settings } from '../config.ts'
import { drawRandomBytes } from '../random-bytes.ts'

/** The settings with the keys that encrypt secrets in tables. */
export type EncryptionKeys = Pick<Settings, 'encryptionKey' | 'encryptionKeysOld'>

/** Each purpose has keys of its own, so that a value of one column cannot be passed off as a value of another. */
export type EncryptionPurpose =
  | 'accounts'
  | 'donor links'
  | 'webhook secrets'
  | 'kept answers'
  | 'second factors'
  | 'import passwords'

/** An encrypted value is one byte for the format, the key's id, a nonce, the ciphertext, and the authentication tag. */
const format = 1
const formatByte = Buffer.of(format)
const idBytes = 4
const nonceBytes = 12
const tagBytes = 16
const fingerprintBytes = 16

export function encrypt(settings: EncryptionKeys, purpose: EncryptionPurpose, value: Buffer | string): Buffer {
  const key = getCurrentKey(settings, purpose)
  const nonce = drawRandomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key.encryption, nonce)
  const parts = [formatByte, key.id, nonce, cipher.update(value), cipher.final()]
  return Buffer.concat([...parts, cipher.getAuthTag()])
}

/** Decrypts with the current key or one of the old ones. */
export function decrypt(settings: EncryptionKeys, purpose: EncryptionPurpose, encrypted: Buffer): Buffer {
  const id = getKeyId(encrypted)
  const key = listKeys(settings, purpose).find(known => known.id.equals(id))
  if (key === undefined) {
    throw new Error(
      `A value (${purpose}) is encrypted with key ${id.toString('hex')}, which this process does not have.`
    )
  }
  const nonce = encrypted.subarray(1 + idBytes, 1 + idBytes + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key.encryption, nonce, { authTagLength: tagBytes })
  decipher.setAuthTag(encrypted.subarray(-tagBytes))
  const text = encrypted.subarray(1 + idBytes + nonceBytes, -tagBytes)
  return Buffer.concat([decipher.update(text), decipher.final()])
}

/** Keyed hashes to look a value up by, one for each known key, that of the current key first. */
export function listFingerprints(settings: EncryptionKeys, purpose: EncryptionPurpose, value: string): Buffer[] {
  return listKeyedHashes(settings, purpose, value).map(hash => hash.subarray(0, fingerprintBytes))
}

/** Keyed hashes in full length (32 bytes), which can serve as keys themselves. */
export function listKeyedHashes(settings: EncryptionKeys, purpose: EncryptionPurpose, value: string): Buffer[] {
  return listKeys(settings, purpose).map(key => createHmac('sha256', key.fingerprint).update(value).digest())
}

/** The id of the key that a value is encrypted with. */
export function getKeyId(encrypted: Buffer): Buffer {
  if (encrypted[0] !== format || encrypted.length <= 1 + idBytes + nonceBytes + tagBytes) {
    throw new Error('Unknown format of an encrypted value.')
  }
  return encrypted.subarray(1, 1 + idBytes)
}

/** The ids of all keys of this process, the current one first. A key has the same id for every purpose. */
export function listKeyIds(settings: EncryptionKeys): Buffer[] {
  return listKeys(settings, 'accounts').map(({ id }) => id)
}

interface DerivedKey {
  id: Buffer
  encryption: Buffer
  fingerprint: Buffer
}

/** Cached, because deriving a key takes longer than encrypting, and a process has few keys. */
const derivedKeys = new Map<string, DerivedKey>()

function deriveKey(secret: string, purpose: EncryptionPurpose): DerivedKey {
  const name = `${purpose}\n${secret}`
  let key = derivedKeys.get(name)
  if (key === undefined) {
    const derive = (part: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, 'kalends', part, bytes))
    // Never change these texts or the purposes: what is stored can only be decrypted with keys that are derived from them.
    key = {
      id: derive('id of accounts', idBytes),
      encryption: derive(`seal of ${purpose}`, 32),
      fingerprint: derive(`print of ${purpose}`, 32)
    }
    derivedKeys.set(name, key)
  }
  return key
}

function getCurrentKey({ encryptionKey }: EncryptionKeys, purpose: EncryptionPurpose): DerivedKey {
  // Start-up always provides a key, so a missing one is a bug.
  if (encryptionKey === undefined) throw new Error('This process has no encryption key.')
  return deriveKey(encryptionKey, purpose)
}

function listKeys(settings: EncryptionKeys, purpose: EncryptionPurpose): DerivedKey[] {
  return [getCurrentKey(settings, purpose), ...settings.encryptionKeysOld.map(secret => deriveKey(secret, purpose))]
}
