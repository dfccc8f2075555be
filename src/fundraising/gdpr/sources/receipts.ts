import type { Database } from '#platform/database/database.ts'
import { toAmount } from '../../money/money.ts'
import * as organisation from '../../organisation/queries.ts'
import * as receipts from '../../receipts/queries.ts'

interface DonationKey {
  campaignId: number
  id: string
}

/** The receipts that certify or certified donations, as they are handed out to the person whom they name. */
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
 * Erases whom receipts name, and their files, once the law does not want them kept any more; numbers and amounts stay, so that
 * the years have no gaps. Answers how many it were.
 */
export async function erase(tx: Database, donations: DonationKey[], now: Date): Promise<number> {
  const { retentionYears } = await organisation.find(tx)
  // What was issued in the year before it has been kept for whole years after the end of its own.
  return await receipts.eraseForDonations(tx, donations, { beforeYear: now.getUTCFullYear() - retentionYears, now })
}

/** How many are forgotten in one transaction, and how many transactions a run has: what is left over waits a day. */
const batchSize = 200
const roundsMax = 50

/** Every receipt whose time is over, also of donors who were erased before. */
export async function eraseOldReceipts(
  db: Database,
  { now = new Date(), stopping }: { now?: Date; stopping?: AbortSignal | undefined } = {}
): Promise<void> {
  const { retentionYears } = await organisation.find(db)
  const beforeYear = now.getUTCFullYear() - retentionYears
  for (let round = 0; round < roundsMax && stopping?.aborted !== true; round += 1) {
    const forgotten = await receipts.eraseBatch(db, { beforeYear, now, rows: batchSize })
    if (forgotten < batchSize) return
  }
}
