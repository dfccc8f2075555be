import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { Publication } from '../permissions/publication.ts'
import type { LinkedPostType } from './schema.ts'

type LinkedTables = Pick<LinkedPostType<never, never>, 'table' | 'texts' | 'links'>

/** Copies an event's state to linked items that were created inline and are not public yet. Returns changed ids. */
export async function updateInline(
  tx: Database,
  { table, texts, links }: LinkedTables,
  eventId: number,
  { publication: { status, publishedAt }, now }: { publication: Publication; now: Date }
): Promise<number[]> {
  const differs =
    status === 'publish'
      ? sql`(kept.status <> 'publish' or kept.published_at > ${publishedAt} or kept.made_for = ${eventId})`
      : sql`kept.made_for = ${eventId}`
  const rows = await tx.all<{ id: number }>(sql`
    update ${table} as kept
    set
      version = version + 1,
      status = ${status},
      published_at = ${publishedAt},
      modified_at = ${now},
      made_for = case when ${publishedAt}::timestamptz <= ${now} and ${status} = 'publish' then null else made_for end
    from ${links} as link
    where link.event_id = ${eventId} and kept.id = link.${texts.ownerColumn} and kept.made_for is not null
      and kept.status <> 'trash' and not (kept.status = 'publish' and kept.published_at <= ${now})
      and (kept.status, kept.published_at) is distinct from (${status}::text, ${publishedAt}::timestamptz)
      and ${differs}
    returning kept.id`)
  return rows.map(({ id }) => id).sort((one, other) => one - other)
}

/** Moves items to the trash that belong to this event only and were never public. Returns their ids. */
export async function trashInline(
  tx: Database,
  { table, texts, links }: LinkedTables,
  eventId: number,
  now: Date
): Promise<number[]> {
  const rows = await tx.all<{ id: number }>(sql`
    update ${table} as kept
    set version = version + 1, status = 'trash', modified_at = ${now}
    where kept.id in (select ${texts.ownerColumn} from ${links} where event_id = ${eventId})
      and kept.made_for = ${eventId} and kept.status <> 'trash' and not exists (
      select
      from ${links} as link
      join calendar.events as event on event.id = link.event_id
      where link.${texts.ownerColumn} = kept.id and event.id <> ${eventId} and event.status <> 'trash'
    )
    returning kept.id`)
  const ids = rows.map(({ id }) => id).sort((one, other) => one - other)
  if (ids.length > 0) {
    await tx.run(sql`update ${texts.table} set live = false where ${texts.ownerColumn} = any(${ids}::bigint[])`)
  }
  return ids
}

/** Items in the trash that were made for this event. */
export async function listTrashedInline(
  db: Database,
  { table, texts, links }: LinkedTables,
  eventId: number
): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    select id
    from ${table}
    where id in (select ${texts.ownerColumn} from ${links} where event_id = ${eventId})
      and made_for = ${eventId} and status = 'trash'
    order by id`)
  return rows.map(({ id }) => id)
}
