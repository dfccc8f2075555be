import type { Database } from '#platform/database/database.ts'
import { type Incoming, type ItemKind, itemKinds, singleKinds } from '../sources/source.ts'
import { chooseAction, hashItem, type ImageCopies } from './conflict-policy.ts'
import type { ImportRun } from './import-run.ts'
import { listReferences } from './references.ts'
import type { ImportedItem, ItemState, SourceKey } from './undo-log.ts'
import * as journal from './undo-log.ts'

/** What is loaded at the start of a batch, and what the batch adds. */
export interface BatchContext {
  known: Map<string, ImportedItem>
  states: Map<string, ItemState>
  /** Our ids of referenced items, by source key. */
  ids: Map<string, number>
  /** Items that already occurred in this import, with any outcome. */
  seen: Map<string, string>
  befores: Map<string, string>
}

export const buildSourceKey = ({ kind, sourceId }: SourceKey) => `${kind} ${sourceId}`
export const buildStateKey = (kind: ItemKind, id: number) => `${kind} ${id}`

/** Loads everything for the batch in a few statements: known items, their current state, and snapshots for undo. */
export async function loadContext(
  tx: Database,
  run: ImportRun,
  incoming: Incoming[],
  images: ImageCopies | undefined
): Promise<BatchContext> {
  const named = [...incoming, ...incoming.flatMap(listReferences)].map(({ kind, sourceId }) => ({ kind, sourceId }))
  const [listed, seen] = await Promise.all([
    journal.listImportedItems(tx, run.origin, named),
    journal.listSeen(tx, run.id, named)
  ])
  const known = new Map(listed.map(one => [buildSourceKey(one), one]))
  const states = new Map<string, ItemState>()
  const befores = new Map<string, string>()
  for (const kind of itemKinds) {
    const items = incoming.flatMap(item => {
      const before = item.kind === kind ? known.get(buildSourceKey(item)) : undefined
      return before === undefined ? [] : [{ item, before }]
    })
    const ids = items.map(({ before }) => before.itemId)
    for (const state of await journal.lockStates(tx, kind, ids)) states.set(buildStateKey(kind, state.id), state)
    const changing = items.filter(({ item, before }) => {
      const state = states.get(buildStateKey(kind, before.itemId))
      return chooseAction(run.policy, item, hashItem(item, images), { known: before, state }) === 'change'
    })
    const changed = changing.map(({ before }) => before.itemId)
    for (const { id, before } of await journal.listSnapshots(tx, kind, changed))
      befores.set(buildStateKey(kind, id), before)
  }
  return {
    known,
    states,
    befores,
    ids: await findLinkableIds(tx, listed),
    seen: new Map(seen.map(one => [buildSourceKey(one), one.outcome]))
  }
}

/** Ids that events can link to: excludes items that were deleted here or are in the trash. */
export async function findLinkableIds(tx: Database, listed: ImportedItem[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const kind of singleKinds) {
    const ofKind = listed.filter(one => one.kind === kind)
    const live = new Set(
      await journal.listLive(
        tx,
        kind,
        ofKind.map(one => one.itemId)
      )
    )
    for (const one of ofKind) if (live.has(one.itemId)) ids.set(buildSourceKey(one), one.itemId)
  }
  return ids
}

export const hasParentEvent = ({ fields }: Incoming) => fields.post_parent != null
