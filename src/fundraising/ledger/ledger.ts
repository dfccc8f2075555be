import type { Caller } from '#platform/access.ts'
import { record } from '#platform/activity/activity.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import type { Language } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { changeDonation } from '../donations/donation.ts'
import type { DonationChange } from '../donations/schema.ts'
import { toAmount } from '../money.ts'
import { wrongNumberOfDonations } from '../problems.ts'
import { type LedgerFilter, movesMax, type Release, type StatusMove, type StatusMoved } from './schema.ts'

/** In which language refusals come, and whether donors are told. */
interface EachOptions {
  settings: Settings
  language: Language
}

/** Moves each to the status in a transaction of its own, so that one that cannot go there does not hold up the others. */
export async function moveDonations(
  db: Database,
  by: Caller,
  { donations, ...change }: StatusMove,
  options: EachOptions
): Promise<StatusMoved> {
  return await changeEach(db, by, donations, change, options)
}

/** From then on they count, each for itself. */
export async function releaseDonations(
  db: Database,
  by: Caller,
  { donations }: Release,
  options: EachOptions
): Promise<StatusMoved> {
  return await changeEach(db, by, donations, { review: 'released' }, options)
}

async function changeEach(
  db: Database,
  by: Caller,
  donations: StatusMove['donations'],
  change: DonationChange,
  { settings, language }: EachOptions
): Promise<StatusMoved> {
  if (donations.length < 1 || donations.length > movesMax) throw wrongNumberOfDonations(movesMax)
  const results: StatusMoved['results'] = []
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
  filter: LedgerFilter,
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
