import type { Actor } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import * as campaigns from '../campaigns/queries.ts'
import { toLocalDay } from '../dates.ts'
import { newAddress } from '../money/address.ts'
import { newCampaignNotFoundProblem } from '../problems/campaigns.ts'
import { newDonationBeingCollectedProblem } from '../problems/direct-debit.ts'
import {
  newDonationHasReceiptProblem,
  newDonationNotDeletableProblem,
  newDonationNotFoundProblem,
  newDonorErasedProblem,
  newIllegalMessageReviewProblem,
  newIllegalStatusChangeProblem
} from '../problems/donations.ts'
import {
  newDonationHasPaymentsProblem,
  newFieldNeedsPaymentProblem,
  newReceivedBelowBeforeProblem,
  newReceivedInFutureProblem
} from '../problems/payments.ts'
import * as receipts from '../receipts/queries.ts'
import { type Booking, bookDonations } from './booking.ts'
import type { AddressColumn, DonationRow } from './donation-row.ts'
import { toAddressColumns } from './donation-row.ts'
import { mergeKind } from './kind.ts'
import type { Arrival } from './payments/payment.ts'
import * as donations from './queries.ts'
import { type DonationChange, type DonationStatus, getNextStatuses, type MessageReview } from './schema.ts'
import { type ChangeOptions, getNextReview, recordCancellation, recordChange, recordDonation } from './status-change.ts'

export function refusePaymentFields(given: Partial<Record<PaymentField, unknown>>, status: DonationStatus): void {
  const field = (['amountReceived', 'receivedOn', 'paymentSource'] as const).find(name => given[name] !== undefined)
  if (field !== undefined) throw newFieldNeedsPaymentProblem(field, status)
}

type PaymentField = 'amountReceived' | 'receivedOn' | 'paymentSource'

/** Corrects a donation or changes its status. The promised amount is never edited; payments record what arrived. */
export async function changeDonation(
  db: Database,
  { by, expected, settings, now = new Date() }: Actor & ChangeOptions & { expected: IfMatch },
  { campaignId, id }: { campaignId: number; id: string },
  change: DonationChange
): Promise<DonationRow & { changed: boolean }> {
  return await db.transaction(async tx => {
    const before = await lockDonation(tx, campaignId, id)
    requireVersion(expected, before.version)
    if (before.erasedAt !== null && changesDonorData(change)) throw newDonorErasedProblem()
    const status = change.status ?? before.status
    const allowed = getNextStatuses(before.status, before.receivedCents)
    if (status !== before.status && !allowed.includes(status)) {
      if (before.receivedCents > 0 && before.status === 'IN_PROCESS')
        throw newDonationHasPaymentsProblem(before.receivedCents)
      throw newIllegalStatusChangeProblem(before.status, status, allowed)
    }
    if (status === 'CANCELLED') await refuseIfCollected(tx, before)
    const isRenamed = change.donorName !== undefined && change.donorName !== before.donorName
    const given = mergeKind(before, status, change)
    const isOther = given.kind !== before.kind || given.inKind !== before.inKind
    if (before.status === 'TRANSFERRED' && (status !== before.status || isRenamed || isOther))
      await refuseIfCertified(tx, before)

    const booking = getBooking(before, change, toLocalDay(now, settings.timezone))
    const fields = {
      donorName: change.donorName ?? before.donorName,
      receiptRequested: change.receiptRequested ?? before.receiptRequested,
      showName: change.showName ?? before.showName,
      message: change.message === undefined ? before.message : change.message || null,
      email: change.email === undefined ? before.email : change.email || null,
      language: change.language ?? before.language,
      // If the status changes too, the booking determines the review.
      review: booking === undefined ? getNextReview(before, before.status, change.review) : before.review,
      messageReview: getNextMessageReview(before, change),
      ...given,
      ...mergeAddress(before, change)
    }
    const isCorrected = Object.entries(fields).some(([name, value]) => before[name as keyof DonationRow] !== value)
    // A change without effect writes nothing.
    if (booking === undefined && !isCorrected) return { ...before, changed: false }
    const updatedAt = now.toISOString()
    // Before the booking, so that the e-mail uses the corrected address and there is only one activity entry.
    const corrected = isCorrected
      ? await donations.update(tx, { ...fields, status: before.status, campaignId, id, updatedAt })
      : before
    if (booking === undefined) {
      await recordChange(tx, { by, settings, now }, before, corrected)
      return { ...corrected, changed: true }
    }
    const { review } = change
    const statusChange = { ...booking, before: corrected, ...(review === undefined ? {} : { review }) }
    const [booked] = await bookDonations(tx, by, [statusChange], { settings, now })
    if (booked === undefined) throw new Error('Booking returned no donation.')
    return { ...booked, changed: true }
  })
}

/**
 * The booking that a change asks for; undefined if it changes neither money nor status. Values that clients send back
 * unchanged count as omitted.
 */
function getBooking(before: DonationRow, change: DonationChange, today: string): Booking | undefined {
  const { status = before.status, paymentSource = 'manual' } = change
  const { receivedCents } = before
  const isSentBack = change.amountReceived === receivedCents && (receivedCents === 0 || status === before.status)
  const amountReceived = isSentBack ? undefined : change.amountReceived
  const day = change.receivedOn === before.receivedOn ? undefined : (change.receivedOn ?? undefined)
  const said = { amountReceived, receivedOn: day, paymentSource: change.paymentSource }
  if (day !== undefined && day > today) throw newReceivedInFutureProblem(today)
  const receivedOn = change.receivedOn ?? today
  if (status === 'TRANSFERRED' || (status === 'IN_PROCESS' && amountReceived !== undefined)) {
    if (before.status === 'TRANSFERRED' && amountReceived === undefined) {
      refusePaymentFields(said, status)
      return undefined
    }
    const total = amountReceived ?? Math.max(before.amountCents, receivedCents)
    if (total < receivedCents) throw newReceivedBelowBeforeProblem(receivedCents)
    const record: Arrival[] =
      total === receivedCents ? [] : [{ amountCents: total - receivedCents, receivedOn, source: paymentSource }]
    return { before, record, status }
  }
  const goesBack = before.status === 'TRANSFERRED'
  refusePaymentFields({ ...said, receivedOn: goesBack ? undefined : day }, status)
  if (status === before.status) return undefined
  const record: Arrival[] = goesBack
    ? [{ amountCents: -receivedCents, receivedOn: day ?? today, source: 'correction' }]
    : []
  return { before, record, status, statusWithoutMoney: status }
}

/** Certified data cannot change. Receipts are issued under the donations' locks, so none can be issued in between. */
async function refuseIfCertified(tx: Database, donation: DonationRow): Promise<void> {
  const receipt = await receipts.findLiveReceipt(tx, donation)
  if (receipt !== undefined) throw newDonationHasReceiptProblem(receipt.number)
}

/** Soft-deletes a donation whose money has not arrived. It leaves lists and totals, but the row stays. */
export async function deleteDonation(
  db: Database,
  { by, expected, now = new Date() }: Actor & { expected: IfMatch },
  { campaignId, id }: { campaignId: number; id: string }
): Promise<void> {
  await db.transaction(async tx => {
    const before = await lockDonation(tx, campaignId, id)
    requireVersion(expected, before.version)
    if (before.status !== 'IN_PROCESS' && before.status !== 'CANCELLED')
      throw newDonationNotDeletableProblem(before.status)
    if (before.receivedCents > 0) throw newDonationHasPaymentsProblem(before.receivedCents)
    await refuseIfCollected(tx, before)

    await donations.setDeleted(tx, campaignId, id, now)
    const review = getNextReview(before, 'CANCELLED')
    const after: DonationRow = { ...before, status: 'CANCELLED', review, version: before.version + 1 }
    if (before.status !== after.status) await recordCancellation(tx, { by, now }, before, after)
    await recordDonation(tx, { by, now }, after, { action: 'donation.deleted', details: { before: before.status } })
  })
}

/** Whether the change edits more than money, status and reviews. */
function changesDonorData({
  status: _status,
  review: _review,
  amountReceived: _amount,
  receivedOn: _day,
  paymentSource: _source,
  messageReview: _messageReview,
  ...about
}: DonationChange): boolean {
  return Object.values(about).some(value => value !== undefined && value !== null && value !== false)
}

/** Text written by a treasurer needs no review; a reviewed message cannot go back to waiting. */
function getNextMessageReview(before: DonationRow, { message, messageReview }: DonationChange): MessageReview {
  if (messageReview === 'waiting' && before.messageReview !== 'waiting') throw newIllegalMessageReviewProblem()
  const isRewritten = message !== undefined && (message || null) !== before.message
  return messageReview ?? (isRewritten && message ? 'shown' : before.messageReview)
}

export function mergeAddress(
  before: DonationRow,
  { address }: Pick<DonationChange, 'address'>
): Pick<DonationRow, AddressColumn> {
  if (address !== undefined) return toAddressColumns(address && newAddress(address))
  const { street, postalCode, city, country } = before
  return { street, postalCode, city, country }
}

/** The bank has or gets a file with this donation, so we cannot cancel it alone. Bank reports do not come here. */
async function refuseIfCollected(tx: Database, { campaignId, id, status, paymentMethod }: DonationRow): Promise<void> {
  if (paymentMethod !== 'direct_debit' || status !== 'IN_PROCESS') return
  const collection = await donations.findLiveCollection(tx, campaignId, id)
  if (collection !== undefined) throw newDonationBeingCollectedProblem(collection.id)
}

export async function lockDonation(tx: Database, campaignId: number, id: string): Promise<DonationRow> {
  const [campaign, donation] = await Promise.all([
    campaigns.findTerms(tx, campaignId),
    donations.lock(tx, campaignId, id)
  ])
  if (campaign === undefined) throw newCampaignNotFoundProblem(campaignId)
  if (donation === undefined) throw newDonationNotFoundProblem()
  return donation
}
