// test: own process, long, server
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, silent } from '#test/support/database.ts'
import { startProxy } from '#test/support/database-proxy.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { requireSettled } from '#test/support/require-settled.ts'
import type { Store } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import { connectStore } from './postgres.ts'
import { sql } from './sql.ts'

const database = await createDatabase()
const proxy = await startProxy(database.url)
const store = open()
await store.script('create table public.items (id integer primary key)')
after(async () => {
  await proxy.pass()
  await store.close()
  await proxy.close()
  await database.remove()
})

/** Every kind of database access. */
const accesses: Record<string, (on: Store) => Promise<unknown>> = {
  'a statement': async on => await on.one(sql`select ${1}::int as n`),
  'a transaction': async on => await on.transaction(async tx => await tx.one(sql`select ${2}::int as n`)),
  'a script': async on => await on.script('select 1'),
  'a ping': async on => await on.ping()
}
const accessesOfAllClients = Array.from({ length: 4 }, () => Object.entries(accesses)).flat()

/** Resets all connections, and gives the clients time to notice it. */
async function breakAll(): Promise<void> {
  proxy.reset()
  await waitUntil(() => proxy.count() === 0)
  await sleep(100)
}

test('a database that refuses connections is unavailable at once, and available again without a restart', async () => {
  await assertAllWork(store)
  await proxy.refuse()
  for (let round = 0; round < 3; round += 1) await assertAllUnavailable(store)
  await proxy.pass()
  await assertAllWork(store)
})

test('a database that cannot be reached at the start is unavailable, and available as soon as it accepts connections', async () => {
  await proxy.refuse()
  const early = open()
  await assertAllUnavailable(early)
  await proxy.pass()
  await assertAllWork(early)
  await early.close()
})

test('connections that break while idle are replaced', async () => {
  await assertAllWork(store)
  await breakAll()
  await assertAllWork(store)
})

test('connections that break during a statement give DatabaseUnavailable, and the next attempt works', async () => {
  await assertAllWork(store)
  const sleeping = sql`select pg_sleep(3)`
  const pending = [
    ...Array.from({ length: 8 }, () => store.one(sleeping)),
    ...Array.from({ length: 3 }, () => store.transaction(async tx => await tx.one(sleeping)))
  ].map(async work => await assert.rejects(work, DatabaseUnavailable))
  await sleep(100)
  proxy.reset()
  await requireSettled(Promise.all(pending))
  await assertAllWork(store)
})

test('a transaction that loses its connection between two statements gives DatabaseUnavailable and is rolled back', async () => {
  const work = store.transaction(async tx => {
    await tx.run(sql`insert into public.items values (${1})`)
    await breakAll()
    await tx.run(sql`insert into public.items values (${2})`)
  })
  await assert.rejects(work, DatabaseUnavailable)
  assert.deepEqual(await store.all(sql`select id from public.items`), [])
})

test('a database that stops responding is unavailable in time, and available when it responds again', async () => {
  await assertAllWork(store)
  let startSilence = () => {}
  const silent = new Promise<void>(resolve => {
    startSilence = resolve
  })
  const ready: Promise<void>[] = []
  const runUntilSilence = (last: 'a statement' | 'a commit' | 'a rollback') => {
    let isReady = () => {}
    ready.push(new Promise(resolve => (isReady = resolve)))
    return store.transaction(async tx => {
      // Time that the transaction has already used counts.
      await tx.one(sql`select pg_sleep(1.3)`)
      isReady()
      await silent
      if (last === 'a statement') await tx.one(sql`select 3 as n`)
      if (last === 'a rollback') throw new Error('the work itself failed')
    })
  }
  const running = requireSettled(
    Promise.all(
      (['a statement', 'a commit', 'a rollback'] as const).map(
        async last =>
          await assert.rejects(runUntilSilence(last), last === 'a rollback' ? /itself/ : DatabaseUnavailable, last)
      )
    )
  )
  await Promise.all(ready)
  proxy.blackHole()
  startSilence()
  await Promise.all([running, assertAllUnavailable(store)])
  await proxy.pass()
  await waitUntil(() => proxy.count() === 0)
  await assertAllWork(store)
})

test('a database that accepts connections but does not respond is unavailable in time', async context => {
  const own = await startProxy(database.url)
  const early = open(own.url)
  context.after(async () => {
    await early.close()
    await own.close()
  })
  own.blackHole()
  await assertAllUnavailable(early)
  await own.pass()
  await waitUntil(() => own.count() === 0)
  await assertAllWork(early)
})

test('after a server disappears without closing connections, one timeout follows, and no restart is needed', async () => {
  await assertAllWork(store)
  proxy.abandon()
  await assertAllUnavailable(store)
  await waitUntil(() => proxy.count() === 0)
  await assertAllWork(store)
})

test('outages do not leave connections behind', async () => {
  await waitUntil(() => proxy.count() <= 4 + 16)
})

test('a store can be closed while the database does not respond', async () => {
  const closing = open()
  await assertAllWork(closing)
  proxy.blackHole()
  await requireSettled(closing.close())
  await proxy.pass()
})

function open(url = proxy.url): Store {
  return connectStore({ connectionString: url }, { noTimeouts: false, log: silent })
}

async function assertAllWork(on: Store): Promise<void> {
  await Promise.all(
    accessesOfAllClients.map(async ([name, access]) => await (name === 'a ping' ? pingAgain(on) : access(on)))
  )
}

/** Repeats the ping: its timeout of half a second may be too short on a busy machine. */
async function pingAgain(on: Store): Promise<void> {
  for (let tries = 1; tries < 5; tries += 1) {
    try {
      return await on.ping()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) && !/half a second/.test(String(error))) throw error
    }
  }
  await on.ping()
}

async function assertAllUnavailable(on: Store): Promise<void> {
  const pending = accessesOfAllClients.map(
    async ([name, access]) => await assert.rejects(access(on), DatabaseUnavailable, name)
  )
  await requireSettled(Promise.all(pending))
}
