import type { Database } from '../database/database.ts'
import { Sql, sql } from '../database/sql.ts'

export interface ArchivedTable {
  /** With its schema: `calendar.events`. */
  name: string
  /** Stored columns only; PostgreSQL computes generated ones. */
  columns: string[]
  /** The primary key, by which rows are ordered. */
  key: { column: string; isText: boolean }[]
  /** Tables that its foreign keys reference. */
  needs: string[]
  /**
   * Columns with transaction ids, and their defaults. A transaction id means nothing in another database, where it may
   * belong to a future transaction. So the archive omits these columns, and restored rows get 0.
   */
  transactions: { column: string; default: string | null }[]
}

export interface Sequence {
  name: string
  value: number
  isCalled: boolean
}

/**
 * Tables that an archive omits. Migrations: the manifest has their versions. Sessions: users sign in again. Setup
 * tokens: every start creates one. Account links: an admin creates new ones. Counters: rate limits expire within
 * minutes. Queued e-mails: a restore must not send them twice, and a test copy must not send them to real people.
 * Responses stored for Idempotency-Keys are archived: a donor who retries after a restore must not donate twice.
 */
const excludedTables = [
  'platform.account_links',
  'platform.counters',
  'platform.migrations',
  'platform.sessions',
  'platform.setup',
  'platform.sign_in_steps',
  'platform.outbox',
  // Its name before migration 27: a restore compares an older archive with the tables of its own version.
  'platform.letters'
]

/** Every archived table, in an order in which each comes after the tables that it references. */
export async function listTables(db: Database, schemas: string[]): Promise<ArchivedTable[]> {
  const found = await db.all<Omit<ArchivedTable, 'needs'> & { needs: string[] | null }>(sql`
    select
      space.nspname || '.' || class.relname as name,
      (
        select json_agg(attribute.attname order by attribute.attnum)
        from pg_catalog.pg_attribute as attribute
        where attribute.attrelid = class.oid and attribute.attnum > 0
          and not attribute.attisdropped and attribute.attgenerated = '' and attribute.atttypid <> 'xid8'::regtype
      ) as columns,
      coalesce((
        select json_agg(
          json_build_object('column', attribute.attname, 'isText', attribute.attcollation <> 0)
          order by array_position(key.conkey, attribute.attnum)
        )
        from pg_catalog.pg_constraint as key
        join pg_catalog.pg_attribute as attribute on attribute.attrelid = class.oid and attribute.attnum = any(key.conkey)
        where key.conrelid = class.oid and key.contype = 'p'
      ), '[]') as key,
      coalesce((
        select json_agg(json_build_object(
          'column', attribute.attname,
          'default', pg_catalog.pg_get_expr(value.adbin, value.adrelid)
        ))
        from pg_catalog.pg_attribute as attribute
        left join pg_catalog.pg_attrdef as value
          on value.adrelid = attribute.attrelid and value.adnum = attribute.attnum
        where attribute.attrelid = class.oid and attribute.attnum > 0
          and not attribute.attisdropped and attribute.atttypid = 'xid8'::regtype
      ), '[]') as transactions,
      (
        select json_agg(distinct otherspace.nspname || '.' || other.relname)
        from pg_catalog.pg_constraint as reference
        join pg_catalog.pg_class as other on other.oid = reference.confrelid
        join pg_catalog.pg_namespace as otherspace on otherspace.oid = other.relnamespace
        where reference.conrelid = class.oid and reference.contype = 'f' and reference.confrelid <> class.oid
      ) as needs
    from pg_catalog.pg_class as class
    join pg_catalog.pg_namespace as space on space.oid = class.relnamespace
    where class.relkind in ('r', 'p') and not class.relispartition and space.nspname = any(${schemas}::text[])
    order by space.nspname, class.relname`)
  const tables = found.map(table => ({ ...table, needs: table.needs ?? [] }))
  return sortByDependency(tables.filter(({ name }) => !excludedTables.includes(name)))
}

/** Sorts by name, but each table after those that it references. */
function sortByDependency(tables: ArchivedTable[]): ArchivedTable[] {
  const ordered: ArchivedTable[] = []
  const placed = (name: string) => ordered.some(table => table.name === name)
  while (ordered.length < tables.length) {
    const next = tables.find(table => !placed(table.name) && table.needs.every(placed))
    if (next === undefined) throw new Error('Foreign keys form a cycle, or refer to an excluded table.')
    ordered.push(next)
  }
  return ordered
}

export async function listSequences(db: Database, schemas: string[]): Promise<Sequence[]> {
  const names = await db.all<{ schema: string; name: string }>(sql`
    select schemaname as schema, sequencename as name
    from pg_catalog.pg_sequences
    where schemaname = any(${schemas}::text[])
    order by schemaname, sequencename`)
  const sequences: Sequence[] = []
  for (const { schema, name } of names) {
    const { value, isCalled } = await db.one<{ value: number; isCalled: boolean }>(
      sql`select last_value as value, is_called as "isCalled" from ${new Sql(quoteIdentifier(`${schema}.${name}`), [])}`
    )
    sequences.push({ name: `${schema}.${name}`, value, isCalled })
  }
  return sequences
}

export function quoteIdentifier(name: string): string {
  return name
    .split('.')
    .map(part => `"${part.replaceAll('"', '""')}"`)
    .join('.')
}
