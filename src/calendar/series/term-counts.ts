import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import { addToCounts } from '../terms/term.ts'

/** Runs a write and adjusts the number of published events of each term. */
export async function withTermCounts<Result>(
  tx: Database,
  ids: number[],
  write: () => Promise<Result>
): Promise<Result> {
  const before = await countTerms(tx, ids)
  const result = await write()
  await addTermCounts(tx, before, await countTerms(tx, ids))
  return result
}

/** How many of the events are published, by term. */
async function countTerms(tx: Database, ids: number[]): Promise<Map<number, number>> {
  const rows = await tx.all<{ id: number; count: number }>(sql`
    select link.term_id as id, count(*)::integer as count
    from calendar.event_terms as link join calendar.events as event on event.id = link.event_id
    where event.id = any(${ids}::bigint[]) and event.status = 'publish'
    group by link.term_id`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

async function addTermCounts(tx: Database, before: Map<number, number>, after: Map<number, number>): Promise<void> {
  const byDifference = new Map<number, number[]>()
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const difference = (after.get(id) ?? 0) - (before.get(id) ?? 0)
    if (difference !== 0) byDifference.set(difference, [...(byDifference.get(difference) ?? []), id])
  }
  for (const [difference, ids] of byDifference) await addToCounts(tx, ids, difference)
}
