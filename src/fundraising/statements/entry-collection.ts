import type { Database } from '#platform/database.ts'
import * as collections from '../direct-debit/collections/queries.ts'
import { creditCollection } from '../direct-debit/collections/steps.ts'
import { entryCannotBeAssigned, entryIsAssigned } from '../problems.ts'
import { noSuchCollectionForEntry } from '../statement-problems.ts'
import type { Deciding } from './entry.ts'
import type { EntryRow } from './entry-queries.ts'
import * as entries from './entry-queries.ts'
import type { Reason } from './matching/reasons.ts'

/** Says that an entry is the credit of a direct debit collection, also if the amount differs. The caller holds the entry's lock. */
export async function linkCollection(
  tx: Database,
  { by, settings, now, today }: Deciding,
  entry: EntryRow,
  collectionId: number
): Promise<EntryRow> {
  if (entry.result === 'known' || entry.isPending || entry.amountCents === 0 || entry.direction === 'out') {
    throw entryCannotBeAssigned(entry.result)
  }
  if (entry.donationId !== null) throw entryIsAssigned()
  if (entry.result === 'booked' && entry.collectionId === collectionId) return entry
  const collection = await collections.find(tx, collectionId)
  if (collection === undefined) throw noSuchCollectionForEntry()
  const own = collection.blocks.find(({ account }) => account === entry.account)
  const receivedOn = entry.bookedOn ?? entry.valueOn ?? today
  const credit = { receivedOn, ...(own === undefined ? {} : { account: own.account }) }
  await creditCollection(tx, by, collectionId, credit, { settings, now })
  return await entries.updateEntry(tx, {
    ...entry,
    result: 'booked',
    reason: 'collection-credit' satisfies Reason,
    collectionId,
    ruleId: null
  })
}
