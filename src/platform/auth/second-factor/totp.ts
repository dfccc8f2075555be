import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The parameters that every authenticator app supports (RFC 6238): SHA-1, six digits, 30 seconds. */
const stepSeconds = 30
const digits = 6
const secretBytes = 20
/** Phone clocks drift, and users type slowly: accept the previous and the next step too. */
const stepsAround = 1

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new secret in base32, as apps expect it. */
export function newTotpSecret(): string {
  return formatBase32(randomBytes(secretBytes))
}

/** The URI in the QR code. */
export function buildTotpUri(secret: string, { account, issuer }: { account: string; issuer: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

/** The code of a time step, computed as in RFC 4226. */
export function computeTotpCode(secret: string, step: number, length = digits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', parseBase32(secret)).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 0xf
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 10 ** length).padStart(length, '0')
}

export const getTotpStep = (now: Date) => Math.floor(now.getTime() / 1000 / stepSeconds)

/** The time step of a code, if it is near enough and newer than the last one used. */
export function findTotpStep(secret: string, code: string, now: Date, lastStep: number | null): number | undefined {
  const current = getTotpStep(now)
  let found: number | undefined
  // Compare all steps, so that the timing reveals nothing.
  for (let step = current - stepsAround; step <= current + stepsAround; step += 1) {
    const isSame = timingSafeEqual(Buffer.from(computeTotpCode(secret, step)), Buffer.from(code))
    if (isSame && step > (lastStep ?? -1)) found = step
  }
  return found
}

export function formatBase32(bytes: Buffer): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map(group => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

function parseBase32(text: string): Buffer {
  let bits = ''
  for (const letter of text) bits += alphabet.indexOf(letter).toString(2).padStart(5, '0')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map(byte => Number.parseInt(byte, 2)))
}
