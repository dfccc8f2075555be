// Whether the tables can be distributed by Citus as in deploy/citus.sql: checked on the schema after all migrations.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connectStore } from '#platform/database/postgres.ts'
import { sql } from '#platform/database/sql.ts'
import { createDatabase, silent } from '../support/database.ts'
import { root } from '../support/project-root.ts'
import { extractSql, listSourceFiles } from '../support/source-files.ts'

const database = await createDatabase()
const store = connectStore({ connectionString: database.url }, { noTimeouts: true, log: silent })
after(async () => {
  await store.close()
  await database.remove()
})

const plan = readFileSync(join(root, 'deploy', 'citus.sql'), 'utf8')
/** The distribution column of each table. */
const distributed = new Map(
  [...plan.matchAll(/^select create_distributed_table\('([\w.]+)', '(\w+)'/gm)].map(([, table = '', key = '']) => [
    table,
    key
  ])
)
const referenceTables = [...plan.matchAll(/^select create_reference_table\('([\w.]+)'\)/gm)].map(
  ([, table = '']) => table
)
const local = [...plan.matchAll(/^-- {3}([\w.]+)$/gm)].map(([, table = '']) => table)

/** Our schemas; the schema of the job queue stays on the coordinator. */
const isOurSchema = sql`namespace.nspname in ('platform', 'fundraising', 'calendar')`
const listNames = async (rows: Promise<{ name: string }[]>) => (await rows).map(({ name }) => name)

test('every table is listed in deploy/citus.sql once', async () => {
  const tables = await listNames(
    store.all(sql`
      select namespace.nspname || '.' || class.relname as name
      from pg_class as class
      join pg_namespace as namespace on namespace.oid = class.relnamespace
      where ${isOurSchema} and class.relkind in ('r', 'p')
      order by name`)
  )
  assert.ok(tables.length > 40)
  assert.deepEqual([...distributed.keys(), ...referenceTables, ...local].sort(), tables.sort())
})

test('unique indexes of distributed tables contain the distribution column, because no node has the rows of the others', async () => {
  const keys = await store.all<{ name: string; table: string; columns: string[] }>(sql`
    select
      index.relname as name,
      namespace.nspname || '.' || class.relname as table,
      array(select attname::text from pg_attribute where attrelid = class.oid and attnum = any(pg_index.indkey)) as columns
    from pg_index
    join pg_class as index on index.oid = pg_index.indexrelid
    join pg_class as class on class.oid = pg_index.indrelid
    join pg_namespace as namespace on namespace.oid = class.relnamespace
    where ${isOurSchema} and pg_index.indisunique`)
  const ofDistributed = keys.filter(({ table }) => distributed.has(table))
  assert.ok(ofDistributed.length >= distributed.size, 'each has a primary key at least')
  const stray = ofDistributed.filter(({ table, columns }) => !columns.includes(distributed.get(table) ?? ''))
  assert.deepEqual(stray, [])
})

test('all distribution columns are bigint and not null', async () => {
  const columns = await store.all<{ table: string; column: string; type: string; isFilled: boolean }>(sql`
    select
      namespace.nspname || '.' || class.relname as table, attribute.attname::text as column,
      format_type(attribute.atttypid, null) as type, attribute.attnotnull as "isFilled"
    from pg_attribute as attribute
    join pg_class as class on class.oid = attribute.attrelid
    join pg_namespace as namespace on namespace.oid = class.relnamespace
    where ${isOurSchema} and class.relkind = 'r'`)
  for (const [table, key] of distributed) {
    const found = columns.find(one => one.table === table && one.column === key)
    assert.deepEqual(found, { table, column: key, type: 'bigint', isFilled: true })
  }
})

test('foreign keys of distributed tables stay within a campaign or reference a copied table', async () => {
  const keys = await store.all<{ name: string; from: string; to: string; columns: string[]; toColumns: string[] }>(sql`
    select
      constraints.conname as name,
      constraints.conrelid::regclass::text as from, constraints.confrelid::regclass::text as to,
      array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any(conkey)) as columns,
      array(select attname::text from pg_attribute where attrelid = confrelid and attnum = any(confkey)) as "toColumns"
    from pg_constraint as constraints
    join pg_namespace as namespace on namespace.oid = constraints.connamespace
    where ${isOurSchema} and constraints.contype = 'f'`)
  assert.ok(keys.length > 5, 'foreign keys are not found any more')
  const crossing = keys.filter(({ from, to, columns, toColumns }) => {
    const [fromKey, toKey] = [distributed.get(from), distributed.get(to)]
    if (fromKey === undefined) return toKey !== undefined || (local.includes(from) && !local.includes(to))
    const withinCampaign = toKey !== undefined && columns.includes(fromKey) && toColumns.includes(toKey)
    return !withinCampaign && !referenceTables.includes(to)
  })
  assert.deepEqual(crossing, [])
})

test('there are no triggers, rules, exclusion constraints or functions that Citus cannot distribute', async () => {
  const found = await listNames(
    store.all(sql`
      select 'trigger ' || pg_trigger.tgname as name
      from pg_trigger
      join pg_class on pg_class.oid = pg_trigger.tgrelid
      join pg_namespace as namespace on namespace.oid = pg_class.relnamespace
      where ${isOurSchema} and not pg_trigger.tgisinternal
      union all
      select 'rule ' || pg_rewrite.rulename
      from pg_rewrite
      join pg_class on pg_class.oid = pg_rewrite.ev_class
      join pg_namespace as namespace on namespace.oid = pg_class.relnamespace
      where ${isOurSchema} and pg_class.relkind = 'r'
      union all
      select 'exclusion ' || pg_constraint.conname
      from pg_constraint
      join pg_namespace as namespace on namespace.oid = pg_constraint.connamespace
      where ${isOurSchema} and pg_constraint.contype = 'x'
      union all
      select 'function ' || pg_proc.proname
      from pg_proc
      join pg_namespace as namespace on namespace.oid = pg_proc.pronamespace
      where ${isOurSchema}`)
  )
  // The activity log stays on the coordinator, where triggers refuse to change it.
  const onCoordinator =
    /^trigger activity_(?:chain_)?(?:keeps_rows|is_not_emptied)$|^function refuse_(?:change|truncate)$/
  // Citus creates it on every worker: it depends on its arguments only, which are columns.
  const onWorkers = 'function is_valid_donation'
  assert.deepEqual(
    found.filter(name => !onCoordinator.test(name) && name !== onWorkers),
    []
  )
})

test('ids in distributed tables are generated by the program, because sequences of two nodes would collide', async () => {
  const defaults = await listNames(
    store.all(sql`
      select class.oid::regclass || '.' || attribute.attname as name
      from pg_attribute as attribute
      join pg_class as class on class.oid = attribute.attrelid
      join pg_namespace as namespace on namespace.oid = class.relnamespace
      where ${isOurSchema} and class.relkind = 'r' and attribute.attname in ('id', 'donation_id', 'number', 'reference')
        and (attribute.atthasdef or attribute.attidentity <> '')`)
  )
  const ofDistributed = defaults.filter(name => distributed.has(name.replace(/\.\w+$/, '')))
  // The coordinator has the sequences of these two; the second is never exposed.
  assert.deepEqual(ofDistributed.sort(), ['fundraising.campaigns.id', 'fundraising.deltas.id'])
})

/** Files with statements across campaigns, which query all nodes. No donor or visitor waits for them, with one exception. */
const acrossCampaigns = [
  // Limits donations per bank account and hour across campaigns: the exception that donors wait for.
  'src/fundraising/donations/abuse-protection/queries.ts',
  // For treasurers: all donations, mandates, direct debit files, receipts, all data of a donor.
  'src/fundraising/donations/all-donations/queries.ts',
  'src/fundraising/payments/direct-debit/mandates/queries.ts',
  'src/fundraising/payments/direct-debit/collections/queries.ts',
  'src/fundraising/payments/direct-debit/collections/item-queries.ts',
  'src/fundraising/receipts/queries.ts',
  'src/fundraising/gdpr/queries.ts',
  'src/fundraising/payments/statements/entries/payer-queries.ts',
  'src/fundraising/bookkeeping/journal/queries.ts',
  'src/fundraising/receipts/issuing/eligible-payments.ts',
  // For doctor, and for removing sample content.
  'src/fundraising/donations/payments/integrity-queries.ts',
  'src/fundraising/seed/sample-queries.ts',
  // For a job: the number of emails that an address got.
  'src/fundraising/emails/queries.ts',
  // Donors of donations: a job links donations of all campaigns, and a treasurer reads all donations of a donor.
  'src/fundraising/donors/linking/queries.ts',
  'src/fundraising/donors/linking/unlink.ts',
  // The names on the thanks page of a campaign.
  'src/fundraising/donations/thanks/queries.ts',
  // Inserts rows with the campaign as their first column, which is in a list of columns.
  'src/fundraising/donations/insert-queries.ts',
  // Folds all campaigns in one statement, except on Citus.
  'src/fundraising/campaigns/totals/queries.ts'
]

const distributedTable = new RegExp(
  `\\b(${[...distributed.keys()].filter(name => name !== 'fundraising.campaigns').join('|')})\\b`
)
const statements = listSourceFiles('src/fundraising')
  .filter(({ path }) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .flatMap(file => extractSql(file).map(text => ({ path: file.path, text })))

test('every statement on distributed tables has the campaign as condition, except for listed files', () => {
  const onDistributed = statements.filter(({ text }) => distributedTable.test(text))
  assert.ok(onDistributed.length > 60, 'statements are not found any more')
  const across = onDistributed.filter(({ text }) => !/\bcampaign_id\b/.test(text)).map(({ path }) => path)
  assert.deepEqual([...new Set(across)].sort(), acrossCampaigns.toSorted())
})

test('rows of distributed tables are locked by campaign, because Citus locks rows on one node per statement', () => {
  const locking = statements.filter(({ text }) => distributedTable.test(text) && /\bfor update\b/.test(text))
  assert.ok(locking.length > 5, 'statements are not found any more')
  const across = locking.filter(({ text }) => !/\bcampaign_id = /.test(text)).map(({ path }) => path)
  // Without Citus only.
  assert.deepEqual([...new Set(across)], ['src/fundraising/campaigns/totals/queries.ts'])
})

test('no subquery has an empty list of columns, which Citus cannot send from node to node', () => {
  assert.deepEqual(
    statements.filter(({ text }) => /\bselect\s+from\b/.test(text)),
    []
  )
})
