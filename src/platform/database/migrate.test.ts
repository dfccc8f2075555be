// test: server
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createDatabase, migrations, runAsOwner, silent, toDatabaseUrl } from '#test/support/database.ts'
import type { Store } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import { type Migrations, migrate, migrationLock } from './migrate.ts'
import { connectStore } from './postgres.ts'
import { sql } from './sql.ts'

const home = await createDatabase()
const folder = mkdtempSync(join(tmpdir(), 'kalends-migrations-'))
const opened: Store[] = []
const databaseNames: string[] = []
after(async () => {
  await Promise.all(opened.map(async store => await store.close()))
  for (const name of databaseNames) await runAsOwner(home.url, `drop database ${name} with (force)`)
  await home.remove()
  rmSync(folder, { recursive: true })
})

const marks = 'create table public.marks (mark text)'
const mark = (text: string) => `insert into public.marks values ('${text}')`

test('each file is applied once and in order', async () => {
  const db = open(await emptyDatabase())
  const parts = [aPart({ '002_second.sql': mark('second'), '001_first.sql': `${marks}; ${mark('first')}` })]
  await migrate(db, parts, silent)
  await migrate(db, parts, silent)
  assert.deepEqual(await readMarks(db), ['first', 'second'])
  assert.deepEqual(await listApplied(db), ['sample 1 001_first.sql', 'sample 2 002_second.sql'])
})

test('a file that an upgrade adds is applied after the others, which are not applied again', async () => {
  const db = open(await emptyDatabase())
  await migrate(db, [aPart({ '001_first.sql': `${marks}; ${mark('first')}` })], silent)
  await migrate(db, [aPart({ '001_first.sql': 'select 1/0', '002_second.sql': mark('second') })], silent)
  assert.deepEqual(await readMarks(db), ['first', 'second'])
})

test('a start with an up-to-date schema does not wait for the migration lock', { timeout: 30_000 }, async () => {
  const db = open(await emptyDatabase())
  const parts = [aPart({ '001_first.sql': marks })]
  await migrate(db, parts, silent)
  await db.transaction(async tx => {
    await tx.script(`select pg_advisory_xact_lock(${migrationLock})`)
    await migrate(db, parts, silent)
  })
})

test('each part has its own numbering', async () => {
  const db = open(await emptyDatabase())
  await migrate(db, [aPart({ '001_a.sql': marks }, 'one'), aPart({ '001_b.sql': mark('b') }, 'two')], silent)
  assert.deepEqual(await listApplied(db), ['one 1 001_a.sql', 'two 1 001_b.sql'])
  assert.deepEqual(await readMarks(db), ['b'])
})

test('other files in the folder are ignored', async () => {
  const db = open(await emptyDatabase())
  await migrate(db, [aPart({ '001_first.sql': marks, 'README.md': 'not SQL', '001_first.sql~': 'nonsense' })], silent)
  assert.deepEqual(await listApplied(db), ['sample 1 001_first.sql'])
})

test('processes that start at once on an empty database apply each file once', async () => {
  const url = await emptyDatabase()
  const slow = 'select pg_sleep(0.1)'
  const parts = [aPart({ '001_first.sql': `${marks}; ${slow}`, '002_second.sql': `${mark('once')}; ${slow}` })]
  const stores = [open(url), open(url), open(url)]
  await Promise.all(stores.map(async store => await migrate(store, parts, silent)))
  const db = stores[0] as Store
  assert.deepEqual(await readMarks(db), ['once'])
  assert.equal((await listApplied(db)).length, 2)
})

test('two processes at once can create the schema on an empty database', async () => {
  const url = await emptyDatabase()
  await Promise.all([migrate(open(url), migrations, silent), migrate(open(url), migrations, silent)])
  const db = open(url)
  const { campaigns } = await db.one<{ campaigns: number }>(sql`
    select count(*) as campaigns from fundraising.campaigns`)
  assert.equal(campaigns, 0)
  assert.ok((await listApplied(db)).includes('platform 1 001_activity.sql'))
})

test('a database that is newer than the program is refused with instructions', async () => {
  const db = open(await emptyDatabase())
  await migrate(db, [aPart({ '001_first.sql': marks, '002_second.sql': mark('second') })], silent)
  await assert.rejects(
    migrate(db, [aPart({ '001_first.sql': marks })], silent),
    /newer than this program.*sample.*version 2.*knows 1.*Install the newer.*backup/s
  )
  assert.deepEqual(await readMarks(db), ['second'])
})

test('a migration that fails is rolled back, and is applied after it is corrected', async () => {
  const db = open(await emptyDatabase())
  const first = { '001_first.sql': `${marks}; ${mark('first')}` }
  const failing = `${mark('second')}; create table public.half (); select 1/0`
  await assert.rejects(migrate(db, [aPart({ ...first, '002_second.sql': failing })], silent), /division by zero/)
  assert.deepEqual(await readMarks(db), ['first'])
  assert.deepEqual(await listApplied(db), ['sample 1 001_first.sql'])
  assert.equal((await db.one<{ half: string | null }>(sql`select to_regclass('public.half') as half`)).half, null)

  await migrate(db, [aPart({ ...first, '002_second.sql': `${mark('second')}; create table public.half ()` })], silent)
  assert.deepEqual(await readMarks(db), ['first', 'second'])
})

test('a migration gives up if a transaction keeps a lock on its table', async () => {
  const url = await emptyDatabase()
  const [db, other] = [open(url), open(url)]
  const first = { '001_first.sql': marks }
  const second = { ...first, '002_second.sql': 'alter table public.marks add column more text' }
  await migrate(db, [aPart(first)], silent)
  await other.transaction(async tx => {
    await tx.all(sql`select mark from public.marks`)
    await assert.rejects(migrate(db, [aPart(second)], silent, 1000), DatabaseUnavailable)
  })
  assert.equal((await listApplied(db)).length, 1)
  await migrate(db, [aPart(second)], silent)
  assert.equal((await listApplied(db)).length, 2)
})

test('migrations that lock one table each succeed while all tables are in use, and no transaction fails', async () => {
  const url = await emptyDatabase()
  const [db, other] = [open(url), connectStore({ connectionString: url }, { noTimeouts: false, log: silent })]
  opened.push(other)
  const first = { '001_first.sql': `${marks}; create table public.places (place text)` }
  const more = {
    '002_second.sql': 'alter table public.marks add column more text',
    '003_third.sql': 'alter table public.places add column more text'
  }
  await migrate(db, [aPart(first)], silent)
  let isDone = false
  const writers = Array.from({ length: 8 }, async () => {
    while (!isDone) {
      await other.transaction(async tx => {
        await tx.run(sql`insert into public.places (place) values ('here')`)
        await tx.run(sql`select pg_sleep(0.05)`)
        await tx.run(sql`insert into public.marks (mark) values ('here')`)
      })
    }
  })
  await migrate(db, [aPart({ ...first, ...more })], silent).finally(() => {
    isDone = true
  })
  await Promise.all(writers)
  assert.equal((await listApplied(db)).length, 3)
})

const misnumbered: [why: string, files: string[]][] = [
  ['a gap', ['001_a.sql', '003_b.sql']],
  ['a missing first file', ['002_a.sql']],
  ['a duplicate number', ['001_a.sql', '001_b.sql']],
  ['a number of two digits', ['01_a.sql']],
  ['no number', ['first.sql']],
  ['capitals in the name', ['001_A.sql']]
]

test('files that are not numbered without gaps are refused before any is applied', async () => {
  const db = open(await emptyDatabase())
  for (const [why, names] of misnumbered) {
    const parts = [aPart(Object.fromEntries(names.map(name => [name, marks])))]
    await assert.rejects(migrate(db, parts, silent), /numbered without gaps/, why)
    const { found } = await db.one<{ found: string | null }>(sql`select to_regclass('public.marks') as found`)
    assert.equal(found, null, why)
  }
})

async function emptyDatabase(): Promise<string> {
  const name = `empty_${randomBytes(6).toString('hex')}`
  await runAsOwner(home.url, `create database ${name}`)
  databaseNames.push(name)
  return toDatabaseUrl(home.url, name)
}

function open(url: string): Store {
  const store = connectStore({ connectionString: url }, { noTimeouts: false, log: silent })
  opened.push(store)
  return store
}

function aPart(files: Record<string, string>, part = 'sample'): Migrations {
  const path = join(folder, randomBytes(6).toString('hex'))
  mkdirSync(path)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  return { part, folder: pathToFileURL(`${path}/`) }
}

async function readMarks(db: Store): Promise<string[]> {
  return (await db.all<{ mark: string }>(sql`select mark from public.marks`)).map(row => row.mark)
}

async function listApplied(db: Store): Promise<string[]> {
  const rows = await db.all<{ line: string }>(sql`
    select part || ' ' || number || ' ' || name as line from platform.migrations order by part, number`)
  return rows.map(row => row.line)
}
