import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Browsers keep a cookie no longer than this. */
export const deviceDays = 400
const dayMs = 86_400_000
const tokenPattern = /^kld_(\d{5})_([\w-]{22})_([\w-]{43})$/

/** Somebody with a password. The hash of it is the key of their device tokens, so that a new password ends them all. */
interface Person {
  id: number
  hash: string
}

/**
 * Says that somebody has signed in to this account with this device before. It opens nothing: it gives the device attempts of its
 * own, which strangers cannot use up (OWASP calls it a device cookie). Nothing is stored.
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
