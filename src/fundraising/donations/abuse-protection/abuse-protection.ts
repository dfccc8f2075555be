import { type Actor, type Caller, hasRole } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { newProofUsedProblem, type ProofPurpose } from '#platform/proof-of-work/problems.ts'
import { type SolvedChallenge, verifyProof } from '#platform/proof-of-work/proof-of-work.ts'
import type { RateLimit } from '#platform/rate-limit/limiter.ts'
import { newAccountRateLimitProblem } from '../../problems/donations.ts'
import type { AbuseSettings, AccountCounts, AccountRateLimit } from './queries.ts'
import * as abuseProtection from './queries.ts'

export const donationProof: ProofPurpose = { name: 'challenges', field: 'proofOfWork', challengePath: '/challenge' }

/** Per client address, counted across all processes. */
export const getDonationRateLimit = ({ rateLimitDonations }: Settings): RateLimit => ({
  name: 'donations',
  perMinute: rateLimitDonations,
  isShared: true
})

const hourSeconds = 3600
const daySeconds = 86_400
/** The daily limit of an account as a multiple of the hourly one. */
const dailyLimitFactor = 3

/** The limit applies to public donations that name an account. */
export function newAccountRateLimit(
  fingerprint: Buffer | null,
  perHour: number,
  now: Date
): AccountRateLimit | undefined {
  if (fingerprint === null || perHour === 0) return undefined
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  return {
    fingerprint,
    perHour,
    perDay: perHour * dailyLimitFactor,
    hourAgo: before(hourSeconds),
    dayAgo: before(daySeconds)
  }
}

/** Donations that are inserted together, each with the limit of its account, if there is one. */
interface CountedDonation {
  counted: AccountRateLimit | undefined
  now: Date
}

/**
 * Returns a problem for each donation that is one too many from its account. Their transaction inserts the others: the
 * accounts are locked until it ends, so that concurrent requests cannot exceed the limit.
 */
export async function listAccountProblems(tx: Database, all: CountedDonation[]): Promise<(Error | undefined)[]> {
  const limited = countEarlier(all)
  if (limited.length === 0) return []
  const counts = await abuseProtection.lockAndCountAccounts(tx, limited)
  const problems: (Error | undefined)[] = []
  for (const [index, { position, ...limit }] of limited.entries()) {
    const found = counts[index]
    if (found === undefined) throw new Error('An account was not counted.')
    problems[position] = findAccountProblem(found, limit)
  }
  return problems
}

interface LimitedDonation extends AccountRateLimit {
  now: Date
  position: number
  /** Donations of the account before this one among those that are inserted together. */
  earlier: number
}

/** Those with a limit. Each counts the earlier ones of its account, which are not in the database yet. */
function countEarlier(all: CountedDonation[]): LimitedDonation[] {
  const numbers = new Map<string, number>()
  return all.flatMap(({ counted, now }, position) => {
    if (counted === undefined) return []
    const account = counted.fingerprint.toString('hex')
    const earlier = numbers.get(account) ?? 0
    numbers.set(account, earlier + 1)
    return { ...counted, now, position, earlier }
  })
}

function findAccountProblem(
  { hourlyLimitReachedAt, dailyLimitReachedAt }: AccountCounts,
  { perDay, perHour, now }: Omit<LimitedDonation, 'position'>
): Error | undefined {
  const secondsLeft = (since: string | null, window: number) =>
    since === null ? 0 : Math.max(1, Math.ceil((Date.parse(since) - now.getTime()) / 1000) + window)
  const day = secondsLeft(dailyLimitReachedAt, daySeconds)
  if (day > 0) return newAccountRateLimitProblem({ most: perDay, windowSeconds: daySeconds, seconds: day })
  const hour = secondsLeft(hourlyLimitReachedAt, hourSeconds)
  if (hour > 0) return newAccountRateLimitProblem({ most: perHour, windowSeconds: hourSeconds, seconds: hour })
  return undefined
}

/** Whether a treasurer must review the donation first. Donations recorded by treasurers need no review. */
export function isReviewRequired(by: Caller, amountCents: number, { reviewAboveCents }: AbuseSettings): boolean {
  return reviewAboveCents !== null && amountCents > reviewAboveCents && !hasRole(by, 'treasurer')
}

/** Whether a treasurer must review the public text of the donor first: the message and the name. */
export function isTextReviewRequired(
  by: Caller,
  { message, showName }: { message?: string | null; showName?: boolean },
  { messagesNeedReview }: AbuseSettings
): boolean {
  const hasText = Boolean(message) || showName === true
  return messagesNeedReview && hasText && !hasRole(by, 'treasurer')
}

/** Verifies the required proof of work; undefined if none is required. */
export async function verifyProofOfWork(
  sent: string | null | undefined,
  { needsProof }: AbuseSettings,
  { settings, by, now }: Required<Actor> & { settings: Settings }
): Promise<SolvedChallenge | undefined> {
  if (!needsProof || hasRole(by, 'treasurer')) return undefined
  return await verifyProof(settings, donationProof, sent, now)
}

/** A proof is valid for one donation; it is consumed in the transaction that inserts the donation. */
export async function consumeProof(tx: Database, proof: SolvedChallenge | undefined): Promise<void> {
  if (proof !== undefined && !(await abuseProtection.insertProof(tx, proof))) throw newProofUsedProblem(donationProof)
}

export async function deleteExpiredProofs(db: Database): Promise<void> {
  await abuseProtection.removeProofsBefore(db, new Date())
}
