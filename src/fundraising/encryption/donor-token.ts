import { createHash, randomBytes } from 'node:crypto'
import { decrypt, type EncryptionKeys, encrypt } from '#platform/encryption/encryption.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base = BigInt(alphabet.length)
/** This many characters hold 128 bits. */
const length = 22

/** A bearer token that gives a donor access to their donation without an account. */
export function newDonorToken(): string {
  let rest = BigInt(`0x${randomBytes(16).toString('hex')}`)
  let token = ''
  for (let place = 0; place < length; place += 1) {
    token = alphabet.charAt(Number(rest % base)) + token
    rest /= base
  }
  return token
}

/** Checks the format. Donations from before donor tokens existed have tokens of 32 characters. */
export function isDonorToken(text: string): boolean {
  return /^[0-9A-Za-z]{22,32}$/.test(text)
}

const hashBytes = 16

/** The hash that finds a donation by its token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest().subarray(0, hashBytes)
}

/** Both columns of a new token: the hash finds the donation, the encrypted token is for links in later e-mails. */
export function toTokenColumns(settings: EncryptionKeys, token: string): { encryptedToken: Buffer; tokenHash: Buffer } {
  return { encryptedToken: encrypt(settings, 'donor links', token), tokenHash: hashToken(token) }
}

/** A stored token: encrypted, or plaintext from before tokens were encrypted. */
export interface StoredToken {
  encryptedToken: Buffer | null
  plaintextToken: string | null
}

/** Returns null if the key is lost or the donor was erased. */
export function decryptToken(settings: EncryptionKeys, { encryptedToken, plaintextToken }: StoredToken): string | null {
  return encryptedToken === null ? plaintextToken : decrypt(settings, 'donor links', encryptedToken).toString('utf8')
}
