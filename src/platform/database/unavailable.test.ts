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

/** Every way to ask the database something. */
const asks: Record<string, (on: Store) => Promise<unknown>> = {
  'a statement': async on => await on.one(sql`select ${1}::int as n`),
  'a transaction': async on => await on.transaction(async tx => await tx.one(sql`select ${2}::int as n`)),
  'a script': async on => await on.script('select 1'),
  'a ping': async on => await on.ping()
}
const eachOfTheClients = Array.from({ length: 4 }, () => Object.entries(asks)).flat()

/** And gives this side the time to notice it. */
async function breakAll(): Promise<void> {
  proxy.reset()
  await waitUntil(() => proxy.count() === 0)
  await sleep(100)
}

test('a database that refuses connections is away at once, and back without a restart', async () => {
  await allWork(store)
  await proxy.refuse()
  for (let round = 0; round < 3; round += 1) await allAreAway(store)
  await proxy.pass()
  await allWork(store)
})

test('a database that cannot be reached from the start is away, and there when it comes', async () => {
  await proxy.refuse()
  const early = open()
  await allAreAway(early)
  await proxy.pass()
  await allWork(early)
  await early.close()
})

test('connections that break while nothing happens are made anew', async () => {
  await allWork(store)
  await breakAll()
  await allWork(store)
})

test('connections that break under way give DatabaseAway, and the next try works', async () => {
  await allWork(store)
  const sleeping = sql`select pg_sleep(3)`
  const asked = [
    ...Array.from({ length: 8 }, () => store.one(sleeping)),
    ...Array.from({ length: 3 }, () => store.transaction(async tx => await tx.one(sleeping)))
  ].map(async work => await assert.rejects(work, DatabaseUnavailable))
  await sleep(100)
  proxy.reset()
  await requireSettled(Promise.all(asked))
  await allWork(store)
})

test('a transaction that loses its connection between two statements is away and leaves nothing behind', async () => {
  const work = store.transaction(async tx => {
    await tx.run(sql`insert into public.items values (${1})`)
    await breakAll()
    await tx.run(sql`insert into public.items values (${2})`)
  })
  await assert.rejects(work, DatabaseUnavailable)
  assert.deepEqual(await store.all(sql`select id from public.items`), [])
})

test('a database that is silent is away in time, whatever was asked, and back when it speaks again', async () => {
  await allWork(store)
  let silence = () => {}
  const silent = new Promise<void>(resolve => {
    silence = resolve
  })
  const ready: Promise<void>[] = []
  const inTheMiddle = (last: 'a statement' | 'a commit' | 'a rollback') => {
    let isReady = () => {}
    ready.push(new Promise(resolve => (isReady = resolve)))
    return store.transaction(async tx => {
      // Time that is used up already counts.
      await tx.one(sql`select pg_sleep(1.3)`)
      isReady()
      await silent
      if (last === 'a statement') await tx.one(sql`select 3 as n`)
      if (last === 'a rollback') throw new Error('the work itself failed')
    })
  }
  const underWay = requireSettled(
    Promise.all(
      (['a statement', 'a commit', 'a rollback'] as const).map(
        async last =>
          await assert.rejects(inTheMiddle(last), last === 'a rollback' ? /itself/ : DatabaseUnavailable, last)
      )
    )
  )
  await Promise.all(ready)
  proxy.blackHole()
  silence()
  await Promise.all([underWay, allAreAway(store)])
  await proxy.pass()
  await waitUntil(() => proxy.count() === 0)
  await allWork(store)
})

test('a database that takes connections but says nothing is away in time', async context => {
  const own = await startProxy(database.url)
  const early = open(own.url)
  context.after(async () => {
    await early.close()
    await own.close()
  })
  own.blackHole()
  await allAreAway(early)
  await own.pass()
  await waitUntil(() => own.count() === 0)
  await allWork(early)
})

test('a database that was replaced without farewell costs one wait, not a restart', async () => {
  await allWork(store)
  proxy.abandon()
  await allAreAway(store)
  await waitUntil(() => proxy.count() === 0)
  await allWork(store)
})

test('outages do not leave connections behind', async () => {
  await waitUntil(() => proxy.count() <= 4 + 16)
})

test('a store can be closed while the database is silent', async () => {
  const closing = open()
  await allWork(closing)
  proxy.blackHole()
  await requireSettled(closing.close())
  await proxy.pass()
})

function open(url = proxy.url): Store {
  return connectStore({ connectionString: url }, { noTimeouts: false, log: silent })
}

async function allWork(on: Store): Promise<void> {
  await Promise.all(eachOfTheClients.map(async ([name, ask]) => await (name === 'a ping' ? pingAgain(on) : ask(on))))
}

/** A ping waits for half a second only, which a busy machine may need by itself. */
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

async function allAreAway(on: Store): Promise<void> {
  const asked = eachOfTheClients.map(async ([name, ask]) => await assert.rejects(ask(on), DatabaseUnavailable, name))
  await requireSettled(Promise.all(asked))
}
