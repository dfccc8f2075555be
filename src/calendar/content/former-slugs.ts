import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import type { SlugKind } from '../contract/redirect-shapes.ts'
import type { TextTable } from './texts.ts'

/**
 * Stores the present slug of a text if the new one differs, so that its old address redirects. Call it before the text is
 * written. If two items had the same slug one after the other, the later one is found.
 */
export async function insertFormerSlug(
  tx: Database,
  { table, ownerColumn }: TextTable,
  kind: SlugKind,
  text: { id: number; language: Language; slug: string }
): Promise<void> {
  await tx.run(sql`
    insert into calendar.former_slugs (kind, slug, language, item_id)
    select ${kind}, slug, language, ${ownerColumn}
    from ${table}
    where ${ownerColumn} = ${text.id} and language = ${text.language} and slug not in ('', ${text.slug})
    on conflict (kind, slug, language) do update set item_id = excluded.item_id`)
}

/** For an item that is deleted permanently. */
export async function deleteFormerSlugs(tx: Database, kind: SlugKind, id: number): Promise<void> {
  await tx.run(sql`delete from calendar.former_slugs where kind = ${kind} and item_id = ${id}`)
}
