import { createHash, randomBytes } from 'node:crypto'
import { formatBase32 } from './totp.ts'

/** How many codes a user gets at a time. */
export const recoveryCodesCount = 10
/** 125 bits: too many to brute-force, so that a fast hash is enough. */
const groups = 5
const groupLength = 5

/** Codes to print: five groups of five characters. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodesCount }, () => {
    const text = formatBase32(randomBytes(16))
    return Array.from({ length: groups }, (_, at) => text.slice(at * groupLength, (at + 1) * groupLength)).join('-')
  })
}

export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256').update(`recovery code ${code}`).digest()
}

export type TypedCode = { totp: string } | { recoveryCode: string }

/** Parses a code as typed, ignoring spaces and dashes; undefined if it is neither kind of code. */
export function parseCode(typed: string): TypedCode | undefined {
  const plain = typed.replace(/[\s-]/g, '').toUpperCase()
  if (/^\d{6}$/.test(plain)) return { totp: plain }
  if (!/^[A-Z2-7]{25}$/.test(plain)) return undefined
  return { recoveryCode: (plain.match(/.{5}/g) ?? []).join('-') }
}
