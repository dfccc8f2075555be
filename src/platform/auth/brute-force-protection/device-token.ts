import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The longest lifetime of a cookie in browsers. */
export const deviceDays = 400
const dayMs = 86_400_000
const tokenPattern = /^kld_(\d{5})_([\w-]{22})_([\w-]{43})$/

/** A user with a password. The password hash signs their device tokens, so a new password invalidates them all. */
interface Person {
  id: number
  hash: string
}

/**
 * Creates a token which proves that this device has signed in to the account before. It grants no access: it only gives
 * the device its own attempts, which strangers cannot use up (a device cookie, as OWASP calls it). Nothing is stored.
 */
export function makeDeviceToken(person: Person, now: Date): string {
  const day = String(Math.floor(now.getTime() / dayMs)).padStart(5, '0')
  const nonce = randomBytes(16).toString('base64url')
  return `kld_${day}_${nonce}_${signDevice(person, day, nonce)}`
}

export function isDeviceToken(token: string | undefined, person: Person | undefined, now: Date): boolean {
  const [, day = '', nonce = '', proof = ''] = tokenPattern.exec(token ?? '') ?? []
  if (person === undefined || proof === '') return false
  const ageDays = now.getTime() / dayMs - Number(day)
  return ageDays < deviceDays && timingSafeEqual(Buffer.from(proof), Buffer.from(signDevice(person, day, nonce)))
}

function signDevice({ id, hash }: Person, day: string, nonce: string): string {
  return createHmac('sha256', hash).update(`device ${id} ${day} ${nonce}`).digest('base64url')
}
