import type { Database } from '#platform/database/database.ts'
import * as organisation from '../../organisation/queries.ts'
import * as mandates from '../../payments/direct-debit/mandates/queries.ts'
import { toWire } from '../../payments/direct-debit/mandates/wire.ts'

/** The mandates of the people behind the donations. */
export async function list(db: Database, donations: { campaignId: number; id: string }[]): Promise<object[]> {
  return (await mandates.listOfDonations(db, donations)).map(toWire)
}

/**
 * Name and IBAN are stored with the donation and erased with it, so nothing can be collected any more. The mandate text
 * and its date prove that the debit was authorised: they are kept for the retention period of the books, then deleted.
 * Returns the number of deleted mandates.
 */
export async function erase(tx: Database, donations: { campaignId: number; id: string }[], now: Date): Promise<number> {
  const { retentionYears } = await organisation.find(tx)
  return await mandates.removeSignedBefore(tx, donations, `${now.getUTCFullYear() - retentionYears}-01-01`)
}
