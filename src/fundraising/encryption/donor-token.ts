import { hash } from 'node:crypto'
import { decrypt, type EncryptionKeys, encrypt } from '#platform/encryption/encryption.ts'
import { drawRandomBytes } from '#platform/random-bytes.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Bytes from here on would make the first characters of the alphabet more likely. */
const byteLimit = 256 - (256 % alphabet.length)
/** This many characters hold 128 bits. */
const length = 22

/** A bearer token that gives a donor access to their donation without an account. */
export function newDonorToken(): string {
  let token = ''
  while (token.length < length) {
    for (const byte of drawRandomBytes(length - token.length)) {
      if (byte < byteLimit) token += alphabet.charAt(byte % alphabet.length)
    }
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
  return hash('sha256', token, 'buffer').subarray(0, hashBytes)
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
