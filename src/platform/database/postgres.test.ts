// test: server
import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { after, test } from 'node:test'
import { createDatabase, silent } from '#test/support/database.ts'
import { requireSettled } from '#test/support/require-settled.ts'
import { DatabaseUnavailable } from './errors.ts'
import { connectStore } from './postgres.ts'
import { sql } from './sql.ts'

const database = await createDatabase()
const store = connectStore({ connectionString: database.url }, { noTimeouts: false, log: silent })
const other = connectStore({ connectionString: database.url }, { noTimeouts: true, log: silent })
await store.script('create table public.items (id integer primary key, word text not null)')
after(async () => {
  await store.close()
  await other.close()
  await database.remove()
})

const insert = (id: number, word = 'word') => sql`insert into public.items (id, word) values (${id}, ${word})`
const readWord = async (id: number) =>
  (await store.maybeOne<{ word: string }>(sql`select word from public.items where id = ${id}`))?.word

test('all returns every row', async () => {
  assert.deepEqual(await store.all(sql`select n from generate_series(1, ${3}::int) as n`), [
    { n: 1 },
    { n: 2 },
    { n: 3 }
  ])
  assert.deepEqual(await store.all(sql`select 1 as n where false`), [])
})

test('bigint values are numbers in columns and in arrays', async () => {
  assert.deepEqual(
    await store.one(
      sql`select ${1}::bigint as one, array[1, 9007199254740991]::bigint[] as some, '{}'::bigint[] as none`
    ),
    { one: 1, some: [1, Number.MAX_SAFE_INTEGER], none: [] }
  )
})

test('a repeated statement gives the same result on every connection, with rows, without rows, and after an error', async () => {
  const read = (divisor: number) =>
    store.all(sql`select n, 12 / n as share, null::text as nothing, now() > '2026-01-01' as today
      from generate_series(${divisor}::int, ${divisor}::int + 1) as n`)
  const expected = [
    { n: 2, share: 6, nothing: null, today: true },
    { n: 3, share: 4, nothing: null, today: true }
  ]
  // More often than there are connections, sequentially and concurrently.
  for (let turn = 0; turn < 12; turn += 1) assert.deepEqual(await read(2), expected)
  for (const rows of await Promise.all(Array.from({ length: 40 }, () => read(2)))) assert.deepEqual(rows, expected)
  for (let turn = 0; turn < 8; turn += 1) {
    await assert.rejects(read(0), { code: '22012' })
    assert.deepEqual(await read(2), expected)
  }
  for (let turn = 0; turn < 8; turn += 1) {
    assert.equal(await store.run(insert(9000 + turn)), 1)
    assert.equal(await store.run(sql`delete from public.items where id = ${9000 + turn}`), 1)
    assert.equal(await store.run(sql`delete from public.items where id = ${9000 + turn}`), 0)
  }
})

test('one returns exactly one row, and any other number is an error', async () => {
  assert.deepEqual(await store.one(sql`select ${'x'} as word`), { word: 'x' })
  await assert.rejects(store.one(sql`select 1 where false`), /Expected one row, got 0/)
  await assert.rejects(store.one(sql`select generate_series(1, 2)`), /Expected one row, got 2/)
})

test('maybeOne returns one row or undefined, and more rows are an error', async () => {
  assert.deepEqual(await store.maybeOne(sql`select 1 as n`), { n: 1 })
  assert.equal(await store.maybeOne(sql`select 1 where false`), undefined)
  await assert.rejects(store.maybeOne(sql`select generate_series(1, 2)`), /Expected at most one row, got 2/)
})

test('run returns the number of affected rows', async () => {
  assert.equal(await store.run(insert(1)), 1)
  assert.equal(await store.run(sql`update public.items set word = 'new' where id in (${1}, ${-1})`), 1)
  assert.equal(await store.run(sql`delete from public.items where id = ${-1}`), 0)
})

test('bigint values are numbers, and timestamps are ISO text in UTC', async () => {
  const row = await store.one(sql`
    select 9007199254740991::bigint as big,
      timestamptz '2026-03-29 03:30:00.25+02' as early,
      timestamptz '2026-03-29 03:30:00+00' as whole,
      timestamptz '2026-03-29 03:30:00.123456+00' as fine`)
  assert.deepEqual(row, {
    big: 9007199254740991,
    early: '2026-03-29T01:30:00.250Z',
    whole: '2026-03-29T03:30:00.000Z',
    fine: '2026-03-29T03:30:00.123Z'
  })
})

test('concurrent statements each get their own result', async () => {
  const numbers = Array.from({ length: 1000 }, (_, index) => index)
  const responses = await Promise.all(
    numbers.map(async number =>
      number % 2 === 0
        ? await store.one<{ n: number }>(sql`select ${number}::int as n`)
        : await store.one<{ n: number }>(sql`select ${number}::int + 0 as n`)
    )
  )
  assert.deepEqual(
    responses.map(({ n }) => n),
    numbers
  )
})

test('statements of one turn of the event loop are sent together', async t => {
  await store.one(sql`select 1 as n`)
  const cork = t.mock.method(Socket.prototype, 'cork')
  const responses = Promise.all([1, 2, 3].map(async n => await store.one(sql`select ${n}::int as n`)))
  // Runs promise callbacks, but stays in the same turn.
  for (let count = 0; count < 20; count += 1) await undefined
  const sockets = new Set(cork.mock.calls.map(call => call.this as Socket))
  assert.equal(sockets.size, 1)
  for (const socket of sockets) assert.ok(socket.writableLength > 0)
  assert.deepEqual(await responses, [{ n: 1 }, { n: 2 }, { n: 3 }])
  for (const socket of sockets) assert.equal(socket.writableLength, 0)
})

test('a statement that fails does not affect concurrent ones', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, async (_, index) =>
      index % 5 === 0
        ? await store.one(sql`select ${1}::int / ${0}::int as n, ${index}::int as i`)
        : await store.one(sql`select ${index}::int as n`)
    )
  )
  for (const [index, outcome] of outcomes.entries()) {
    assert.equal(outcome.status, index % 5 === 0 ? 'rejected' : 'fulfilled', String(index))
    if (outcome.status === 'fulfilled') assert.deepEqual(outcome.value, { n: index })
  }
})

test('a statement that failed because of a missing table works after the table is created', async () => {
  const statement = sql`select count(*) as n from public.made_later`
  for (let count = 0; count < 8; count += 1) await assert.rejects(store.one(statement), /made_later/)
  await store.script('create table public.made_later ()')
  for (let count = 0; count < 8; count += 1) assert.deepEqual(await store.one(statement), { n: 0 })
})

test('a script runs several statements in one transaction', async () => {
  await store.script(`insert into public.items values (11, 'a'); insert into public.items values (12, 'b')`)
  assert.equal(await readWord(12), 'b')
  await assert.rejects(store.script(`insert into public.items values (13, 'c'); select 1/0`), /division by zero/)
  assert.equal(await readWord(13), undefined)
})

test('waiting for a lock ends with DatabaseUnavailable in time, and the statement works when the lock is free', async () => {
  await store.run(insert(20, 'locked'))
  const update = sql`update public.items set word = 'changed' where id = ${20}`
  await other.transaction(async tx => {
    await tx.one(sql`select id from public.items where id = ${20} for update`)
    await requireSettled(assert.rejects(store.run(update), DatabaseUnavailable))
    await requireSettled(
      assert.rejects(
        store.transaction(async mine => await mine.run(update)),
        DatabaseUnavailable
      )
    )
  })
  assert.equal(await store.run(update), 1)
})

test('a statement that takes too long ends with DatabaseUnavailable in time', async () => {
  await requireSettled(assert.rejects(store.one(sql`select pg_sleep(20)`), DatabaseUnavailable))
  assert.deepEqual(await store.one(sql`select 1 as n`), { n: 1 })
})

test('a transaction that takes too long ends with DatabaseUnavailable in time and is rolled back', async () => {
  const slow = store.transaction(async tx => {
    await tx.run(insert(30))
    for (let count = 0; count < 20; count += 1) await tx.one(sql`select pg_sleep(1)`)
  })
  await requireSettled(assert.rejects(slow, DatabaseUnavailable))
  assert.equal(await readWord(30), undefined)
})

test('statements beyond the limit of waiting ones are refused at once', async () => {
  // Without timeouts: on a busy machine, statements that were accepted would exceed them.
  const withoutTimeouts = connectStore({ connectionString: database.url }, { noTimeouts: true, log: silent })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4500 }, async () => await withoutTimeouts.one(sql`select ${1}::int as n`))
  )
  const refused = outcomes.filter(outcome => outcome.status === 'rejected')
  assert.equal(refused.length, 500)
  assert.ok(refused.every(({ reason }) => reason instanceof DatabaseUnavailable))
  assert.deepEqual(await withoutTimeouts.one(sql`select 1 as n`), { n: 1 })
  await withoutTimeouts.close()
})

test('closing a store waits for its running statements and transactions', async () => {
  const closing = connectStore({ connectionString: database.url }, { noTimeouts: false, log: silent })
  const statement = closing.one(sql`select ${'done'} as word from pg_sleep(0.3)`)
  const transaction = closing.transaction(async tx => {
    await tx.one(sql`select pg_sleep(0.2)`)
    await tx.run(insert(40, 'kept'))
  })
  await closing.one(sql`select 1 as n`)
  await closing.close()
  assert.deepEqual(await statement, { word: 'done' })
  await transaction
  assert.equal(await readWord(40), 'kept')
})
