import type { Database } from '#platform/database/database.ts'
import { orderTexts } from '../../imports/runner/batch.ts'
import { findLinkableIds } from '../../imports/runner/batch-context.ts'
import { chooseAction, hashItem, type ImageCopies } from '../../imports/runner/conflict-policy.ts'
import { copyImages, type ImageFetchState } from '../../imports/runner/images.ts'
import { listImages } from '../../imports/runner/inline-images.ts'
import { listReferences, resolveReferences } from '../../imports/runner/references.ts'
import type { ImportedItem, ItemState } from '../../imports/runner/undo-log.ts'
import * as imported from '../../imports/runner/undo-log.ts'
import { createItem, updateItem } from '../../imports/runner/write-item.ts'
import { runInSavepoint } from '../../imports/runner/write-mode.ts'
import { type Incoming, itemKinds } from '../../imports/sources/source.ts'
import * as runs from '../run-queries.ts'
import type { SubscriptionRow } from '../schema.ts'
import { buildRow, type RefreshRun, requireLease, toImageTarget } from './refresh-run.ts'

const batchMax = 25

const toKey = ({ kind, sourceId }: { kind: string; sourceId: string }) => `${kind} ${sourceId}`

/**
 * Writes the venues, organizers and terms of the source's events. Items that were edited here are kept, as in an
 * import. Reports only rejected items.
 */
export async function writeLinkedItems(
  db: Database,
  run: RefreshRun,
  items: Incoming[],
  { memory, signal }: { memory: ImageFetchState; signal: AbortSignal }
): Promise<void> {
  for (let first = 0; first < items.length; first += batchMax) {
    signal.throwIfAborted()
    const batch = items.slice(first, first + batchMax)
    const copies = await copyChangedImages(db, run, batch, memory)
    await db.transaction(async tx => {
      await requireLease(tx, run)
      await writeBatch(tx, run, batch, copies)
    })
  }
}

async function copyChangedImages(
  db: Database,
  run: RefreshRun,
  batch: Incoming[],
  memory: ImageFetchState
): Promise<ImageCopies> {
  const pictured = batch.filter(item => listImages(item).length > 0 && item.problems.length === 0)
  const known = new Map(
    (await imported.listImportedItems(db, run.origin, pictured.map(toSourceKey))).map(one => [toKey(one), one])
  )
  const changed = pictured.filter(item => known.get(toKey(item))?.hash.equals(hashItem(item)) !== true)
  return await copyImages(db, toImageTarget(db, run), changed.flatMap(listImages), memory)
}

const toSourceKey = ({ kind, sourceId }: Incoming) => ({ kind, sourceId })

async function writeBatch(tx: Database, run: RefreshRun, batch: Incoming[], copies: ImageCopies): Promise<void> {
  const keys = [...batch.map(toSourceKey), ...batch.flatMap(listReferences)]
  const listed = await imported.listImportedItems(tx, run.origin, keys)
  const known = new Map(listed.map(one => [toKey(one), one]))
  const ids = await findLinkableIds(tx, listed)
  const states = await lockItems(tx, batch, known)
  const written: { item: Incoming; itemId: number; isRecognised: boolean; hash: Buffer }[] = []
  const rows: Omit<SubscriptionRow, 'position'>[] = []
  for (const item of batch) {
    const before = known.get(toKey(item))
    const state = before === undefined ? undefined : states.get(`${item.kind} ${before.itemId}`)
    const hash = hashItem(item, copies)
    const action = chooseAction('keep', item, hash, { known: before, state })
    if (typeof action === 'object') {
      if (action.outcome === 'problem') rows.push(buildRow(item, 'problem', action.reasons, null))
      continue
    }
    const { given } = resolveReferences(
      item,
      key => ids.get(toKey(key)),
      () => false
    )
    const ready = {
      kind: item.kind,
      texts: orderTexts(item, run.defaultLanguage),
      given,
      imageId: item.image === undefined ? undefined : copies.get(item.image.url)?.id,
      uid: undefined
    }
    const outcome = await runInSavepoint(tx, async () => {
      if (state === undefined) return await createItem(tx, run.newContext, ready)
      await updateItem(tx, run.newContext, ready, state.id)
      return { itemId: state.id, isRecognised: false }
    })
    if ('itemId' in outcome) {
      ids.set(toKey(item), outcome.itemId)
      written.push({ item, hash, ...outcome })
    } else rows.push(buildRow(item, 'problem', [outcome], null))
  }
  await saveWritten(tx, run, written)
  await runs.insertRows(tx, run.id, rows)
}

async function lockItems(
  tx: Database,
  batch: Incoming[],
  known: Map<string, ImportedItem>
): Promise<Map<string, ItemState>> {
  const states = new Map<string, ItemState>()
  for (const kind of itemKinds) {
    const ids = batch.flatMap(item => (item.kind === kind ? (known.get(toKey(item))?.itemId ?? []) : []))
    for (const state of await imported.lockStates(tx, kind, ids)) states.set(`${kind} ${state.id}`, state)
  }
  return states
}

/** A recognised item was here before: version 0 says that it is not the source's. */
async function saveWritten(
  tx: Database,
  run: RefreshRun,
  written: { item: Incoming; itemId: number; isRecognised: boolean; hash: Buffer }[]
): Promise<void> {
  const known: ImportedItem[] = []
  for (const kind of itemKinds) {
    const ofKind = written.filter(({ item }) => item.kind === kind)
    const ids = ofKind.map(({ itemId }) => itemId)
    const versions = new Map((await imported.listVersions(tx, kind, ids)).map(({ id, version }) => [id, version]))
    for (const { item, itemId, isRecognised, hash } of ofKind) {
      const version = isRecognised ? 0 : (versions.get(itemId) ?? 0)
      known.push({ kind, sourceId: item.sourceId, itemId, hash, version })
    }
  }
  if (known.length > 0) await imported.saveImportedItems(tx, run.origin, known)
}
