import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { LinkedPostType } from '../linked-posts/schema.ts'
import { buildVisibleCondition, type Viewer } from '../permissions/permissions.ts'

/** Venues or organizers. */
type LinkedKind = Pick<LinkedPostType<never, never>, 'table' | 'row' | 'texts' | 'links'>

/** The linked items of an event that the viewer can see, in order. */
export async function listLinks(
  tx: Database,
  { table, row, texts, links }: LinkedKind,
  id: number,
  viewer: Viewer
): Promise<number[]> {
  const rows = await tx.all<{ id: number }>(sql`
    select ${row}.id
    from ${links} as link join ${table} as ${row} on ${row}.id = link.${texts.ownerColumn}
    where link.event_id = ${id} and ${buildVisibleCondition(viewer, row)}
    order by link.position`)
  return rows.map(found => found.id)
}

export async function setLinks(tx: Database, kind: LinkedKind, id: number, ids: number[]): Promise<void> {
  await Promise.all([tx.run(sql`delete from ${kind.links} where event_id = ${id}`), addLinks(tx, kind, id, ids)])
}

/** Inserts the links of an event that has none. */
export async function addLinks(tx: Database, { texts, links }: LinkedKind, id: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await tx.run(sql`
    insert into ${links} (event_id, ${texts.ownerColumn}, position)
    select ${id}::bigint, given.id, given.position
    from unnest(${ids}::bigint[]) with ordinality as given (id, position)`)
}

export async function listTermIds(tx: Database, id: number): Promise<{ id: number; taxonomy: 'category' | 'tag' }[]> {
  return await tx.all(sql`
    select term.id, term.taxonomy
    from calendar.event_terms as link join calendar.terms as term on term.id = link.term_id
    where link.event_id = ${id}`)
}

export async function setTerms(tx: Database, id: number, termIds: number[]): Promise<void> {
  await Promise.all([
    tx.run(sql`delete from calendar.event_terms where event_id = ${id} and term_id <> all(${termIds}::bigint[])`),
    addTerms(tx, id, termIds)
  ])
}

/** Skips terms that are deleted concurrently. */
export async function addTerms(tx: Database, id: number, termIds: number[]): Promise<void> {
  if (termIds.length === 0) return
  await tx.run(sql`
    insert into calendar.event_terms (event_id, term_id)
    select ${id}::bigint, id from (
      select id from calendar.terms where id = any(${termIds}::bigint[]) for key share
    ) as term
    on conflict do nothing`)
}
