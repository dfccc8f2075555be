import type { Caller } from '#platform/access.ts'
import type { Database } from '#platform/database.ts'
import * as receipts from '../receipts/queries.ts'
import { type MoveOptions, moved, reviewAfter } from './donation.ts'
import type { DonationRow } from './queries.ts'
import type { DonationStatus } from './schema.ts'
import * as statuses from './status-queries.ts'

/** A donation that is locked, and what the bank says has become of it. */
export interface BankMove {
  before: DonationRow
  to: DonationStatus
  /** When the money moved, where the bank says so. */
  day: string | null
}

/**
 * Moves donations to where their money is, however their campaign has gone on: history, totals and record follow as if
 * somebody had done it by hand. Whoever calls has decided that the move is right; see docs/decisions/0032.
 */
export async function bookDonations(
  tx: Database,
  by: Caller,
  moves: BankMove[],
  { settings, now }: Required<MoveOptions>
): Promise<DonationRow[]> {
  if (moves.length === 0) return []
  const after = await statuses.setStatuses(
    tx,
    moves.map(({ before: { campaignId, id, review }, to }) => ({
      ...{ campaignId, id, status: to },
      review: reviewAfter({ review }, to)
    })),
    now
  )
  const afterOf = new Map(after.map(row => [`${row.campaignId} ${row.id}`, row]))
  const pairs = moves.map(({ before, day }) => {
    const row = afterOf.get(`${before.campaignId} ${before.id}`)
    if (row === undefined) throw new Error(`Donation ${before.id} was locked and is gone.`)
    return { before, day, row }
  })
  const failed = pairs.filter(({ before, row }) => before.status === 'TRANSFERRED' && row.status === 'FAILED')
  if (failed.length > 0)
    await receipts.setNeedsWithdrawal(
      tx,
      failed.map(({ row }) => row)
    )
  // Sent together: none needs the answer of another.
  await Promise.all(pairs.map(({ before, row }) => moved(tx, by, { settings, now }, before, row)))
  await statuses.setDays(
    tx,
    pairs.flatMap(({ row: { campaignId, id, version }, day }) =>
      day === null ? [] : [{ campaignId, id, number: version, day }]
    )
  )
  return pairs.map(({ row }) => row)
}
