import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { toAmount } from '../../../money/money.ts'
import type { CollectionItemRow } from './item-queries.ts'
import type { CollectionRow, Preview, SkippedDonations, StoredBlock } from './queries.ts'
import {
  type CollectedDonation,
  type Collection,
  type CollectionPreview,
  nextCollectionStatuses,
  type Warning
} from './schema.ts'

/** `changed` are references of donations that changed since the file was created. */
export function toWire(row: CollectionRow, language: Language, changed: string[] = []): Collection {
  const warnings = [
    ...toOutOfDateWarning(changed),
    ...row.skipped,
    ...toNotNotifiedWarning(row.count - row.notifiedCount)
  ]
  return {
    id: row.id,
    status: row.status,
    nextStatuses: [...nextCollectionStatuses[row.status]],
    collectOn: row.collectOn,
    count: row.count,
    amount: toAmount(row.amountCents),
    currency: 'EUR',
    messageId: row.messageId,
    batchBooking: row.batchBooking,
    blocks: row.blocks.map(toBlockJson),
    warnings: warnings.map(one => toWarning(language, one)),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    by: row.actor
  }
}

export function toPreviewJson(
  { blocks, skipped, notNotifiedCount, earliestOn }: Preview,
  language: Language
): CollectionPreview {
  return {
    count: blocks.reduce((sum, { count }) => sum + count, 0),
    amount: toAmount(blocks.reduce((sum, { amountCents }) => sum + amountCents, 0)),
    currency: 'EUR',
    earliestOn,
    blocks: blocks.map(toBlockJson),
    warnings: [...skipped, ...toNotNotifiedWarning(notNotifiedCount)].map(one => toWarning(language, one))
  }
}

export function toItemJson({ amountCents, ...row }: CollectionItemRow): CollectedDonation {
  return { ...row, amount: toAmount(amountCents) }
}

/** Collections from before one-off mandates have no sequence type: it was RCUR. */
const toBlockJson = ({ account, sequenceType = 'RCUR', count, amountCents }: StoredBlock) => ({
  account,
  sequenceType,
  count,
  amount: toAmount(amountCents)
})

const toNotNotifiedWarning = (count: number): SkippedDonations[] =>
  count === 0 ? [] : [{ code: 'not-told', count, references: [] }]

const toOutOfDateWarning = (references: string[]): SkippedDonations[] =>
  references.length === 0
    ? []
    : [{ code: 'out-of-date', count: references.length, references: references.slice(0, 20) }]

/** Each sentence works for one donation and for many. */
function toWarning(language: Language, { code, count, references }: SkippedDonations): Warning {
  return { code, message: getMessages('collection-warnings', language)[code], count, references }
}
