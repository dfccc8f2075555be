import { createHash, randomInt } from 'node:crypto'

export function hashToken(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Unguessable letters and digits. */
export function generateRandomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

export const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
