import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { Incoming, ItemKind } from './sources/source.ts'

/** The addresses that imported items had at their source. */

/** Adds the addresses of items that are known as imported. A former slug stays. */
export async function saveAddresses(tx: Database, origin: string, items: Incoming[]): Promise<void> {
  const given = items.flatMap(({ kind, sourceId, texts, address }) => {
    const slugs = new Set(Object.values(texts).flatMap(({ slug }) => (slug === undefined || slug === '' ? [] : [slug])))
    if (address === undefined) return []
    return [...slugs].map(slug => ({ kind, sourceId, slug: decodeSlug(slug), url: address.url, uid: address.uid }))
  })
  if (given.length === 0) return
  await tx.run(sql`
    insert into calendar.imported_addresses (origin, kind, source_id, slug, url, uid)
    select distinct on (known.kind, known.source_id, given.slug)
      known.origin, known.kind, known.source_id, given.slug, given.url, given.uid
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (
      kind text, "sourceId" text, slug text, url text, uid text
    )
    join calendar.imported as known
      on known.origin = ${origin} and known.kind = given.kind and known.source_id = given."sourceId"
    on conflict (origin, kind, source_id, slug) do update set url = excluded.url, uid = excluded.uid`)
}

/** An item by the id or the slug that it had at its source. */
export type OldAddress = { kind: ItemKind; id: string } | { kind: ItemKind; slug: string }

/** Our id of an imported item; of several, that of the item imported last. */
export async function findImportedByOldAddress(db: Database, old: OldAddress): Promise<number | undefined> {
  const row =
    'id' in old
      ? await db.maybeOne<{ id: number }>(sql`
          select item_id as id
          from calendar.imported
          where kind = ${old.kind} and source_id = ${old.id}
          order by item_id desc
          limit 1`)
      : await db.maybeOne<{ id: number }>(sql`
          select known.item_id as id
          from calendar.imported_addresses as address
          join calendar.imported as known
            on known.origin = address.origin and known.kind = address.kind and known.source_id = address.source_id
          where address.kind = ${old.kind} and address.slug = ${decodeSlug(old.slug)}
          order by known.item_id desc
          limit 1`)
  return row?.id
}

/** WordPress stores slugs percent-encoded in lower case; browsers send either case. */
function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug)
  } catch {
    return slug
  }
}
