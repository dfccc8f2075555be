import type { Actor } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import { toLocalDay } from '../dates.ts'
import {
  newDonationTakesNoPaymentsProblem,
  newLaterPaymentsProblem,
  newPaymentNotFoundProblem,
  newPaymentOfBankEntryProblem,
  newPaymentOfCollectionProblem,
  newReceivedInFutureProblem,
  newZeroPaymentProblem
} from '../problems/payments.ts'
import { bookDonations } from './booking.ts'
import { lockDonation } from './donation.ts'
import type { DonationRow } from './donation-row.ts'
import type { Arrival } from './payments/payment.ts'
import type { PaymentRow } from './payments/queries.ts'
import * as payments from './payments/queries.ts'
import type { NewPayment } from './payments/schema.ts'
import type { DonationStatus } from './schema.ts'
import type { ChangeOptions } from './status-change.ts'
import { type StatusChange, setUndone } from './status-queries.ts'

interface DonationKey {
  campaignId: number
  id: string
}

type PaymentOptions = ChangeOptions & { expected?: IfMatch }

/** Records a payment or a refund entered by a treasurer. */
export async function recordPayment(
  db: Database,
  { by, settings, expected, now = new Date() }: Actor & PaymentOptions,
  { campaignId, id }: DonationKey,
  { amount, receivedOn, source = 'manual', accept = false }: NewPayment
): Promise<DonationRow> {
  if (amount === 0) throw newZeroPaymentProblem()
  return await db.transaction(async tx => {
    const before = await lockDonation(tx, campaignId, id)
    requireVersion(expected, before.version)
    if (before.status !== 'IN_PROCESS' && before.status !== 'TRANSFERRED')
      throw newDonationTakesNoPaymentsProblem(before.status)
    const today = toLocalDay(now, settings.timezone)
    if (receivedOn !== undefined && receivedOn > today) throw newReceivedInFutureProblem(today)
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
    if (row === undefined) throw new Error('Booking returned no donation.')
    return row
  })
}

/** Takes back a payment recorded by mistake; the other payments determine the status of the donation. */
export async function takeBackPayment(
  db: Database,
  { by, settings, expected, now = new Date() }: Actor & PaymentOptions,
  { campaignId, id }: DonationKey,
  paymentId: string
): Promise<DonationRow> {
  return await db.transaction(async tx => {
    const before = await lockDonation(tx, campaignId, id)
    requireVersion(expected, before.version)
    const payment = (await payments.listOfDonations(tx, [before])).find(one => one.id === paymentId)
    if (payment === undefined) throw newPaymentNotFoundProblem()
    refuseUnlessByHand(payment)
    const status = payment.statusBefore as DonationStatus
    const booking = { before, takeBack: [paymentId], status, isUndo: true }
    const [row] = await bookDonations(tx, by, [booking], { settings, now })
    if (row === undefined) throw new Error('Booking returned no donation.')
    await setUndone(tx, row, payment.donationVersion, row.version)
    return row
  })
}

/** Undoes a status change that no bank entry caused, with the payments it recorded. */
export async function undoStatusChange(
  tx: Database,
  { by, settings, now }: Required<Actor & ChangeOptions>,
  before: DonationRow,
  change: StatusChange
): Promise<DonationRow> {
  const all = await payments.listOfDonations(tx, [before])
  const own = all.filter(one => one.donationVersion === change.number)
  for (const payment of own) refuseUnlessByHand(payment)
  const later = all.find(one => one.donationVersion > change.number)
  if (later !== undefined) throw newLaterPaymentsProblem(later.receivedOn)
  const status = change.statusBefore ?? 'IN_PROCESS'
  const booking = { before, takeBack: own.map(one => one.id), status, isUndo: true }
  const [row] = await bookDonations(tx, by, [booking], { settings, now })
  if (row === undefined) throw new Error('Booking returned no donation.')
  await setUndone(tx, row, change.number, row.version)
  return row
}

function refuseUnlessByHand({ statementId, collectionId }: PaymentRow): void {
  if (statementId !== null) throw newPaymentOfBankEntryProblem(statementId)
  if (collectionId !== null) throw newPaymentOfCollectionProblem(collectionId)
}
