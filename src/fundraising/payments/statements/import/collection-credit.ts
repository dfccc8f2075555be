import type { Caller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { buildText } from '#platform/messages/messages.ts'
import { toLocalDay } from '../../../dates.ts'
import { toAmount } from '../../../money/money.ts'
import type { CollectionRow, StoredBlock } from '../../direct-debit/collections/queries.ts'
import * as collections from '../../direct-debit/collections/queries.ts'
import { creditCollection } from '../../direct-debit/collections/status.ts'
import { listCredited } from '../entries/payer-queries.ts'
import type { Decision } from '../matching/matching.ts'
import type { Entry, EntryProblem } from '../parsers/parsed-entry.ts'

interface ImportContext {
  by: Caller
  settings: Settings
  now: Date
}

/** An entry whose payment information id is that of a block in one of our direct debit files. */
interface Credit {
  entry: Entry
  collection: CollectionRow
  block: StoredBlock
}

const isCredit = (entry: Entry) =>
  entry.direction === 'in' && !entry.isReturn && !entry.isPending && entry.problems.length === 0

/** Collections are always in euros. */
const isWhole = ({ entry, block }: Credit) => entry.currency === 'EUR' && entry.amountCents === block.amountCents

/** The payment information id of a block is the message id and the block number: see direct-debit/pain008.ts. */
async function listCredits(db: Database, entries: Entry[]): Promise<Credit[]> {
  const named = entries.filter(isCredit).flatMap(entry => {
    const [, messageId, number] = /^(.+)-(\d{1,4})$/.exec(entry.paymentInformationId ?? '') ?? []
    return messageId === undefined ? [] : [{ entry, messageId, number: Number(number) }]
  })
  const found = await collections.listByMessageIds(db, [...new Set(named.map(({ messageId }) => messageId))])
  return named.flatMap(({ entry, messageId, number }): Credit[] => {
    const collection = found.find(one => one.messageId === messageId)
    const block = collection?.blocks[number - 1]
    return collection === undefined || block === undefined ? [] : [{ entry, collection, block }]
  })
}

/**
 * Books the donations of blocks whose credit the statement shows, on the bank's day. Runs in batches before the entries
 * are inserted: a large collection does not fit into their transaction, and a repeated import finds it done.
 */
export async function creditCollections(
  db: Database,
  { by, settings, now }: ImportContext,
  entries: Entry[]
): Promise<void> {
  const credits = (await listCredits(db, entries)).filter(isWhole)
  const today = toLocalDay(now, settings.timezone)
  for (const { entry, collection, block } of credits) {
    if (collection.status !== 'submitted') continue
    const receivedOn = getDay(entry.bookedOn) ?? getDay(entry.valueOn) ?? today
    await creditCollection(db, { by, settings, now }, collection.id, { block, receivedOn })
  }
}

const getDay = (day: string | null) => (day !== null && /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined)

/** Books the credit of a block for the collection. An entry that names a donation is left alone. */
export async function decideCredits(tx: Database, entries: Entry[], decisions: Decision[]): Promise<void> {
  const credits = await listCredits(tx, entries)
  const credited = new Set(
    (
      await listCredited(
        tx,
        credits.map(({ collection }) => collection.id)
      )
    ).map(({ collectionId, paymentInformationId }) => `${collectionId} ${paymentInformationId}`)
  )
  for (const credit of credits) {
    const decision = decisions[entries.indexOf(credit.entry)]
    if (decision === undefined || decision.donation !== null) continue
    if (decision.suggestions.some(({ by }) => by === 'reference')) continue
    const key = `${credit.collection.id} ${credit.entry.paymentInformationId}`
    const doubt = findProblem(credit, credited.has(key))
    if (doubt === undefined) credited.add(key)
    decision.result = doubt === undefined ? 'booked' : 'suggested'
    decision.suggestions = []
    decision.problem = doubt ?? null
    decision.reason = doubt === undefined ? 'collection-credit' : null
    decision.collectionId = credit.collection.id
  }
}

function findProblem(credit: Credit, isCredited: boolean): EntryProblem | undefined {
  const { entry, collection, block } = credit
  const { id, status } = collection
  if (isCredited) {
    return {
      code: 'collection-credited',
      message: buildText('matching-reasons', 'collectionCredited', { id })
    }
  }
  if (!isWhole(credit)) {
    const difference = formatAmount(Math.abs(entry.amountCents - block.amountCents))
    const isLess = entry.amountCents < block.amountCents
    const [come, due] = [formatAmount(entry.amountCents), formatAmount(block.amountCents)]
    return {
      code: 'collection-differs',
      message: buildText('matching-reasons', 'collectionDiffers', { isLess, id, come, due, difference })
    }
  }
  if (status === 'submitted' || status === 'done') return undefined
  return {
    code: 'collection-not-submitted',
    message:
      status === 'cancelled'
        ? buildText('matching-reasons', 'collectionCancelled', { id })
        : buildText('matching-reasons', 'collectionNotSubmitted', { id })
  }
}

const formatAmount = (cents: number) => toAmount(cents).toFixed(2)
