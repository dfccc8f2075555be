import type { Caller } from '#platform/access.ts'
import { type IfMatch, refuseStale } from '#platform/conditional.ts'
import type { Database } from '#platform/database.ts'
import { dayOf } from '../days.ts'
import {
  donationTakesNoPayments,
  paymentBelongsToEntry,
  paymentIsZero,
  paymentNotFound,
  paymentsRestOnIt,
  paymentWasCollected,
  receivedInFuture
} from '../payment-problems.ts'
import type { Arrival } from '../payments/payment.ts'
import type { PaymentRow } from '../payments/queries.ts'
import * as payments from '../payments/queries.ts'
import type { NewPayment } from '../payments/schema.ts'
import { bookDonations } from './booking.ts'
import { lockDonation } from './donation.ts'
import type { DonationRow } from './queries.ts'
import type { DonationStatus } from './schema.ts'
import type { ChangeOptions } from './status-change.ts'
import { type StatusChange, setUndone } from './status-queries.ts'

interface OneDonation {
  campaignId: number
  id: string
}

type Options = ChangeOptions & { expected?: IfMatch }

/** Records that money arrived, or went back, as a treasurer says. */
export async function recordPayment(
  db: Database,
  by: Caller,
  { campaignId, id }: OneDonation,
  { amount, receivedOn, source = 'manual', accept = false }: NewPayment,
  { settings, expected, now = new Date() }: Options
): Promise<DonationRow> {
  if (amount === 0) throw paymentIsZero()
  return await db.transaction(async tx => {
    const before = await lockDonation(tx, campaignId, id)
    refuseStale(expected, before.version)
    if (before.status !== 'IN_PROCESS' && before.status !== 'TRANSFERRED') throw donationTakesNoPayments(before.status)
    const today = dayOf(now, settings.timezone)
    if (receivedOn !== undefined && receivedOn > today) throw receivedInFuture(today)
    const arrival: Arrival = {
      amountCents: amount,
      receivedOn: receivedOn ?? today,
      source: amount > 0 ? source : 'correction'
    }
    const [row] = await bookDonations(
      tx,
      by,
      [
        {
          before,
          record: [arrival],
          ...(accept && amount > 0 ? { status: 'TRANSFERRED' as const } : {}),
          ...(before.status === 'TRANSFERRED' ? { statusWithoutMoney: 'REFUNDED' as const } : {})
        }
      ],
      { settings, now }
    )
    if (row === undefined) throw new Error('A donation is booked as one.')
    return row
  })
}

/** Takes back a payment that a treasurer recorded by mistake; the donation is what its other payments make it. */
export async function takeBackPayment(
  db: Database,
  by: Caller,
  { campaignId, id }: OneDonation,
  paymentId: string,
  { settings, expected, now = new Date() }: Options
): Promise<DonationRow> {
  return await db.transaction(async tx => {
    const before = await lockDonation(tx, campaignId, id)
    refuseStale(expected, before.version)
    const payment = (await payments.listOfDonations(tx, [before])).find(one => one.id === paymentId)
    if (payment === undefined) throw paymentNotFound()
    refuseUnlessByHand(payment)
    const status = payment.statusBefore as DonationStatus
    const booking = { before, takeBack: [paymentId], status, isUndo: true }
    const [row] = await bookDonations(tx, by, [booking], { settings, now })
    if (row === undefined) throw new Error('A donation is booked as one.')
    await setUndone(tx, row, payment.donationVersion, row.version)
    return row
  })
}

/** Takes back a change of status that no bank entry made, with the payments that it recorded. */
export async function undoStatusChange(
  tx: Database,
  by: Caller,
  before: DonationRow,
  change: StatusChange,
  { settings, now }: Required<ChangeOptions>
): Promise<DonationRow> {
  const all = await payments.listOfDonations(tx, [before])
  const own = all.filter(one => one.donationVersion === change.number)
  for (const payment of own) refuseUnlessByHand(payment)
  const later = all.find(one => one.donationVersion > change.number)
  if (later !== undefined) throw paymentsRestOnIt(later.receivedOn)
  const status = change.statusBefore ?? 'IN_PROCESS'
  const booking = { before, takeBack: own.map(one => one.id), status, isUndo: true }
  const [row] = await bookDonations(tx, by, [booking], { settings, now })
  if (row === undefined) throw new Error('A donation is booked as one.')
  await setUndone(tx, row, change.number, row.version)
  return row
}

function refuseUnlessByHand({ statementId, collectionId }: PaymentRow): void {
  if (statementId !== null) throw paymentBelongsToEntry(statementId)
  if (collectionId !== null) throw paymentWasCollected(collectionId)
}
