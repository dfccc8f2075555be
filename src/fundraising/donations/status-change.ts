import { record } from '#platform/activity/activity.ts'
import type { Caller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Totals } from '../campaigns/totals/queries.ts'
import * as totals from '../campaigns/totals/queries.ts'
import { toAmount } from '../money/money.ts'
import { newIllegalReviewProblem } from '../problems/common.ts'
import { queueDonationEmail } from './donation-emails.ts'
import type { DonationRow } from './queries.ts'
import type { DonationStatus, Review } from './schema.ts'
import { type HistoryDetails, insertHistory } from './status-queries.ts'

/** By the settings it is decided whether the donor is told, and which day it is. */
export interface ChangeOptions {
  settings: Pick<Settings, 'smtpUrl' | 'timezone'>
  now?: Date
}

/**
 * The status that a donation has with what has arrived for it. Money that is there makes it TRANSFERRED once it is all that was
 * promised; less than that waits for the rest, unless somebody accepts the sum by wanting TRANSFERRED.
 */
export function settleStatus(wanted: DonationStatus, promisedCents: number, receivedCents: number): DonationStatus {
  if (receivedCents <= 0) return wanted === 'TRANSFERRED' ? 'IN_PROCESS' : wanted
  if (receivedCents >= promisedCents || wanted === 'TRANSFERRED') return 'TRANSFERRED'
  return 'IN_PROCESS'
}

/**
 * Only what waits can be released, and only by somebody who asks for it or by its money. What is cancelled or fails while
 * it waits is over: there is nothing left to decide.
 */
export function getNextReview(
  before: Pick<DonationRow, 'review'>,
  status: DonationStatus,
  asked: Review | null = before.review
): Review | null {
  if (asked !== before.review && (before.review !== 'waiting' || asked !== 'released')) throw newIllegalReviewProblem()
  if (asked !== 'waiting' || status === 'IN_PROCESS') return asked
  return status === 'TRANSFERRED' ? 'released' : null
}

/** Totals, history and activity follow a change of a donation. The public hears of one that is released now. */
export async function recordChange(
  tx: Database,
  by: Caller,
  { settings, now, ...history }: Required<ChangeOptions> & HistoryDetails,
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
  if (isReleased) await recordDonation(tx, by, now, 'donation.released', after)
  if (hasMoved) await recordDonation(tx, by, now, 'donation.status_changed', after, { before: before.status })
  if (hasPaid && !hasMoved) {
    const details = { before: toAmount(before.receivedCents) }
    await recordDonation(tx, by, now, 'donation.payment_changed', after, details)
  }
  if (!hasMoved && !isReleased && !hasPaid) await recordDonation(tx, by, now, 'donation.updated', after)
  // What goes back to be awaited, because a booking was wrong, is nothing to write to the donor about.
  if (isReleased || (hasMoved && after.status === 'TRANSFERRED')) await queueDonationEmail(tx, settings, after, now)
}

/** History and totals of a donation that is deleted; the record says so itself. */
export async function recordCancellation(
  tx: Database,
  by: Caller,
  now: Date,
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

/** What a donation adds to its campaign: what was received, and as long as it is awaited what was promised if that is more. */
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
  by: Caller,
  now: Date,
  action: string,
  { id, campaignId, amountCents, receivedCents, status }: DonationRow,
  more: object = {}
): Promise<void> {
  const details = {
    campaignId,
    amount: toAmount(amountCents),
    amountReceived: toAmount(receivedCents),
    status,
    ...more
  }
  await record(tx, by, now, action, { subject: 'donation', id, details })
}
