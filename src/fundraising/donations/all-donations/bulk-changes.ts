import { record } from '#platform/activity/activity.ts'
import type { Caller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { Language } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { toAmount } from '../../money/money.ts'
import { newDonationCountProblem } from '../../problems/common.ts'
import { changeDonation } from '../donation.ts'
import type { DonationChange } from '../schema.ts'
import { type BulkRelease, type BulkResult, type BulkStatusChange, bulkMax, type DonationFilter } from './schema.ts'

/** In which language refusals come, and whether donors are told. */
interface BulkOptions {
  settings: Settings
  language: Language
}

/** Moves each to the status in a transaction of its own, so that one that cannot go there does not hold up the others. */
export async function changeStatuses(
  db: Database,
  by: Caller,
  { donations, ...change }: BulkStatusChange,
  options: BulkOptions
): Promise<BulkResult> {
  return await changeEach(db, by, donations, change, options)
}

/** From then on they count, each for itself. */
export async function releaseDonations(
  db: Database,
  by: Caller,
  { donations }: BulkRelease,
  options: BulkOptions
): Promise<BulkResult> {
  return await changeEach(db, by, donations, { review: 'released' }, options)
}

async function changeEach(
  db: Database,
  by: Caller,
  donations: BulkStatusChange['donations'],
  change: DonationChange,
  { settings, language }: BulkOptions
): Promise<BulkResult> {
  if (donations.length < 1 || donations.length > bulkMax) throw newDonationCountProblem(bulkMax)
  const results: BulkResult['results'] = []
  let changed = 0
  for (const { campaignId, id, version } of donations) {
    try {
      const expected = version === undefined ? undefined : [version]
      const moved = await changeDonation(db, by, { campaignId, id }, change, expected, { settings })
      if (moved.changed) changed += 1
      results.push({ id, ok: true })
    } catch (error) {
      // What is not the donation's fault, such as a database that went away, is an answer to the whole.
      if (!(error instanceof Problem) || error.status >= 500) throw error
      results.push({ id, ok: false, code: error.code, message: error.text[language] })
    }
  }
  return { results, changed }
}

/** Who took the books out of the house, and which part of them; whom they looked for is left out. */
export async function recordExport(
  db: Database,
  by: Caller,
  filter: DonationFilter,
  count: number,
  now = new Date()
): Promise<void> {
  // One by one: what else stood in the address is not ours to keep.
  const { campaignId, status, from, to, search, receiptRequested, minAmount, maxAmount, review } = filter
  const details = {
    count,
    filter: {
      ...{ campaignId, status, from, to, receiptRequested, review },
      searched: search ? true : undefined,
      minAmount: minAmount === undefined ? undefined : toAmount(minAmount),
      maxAmount: maxAmount === undefined ? undefined : toAmount(maxAmount)
    }
  }
  await db.transaction(
    async tx => await record(tx, by, now, 'donation.exported', { subject: 'donation', id: 'all', details })
  )
}
