import { toSingleLineText } from '#platform/rich-text/html.ts'
import { type Counts, type ImportRow, noCounts, type Outcome } from '../schema.ts'
import type { Reason } from '../sources/reason.ts'
import type { Incoming } from '../sources/source.ts'
import { type BatchContext, buildSourceKey, buildStateKey } from './batch-context.ts'
import type { ImportRun } from './import-run.ts'
import type * as journal from './undo-log.ts'
import type { ImportedItem } from './undo-log.ts'

export function countOutcomes(rows: ImportRow[]): Counts {
  const counts = { ...noCounts }
  for (const { outcome } of rows) counts[outcome] += 1
  return counts
}

/** An item and its outcome. */
export interface ItemResult {
  item: Incoming
  outcome: Outcome
  reasons: Reason[]
  itemId: number | null
  change?: 'made' | 'changed' | 'recognised'
  hash?: Buffer
}

const titleLengthMax = 200

export function buildRows(run: ImportRun, done: ItemResult[]): ImportRow[] {
  return done.map(({ item, outcome, reasons: why, itemId, change: what }, place) => ({
    position: run.position + place + 1,
    kind: item.kind,
    sourceId: item.sourceId,
    title: getTitle(item),
    outcome,
    reasons: why,
    // The rollback of a dry run removed the created item.
    itemId: run.dryRun && what === 'made' ? null : itemId,
    sourceUrl: item.url ?? null,
    differences: []
  }))
}

export function getTitle({ texts }: Incoming): string {
  const { title = '' } = Object.values(texts)[0] ?? {}
  return toSingleLineText(title).slice(0, titleLengthMax).toWellFormed()
}

export function buildChanges(
  run: ImportRun,
  done: ItemResult[],
  about: BatchContext,
  versions: Map<string, number>
): journal.ImportChange[] {
  return done
    .flatMap(({ item, itemId, change: what }) =>
      what === undefined || itemId === null ? [] : [{ item, itemId, what }]
    )
    .map(({ item, itemId, what }, place) => ({
      number: run.number + place + 1,
      change: what,
      kind: item.kind,
      itemId,
      sourceId: item.sourceId,
      version: versions.get(buildStateKey(item.kind, itemId)) ?? 0,
      before: what === 'changed' ? (about.befores.get(buildStateKey(item.kind, itemId)) ?? null) : null,
      known: about.known.get(buildSourceKey(item)) ?? null
    }))
}

export function buildImportedItems(done: ItemResult[], versions: Map<string, number>): ImportedItem[] {
  return done.flatMap(({ item, itemId, change: what, hash }) =>
    itemId === null || hash === undefined
      ? []
      : [
          {
            kind: item.kind,
            sourceId: item.sourceId,
            itemId,
            hash,
            version: what === 'recognised' ? 0 : (versions.get(buildStateKey(item.kind, itemId)) ?? 0)
          }
        ]
  )
}
