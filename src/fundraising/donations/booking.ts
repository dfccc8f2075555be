import type { Caller } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { newDonationHasReceiptProblem } from '../problems/donations.ts'
import {
  newLaterPaymentsProblem,
  newReceivedTooLargeProblem,
  newRefundAboveReceivedProblem
} from '../problems/payments.ts'
import * as receipts from '../receipts/queries.ts'
import type { DonationRow } from './donation-row.ts'
import { type Arrival, changePayments, getNetCents, MoreThanReceived, type PaymentsAfter } from './payments/payment.ts'
import type { PaymentRow } from './payments/queries.ts'
import * as payments from './payments/queries.ts'
import type { DonationStatus, Review } from './schema.ts'
import { type ChangeOptions, getNextReview, recordChange, settleStatus } from './status-change.ts'
import * as statuses from './status-queries.ts'

/** A change to the payments of a locked donation. */
export interface Booking {
  before: DonationRow
  /** Payments that arrived, or were returned. */
  record?: Arrival[]
  /** Ids of payments that were recorded by mistake. */
  takeBack?: string[]
  /** The requested status; the received money can lead to another one. */
  status?: DonationStatus
  /** The status if no received money is left. */
  statusWithoutMoney?: DonationStatus
  /** The new review state, if requested. */
  review?: Review | null
  /** A bank return is booked even if a receipt certifies the money; treasurers have to withdraw the receipt first. */
  isBankReturn?: boolean
  /** The bank entry that causes the change, or whose booking is undone. */
  entry?: { statementId: number; id: string }
  isUndo?: boolean
}

const receivedMaxCents = 99_999_999_999

/**
 * Records and takes back payments of donations and updates status, totals, history and activity, also if the campaign
 * is closed or deleted. The caller holds the locks and has validated the change.
 */
export async function bookDonations(
  tx: Database,
  by: Caller,
  bookings: Booking[],
  { settings, now }: Required<ChangeOptions>
): Promise<DonationRow[]> {
  if (bookings.length === 0) return []
  const existing = groupByDonation(
    await payments.listOfDonations(
      tx,
      bookings.map(({ before }) => before)
    )
  )
  const planned: PlannedBooking[] = []
  for (const booking of bookings) {
    planned.push(await planBooking(tx, booking, existing.get(toKey(booking.before)) ?? [], { actor: by.name, now }))
  }
  const rows = await statuses.updateReceived(
    tx,
    planned.map(({ booking: { before, review }, status, money }) => ({
      campaignId: before.campaignId,
      id: before.id,
      status,
      review: getNextReview(before, money.receivedCents > 0 ? 'TRANSFERRED' : status, review),
      receivedCents: money.receivedCents,
      receivedOn: money.receivedOn
    })),
    now
  )
  // Before the update and the inserts: the payment of an entry can replace one that is taken back here.
  await payments.setTakenBack(
    tx,
    planned.flatMap(({ money }) => money.takenBack),
    by.name,
    now
  )
  const contested = planned.flatMap(({ money }) => money.contestedReceipts)
  await Promise.all([
    payments.update(
      tx,
      planned.flatMap(({ money, linked }) => [...money.updated, ...linked])
    ),
    payments.insert(
      tx,
      planned.flatMap(({ money }) => money.inserted)
    ),
    contested.length === 0 ? undefined : receipts.setNeedsWithdrawal(tx, contested)
  ])
  const afterOf = new Map(rows.map(row => [toKey(row), row]))
  const pairs = planned.map(({ booking }) => {
    const row = afterOf.get(toKey(booking.before))
    if (row === undefined) throw new Error(`Donation ${booking.before.id} was locked but not found.`)
    return { booking, row }
  })
  // Sent together, because these statements do not depend on each other.
  await Promise.all(
    pairs.map(async ({ booking: { before, entry, isUndo = false }, row }) =>
      recordChange(tx, { by, settings, now, entry, isUndo }, before, row)
    )
  )
  return pairs.map(({ row }) => row)
}

interface PlannedBooking {
  booking: Booking
  status: DonationStatus
  money: PaymentsAfter
  /** Certified payments that match the bank entry exactly, so they are only linked with it. */
  linked: PaymentRow[]
}

async function planBooking(
  tx: Database,
  booking: Booking,
  existing: PaymentRow[],
  { actor, now }: { actor: string; now: Date }
): Promise<PlannedBooking> {
  const { before } = booking
  const { record, takeBack, linked } = replaceManual(booking, existing)
  refuseIfSentBack(existing, takeBack)
  const receiptInTheWay = existing.some(one => takeBack.includes(one.id) && one.certifiedCents > 0)
  if (receiptInTheWay) throw await findReceiptProblem(tx, before)
  const context = { actor, now, donationVersion: before.version + 1, statusBefore: before.status }
  const money = computePayments({ donation: before, payments: existing, record, takeBack, context })
  if (money.contestedReceipts.length > 0 && booking.isBankReturn !== true) throw await findReceiptProblem(tx, before)
  if (money.receivedCents > receivedMaxCents) throw newReceivedTooLargeProblem()
  const isEmpty = money.receivedCents === 0
  const wanted = (isEmpty ? booking.statusWithoutMoney : undefined) ?? booking.status ?? before.status
  return { booking, money, linked, status: settleStatus(wanted, before.amountCents, money.receivedCents) }
}

/** A payment whose money an entry returned cannot be taken back; the return is undone at its own statement first. */
function refuseIfSentBack(existing: PaymentRow[], takeBack: string[]): void {
  const sentBack = existing.find(
    one =>
      one.reverses !== null && one.entryId !== null && takeBack.includes(one.reverses) && !takeBack.includes(one.id)
  )
  if (sentBack !== undefined) throw newLaterPaymentsProblem(sentBack.receivedOn)
}

function computePayments(change: Parameters<typeof changePayments>[0]): PaymentsAfter {
  try {
    return changePayments(change)
  } catch (error) {
    if (error instanceof MoreThanReceived) throw newRefundAboveReceivedProblem(error.receivedCents)
    throw error
  }
}

/**
 * A bank entry replaces the manual payment of the same donation, so that the bank's day and amount count and nothing is
 * counted twice. Cash and collected debits are replaced if the amount is the same. A certified payment is only linked
 * with the entry, if amount and day match.
 */
function replaceManual(
  { record = [], takeBack = [], entry }: Booking,
  existing: PaymentRow[]
): { record: Arrival[]; takeBack: string[]; linked: PaymentRow[] } {
  const [arrival, ...others] = record.filter(one => one.source === 'bank_entry' && one.amountCents > 0)
  if (arrival === undefined || others.length > 0) return { record, takeBack, linked: [] }
  const open = existing.filter(one => getNetCents(one) > 0 && one.returnedCents === 0 && !takeBack.includes(one.id))
  const isReplaced = (one: PaymentRow) =>
    one.source === 'manual' ||
    (['cash', 'direct_debit'].includes(one.source) && one.amountCents === arrival.amountCents)
  const [first, ...more] = open.filter(isReplaced)
  if (first === undefined) return { record, takeBack, linked: [] }
  const isSame = first.amountCents === arrival.amountCents && first.receivedOn === arrival.receivedOn
  if (first.certifiedCents > 0 && more.length === 0 && isSame && entry !== undefined) {
    const linked = { ...first, source: 'bank_entry' as const, statementId: entry.statementId, entryId: entry.id }
    return { record: record.filter(one => one !== arrival), takeBack, linked: [{ ...linked, isAssumed: false }] }
  }
  return { record, takeBack: [...takeBack, ...[first, ...more].map(one => one.id)], linked: [] }
}

async function findReceiptProblem(tx: Database, donation: DonationRow): Promise<Error> {
  const receipt = await receipts.findLiveReceipt(tx, donation)
  return receipt === undefined
    ? new Error(`A receipt certifies a payment of donation ${donation.id} and is not live.`)
    : newDonationHasReceiptProblem(receipt.number)
}

const toKey = ({ campaignId, id }: { campaignId: number; id: string }) => `${campaignId} ${id}`

function groupByDonation(rows: PaymentRow[]): Map<string, PaymentRow[]> {
  const groups = new Map<string, PaymentRow[]>()
  for (const row of rows) {
    const key = toKey({ campaignId: row.campaignId, id: row.donationId })
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return groups
}
