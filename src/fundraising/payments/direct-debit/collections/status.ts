import type { Actor } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { IfMatch } from '#platform/http/etag.ts'
import { toLocalDay } from '../../../dates.ts'
import { type Booking, bookDonations } from '../../../donations/booking.ts'
import {
  newCollectedTooEarlyProblem,
  newCollectionOutOfDateProblem,
  newIllegalCollectionStatusProblem,
  newRecallRequiredProblem
} from '../../../problems/direct-debit.ts'
import { lockCollection, recordCollection } from './collection.ts'
import * as collectionItems from './item-queries.ts'
import type { CollectionRow, StoredBlock } from './queries.ts'
import * as collections from './queries.ts'
import { type CollectionChange, nextCollectionStatuses } from './schema.ts'

/** The number of donations booked in one transaction, to keep it short. */
const bookedAtOnce = 100

interface StatusOptions {
  settings: Settings
  now?: Date
}

export async function changeCollection(
  db: Database,
  { by, expected, settings, now = new Date() }: Actor & StatusOptions & { expected: IfMatch },
  id: number,
  change: CollectionChange
): Promise<CollectionRow> {
  if (change.status === 'done') return await finishCollection(db, { by, expected, settings, now }, id)
  return await db.transaction(async tx => {
    const before = await lockCollection(tx, id, expected)
    if (before.status === change.status) return before
    requireNextStatus(before, change)
    if (change.status === 'submitted') {
      const changed = await collectionItems.listChangedReferences(tx, id)
      if (changed.length > 0) throw newCollectionOutOfDateProblem(changed)
    } else {
      if (before.status === 'submitted' && change.recalled !== true) throw newRecallRequiredProblem()
      await collectionItems.releaseItems(tx, id)
    }
    return await applyStatus(tx, { by, now }, id, change)
  })
}

/**
 * Marks the money as received. Many banks book a collection as one sum that no statement can be matched with, so every
 * donation still in process becomes TRANSFERRED; a returned debit fails when the statement reports it. Booked in
 * batches: after an interruption, a repeated request books the rest.
 */
async function finishCollection(
  db: Database,
  { by, expected, settings, now }: Required<Actor & StatusOptions> & { expected: IfMatch },
  id: number
): Promise<CollectionRow> {
  const first = await db.transaction(async tx => await lockCollection(tx, id, expected))
  if (first.status === 'done') return first
  requireNextStatus(first, { status: 'done' })
  if (toLocalDay(now, settings.timezone) < first.collectOn) throw newCollectedTooEarlyProblem(first.collectOn)

  await bookInBatches(db, { by, settings, now }, id, { receivedOn: first.collectOn })
  return await db.transaction(async tx => {
    const before = await lockCollection(tx, id, undefined)
    if (before.status === 'done') return before
    requireNextStatus(before, { status: 'done' })
    return await applyStatus(tx, { by, now }, id, { status: 'done' })
  })
}

/** The credit of one block of the file, or of all, and its day. */
interface Credit {
  receivedOn: string
  block?: StoredBlock
}

/**
 * Books the donations of one block on the bank's day, because the statement shows its credit. The collection is done
 * once none of its donations is in process; a finished one stays unchanged.
 */
export async function creditCollection(
  db: Database,
  { by, settings, now = new Date() }: Actor & StatusOptions,
  id: number,
  credit: Credit
): Promise<CollectionRow> {
  const first = await db.transaction(async tx => await lockCollection(tx, id, undefined))
  if (first.status === 'done') return first
  requireNextStatus(first, { status: 'done' })
  await bookInBatches(db, { by, settings, now }, id, credit)
  return await db.transaction(async tx => {
    const before = await lockCollection(tx, id, undefined)
    if (before.status === 'done') return before
    requireNextStatus(before, { status: 'done' })
    const waiting = await collectionItems.lockStillInProcess(tx, id, 1)
    return waiting.length > 0 ? before : await applyStatus(tx, { by, now }, id, { status: 'done' })
  })
}

async function bookInBatches(
  db: Database,
  { by, settings, now }: Required<Actor & StatusOptions>,
  id: number,
  { receivedOn, block }: Credit
): Promise<void> {
  let booked = bookedAtOnce
  while (booked > 0) {
    booked = await db.transaction(async tx => {
      requireNextStatus(await lockCollection(tx, id, undefined), { status: 'done' })
      const some = await collectionItems.lockStillInProcess(tx, id, bookedAtOnce, block)
      const bookings = some.map((before): Booking => {
        const { amountCents } = before
        const arrival = { amountCents, receivedOn, source: 'direct_debit' as const, collectionId: id }
        return { before, record: [arrival], status: 'TRANSFERRED' }
      })
      await bookDonations(tx, by, bookings, { settings, now })
      return some.length
    })
  }
}

async function applyStatus(
  tx: Database,
  { by, now }: Required<Actor>,
  id: number,
  { status }: CollectionChange
): Promise<CollectionRow> {
  const after = await collections.setStatus(tx, id, status, now)
  await recordCollection(tx, { by, now }, `collection.${status}`, after)
  return after
}

function requireNextStatus({ status: from }: CollectionRow, { status: to }: CollectionChange): void {
  const allowed = nextCollectionStatuses[from]
  if (!allowed.includes(to)) throw newIllegalCollectionStatusProblem(from, to, allowed)
}
