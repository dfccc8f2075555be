import type { Database } from '#platform/database/database.ts'
import * as organisation from '../../organisation/queries.ts'
import * as mandates from '../../payments/direct-debit/mandates/queries.ts'
import { toWire } from '../../payments/direct-debit/mandates/wire.ts'

/** What direct debits know of the people behind some donations: the mandates they gave. */
export async function list(db: Database, donations: { campaignId: number; id: string }[]): Promise<object[]> {
  return (await mandates.listOfDonations(db, donations)).map(toWire)
}

/**
 * Name and account stand with the donation and go with it, so that nothing more can be collected. What was agreed to and when is
 * the proof that a debit was allowed: it is kept for as long as the books are, and removed after that. Answers how many were.
 */
export async function erase(tx: Database, donations: { campaignId: number; id: string }[], now: Date): Promise<number> {
  const { retentionYears } = await organisation.find(tx)
  return await mandates.removeSignedBefore(tx, donations, `${now.getUTCFullYear() - retentionYears}-01-01`)
}
