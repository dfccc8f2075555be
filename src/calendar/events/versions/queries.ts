import type { Database } from '#platform/database/database.ts'
import { sql, toLiteral } from '#platform/database/sql.ts'
import type { Page } from '../../contract/routing/paging.ts'
import { snapshotColumn } from '../save-versions.ts'
import type { Snapshot } from './schema.ts'

/** A version of an event, stored or current. */
export interface Version {
  version: number
  savedAt: string
  /** Null if the version before is not stored. */
  savedBy: string | null
  isCurrent: boolean
}

/** All versions of an event, the current one included; who saved one is in the row of the version before. */
const versionsOf = (id: number) => sql`
  select
    version, at, snapshot, "isCurrent",
    lag(replaced_by) over in_order as saved_by,
    lag(snapshot) over in_order as snapshot_before
  from (
    select kept.version, kept.at, kept.replaced_by, kept.snapshot, false as "isCurrent"
    from calendar.event_versions as kept
    join calendar.events as event on event.id = kept.event_id
    where kept.event_id = ${id} and kept.version < event.version
    union all
    select event.version, event.modified_at, null, ${snapshotColumn}, true
    from calendar.events as event where event.id = ${id}
  ) as known
  window in_order as (order by version)`

/** Newest first. */
export async function listVersions(
  db: Database,
  id: number,
  { size, offset }: Pick<Page, 'size' | 'offset'>
): Promise<(Version & { changed: string[] | null })[]> {
  return await db.all(sql`
    select
      kept.version, kept."isCurrent",
      kept.at as "savedAt",
      kept.saved_by as "savedBy",
      case when kept.snapshot_before is not null then array(
        select field.key
        from jsonb_each(kept.snapshot - 'texts') as field
        where field.value is distinct from kept.snapshot_before -> field.key
        union all
        select field
        from unnest(array['title', 'description', 'excerpt', 'slug']) as field
        where exists (
          select
          from jsonb_object_keys(kept.snapshot -> 'texts' || (kept.snapshot_before -> 'texts')) as language
          where kept.snapshot #> array['texts', language, field]
            is distinct from kept.snapshot_before #> array['texts', language, field]
        )
      ) end as changed
    from (${versionsOf(id)}) as kept
    order by kept.version desc
    limit ${toLiteral(size)} offset ${offset}`)
}

export async function countVersions(db: Database, id: number): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*) + 1 as total
    from calendar.event_versions as kept
    join calendar.events as event on event.id = kept.event_id
    where kept.event_id = ${id} and kept.version < event.version`)
  return total
}

/** A version, and the current one to compare it with. */
export interface ComparedVersion extends Version {
  snapshot: Snapshot
  current: Snapshot
  currentVersion: number
}

export async function findVersion(db: Database, id: number, version: number): Promise<ComparedVersion | undefined> {
  return await db.maybeOne(sql`
    select
      kept.version, kept."isCurrent", kept.snapshot,
      kept.at as "savedAt",
      kept.saved_by as "savedBy",
      event.version as "currentVersion",
      ${snapshotColumn} as current
    from (${versionsOf(id)}) as kept
    join calendar.events as event on event.id = ${id}
    where kept.version = ${version}`)
}

/** The status that an event in the trash had before. */
export async function findStatusBeforeTrash(db: Database, id: number): Promise<Snapshot['status'] | undefined> {
  const found = await db.maybeOne<{ status: Snapshot['status'] }>(sql`
    select snapshot ->> 'status' as status
    from calendar.event_versions
    where event_id = ${id} and snapshot ->> 'status' <> 'trash'
    order by version desc
    limit 1`)
  return found?.status
}

/** Deletes the texts in these languages. */
export async function removeLanguages(tx: Database, id: number, languages: string[]): Promise<void> {
  await tx.run(sql`delete from calendar.event_texts where event_id = ${id} and language = any(${languages}::text[])`)
  await tx.run(sql`
    update calendar.events
    set languages = array(select unnest(languages) except select unnest(${languages}::text[]) order by 1)
    where id = ${id}`)
}
