import { type Caller, may } from '#platform/access.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import type { Limit } from '#platform/limits.ts'
import { notAPerson, proofMissing, proofUsed, tooManyFromAccount } from '../problems.ts'
import { type Proof, readProof } from './proof-of-work.ts'
import type { Counted, Guard } from './queries.ts'
import * as guards from './queries.ts'

/** From one address; all processes count together. */
export const donationLimit = ({ rateLimitDonations }: Settings): Limit => ({
  name: 'donations',
  perMinute: rateLimitDonations,
  isShared: true
})

const hourSeconds = 3600
const daySeconds = 86_400
/** In a day an account may give so many times what it may give in an hour. */
const hoursOfADay = 3

/** Whose donations are counted: those of the public that name an account. */
export function countedOf(print: Buffer | null, perHour: number, now: Date): Counted | undefined {
  if (print === null || perHour === 0) return undefined
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  return {
    print,
    perHour,
    perDay: perHour * hoursOfADay,
    hourAgo: before(hourSeconds),
    dayAgo: before(daySeconds)
  }
}

/**
 * Too many from one account. Nothing is locked for it, so that of several at the same moment one or two more may pass: it
 * is a brake, and no promise.
 */
export function refuseFlood({ hourFullSince, dayFullSince }: Guard, counted: Counted | undefined, now: Date): void {
  if (counted === undefined) return
  const secondsLeft = (since: string | null, window: number) =>
    since === null ? 0 : Math.max(1, Math.ceil((Date.parse(since) - now.getTime()) / 1000) + window)
  const day = secondsLeft(dayFullSince, daySeconds)
  if (day > 0) throw tooManyFromAccount({ most: counted.perDay, windowSeconds: daySeconds, seconds: day })
  const hour = secondsLeft(hourFullSince, hourSeconds)
  if (hour > 0) throw tooManyFromAccount({ most: counted.perHour, windowSeconds: hourSeconds, seconds: hour })
}

/** People do not see the field, so that whoever fills it in is none. */
export function refuseProgram({ website = '' }: { website?: string | null | undefined }): void {
  if (website !== '' && website !== null) throw notAPerson()
}

/** Does somebody have to look at it first? What treasurers record, they have looked at. */
export function isHeld(by: Caller, amountCents: number, { reviewAboveCents }: Guard): boolean {
  return reviewAboveCents !== null && amountCents > reviewAboveCents && !may(by, 'treasurer')
}

/** Does a treasurer have to read first what the donor wrote for everybody: the message, and the name? */
export function isTextHeld(
  by: Caller,
  { message, showName }: { message?: string | null; showName?: boolean },
  { messagesNeedReview }: Guard
): boolean {
  const hasText = Boolean(message) || showName === true
  return messagesNeedReview && hasText && !may(by, 'treasurer')
}

/** The proof of work that was asked for; undefined where none was. */
export async function provedIn(
  settings: Settings,
  by: Caller,
  { needsProof }: Guard,
  sent: string | null | undefined,
  now: Date
): Promise<Proof | undefined> {
  if (!needsProof || may(by, 'treasurer')) return undefined
  if (sent === null || sent === undefined || sent === '') throw proofMissing()
  return await readProof(settings, sent, now)
}

/** Each is good for one donation, in the transaction that makes it. */
export async function useUp(tx: Database, proof: Proof | undefined): Promise<void> {
  if (proof !== undefined && !(await guards.insertProof(tx, proof))) throw proofUsed()
}

export async function forgetProofs(db: Database): Promise<void> {
  await guards.removeProofsBefore(db, new Date())
}
