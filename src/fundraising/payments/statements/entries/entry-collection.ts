import type { Database } from '#platform/database/database.ts'
import {
  newEntryAssignedProblem,
  newEntryCollectionNotFoundProblem,
  newEntryNotAssignableProblem
} from '../../../problems/statements.ts'
import * as collections from '../../direct-debit/collections/queries.ts'
import { creditCollection } from '../../direct-debit/collections/status.ts'
import type { EntryRow } from '../entry-queries.ts'
import * as entries from '../entry-queries.ts'
import type { Reason } from '../matching/reasons.ts'
import type { DecisionContext } from './entry.ts'

/** Links an entry as the credit of a collection, even if the amount differs. The caller holds the entry's lock. */
export async function linkCollection(
  tx: Database,
  { by, settings, now, today }: DecisionContext,
  entry: EntryRow,
  collectionId: number
): Promise<EntryRow> {
  if (entry.result === 'known' || entry.isPending || entry.amountCents === 0 || entry.direction === 'out') {
    throw newEntryNotAssignableProblem(entry.result)
  }
  if (entry.donationId !== null) throw newEntryAssignedProblem()
  if (entry.result === 'booked' && entry.collectionId === collectionId) return entry
  const collection = await collections.find(tx, collectionId)
  if (collection === undefined) throw newEntryCollectionNotFoundProblem()
  const own = collection.blocks.find(({ account }) => account === entry.account)
  const receivedOn = entry.bookedOn ?? entry.valueOn ?? today
  const credit = { receivedOn, ...(own === undefined ? {} : { account: own.account }) }
  await creditCollection(tx, { by, settings, now }, collectionId, credit)
  return await entries.updateEntry(tx, {
    ...entry,
    result: 'booked',
    reason: 'collection-credit' satisfies Reason,
    collectionId,
    ruleId: null
  })
}
