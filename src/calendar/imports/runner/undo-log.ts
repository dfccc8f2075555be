import type { Database } from '#platform/database/database.ts'
import { emptySql, Sql, sql, toLiteral } from '#platform/database/sql.ts'
import { removeVersionsFrom } from '../../events/save-versions.ts'
import { addToCounts } from '../../terms/queries.ts'
import type { RowKind } from '../schema.ts'
import { type ItemKind, type SingleKind, singleKinds } from '../sources/source.ts'
import { listSeriesSnapshots, listSeriesVersions, lockSeriesStates, restoreSeries, seriesTable } from './series-log.ts'

/** The undo log: what an import wrote, snapshots of the state before, and how to restore them. */

/** Identifies an item of a source. */
export interface SourceKey {
  kind: RowKind
  sourceId: string
}

/** What an earlier import stored about the item. */
export interface ImportedItem extends SourceKey {
  itemId: number
  hash: Buffer
  version: number
}

export async function listImportedItems(db: Database, origin: string, keys: SourceKey[]): Promise<ImportedItem[]> {
  return await db.all(sql`
    select known.kind, known.hash, known.version, known.source_id as "sourceId", known.item_id as "itemId"
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as given (kind text, "sourceId" text)
    join calendar.imported as known
      on known.origin = ${origin} and known.kind = given.kind and known.source_id = given."sourceId"`)
}

/** Items that this import has already processed: in an earlier attempt, or because the source repeats them. */
export async function listSeen(
  db: Database,
  importId: number,
  keys: SourceKey[]
): Promise<(SourceKey & { outcome: string })[]> {
  return await db.all(sql`
    select row.kind, row.outcome, row.source_id as "sourceId"
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as given (kind text, "sourceId" text)
    join calendar.import_rows as row
      on row.import_id = ${importId} and row.kind = given.kind and row.source_id = given."sourceId"`)
}

/** The current state of an item; its row stays locked until the transaction ends. */
export interface ItemState {
  id: number
  version: number
  isTrashed: boolean
}

/** The tables of each kind: items, and dependent tables with the column that references them. */
const tables: Record<SingleKind, { things: string; owner: string; parts: string[]; isTrashed: Sql }> = {
  event: {
    things: 'events',
    owner: 'event_id',
    parts: ['event_texts', 'event_venues', 'event_organizers', 'event_terms'],
    isTrashed: sql`(status = 'trash')`
  },
  venue: { things: 'venues', owner: 'venue_id', parts: ['venue_texts'], isTrashed: sql`(status = 'trash')` },
  organizer: {
    things: 'organizers',
    owner: 'organizer_id',
    parts: ['organizer_texts'],
    isTrashed: sql`(status = 'trash')`
  },
  category: { things: 'terms', owner: 'term_id', parts: ['term_texts'], isTrashed: sql`false` },
  tag: { things: 'terms', owner: 'term_id', parts: ['term_texts'], isTrashed: sql`false` }
}

const toTableSql = (name: string) => new Sql(`calendar.${name}`, [])

export async function lockStates(tx: Database, kind: ItemKind, ids: number[]): Promise<ItemState[]> {
  if (ids.length === 0) return []
  if (kind === 'series') return await lockSeriesStates(tx, ids)
  const { things, isTrashed } = tables[kind]
  return await tx.all(sql`
    select id, version, ${isTrashed} as "isTrashed"
    from ${toTableSql(things)}
    where id = any(${ids}::bigint[])
    order by id
    for update`)
}

export async function listLive(tx: Database, kind: SingleKind, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const { things, isTrashed } = tables[kind]
  const rows = await tx.all<{ id: number }>(sql`
    select id from ${toTableSql(things)} where id = any(${ids}::bigint[]) and not ${isTrashed}`)
  return rows.map(({ id }) => id)
}

export async function listVersions(
  tx: Database,
  kind: ItemKind,
  ids: number[]
): Promise<{ id: number; version: number }[]> {
  if (ids.length === 0) return []
  if (kind === 'series') return await listSeriesVersions(tx, ids)
  return await tx.all(sql`select id, version from ${toTableSql(tables[kind].things)} where id = any(${ids}::bigint[])`)
}

/** Items with all dependent rows, as JSON text that PostgreSQL restores byte for byte. */
export async function listSnapshots(
  tx: Database,
  kind: ItemKind,
  ids: number[]
): Promise<{ id: number; before: string }[]> {
  if (ids.length === 0) return []
  if (kind === 'series') return await listSeriesSnapshots(tx, ids)
  const { things, owner, parts } = tables[kind]
  const named = parts.reduce(
    (all, part) => sql`${all}, ${part}::text, (
      select coalesce(jsonb_agg(to_jsonb(part)), '[]')
      from ${toTableSql(part)} as part
      where part.${new Sql(owner, [])} = thing.id
    )`,
    sql`'thing', to_jsonb(thing)`
  )
  return await tx.all(sql`
    select thing.id, jsonb_build_object(${named})::text as before
    from ${toTableSql(things)} as thing
    where thing.id = any(${ids}::bigint[])`)
}

/** One change by an import. */
export interface ImportChange extends SourceKey {
  number: number
  change: 'made' | 'changed' | 'recognised'
  itemId: number
  version: number
  before: string | null
  /** What was stored about the source's item before. */
  known: Pick<ImportedItem, 'itemId' | 'hash' | 'version'> | null
}

export async function insertChanges(tx: Database, importId: number, changes: ImportChange[]): Promise<void> {
  const given = changes.map(({ known, before, ...change }) => ({
    ...change,
    before: before === null ? null : JSON.parse(before),
    hash: known?.hash.toString('hex') ?? null,
    knownItemId: known?.itemId ?? null,
    knownVersion: known?.version ?? null
  }))
  await tx.run(sql`
    insert into calendar.import_changes (
      import_id, number, change, kind, item_id, version, before, source_id, hash, known_item_id, known_version
    )
    select
      ${importId}::bigint, number, change, kind, "itemId", version, before, "sourceId", decode(hash, 'hex'),
      "knownItemId", "knownVersion"
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (
      number integer, change text, kind text, "itemId" bigint, version integer, before jsonb, "sourceId" text,
      hash text, "knownItemId" bigint, "knownVersion" integer
    )`)
}

export async function getLastNumber(tx: Database, importId: number): Promise<number> {
  const { last } = await tx.one<{ last: number }>(sql`
    select coalesce(max(number), 0) as last from calendar.import_changes where import_id = ${importId}`)
  return last
}

export async function saveImportedItems(tx: Database, origin: string, known: ImportedItem[]): Promise<void> {
  const given = known.map(one => ({ ...one, hash: one.hash.toString('hex') }))
  await tx.run(sql`
    insert into calendar.imported (origin, kind, source_id, item_id, hash, version)
    select ${origin}::text, kind, "sourceId", "itemId", decode(hash, 'hex'), version
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (
      kind text, "sourceId" text, "itemId" bigint, hash text, version integer
    )
    on conflict (origin, kind, source_id) do update
    set item_id = excluded.item_id, hash = excluded.hash, version = excluded.version`)
}

/** The next changes to undo: last first. */
export async function listLastChanges(
  tx: Database,
  importId: number,
  most: number
): Promise<Omit<ImportChange, 'known'>[]> {
  return await tx.all(sql`
    select number, change, kind, version, before::text, item_id as "itemId", source_id as "sourceId"
    from calendar.import_changes
    where import_id = ${importId}
    order by number desc
    limit ${toLiteral(most)}`)
}

/** Deletes processed changes and restores what was stored about their items before, except for kept items. */
export async function removeChanges(
  tx: Database,
  importId: number,
  origin: string,
  { from, kept }: { from: number; kept: number[] }
): Promise<void> {
  await tx.run(sql`
    with back as (
      delete from calendar.import_changes
      where import_id = ${importId} and number >= ${from}
      returning number, kind, source_id, hash, known_item_id, known_version
    ),
    first as (
      select distinct on (kind, source_id) kind, source_id, hash, known_item_id, known_version
      from back
      where number <> all(${kept}::integer[])
      order by kind, source_id, number
    ),
    forgotten as (
      delete from calendar.imported as known
      using first
      where known.origin = ${origin} and known.kind = first.kind and known.source_id = first.source_id
        and first.hash is null
    )
    update calendar.imported as known
    set item_id = first.known_item_id, hash = first.hash, version = first.known_version
    from first
    where known.origin = ${origin} and known.kind = first.kind and known.source_id = first.source_id
      and first.hash is not null`)
}

/** The columns of every restored table, except generated ones. */
export type TableColumns = Map<string, Sql>

/** Counts are not restored with a term: restoring its events corrects them. */
const countColumn = 'event_count'

export async function listColumns(db: Database): Promise<TableColumns> {
  const ofItems = singleKinds.flatMap(kind => [tables[kind].things, ...tables[kind].parts])
  const names = [...new Set([seriesTable, ...ofItems])]
  const rows = await db.all<{ table: string; columns: string }>(sql`
    select table_name as table, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
    from information_schema.columns
    where table_schema = 'calendar' and table_name = any(${names}::text[]) and is_generated = 'NEVER'
      and column_name <> ${countColumn}
    group by table_name`)
  return new Map(rows.map(({ table, columns }) => [table, new Sql(columns, [])]))
}

/** Restores an item with its texts and links. */
export async function restoreItem(
  tx: Database,
  kind: ItemKind,
  id: number,
  { before, columns }: { before: string; columns: TableColumns }
): Promise<void> {
  const columnsOf = (table: string) => columns.get(table) ?? emptySql
  // Ids stay the same, and identity columns may not even be writable.
  const withoutId = (table: string) => new Sql(columnsOf(table).text.replace(/^id, /, ''), [])
  if (kind === 'series') {
    const own = { series: withoutId(seriesTable), events: withoutId('events') }
    return await restoreSeries(tx, id, { before, columns, own })
  }
  const { things, owner, parts } = tables[kind]
  if (kind === 'event') await adjustTermCounts(tx, id, -1)
  const own = withoutId(things)
  await tx.run(sql`
    update ${toTableSql(things)} as thing
    set (${own}) = (
      select ${own} from jsonb_populate_record(null::${toTableSql(things)}, ${before}::jsonb -> 'thing')
    )
    where thing.id = ${id}`)
  for (const part of parts) {
    await tx.run(sql`delete from ${toTableSql(part)} where ${new Sql(owner, [])} = ${id}`)
    await tx.run(sql`
      insert into ${toTableSql(part)} (${columnsOf(part)})
      select ${columnsOf(part)}
      from jsonb_populate_recordset(null::${toTableSql(part)}, ${before}::jsonb -> ${part}::text)`)
  }
  if (kind !== 'event') return
  await adjustTermCounts(tx, id, 1)
  const { thing } = JSON.parse(before) as { thing: { version: number } }
  await removeVersionsFrom(tx, [{ id, version: thing.version }])
}

async function adjustTermCounts(tx: Database, id: number, by: 1 | -1): Promise<void> {
  const terms = await tx.all<{ id: number }>(sql`
    select link.term_id as id
    from calendar.event_terms as link
    join calendar.events as event on event.id = link.event_id
    where link.event_id = ${id} and event.status = 'publish'`)
  if (terms.length > 0) {
    await addToCounts(
      tx,
      terms.map(term => term.id),
      by
    )
  }
}
