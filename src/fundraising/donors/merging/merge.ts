import { record } from '#platform/activity/activity.ts'
import type { Actor } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { newUuidV7 } from '#platform/ids.ts'
import {
  newDonorNotFoundProblem,
  newMergedDonorErasedProblem,
  newMergeNotFoundProblem,
  newMergeSupersededProblem,
  newMergeUndoneProblem,
  newOtherDonorNotFoundProblem,
  newSameDonorProblem
} from '../../problems/donors.ts'
import * as donors from '../listing/queries.ts'
import type { MergeRow } from './queries.ts'
import * as merges from './queries.ts'

/**
 * Shows another donor as this one. Donations, receipts and letters are not changed: they keep their own donor, so that
 * an undo only has to show it again.
 */
export async function mergeDonors(
  db: Database,
  { by, now = new Date() }: Actor,
  id: string,
  otherId: string
): Promise<MergeRow> {
  return await db.transaction(async tx => {
    const { targetId, sourceId } = await lockPair(tx, id, otherId)
    const moved = await donors.listMembers(tx, sourceId)
    const merge = await merges.insert(tx, {
      id: newUuidV7(now.getTime()),
      sourceId,
      targetId,
      moved,
      at: now.toISOString(),
      actor: by.name
    })
    await merges.updateMain(tx, moved, targetId)
    const details = { mergedId: sourceId, mergeId: merge.id }
    await record(tx, { by, now }, 'donor.merged', { subject: 'donor', id: targetId, details })
    return merge
  })
}

/** Shows the merged donors on their own again, unless one of them was merged again since. */
export async function undoMerge(
  db: Database,
  { by, now = new Date() }: Actor,
  donorId: string,
  mergeId: string
): Promise<void> {
  await db.transaction(async tx => {
    const merge = await merges.lock(tx, mergeId)
    const main = await donors.findMain(tx, donorId)
    if (merge === undefined || main === undefined) throw newMergeNotFoundProblem()
    const locked = await merges.lockDonors(tx, [merge.targetId, ...merge.moved])
    if (!locked.some(({ mainId }) => mainId === main.mainId)) throw newMergeNotFoundProblem()
    if (merge.undoneAt !== null) throw newMergeUndoneProblem()
    if (!locked.some(({ id }) => id === merge.sourceId)) throw newMergedDonorErasedProblem()
    if (locked.some(({ mainId }) => mainId !== merge.targetId)) throw newMergeSupersededProblem()
    await merges.updateMain(tx, merge.moved, merge.sourceId)
    await merges.setUndone(tx, mergeId, { at: now, actor: by.name })
    const details = { mergedId: merge.sourceId, mergeId }
    await record(tx, { by, now }, 'donor.merge_undone', { subject: 'donor', id: merge.targetId, details })
  })
}

/** Two donors who look alike are two people: the pair is not suggested again. */
export async function markDifferentDonors(
  db: Database,
  { by, now = new Date() }: Actor,
  id: string,
  otherId: string
): Promise<void> {
  await db.transaction(async tx => {
    const { targetId, sourceId } = await lockPair(tx, id, otherId)
    await merges.insertDistinction(tx, [targetId, sourceId], { at: now, actor: by.name })
    await record(tx, { by, now }, 'donor.distinguished', {
      subject: 'donor',
      id: targetId,
      details: { otherId: sourceId }
    })
  })
}

async function lockPair(tx: Database, id: string, otherId: string): Promise<{ targetId: string; sourceId: string }> {
  const [target, source] = await Promise.all([donors.findMain(tx, id), donors.findMain(tx, otherId)])
  if (target === undefined) throw newDonorNotFoundProblem()
  if (source === undefined) throw newOtherDonorNotFoundProblem()
  const locked = await merges.lockDonors(tx, [target.mainId, source.mainId])
  // Both are main donors until the end of the transaction.
  if (target.mainId === source.mainId || locked.some(one => one.id !== one.mainId)) throw newSameDonorProblem()
  if (locked.length < 2) throw newOtherDonorNotFoundProblem()
  return { targetId: target.mainId, sourceId: source.mainId }
}
