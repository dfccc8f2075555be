import type { Database } from '../database/database.ts'
import { Sql, sql } from '../database/sql.ts'

export interface ArchivedTable {
  /** With its schema: `calendar.events`. */
  name: string
  /** Those that are stored; generated ones make themselves. */
  columns: string[]
  /** What its rows are ordered by: the primary key. */
  key: { column: string; isText: boolean }[]
  /** Tables that its rows point to. */
  needs: string[]
  /**
   * Columns with numbers of transactions, and what they are by default. Such a number means nothing in another database:
   * there it may be that of a transaction to come. So they stay behind, and are 0 for what is loaded.
   */
  transactions: { column: string; default: string | null }[]
}

export interface Sequence {
  name: string
  value: number
  isCalled: boolean
}

/**
 * What stays behind: the tables' own history stands in the manifest, whoever was signed in signs in again, a link to
 * make the first account is made anew by every start, one of an invitation or to reset a password by an admin, what is counted for limits is over in minutes, and letters that waited are not sent a second time, or to real
 * people by a copy that somebody only looks at. All others go along, also answers to Idempotency-Keys: a
 * donor who sends again after a restore must not have donated twice.
 */
const excludedTables = [
  'platform.account_links',
  'platform.counters',
  'platform.migrations',
  'platform.sessions',
  'platform.setup',
  'platform.sign_in_steps',
  'platform.letters'
]

/** Every table that an archive holds, in an order in which each comes after those that it points to. */
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

/** By name, but never before what is pointed to. */
function sortByDependency(tables: ArchivedTable[]): ArchivedTable[] {
  const ordered: ArchivedTable[] = []
  const placed = (name: string) => ordered.some(table => table.name === name)
  while (ordered.length < tables.length) {
    const next = tables.find(table => !placed(table.name) && table.needs.every(placed))
    if (next === undefined) throw new Error('Tables point to each other in a circle, or to one that is left behind.')
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

/** A name as it stands in a statement. */
export function quoteIdentifier(name: string): string {
  return name
    .split('.')
    .map(part => `"${part.replaceAll('"', '""')}"`)
    .join('.')
}
