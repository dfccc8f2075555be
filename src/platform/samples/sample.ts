import { record } from '../activity/activity.ts'
import * as samples from '../activity/sample-queries.ts'
import type { Caller } from '../caller.ts'
import type { Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { SampleRemoval } from '../http/service.ts'

export interface RemovedSamples {
  removed: { kind: string; count: number }[]
  kept: SampleRemoval['kept']
}

type RemoveSamples = ((db: Database, by: Caller, settings: Settings) => Promise<SampleRemoval>) | undefined

/**
 * Removes the sample content of all services. Each uses its own transactions: if one fails, the rest is still marked,
 * and another call continues there.
 */
export async function removeSamples(
  db: Database,
  by: Caller,
  settings: Settings,
  removers: RemoveSamples[]
): Promise<RemovedSamples> {
  const removed = new Map<string, number>()
  const kept: SampleRemoval['kept'] = []
  for (const remove of removers) {
    const result = await remove?.(db, by, settings)
    for (const { kind } of result?.removed ?? []) removed.set(kind, (removed.get(kind) ?? 0) + 1)
    kept.push(...(result?.kept ?? []))
  }
  if (removed.size > 0) {
    const details = { removed: Object.fromEntries(removed), kept: kept.length }
    await db.transaction(
      async tx =>
        await record(tx, { by, now: new Date() }, 'samples.removed', { subject: 'samples', id: 'all', details })
    )
  }
  return { removed: [...removed].map(([kind, count]) => ({ kind, count })), kept }
}

export async function listSamples(db: Database): Promise<{ kind: string; count: number; ids: string[] }[]> {
  const byKind = new Map<string, string[]>()
  for (const { kind, id } of await samples.list(db)) byKind.set(kind, [...(byKind.get(kind) ?? []), id])
  return [...byKind].map(([kind, ids]) => ({ kind, count: ids.length, ids }))
}
