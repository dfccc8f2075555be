import { type Caller, may } from '#platform/access.ts'
import { type IfMatch, refuseStale } from '#platform/conditional.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import { TryAgain } from '#platform/database-server.ts'
import { uuidv7 } from '#platform/ids.ts'
import { postMail } from '#platform/mail/letter.ts'
import { newAccount } from '../account.ts'
import { newAddress } from '../address.ts'
import type { DonationTerms } from '../campaigns/queries.ts'
import * as campaigns from '../campaigns/queries.ts'
import { dayOf } from '../days.ts'
import * as collections from '../direct-debit/collections/queries.ts'
import { agreedMandate } from '../direct-debit/mandates/mandate.ts'
import * as mandates from '../direct-debit/mandates/queries.ts'
import { donationIsBeingCollected } from '../direct-debit/problems.ts'
import { newDonorToken, toTokenColumns } from '../donor-token.ts'
import { countedOf, isHeld, isTextHeld, provedIn, refuseFlood, refuseProgram, useUp } from '../guard/guard.ts'
import { confirm } from '../letters/posting.ts'
import {
  donationHasPayments,
  fieldNeedsReceivedMoney,
  receivedInFuture,
  receivedLessThanBefore
} from '../payment-problems.ts'
import { type Arrival, changePayments } from '../payments/payment.ts'
import * as payments from '../payments/queries.ts'
import {
  campaignHasEnded,
  campaignIsClosed,
  campaignIsDraft,
  campaignNotFound,
  campaignNotStarted,
  donationCannotBeDeleted,
  donationHasReceipt,
  donationNotFound,
  donationTooSmall,
  donorIsErased,
  illegalMessageReview,
  illegalStatusChange,
  onlyTreasurersRecordReceivedMoney
} from '../problems.ts'
import * as receipts from '../receipts/queries.ts'
import { newReference } from '../reference.ts'
import { type Booking, bookDonations } from './booking.ts'
import { kindAfter, newKind } from './kind.ts'
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
  getShare,
  recordCancellation,
  recordChange,
  recordDonation,
  reviewAfter
} from './status-change.ts'

/** A donation that was just made, with the token that only its donor gets to know. */
export type MadeDonation = DonationRow & { donorToken: string }

interface DonateOptions {
  settings: Settings
  /** How many an hour may come from one account; 0 for those whose are not counted. */
  perAccount?: number
  now?: Date
  reference?: (campaignId: number) => string
}

/** Takes a donation into a campaign that is open. */
export async function donate(
  db: Database,
  by: Caller,
  campaignId: number,
  input: NewDonation,
  { settings, perAccount = 0, now = new Date(), reference = newReference }: DonateOptions
): Promise<MadeDonation> {
  const status = input.status ?? 'IN_PROCESS'
  if (status === 'TRANSFERRED' && !may(by, 'treasurer')) throw onlyTreasurersRecordReceivedMoney()
  const kind = newKind(by, status, input)
  refuseProgram(input)
  const given = input.account == null ? undefined : newAccount(input.account, input.donorName)
  const account = donations.accountColumns(settings, given)
  const counted = countedOf(account.accountPrint, perAccount, now)

  // Before the transaction, where it holds nobody up: nothing is locked, so that to read it inside would promise no more.
  const terms = await campaigns.findTermsOfNew(db, campaignId, counted)
  if (terms === undefined) throw campaignNotFound(campaignId)
  refuseUnlessOpen(terms, now)
  if (input.amount < terms.donationMinimumCents) throw donationTooSmall(terms.donationMinimumCents, terms.currency)
  const arrival = getFirstArrival(input, dayOf(now, settings.timezone))
  refuseFlood(terms, counted, now)
  const proof = await provedIn(settings, by, terms, input.proofOfWork, now)
  const isWaiting = isHeld(by, input.amount, terms)

  return await db.transaction(async tx => {
    const donation: DonationRow = {
      campaignId,
      id: uuidv7(now.getTime()),
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
      ...donations.addressColumns(input.address && newAddress(input.address)),
      consentText: input.consent?.text ?? null,
      consentVersion: input.consent?.version || null,
      consentAt: input.consent ? now.toISOString() : null,
      erasedAt: null,
      review: isWaiting ? 'waiting' : null,
      messageReview: isTextHeld(by, input, terms) ? 'waiting' : 'shown',
      paymentMethod: input.mandate == null ? 'transfer' : 'direct_debit',
      ...kind
    }
    const mandate =
      input.mandate == null
        ? undefined
        : await agreedMandate(tx, by, { ...donation, account: given, campaign: terms }, input.mandate.text, {
            settings,
            now
          })
    const donorToken = newDonorToken()
    // Sent together: none needs the answer of another.
    const [inserted] = await Promise.all([
      donations.insert(tx, { ...donation, ...toTokenColumns(settings, donorToken) }, getShare(donation), by.name),
      arrival && insertFirstPayment(tx, by, now, donation, arrival),
      recordDonation(tx, by, now, isWaiting ? 'donation.held' : 'donation.created', donation),
      useUp(tx, proof),
      mandate && mandates.insert(tx, mandate),
      confirm(tx, settings, donation, now),
      isWaiting
        ? postMail(tx, settings, { kind: 'donation-held', about: `${campaignId} ${donation.id}` }, now)
        : undefined
    ])
    if (!inserted) throw new TryAgain('The reference was taken.')
    return { ...donation, donorToken }
  })
}

/** What a treasurer says has come already; undefined for a promise. */
function getFirstArrival(input: NewDonation, today: string): Arrival | undefined {
  const { status, amount, paymentSource } = input
  // What clients read of a promise and send back says nothing.
  const amountReceived = input.amountReceived === 0 ? undefined : input.amountReceived
  const receivedOn = input.receivedOn ?? undefined
  if (status !== 'TRANSFERRED') {
    refusePaymentFields({ amountReceived, receivedOn, paymentSource }, status ?? 'IN_PROCESS')
    return undefined
  }
  if (receivedOn !== undefined && receivedOn > today) throw receivedInFuture(today)
  const isCash = input.account == null && (input.kind ?? 'money') === 'money'
  const source = paymentSource ?? (isCash ? 'cash' : 'manual')
  return { amountCents: amountReceived ?? amount, receivedOn: receivedOn ?? today, source }
}

function refusePaymentFields(given: Partial<Record<PaymentField, unknown>>, status: DonationStatus): void {
  const field = (['amountReceived', 'receivedOn', 'paymentSource'] as const).find(name => given[name] !== undefined)
  if (field !== undefined) throw fieldNeedsReceivedMoney(field, status)
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

/** Corrects a donation, or moves it on. What was promised is never edited; payments say what became of it. */
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
    refuseStale(expected, before.version)
    if (before.erasedAt !== null && saysMore(change)) throw donorIsErased()
    const status = change.status ?? before.status
    const allowed = getNextStatuses(before.status, before.receivedCents)
    if (status !== before.status && !allowed.includes(status)) {
      if (before.receivedCents > 0 && before.status === 'IN_PROCESS') throw donationHasPayments(before.receivedCents)
      throw illegalStatusChange(before.status, status, allowed)
    }
    if (status === 'CANCELLED') await refuseWhileCollected(tx, before)
    const isRenamed = change.donorName !== undefined && change.donorName !== before.donorName
    const given = kindAfter(before, status, change)
    const isOther = given.kind !== before.kind || given.inKind !== before.inKind
    if (before.status === 'TRANSFERRED' && (status !== before.status || isRenamed || isOther))
      await refuseWhileCertified(tx, before)

    const booking = getBooking(before, change, dayOf(now, settings.timezone))
    const fields = {
      donorName: change.donorName ?? before.donorName,
      receiptRequested: change.receiptRequested ?? before.receiptRequested,
      showName: change.showName ?? before.showName,
      message: change.message === undefined ? before.message : change.message || null,
      email: change.email === undefined ? before.email : change.email || null,
      language: change.language ?? before.language,
      // Where the status changes too, it is decided together with it.
      review: booking === undefined ? reviewAfter(before, before.status, change.review) : before.review,
      messageReview: getMessageReviewAfter(before, change),
      ...given,
      ...addressAfter(before, change)
    }
    const isCorrected = Object.entries(fields).some(([name, value]) => before[name as keyof DonationRow] !== value)
    // A change that changes nothing leaves no trace.
    if (booking === undefined && !isCorrected) return { ...before, changed: false }
    const updatedAt = now.toISOString()
    // Before it is booked, so that the letter about the money goes to the corrected address and the record is one.
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
 * What a change says about the money and the status; undefined if it says nothing new. What clients send back as they read it
 * says nothing.
 */
function getBooking(before: DonationRow, change: DonationChange, today: string): Booking | undefined {
  const { status = before.status, paymentSource = 'manual' } = change
  const { receivedCents } = before
  const isSentBack = change.amountReceived === receivedCents && (receivedCents === 0 || status === before.status)
  const amountReceived = isSentBack ? undefined : change.amountReceived
  const day = change.receivedOn === before.receivedOn ? undefined : (change.receivedOn ?? undefined)
  const said = { amountReceived, receivedOn: day, paymentSource: change.paymentSource }
  if (day !== undefined && day > today) throw receivedInFuture(today)
  const receivedOn = change.receivedOn ?? today
  if (status === 'TRANSFERRED' || (status === 'IN_PROCESS' && amountReceived !== undefined)) {
    if (before.status === 'TRANSFERRED' && amountReceived === undefined) {
      refusePaymentFields(said, status)
      return undefined
    }
    const total = amountReceived ?? Math.max(before.amountCents, receivedCents)
    if (total < receivedCents) throw receivedLessThanBefore(receivedCents)
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

/** What stands on a receipt stays as it is. A receipt is issued under the lock of its donations, so none comes in between. */
async function refuseWhileCertified(tx: Database, donation: DonationRow): Promise<void> {
  const receipt = await receipts.findLiveOf(tx, donation)
  if (receipt !== undefined) throw donationHasReceipt(receipt.number)
}

/** Takes back a donation whose money has not come. It leaves lists and sums, and stays in the books. */
export async function deleteDonation(
  db: Database,
  by: Caller,
  { campaignId, id }: { campaignId: number; id: string },
  expected: IfMatch,
  now = new Date()
): Promise<void> {
  await db.transaction(async tx => {
    const before = await lockDonation(tx, campaignId, id)
    refuseStale(expected, before.version)
    if (before.status !== 'IN_PROCESS' && before.status !== 'CANCELLED') throw donationCannotBeDeleted(before.status)
    if (before.receivedCents > 0) throw donationHasPayments(before.receivedCents)
    await refuseWhileCollected(tx, before)

    await donations.setDeleted(tx, campaignId, id, now)
    const review = reviewAfter(before, 'CANCELLED')
    const after: DonationRow = { ...before, status: 'CANCELLED', review, version: before.version + 1 }
    if (before.status !== after.status) await recordCancellation(tx, by, now, before, after)
    await recordDonation(tx, by, now, 'donation.deleted', after, { before: before.status })
  })
}

/** Does it say more than what became of the money? */
function saysMore({
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

/** What a treasurer writes, a treasurer has read; what waits does not begin to wait again. */
function getMessageReviewAfter(before: DonationRow, { message, messageReview }: DonationChange): MessageReview {
  if (messageReview === 'waiting' && before.messageReview !== 'waiting') throw illegalMessageReview()
  const isRewritten = message !== undefined && (message || null) !== before.message
  return messageReview ?? (isRewritten && message ? 'shown' : before.messageReview)
}

export function addressAfter(
  before: DonationRow,
  { address }: Pick<DonationChange, 'address'>
): Pick<DonationRow, AddressColumn> {
  if (address !== undefined) return donations.addressColumns(address && newAddress(address))
  const { street, postalCode, city, country } = before
  return { street, postalCode, city, country }
}

function refuseUnlessOpen(campaign: DonationTerms, now: Date): void {
  if (campaign.status === 'draft') throw campaignIsDraft()
  if (campaign.status === 'closed') throw campaignIsClosed()
  const moment = now.toISOString()
  if (campaign.startsAt !== null && moment < campaign.startsAt) throw campaignNotStarted(campaign.startsAt)
  if (campaign.endsAt !== null && moment >= campaign.endsAt) throw campaignHasEnded(campaign.endsAt)
}

/** The bank has a file with it, or is about to: then it is not ours alone to call it off. What the bank says of it is another matter. */
async function refuseWhileCollected(
  tx: Database,
  { campaignId, id, status, paymentMethod }: DonationRow
): Promise<void> {
  if (paymentMethod !== 'direct_debit' || status !== 'IN_PROCESS') return
  const collection = await collections.findUnderWay(tx, campaignId, id)
  if (collection !== undefined) throw donationIsBeingCollected(collection.id)
}

export async function lockDonation(tx: Database, campaignId: number, id: string): Promise<DonationRow> {
  const [campaign, donation] = await Promise.all([
    campaigns.findTerms(tx, campaignId),
    donations.lock(tx, campaignId, id)
  ])
  if (campaign === undefined) throw campaignNotFound(campaignId)
  if (donation === undefined) throw donationNotFound()
  return donation
}
