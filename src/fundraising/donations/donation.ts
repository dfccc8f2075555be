import { type Caller, may } from '#platform/access.ts'
import { record } from '#platform/activity/activity.ts'
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
import * as collections from '../direct-debit/collections/queries.ts'
import { agreedMandate } from '../direct-debit/mandates/mandate.ts'
import * as mandates from '../direct-debit/mandates/queries.ts'
import { donationIsBeingCollected } from '../direct-debit/problems.ts'
import { newDonorToken } from '../donor-token.ts'
import { countedOf, isHeld, provedIn, refuseFlood, refuseProgram, useUp } from '../guard/guard.ts'
import { confirm } from '../letters/posting.ts'
import { toAmount } from '../money.ts'
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
  illegalReview,
  illegalStatusChange,
  onlyTreasurersRecordReceivedMoney
} from '../problems.ts'
import * as receipts from '../receipts/queries.ts'
import { newReference } from '../reference.ts'
import type { Totals } from '../totals/queries.ts'
import * as totals from '../totals/queries.ts'
import { kindAfter, newKind } from './kind.ts'
import type { AddressColumn, DonationRow } from './queries.ts'
import * as donations from './queries.ts'
import { type DonationChange, type DonationStatus, type NewDonation, nextStatuses, type Review } from './schema.ts'

/** A donation that was just made, with the token that only its donor gets to know. */
export type MadeDonation = DonationRow & { donorToken: string }

interface DonateOptions {
  settings: Settings
  /** How many an hour may come from one account; 0 for those whose are not counted. */
  perAccount?: number
  now?: Date
  reference?: (campaignId: number) => string
}

/** By the settings it is decided whether the donor is told. */
export interface MoveOptions {
  settings: Pick<Settings, 'smtpUrl'>
  now?: Date
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
  const given = input.account && newAccount(input.account, input.donorName)
  const account = donations.accountColumns(settings, given)
  const counted = countedOf(account.accountPrint, perAccount, now)

  // Before the transaction, where it holds nobody up: nothing is locked, so that to read it inside would promise no more.
  const terms = await campaigns.findTermsOfNew(db, campaignId, counted)
  if (terms === undefined) throw campaignNotFound(campaignId)
  refuseUnlessOpen(terms, now)
  if (input.amount < terms.donationMinimumCents) throw donationTooSmall(terms.donationMinimumCents, terms.currency)
  refuseFlood(terms, counted, now)
  const proof = await provedIn(settings, by, terms, input.proofOfWork, now)
  const isWaiting = isHeld(by, input.amount, terms)

  return await db.transaction(async tx => {
    const donation: DonationRow = {
      campaignId,
      id: uuidv7(now.getTime()),
      version: 1,
      amountCents: input.amount,
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
      donations.insert(tx, donation, donorToken, shareOf(donation), by.name),
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

/** Corrects a donation or moves it on. Money is never edited: only its status says what became of it. */
export async function changeDonation(
  db: Database,
  by: Caller,
  { campaignId, id }: { campaignId: number; id: string },
  change: DonationChange,
  expected: IfMatch,
  { settings, now = new Date() }: MoveOptions
): Promise<DonationRow & { changed: boolean }> {
  return await db.transaction(async tx => {
    const before = await lockDonation(tx, campaignId, id)
    refuseStale(expected, before.version)
    if (before.erasedAt !== null && saysMore(change)) throw donorIsErased()
    const status = change.status ?? before.status
    const allowed = nextStatuses[before.status]
    if (status !== before.status && !allowed.includes(status)) throw illegalStatusChange(before.status, status, allowed)
    if (status === 'CANCELLED') await refuseWhileCollected(tx, before)
    const isRenamed = change.donorName !== undefined && change.donorName !== before.donorName
    const given = kindAfter(before, status, change)
    const isOther = given.kind !== before.kind || given.inKind !== before.inKind
    if (before.status === 'TRANSFERRED' && (status !== before.status || isRenamed || isOther))
      await refuseWhileCertified(tx, before)

    const fields = {
      status,
      donorName: change.donorName ?? before.donorName,
      receiptRequested: change.receiptRequested ?? before.receiptRequested,
      showName: change.showName ?? before.showName,
      message: change.message === undefined ? before.message : change.message || null,
      email: change.email === undefined ? before.email : change.email || null,
      language: change.language ?? before.language,
      review: reviewAfter(before, status, change.review),
      ...given,
      ...addressAfter(before, change)
    }
    // A change that changes nothing leaves no trace.
    if (Object.entries(fields).every(([name, value]) => before[name as keyof DonationRow] === value)) {
      return { ...before, changed: false }
    }
    const after = await donations.update(tx, { ...fields, campaignId, id, updatedAt: now.toISOString() })
    await moved(tx, by, { settings, now }, before, after)
    return { ...after, changed: true }
  })
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
    await refuseWhileCollected(tx, before)

    await donations.setDeleted(tx, campaignId, id, now)
    const review = reviewAfter(before, 'CANCELLED')
    const after: DonationRow = { ...before, status: 'CANCELLED', review, version: before.version + 1 }
    if (before.status !== after.status) await inBooks(tx, by, now, before, after)
    await recordDonation(tx, by, now, 'donation.deleted', after, { before: before.status })
  })
}

/** Does it say more than what became of the money? */
function saysMore({ status: _status, review: _review, ...about }: DonationChange): boolean {
  return Object.values(about).some(value => value !== undefined && value !== null && value !== false)
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

/**
 * Only what waits can be released, and only by somebody who asks for it or by its money. What is cancelled or fails while
 * it waits is over: there is nothing left to decide.
 */
export function reviewAfter(
  before: Pick<DonationRow, 'review'>,
  status: DonationStatus,
  asked: Review | null = before.review
): Review | null {
  if (asked !== before.review && (before.review !== 'waiting' || asked !== 'released')) throw illegalReview()
  if (asked !== 'waiting' || status === 'IN_PROCESS') return asked
  return status === 'TRANSFERRED' ? 'released' : null
}

/** Totals and history follow what was changed, and the record says what it was: the public hears of one that is released now. */
export async function moved(
  tx: Database,
  by: Caller,
  { settings, now }: Required<MoveOptions>,
  before: DonationRow,
  after: DonationRow
): Promise<void> {
  const hasMoved = before.status !== after.status
  const isReleased = before.review === 'waiting' && after.review === 'released'
  if (hasMoved || isReleased) await inBooks(tx, by, now, before, after)
  if (isReleased) await recordDonation(tx, by, now, 'donation.released', after)
  if (hasMoved) await recordDonation(tx, by, now, 'donation.status_changed', after, { before: before.status })
  if (!hasMoved && !isReleased) await recordDonation(tx, by, now, 'donation.updated', after)
  // What goes back to be awaited, because a booking was wrong, is nothing to write to the donor about.
  if (isReleased || (hasMoved && after.status === 'TRANSFERRED')) await confirm(tx, settings, after, now)
}

/** The history gets a row for a new status, the totals the difference. */
async function inBooks(tx: Database, by: Caller, now: Date, before: DonationRow, after: DonationRow): Promise<void> {
  const [had, has] = [shareOf(before), shareOf(after)]
  await Promise.all([
    before.status === after.status ? undefined : donations.insertHistory(tx, after, after.version, now, by.name),
    totals.insertDelta(tx, after.campaignId, {
      donatedCents: has.donatedCents - had.donatedCents,
      transferredCents: has.transferredCents - had.transferredCents,
      donationCount: has.donationCount - had.donationCount
    })
  ])
}

/** What a donation adds to its campaign. */
function shareOf({ status, amountCents, review }: DonationRow): Totals {
  const counts = (status === 'IN_PROCESS' || status === 'TRANSFERRED') && review !== 'waiting'
  return {
    donatedCents: counts ? amountCents : 0,
    transferredCents: status === 'TRANSFERRED' ? amountCents : 0,
    donationCount: counts ? 1 : 0
  }
}

export async function recordDonation(
  tx: Database,
  by: Caller,
  now: Date,
  action: string,
  { id, campaignId, amountCents, status }: DonationRow,
  more: object = {}
): Promise<void> {
  const details = { campaignId, amount: toAmount(amountCents), status, ...more }
  await record(tx, by, now, action, { subject: 'donation', id, details })
}
