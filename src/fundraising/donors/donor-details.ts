import type { Database } from '#platform/database/database.ts'
import * as payments from '../donations/payments/queries.ts'
import * as news from '../news/queries.ts'
import * as mandates from '../payments/direct-debit/mandates/queries.ts'
import { newDonorNotFoundProblem } from '../problems/donors.ts'
import * as receipts from '../receipts/queries.ts'
import * as letters from './letter/queries.ts'
import * as donors from './listing/queries.ts'
import { readListedDonors } from './listing/read-listed.ts'
import * as merging from './merging/queries.ts'
import * as notes from './notes/queries.ts'
import type { DonorDetails } from './wire.ts'

/** Suggestions on the page of a donor. */
const duplicatesOfDonorMax = 10

/** Reads all that is known of a donor; a merged donor is found as the donor that it was merged into. */
export async function readDonorDetails(db: Database, id: string): Promise<DonorDetails> {
  const main = await donors.findMain(db, id)
  if (main === undefined) throw newDonorNotFoundProblem()
  const members = await donors.listMembers(db, main.mainId)
  const [[donor], donations, pairs] = await Promise.all([
    donors.listByIds(db, [main.mainId]),
    donors.listDonations(db, members),
    merging.listDuplicatesOf(db, main.mainId, duplicatesOfDonorMax)
  ])
  // All of the donations were deleted.
  if (donor === undefined) throw newDonorNotFoundProblem()
  const keys = donations.map(({ campaignId, id: donationId }) => ({ campaignId, id: donationId }))
  const [years, paid, certified, signed, agreed, written, noted, merges, others] = await Promise.all([
    donors.listYears(db, [main.mainId]),
    payments.listOfDonations(db, keys),
    receipts.listOfDonations(db, keys),
    mandates.listOfDonations(db, keys),
    news.listOfDonations(db, keys),
    letters.listOfDonors(db, members),
    notes.listOfDonors(db, members),
    merging.listOfDonors(db, members),
    readListedDonors(
      db,
      pairs.map(({ otherId }) => otherId)
    )
  ])
  return {
    donor,
    years,
    donations,
    payments: paid.toSorted((one, other) => compareDesc(one.receivedOn + one.id, other.receivedOn + other.id)),
    receipts: certified.toReversed(),
    mandates: signed,
    news: agreed.toReversed(),
    letters: written,
    notes: noted,
    merges,
    duplicates: pairs.flatMap(({ otherId, reasons }) => {
      const other = others.get(otherId)
      return other === undefined ? [] : [{ donor: other, reasons }]
    })
  }
}

const compareDesc = (one: string, other: string) => (one < other ? 1 : one > other ? -1 : 0)
