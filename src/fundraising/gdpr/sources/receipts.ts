import type { Database } from '#platform/database/database.ts'
import { toAmount } from '../../money/money.ts'
import * as organisation from '../../organisation/queries.ts'
import * as receiptErasure from '../../receipts/erasure-queries.ts'
import * as receipts from '../../receipts/queries.ts'

interface DonationKey {
  campaignId: number
  id: string
}

/** Receipts that certify or certified the donations, for the export to the person named on them. */
export async function list(db: Database, donations: DonationKey[]): Promise<object[]> {
  const rows = await receipts.listOfDonations(db, donations)
  return rows.map(({ number, kind, state, issuedOn, amountCents, currency, content, withdrawnReason }) => ({
    number,
    kind,
    state,
    issuedOn,
    amount: toAmount(amountCents),
    currency,
    donor: content.donor,
    period: content.period,
    donations: content.donations.map(({ reference, receivedOn, amountCents: cents }) => ({
      reference,
      receivedOn,
      amount: toAmount(cents)
    })),
    withdrawnReason
  }))
}

/**
 * Erases donor and file of receipts whose retention period is over; numbers and amounts stay, so that the years have no
 * gaps. Returns the number of receipts.
 */
export async function erase(tx: Database, donations: DonationKey[], now: Date): Promise<number> {
  const { retentionYears } = await organisation.find(tx)
  // Retention counts whole years after the end of the year, so everything issued before this year has expired.
  return await receiptErasure.eraseForDonations(tx, donations, {
    beforeYear: now.getUTCFullYear() - retentionYears,
    now
  })
}

/** Receipts per transaction, and transactions per run; the rest waits for the next day. */
const batchSize = 200
const roundsMax = 50

/** Erases every expired receipt, also those of donors who were erased before. */
export async function eraseOldReceipts(
  db: Database,
  { now = new Date(), stopping }: { now?: Date; stopping?: AbortSignal | undefined } = {}
): Promise<void> {
  const { retentionYears } = await organisation.find(db)
  const beforeYear = now.getUTCFullYear() - retentionYears
  for (let round = 0; round < roundsMax && stopping?.aborted !== true; round += 1) {
    const erased = await receiptErasure.eraseBatch(db, { beforeYear, now, rows: batchSize })
    if (erased < batchSize) return
  }
}
