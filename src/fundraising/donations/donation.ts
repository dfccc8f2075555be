import { type Caller, hasRole } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { RetryTransaction } from '#platform/database/errors.ts'
import { queueEmail } from '#platform/email/outbox.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { newUuidV7 } from '#platform/ids.ts'
import type { DonationTerms } from '../campaigns/queries.ts'
import * as campaigns from '../campaigns/queries.ts'
import { toLocalDay } from '../dates.ts'
import { newDonorToken, toTokenColumns } from '../encryption/donor-token.ts'
import { type Account, newAccount } from '../money/account.ts'
import { newAddress } from '../money/address.ts'
import { newReference } from '../money/reference.ts'
import {
  newCampaignClosedProblem,
  newCampaignDraftProblem,
  newCampaignEndedProblem,
  newCampaignNotFoundProblem,
  newCampaignNotStartedProblem
} from '../problems/campaigns.ts'
import { newDonationBeingCollectedProblem } from '../problems/direct-debit.ts'
import {
  newDonationHasReceiptProblem,
  newDonationNotDeletableProblem,
  newDonationNotFoundProblem,
  newDonationTooSmallProblem,
  newDonorErasedProblem,
  newIllegalMessageReviewProblem,
  newIllegalStatusChangeProblem,
  newStatusNeedsTreasurerProblem
} from '../problems/donations.ts'
import {
  newDonationHasPaymentsProblem,
  newFieldNeedsPaymentProblem,
  newReceivedBelowBeforeProblem,
  newReceivedInFutureProblem
} from '../problems/payments.ts'
import * as receipts from '../receipts/queries.ts'
import {
  consumeProof,
  enforceAccountRateLimit,
  isReviewRequired,
  isTextReviewRequired,
  newAccountRateLimit,
  rejectHoneypot,
  verifyProofOfWork
} from './abuse-protection/abuse-protection.ts'
import { type Booking, bookDonations } from './booking.ts'
import { queueDonationEmail } from './donation-emails.ts'
import { mergeKind, newKind } from './kind.ts'
import { type Arrival, changePayments } from './payments/payment.ts'
import * as payments from './payments/queries.ts'
import type { AddressColumn, DonationRow } from './queries.ts'
import * as donations from './queries.ts'
import {
  type DonationChange,
  type DonationStatus,
  getNextStatuses,
  type MessageReview,
  type NewDonation
} from './schema.ts'
import {
  type ChangeOptions,
  getNextReview,
  getTotalsContribution,
  recordCancellation,
  recordChange,
  recordDonation
} from './status-change.ts'

/** A new donation with its token, which only the donor gets. */
export type CreatedDonation = DonationRow & { donorToken: string }

/** The donation that a mandate is signed for, as far as it is known before the insert. */
export interface DonationToCollect {
  campaignId: number
  id: string
  reference: string
  status: DonationStatus
  account: Account | undefined
  campaign: { currency: string; iban: string; ibanValid: boolean }
}

/** Validates the mandate of a new donation and returns the function that stores it. */
export type SignMandate = (
  tx: Database,
  by: Caller,
  donation: DonationToCollect,
  signed: { text: string; settings: Settings; now: Date }
) => Promise<() => Promise<void>>

interface DonateOptions {
  settings: Settings
  /** Required if donors can choose direct debit. */
  signMandate?: SignMandate
  /** Donations per hour from one account; 0 disables the limit. */
  perAccount?: number
  now?: Date
  reference?: (campaignId: number) => string
}

/** Inserts a donation into an open campaign. */
export async function donate(
  db: Database,
  by: Caller,
  campaignId: number,
  input: NewDonation,
  { settings, perAccount = 0, now = new Date(), reference = newReference, signMandate }: DonateOptions
): Promise<CreatedDonation> {
  const status = input.status ?? 'IN_PROCESS'
  if (status === 'TRANSFERRED' && !hasRole(by, 'treasurer')) throw newStatusNeedsTreasurerProblem()
  const kind = newKind(by, status, input)
  rejectHoneypot(input)
  const given = input.account == null ? undefined : newAccount(input.account, input.donorName)
  const account = donations.toAccountColumns(settings, given)
  const counted = newAccountRateLimit(account.ibanFingerprint, perAccount, now)

  // Outside the transaction to keep it short: the campaign is not locked, so reading inside would guarantee no more.
  const terms = await campaigns.findNewDonationTerms(db, campaignId, counted)
  if (terms === undefined) throw newCampaignNotFoundProblem(campaignId)
  refuseUnlessOpen(terms, now)
  if (input.amount < terms.donationMinimumCents)
    throw newDonationTooSmallProblem(terms.donationMinimumCents, terms.currency)
  const arrival = getFirstArrival(input, toLocalDay(now, settings.timezone))
  enforceAccountRateLimit(terms, counted, now)
  const proof = await verifyProofOfWork(settings, by, terms, input.proofOfWork, now)
  const isWaiting = isReviewRequired(by, input.amount, terms)

  return await db.transaction(async tx => {
    const donation: DonationRow = {
      campaignId,
      id: newUuidV7(now.getTime()),
      version: 1,
      amountCents: input.amount,
      receivedCents: arrival?.amountCents ?? 0,
      receivedOn: arrival?.receivedOn ?? null,
      donorName: input.donorName,
      receiptRequested: input.receiptRequested ?? false,
      showName: input.showName ?? false,
      message: input.message || null,
      email: input.email || null,
      status,
      reference: reference(campaignId),
      ...account,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
      language: input.language ?? null,
      ...donations.toAddressColumns(input.address && newAddress(input.address)),
      consentText: input.consent?.text ?? null,
      consentVersion: input.consent?.version || null,
      consentAt: input.consent ? now.toISOString() : null,
      erasedAt: null,
      review: isWaiting ? 'waiting' : null,
      messageReview: isTextReviewRequired(by, input, terms) ? 'waiting' : 'shown',
      paymentMethod: input.mandate == null ? 'transfer' : 'direct_debit',
      ...kind
    }
    if (input.mandate != null && signMandate === undefined) throw new Error('Mandates are not taken here.')
    const toCollect = { ...donation, account: given, campaign: terms }
    const insertMandate =
      input.mandate == null ? undefined : await signMandate?.(tx, by, toCollect, { ...input.mandate, settings, now })
    const donorToken = newDonorToken()
    // Sent together, because these statements do not depend on each other.
    const [inserted] = await Promise.all([
      donations.insert(
        tx,
        { ...donation, ...toTokenColumns(settings, donorToken) },
        getTotalsContribution(donation),
        by.name
      ),
      arrival && insertFirstPayment(tx, by, now, donation, arrival),
      recordDonation(tx, by, now, isWaiting ? 'donation.held' : 'donation.created', donation),
      consumeProof(tx, proof),
      insertMandate?.(),
      queueDonationEmail(tx, settings, donation, now),
      isWaiting
        ? queueEmail(tx, settings, { kind: 'donation-held', about: `${campaignId} ${donation.id}` }, now)
        : undefined
    ])
    if (!inserted) throw new RetryTransaction('The reference was taken.')
    return { ...donation, donorToken }
  })
}

/** The payment that a treasurer records together with the donation; undefined for a promise. */
function getFirstArrival(input: NewDonation, today: string): Arrival | undefined {
  const { status, amount, paymentSource } = input
  // Clients send back 0 and null from a promise they read; these count as omitted.
  const amountReceived = input.amountReceived === 0 ? undefined : input.amountReceived
  const receivedOn = input.receivedOn ?? undefined
  if (status !== 'TRANSFERRED') {
    refusePaymentFields({ amountReceived, receivedOn, paymentSource }, status ?? 'IN_PROCESS')
    return undefined
  }
  if (receivedOn !== undefined && receivedOn > today) throw newReceivedInFutureProblem(today)
  const isCash = input.account == null && (input.kind ?? 'money') === 'money'
  const source = paymentSource ?? (isCash ? 'cash' : 'manual')
  return { amountCents: amountReceived ?? amount, receivedOn: receivedOn ?? today, source }
}

function refusePaymentFields(given: Partial<Record<PaymentField, unknown>>, status: DonationStatus): void {
  const field = (['amountReceived', 'receivedOn', 'paymentSource'] as const).find(name => given[name] !== undefined)
  if (field !== undefined) throw newFieldNeedsPaymentProblem(field, status)
}

type PaymentField = 'amountReceived' | 'receivedOn' | 'paymentSource'

async function insertFirstPayment(
  tx: Database,
  by: Caller,
  now: Date,
  donation: DonationRow,
  arrival: Arrival
): Promise<void> {
  const context = { actor: by.name, now, donationVersion: donation.version, statusBefore: 'IN_PROCESS' }
  const { inserted } = changePayments({ donation, payments: [], record: [arrival], takeBack: [], context })
  await payments.insert(tx, inserted)
}

/** Corrects a donation or changes its status. The promised amount is never edited; payments record what arrived. */
export async function changeDonation(
  db: Database,
  by: Caller,
  { campaignId, id }: { campaignId: number; id: string },
  change: DonationChange,
  expected: IfMatch,
  { settings, now = new Date() }: ChangeOptions
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
      await recordChange(tx, by, { settings, now }, before, corrected)
      return { ...corrected, changed: true }
    }
    const { review } = change
    const asked = { ...booking, before: corrected, ...(review === undefined ? {} : { review }) }
    const [booked] = await bookDonations(tx, by, [asked], { settings, now })
    if (booked === undefined) throw new Error('A donation is booked as one.')
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
  by: Caller,
  { campaignId, id }: { campaignId: number; id: string },
  expected: IfMatch,
  now = new Date()
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
    if (before.status !== after.status) await recordCancellation(tx, by, now, before, after)
    await recordDonation(tx, by, now, 'donation.deleted', after, { before: before.status })
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
  if (address !== undefined) return donations.toAddressColumns(address && newAddress(address))
  const { street, postalCode, city, country } = before
  return { street, postalCode, city, country }
}

function refuseUnlessOpen(campaign: DonationTerms, now: Date): void {
  if (campaign.status === 'draft') throw newCampaignDraftProblem()
  if (campaign.status === 'closed') throw newCampaignClosedProblem()
  const moment = now.toISOString()
  if (campaign.startsAt !== null && moment < campaign.startsAt) throw newCampaignNotStartedProblem(campaign.startsAt)
  if (campaign.endsAt !== null && moment >= campaign.endsAt) throw newCampaignEndedProblem(campaign.endsAt)
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
