// test: server
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDatabase, silent } from '#test/support/database.ts'
import type { Database } from './database.ts'
import { connectStore } from './postgres.ts'
import { sql } from './sql.ts'

const database = await createDatabase()
const store = connectStore({ connectionString: database.url }, { noTimeouts: false, log: silent })
const other = connectStore({ connectionString: database.url }, { noTimeouts: true, log: silent })
await store.script('create table public.items (id integer primary key, amount integer not null)')
await store.run(insert(1, 10))
after(async () => {
  await store.close()
  await other.close()
  await database.remove()
})

test('what runs at the commit is committed with the transaction', async () => {
  await store.transaction(async tx => {
    await tx.runAtCommit(insert(2, 1))
    await tx.run(insert(3, 1))
    assert.equal(await readAmount(2, tx), undefined)
  })
  assert.deepEqual([await readAmount(2), await readAmount(3)], [1, 1])
  await store.runAtCommit(insert(4, 1))
  assert.equal(await readAmount(4), 1)
})

test('a transaction whose write at the commit fails is rolled back and throws its error', async () => {
  const changes: unknown[] = []
  const stopListening = store.onCommit(committed => changes.push(...committed))
  const work = store.transaction(async tx => {
    await tx.runAtCommit(insert(5, 1))
    await tx.runAtCommit(insert(1, 1))
    await tx.runAtCommit(insert(6, 1))
    await tx.run(insert(7, 1))
    tx.addChange({ action: 'item.created', subject: 'item', subjectId: '7', details: {} })
  })
  await assert.rejects(work, { code: '23505' })
  stopListening()
  assert.deepEqual([await readAmount(5), await readAmount(6), await readAmount(7)], [undefined, undefined, undefined])
  assert.deepEqual(changes, [])
})

test('a write at the commit that collides is retried with the whole transaction', async () => {
  await store.run(insert(8, 0))
  let attempts = 0
  await store.transaction(async tx => {
    attempts += 1
    await tx.script('set transaction isolation level repeatable read')
    await readAmount(8, tx)
    if (attempts === 1) await other.run(sql`update public.items set amount = 100 where id = ${8}`)
    await tx.runAtCommit(sql`update public.items set amount = amount + 1 where id = ${8}`)
  })
  assert.equal(attempts, 2)
  assert.equal(await readAmount(8), 101)
})

test('work that goes on after its transaction has failed cannot write any more', async () => {
  let late: Promise<unknown> = Promise.resolve()
  const work = store.transaction(async tx => {
    await tx.run(insert(9, 1))
    late = new Promise(resolve => setTimeout(resolve, 20)).then(async () => await tx.run(insert(10, 1)))
    late.catch(() => {})
    throw new Error('mine')
  })
  await assert.rejects(work, /mine/)
  await assert.rejects(late, /The transaction is over/)
  assert.deepEqual([await readAmount(9), await readAmount(10)], [undefined, undefined])
})

function insert(id: number, amount: number) {
  return sql`insert into public.items (id, amount) values (${id}, ${amount})`
}

async function readAmount(id: number, db: Database = store): Promise<number | undefined> {
  return (await db.maybeOne<{ amount: number }>(sql`select amount from public.items where id = ${id}`))?.amount
}
