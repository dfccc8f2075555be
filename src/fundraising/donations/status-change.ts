import { record } from '#platform/activity/activity.ts'
import type { Actor } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Totals } from '../campaigns/totals/queries.ts'
import * as totals from '../campaigns/totals/queries.ts'
import { toAmount } from '../money/money.ts'
import { newIllegalReviewProblem } from '../problems/donations.ts'
import { queueDonationEmail } from './donation-emails.ts'
import type { DonationRow } from './donation-row.ts'
import type { DonationStatus, Review } from './schema.ts'
import { type HistoryDetails, insertHistory } from './status-queries.ts'

/** The settings decide whether the donor gets an e-mail, and which day it is. */
export interface ChangeOptions {
  settings: Pick<Settings, 'smtpUrl' | 'timezone'>
  now?: Date
}

/**
 * The status that follows from the received money. A donation is TRANSFERRED once the full promise has arrived; with
 * less it stays IN_PROCESS, unless a treasurer accepts the sum by requesting TRANSFERRED.
 */
export function settleStatus(wanted: DonationStatus, promisedCents: number, receivedCents: number): DonationStatus {
  if (receivedCents <= 0) return wanted === 'TRANSFERRED' ? 'IN_PROCESS' : wanted
  if (receivedCents >= promisedCents || wanted === 'TRANSFERRED') return 'TRANSFERRED'
  return 'IN_PROCESS'
}

/**
 * Only a waiting donation can be released, either on request or because its money arrived. If it is cancelled or fails
 * while waiting, the review ends without a decision.
 */
export function getNextReview(
  before: Pick<DonationRow, 'review'>,
  status: DonationStatus,
  requested: Review | null = before.review
): Review | null {
  if (requested !== before.review && (before.review !== 'waiting' || requested !== 'released'))
    throw newIllegalReviewProblem()
  if (requested !== 'waiting' || status === 'IN_PROCESS') return requested
  return status === 'TRANSFERRED' ? 'released' : null
}

/** Updates totals, history and activity after a change. A donation released now becomes visible to the public. */
export async function recordChange(
  tx: Database,
  { by, settings, now, ...history }: Required<Actor & ChangeOptions> & HistoryDetails,
  before: DonationRow,
  after: DonationRow
): Promise<void> {
  const hasMoved = before.status !== after.status
  const isReleased = before.review === 'waiting' && after.review === 'released'
  const hasPaid = before.receivedCents !== after.receivedCents
  await Promise.all([
    hasMoved ? insertHistory(tx, after, { ...history, at: now, actor: by.name }) : undefined,
    insertTotalsDelta(tx, before, after)
  ])
  if (isReleased) await recordDonation(tx, { by, now }, after, { action: 'donation.released' })
  if (hasMoved)
    await recordDonation(tx, { by, now }, after, {
      action: 'donation.status_changed',
      details: { before: before.status }
    })
  if (hasPaid && !hasMoved) {
    const details = { before: toAmount(before.receivedCents) }
    await recordDonation(tx, { by, now }, after, { action: 'donation.payment_changed', details })
  }
  if (!hasMoved && !isReleased && !hasPaid) await recordDonation(tx, { by, now }, after, { action: 'donation.updated' })
  // No e-mail when a donation goes back to IN_PROCESS because a booking was wrong.
  if (isReleased || (hasMoved && after.status === 'TRANSFERRED')) await queueDonationEmail(tx, settings, after, now)
}

/** Updates history and totals of a deleted donation; the caller records the activity. */
export async function recordCancellation(
  tx: Database,
  { by, now }: Required<Actor>,
  before: DonationRow,
  after: DonationRow
): Promise<void> {
  await Promise.all([insertHistory(tx, after, { at: now, actor: by.name }), insertTotalsDelta(tx, before, after)])
}

async function insertTotalsDelta(tx: Database, before: DonationRow, after: DonationRow): Promise<void> {
  const [had, has] = [getTotalsContribution(before), getTotalsContribution(after)]
  const difference: Totals = {
    donatedCents: has.donatedCents - had.donatedCents,
    transferredCents: has.transferredCents - had.transferredCents,
    donationCount: has.donationCount - had.donationCount
  }
  if (Object.values(difference).every(number => number === 0)) return
  await totals.insertDelta(tx, after.campaignId, difference)
}

/** What a donation adds to its campaign: the received amount, or the promised one if larger and still awaited. */
export function getTotalsContribution({
  status,
  amountCents,
  receivedCents,
  review
}: Pick<DonationRow, 'status' | 'amountCents' | 'receivedCents' | 'review'>): Totals {
  const isPromise = status === 'IN_PROCESS' && review !== 'waiting'
  return {
    donatedCents: isPromise ? Math.max(amountCents, receivedCents) : receivedCents,
    transferredCents: receivedCents,
    donationCount: isPromise || status === 'TRANSFERRED' ? 1 : 0
  }
}

export async function recordDonation(
  tx: Database,
  actor: Required<Actor>,
  donation: DonationRow,
  { action, details }: { action: string; details?: object }
): Promise<void> {
  await record(tx, actor, action, toRecordedDonation(donation, details))
}

/** The subject of an activity about the donation. */
export function toRecordedDonation(
  { id, campaignId, amountCents, receivedCents, status }: DonationRow,
  more: object = {}
): { subject: string; id: string; details: object } {
  const details = {
    campaignId,
    amount: toAmount(amountCents),
    amountReceived: toAmount(receivedCents),
    status,
    ...more
  }
  return { subject: 'donation', id, details }
}
