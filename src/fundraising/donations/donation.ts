import { type Caller, may } from '#platform/access.ts'
import { record } from '#platform/activity/activity.ts'
import { type IfMatch, refuseStale } from '#platform/conditional.ts'
import type { Database } from '#platform/database.ts'
import { TryAgain } from '#platform/database-server.ts'
import { uuidv7 } from '#platform/ids.ts'
import { newAccount } from '../account.ts'
import { newAddress } from '../address.ts'
import type { DonationTerms } from '../campaigns/queries.ts'
import * as campaigns from '../campaigns/queries.ts'
import { newDonorToken } from '../donor-token.ts'
import { toAmount } from '../money.ts'
import {
  campaignHasEnded,
  campaignIsClosed,
  campaignIsDraft,
  campaignNotFound,
  campaignNotStarted,
  donationCannotBeDeleted,
  donationNotFound,
  donationTooSmall,
  illegalStatusChange,
  onlyTreasurersRecordReceivedMoney
} from '../problems.ts'
import { newReference } from '../reference.ts'
import type { Totals } from '../totals/queries.ts'
import * as totals from '../totals/queries.ts'
import type { AddressColumn, DonationRow } from './queries.ts'
import * as donations from './queries.ts'
import { type DonationChange, type NewDonation, nextStatuses } from './schema.ts'

/** A donation that was just made, with the token that only its donor gets to know. */
export type MadeDonation = DonationRow & { donorToken: string }

/** Takes a donation into a campaign that is open. */
export async function donate(
  db: Database,
  by: Caller,
  campaignId: number,
  input: NewDonation,
  { now = new Date(), reference = newReference } = {}
): Promise<MadeDonation> {
  const status = input.status ?? 'IN_PROCESS'
  if (status === 'TRANSFERRED' && !may(by, 'treasurer')) throw onlyTreasurersRecordReceivedMoney()

  return await db.transaction(async tx => {
    const terms = await campaigns.findTerms(tx, campaignId)
    if (terms === undefined) throw campaignNotFound(campaignId)
    refuseUnlessOpen(terms, now)
    if (input.amount < terms.donationMinimumCents) throw donationTooSmall(terms.donationMinimumCents, terms.currency)

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
      ...donations.accountColumns(input.account && newAccount(input.account, input.donorName)),
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
      language: input.language ?? null,
      ...donations.addressColumns(input.address && newAddress(input.address)),
      consentText: input.consent?.text ?? null,
      consentVersion: input.consent?.version || null,
      consentAt: input.consent ? now.toISOString() : null
    }
    const donorToken = newDonorToken()
    // Sent together: none needs the answer of another.
    const [inserted] = await Promise.all([
      donations.insert(tx, donation, donorToken, shareOf(donation), by.name),
      recordDonation(tx, by, now, 'donation.created', donation)
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
  now = new Date()
): Promise<DonationRow & { changed: boolean }> {
  return await db.transaction(async tx => {
    const before = await lockDonation(tx, campaignId, id)
    refuseStale(expected, before.version)
    const status = change.status ?? before.status
    const allowed = nextStatuses[before.status]
    if (status !== before.status && !allowed.includes(status)) throw illegalStatusChange(before.status, status, allowed)

    const fields = {
      status,
      donorName: change.donorName ?? before.donorName,
      receiptRequested: change.receiptRequested ?? before.receiptRequested,
      showName: change.showName ?? before.showName,
      message: change.message === undefined ? before.message : change.message || null,
      email: change.email === undefined ? before.email : change.email || null,
      language: change.language ?? before.language,
      ...addressAfter(before, change)
    }
    // A change that changes nothing leaves no trace.
    if (Object.entries(fields).every(([name, value]) => before[name as keyof DonationRow] === value)) {
      return { ...before, changed: false }
    }
    const after = await donations.update(tx, { ...fields, campaignId, id, updatedAt: now.toISOString() })
    if (status === before.status) {
      await recordDonation(tx, by, now, 'donation.updated', after)
    } else {
      await moved(tx, by, now, before, after)
      await recordDonation(tx, by, now, 'donation.status_changed', after, { before: before.status })
    }
    return { ...after, changed: true }
  })
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

    await donations.setDeleted(tx, campaignId, id, now)
    const after: DonationRow = { ...before, status: 'CANCELLED', version: before.version + 1 }
    if (before.status !== after.status) await moved(tx, by, now, before, after)
    await recordDonation(tx, by, now, 'donation.deleted', after, { before: before.status })
  })
}

function addressAfter(before: DonationRow, { address }: DonationChange): Pick<DonationRow, AddressColumn> {
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

export async function lockDonation(tx: Database, campaignId: number, id: string): Promise<DonationRow> {
  const [campaign, donation] = await Promise.all([
    campaigns.findTerms(tx, campaignId),
    donations.lock(tx, campaignId, id)
  ])
  if (campaign === undefined) throw campaignNotFound(campaignId)
  if (donation === undefined) throw donationNotFound()
  return donation
}

/** The history gets a row, the totals the difference. */
async function moved(tx: Database, by: Caller, now: Date, before: DonationRow, after: DonationRow): Promise<void> {
  const [had, has] = [shareOf(before), shareOf(after)]
  await Promise.all([
    donations.insertHistory(tx, after, after.version, now, by.name),
    totals.insertDelta(tx, after.campaignId, {
      donatedCents: has.donatedCents - had.donatedCents,
      transferredCents: has.transferredCents - had.transferredCents,
      donationCount: has.donationCount - had.donationCount
    })
  ])
}

/** What a donation adds to its campaign. */
function shareOf({ status, amountCents }: DonationRow): Totals {
  const counts = status === 'IN_PROCESS' || status === 'TRANSFERRED'
  return {
    donatedCents: counts ? amountCents : 0,
    transferredCents: status === 'TRANSFERRED' ? amountCents : 0,
    donationCount: counts ? 1 : 0
  }
}

async function recordDonation(
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
