import type { Database } from '#platform/database/database.ts'
import * as news from '../../news/queries.ts'

interface DonationKey {
  campaignId: number
  id: string
}

/** What the donor agreed to receive by email, and when they unsubscribed. */
export async function list(db: Database, donations: DonationKey[]): Promise<object[]> {
  return await news.listOfDonations(db, donations)
}

/** Without the address nothing can be sent, and the consent proves nothing any more: it is deleted. */
export async function erase(tx: Database, donations: DonationKey[]): Promise<number> {
  return await news.removeOfDonations(tx, donations)
}
