import pg from 'pg'
import { record } from '#platform/activity/activity.ts'
import type { Database } from '#platform/database/database.ts'
import type { Text } from '#platform/language.ts'
import type { WriteContext } from '../../contract/routing/route.ts'
import { removeEvent } from '../../events/event.ts'
import { removeFile } from '../../files/file.ts'
import * as files from '../../files/queries.ts'
import { removeLinkedPost } from '../../linked-posts/linked-post.ts'
import { removeImage } from '../../media/media.ts'
import * as media from '../../media/queries.ts'
import { organizerPostType } from '../../organizers/organizer.ts'
import { removeWholeSeries } from '../../series/whole-series.ts'
import { deleteTerm } from '../../terms/term.ts'
import { venuePostType } from '../../venues/venue.ts'
import * as imports from '../queries.ts'
import * as rows from '../row-queries.ts'
import { type Import, noCounts } from '../schema.ts'
import type { ItemKind } from '../sources/source.ts'
import { LeaseLost } from './batch.ts'
import { reasons } from './reasons.ts'
import { recordSeriesChange } from './series-log.ts'
import * as journal from './undo-log.ts'
import { isUsed } from './usage.ts'
import type { ContextFactory } from './write-item.ts'

/** Changes to undo per transaction. */
const batchMax = 25

type Change = Omit<journal.ImportChange, 'known'>

/**
 * Undoes an import, last change first: deletes created items and restores changed ones. Items that were edited since
 * stay, and so do items that other content uses now. Each change is deleted in the transaction that undoes it, so after
 * a crash the next runner continues with the next change.
 */
export async function undoChanges(
  db: Database,
  workIn: ContextFactory,
  { id, origin }: Pick<Import, 'id' | 'origin'>,
  { owner, signal }: { owner: string; signal: AbortSignal }
): Promise<void> {
  const columns = await journal.listColumns(db)
  while (!signal.aborted) {
    const left = await db.transaction(async tx => {
      if (!(await imports.renewLease(tx, id, owner))) throw new LeaseLost()
      const changes = await journal.listLastChanges(tx, id, batchMax)
      const kept: { change: Change; reason: Text }[] = []
      for (const change of changes) {
        const reason = await undoChange(tx, workIn(tx, 'en'), change, { importId: id, columns })
        if (reason !== undefined) kept.push({ change, reason })
      }
      const from = changes.at(-1)?.number
      if (from !== undefined) {
        const numbers = kept.map(({ change }) => change.number)
        await journal.removeChanges(tx, id, origin ?? '', { from, kept: numbers })
      }
      if (kept.length > 0) {
        await rows.addReasons(
          tx,
          id,
          kept.map(({ change: { kind, sourceId }, reason }) => ({ kind, sourceId, reason }))
        )
      }
      const step = { done: changes.length, counts: { ...noCounts, kept: kept.length } }
      if (!(await imports.advance(tx, id, owner, step))) throw new LeaseLost()
      return changes.length
    })
    if (left === 0) return
  }
}

/** Returns the reason if the item is kept. */
async function undoChange(
  tx: Database,
  work: WriteContext,
  change: Change,
  { importId, columns }: { importId: number; columns: journal.TableColumns }
): Promise<Text | undefined> {
  const { kind, itemId } = change
  if (change.change === 'recognised') return undefined
  if (kind === 'image' || kind === 'file') {
    const found = kind === 'image' ? await media.find(tx, itemId) : await files.find(tx, itemId)
    if (found === undefined) return undefined
  } else {
    const [state] = await journal.lockStates(tx, kind, [itemId])
    // The item was deleted meanwhile: there is nothing to undo.
    if (state === undefined) return undefined
    if (state.version !== change.version) return reasons.keptEdited()
  }
  if (change.change === 'changed' && kind !== 'image' && kind !== 'file')
    return await restorePrevious(tx, work, change, { importId, kind, columns })
  if (await isUsed(tx, kind, itemId)) return reasons.keptUsed()
  await removeItem(tx, work, kind, itemId)
  return undefined
}

async function removeItem(tx: Database, work: WriteContext, kind: Change['kind'], id: number): Promise<void> {
  switch (kind) {
    case 'event':
      return await removeEvent(tx, work, id, undefined)
    case 'series':
      return await removeWholeSeries(tx, work, id, { force: true, expected: undefined })
    case 'venue':
      await removeLinkedPost(work, venuePostType, { id })
      return
    case 'organizer':
      await removeLinkedPost(work, organizerPostType, { id })
      return
    case 'image':
      return await removeImage(work, id)
    case 'file':
      return await removeFile(work, id)
    default:
      await deleteTerm(work, kind, id, undefined)
  }
}

/** Restores the snapshot exactly. Keeps the item if its old slug is taken by now or a venue it had is deleted. */
async function restorePrevious(
  tx: Database,
  work: WriteContext,
  { itemId, before }: Change,
  { importId, kind, columns }: { importId: number; kind: ItemKind; columns: journal.TableColumns }
): Promise<Text | undefined> {
  await tx.script('savepoint change')
  try {
    await journal.restoreItem(tx, kind, itemId, { before: before ?? '{}', columns })
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !/^23/.test(error.code ?? '')) throw error
    await tx.script('rollback to savepoint change; release savepoint change')
    return reasons.keptImpossible()
  }
  await tx.script('release savepoint change')
  const by = { by: work.caller, now: work.now }
  const details = { undone: importId }
  if (kind === 'series') await recordSeriesChange(tx, by, itemId, details)
  else await record(tx, by, `${kind}.updated`, { subject: kind, id: itemId, details })
  return undefined
}
