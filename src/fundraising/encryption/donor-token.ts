import { createHash, randomBytes } from 'node:crypto'
import { decrypt, type EncryptionKeys, encrypt } from '#platform/encryption/encryption.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base = BigInt(alphabet.length)
/** So many characters hold 128 bits. */
const length = 22

/** What lets a donor look at the own donation without any account: whoever has it may. */
export function newDonorToken(): string {
  let rest = BigInt(`0x${randomBytes(16).toString('hex')}`)
  let token = ''
  for (let place = 0; place < length; place += 1) {
    token = alphabet.charAt(Number(rest % base)) + token
    rest /= base
  }
  return token
}

/** Could this be one? Those of donations from before there were tokens are 32 characters long. */
export function isDonorToken(text: string): boolean {
  return /^[0-9A-Za-z]{22,32}$/.test(text)
}

const hashBytes = 16

/** What a donation is found by. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest().subarray(0, hashBytes)
}

/** Both columns of a new token: one finds the donation, the other is for letters, which show the link again. */
export function toTokenColumns(settings: EncryptionKeys, token: string): { encryptedToken: Buffer; tokenHash: Buffer } {
  return { encryptedToken: encrypt(settings, 'donor links', token), tokenHash: hashToken(token) }
}

/** A token as it is stored: encrypted, or in the clear from before tokens were. */
export interface StoredToken {
  encryptedToken: Buffer | null
  plaintextToken: string | null
}

/** Null where the key that it was encrypted with is lost, or where the donor was erased. */
export function decryptToken(settings: EncryptionKeys, { encryptedToken, plaintextToken }: StoredToken): string | null {
  return encryptedToken === null ? plaintextToken : decrypt(settings, 'donor links', encryptedToken).toString('utf8')
}
