import { record } from '#platform/activity/activity.ts'
import type { Actor, Caller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { type Language, pickByLanguage } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { toAmount } from '../../money/money.ts'
import { newDonationCountProblem } from '../../problems/donations.ts'
import { changeDonation } from '../donation.ts'
import type { DonationChange } from '../schema.ts'
import { type BulkRelease, type BulkResult, type BulkStatusChange, bulkMax, type DonationFilter } from './schema.ts'

/** The language of error messages, and whether donors get e-mails. */
interface BulkOptions {
  settings: Settings
  language: Language
}

/** Changes each donation in a transaction of its own, so that one failure does not block the others. */
export async function changeStatuses(
  db: Database,
  by: Caller,
  { donations, ...change }: BulkStatusChange,
  options: BulkOptions
): Promise<BulkResult> {
  return await changeEach(db, { by, ...options }, donations, change)
}

/** Releases each donation in a transaction of its own; released donations count in the totals. */
export async function releaseDonations(
  db: Database,
  by: Caller,
  { donations }: BulkRelease,
  options: BulkOptions
): Promise<BulkResult> {
  return await changeEach(db, { by, ...options }, donations, { review: 'released' })
}

async function changeEach(
  db: Database,
  { by, settings, language }: BulkOptions & { by: Caller },
  donations: BulkStatusChange['donations'],
  change: DonationChange
): Promise<BulkResult> {
  if (donations.length < 1 || donations.length > bulkMax) throw newDonationCountProblem(bulkMax)
  const results: BulkResult['results'] = []
  let changed = 0
  for (const { campaignId, id, version } of donations) {
    try {
      const expected = version === undefined ? undefined : [version]
      const moved = await changeDonation(db, { by, expected, settings }, { campaignId, id }, change)
      if (moved.changed) changed += 1
      results.push({ id, ok: true })
    } catch (error) {
      // An error that the donation did not cause, such as a lost database connection, fails the whole request.
      if (!(error instanceof Problem) || error.status >= 500) throw error
      results.push({ id, ok: false, code: error.code, message: pickByLanguage(error.text, language) })
    }
  }
  return { results, changed }
}

/** Records who exported which part of the donations. The search text is left out because it can name a person. */
export async function recordExport(
  db: Database,
  { by, now = new Date() }: Actor,
  filter: DonationFilter,
  count: number
): Promise<void> {
  // Named one by one, so that unknown query parameters are not stored.
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
    async tx => await record(tx, { by, now }, 'donation.exported', { subject: 'donation', id: 'all', details })
  )
}
