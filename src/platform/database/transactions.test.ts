// test: server
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDatabase, silent } from '#test/support/database.ts'
import type { Database } from './database.ts'
import { DatabaseUnavailable, RetryTransaction } from './errors.ts'
import { connectStore } from './postgres.ts'
import { sql } from './sql.ts'

const database = await createDatabase()
const store = connectStore({ connectionString: database.url }, { noTimeouts: false, log: silent })
const other = connectStore({ connectionString: database.url }, { noTimeouts: true, log: silent })
await store.script('create table public.items (id integer primary key, amount integer not null)')
after(async () => {
  await store.close()
  await other.close()
  await database.remove()
})

const attemptsMax = 5

test('a transaction commits its changes and returns the result of its callback', async () => {
  assert.equal(await store.transaction(async tx => await tx.run(insert(1, 10))), 1)
  assert.equal(await readAmount(1), 10)
})

test('a transaction that throws is rolled back and throws the same error', async () => {
  const mine = new Error('mine')
  const work = store.transaction(async tx => {
    await tx.run(insert(2, 10))
    throw mine
  })
  await assert.rejects(work, error => error === mine)
  assert.equal(await readAmount(2), undefined)
})

test('statements that are sent together fail with the reason of the first that failed', async () => {
  const reason = new Error('taken')
  const insertTaken = async (tx: Database) => {
    try {
      await tx.run(insert(1, 10))
    } catch {
      for (let step = 1; step <= 10; step += 1) await undefined
      throw reason
    }
  }
  for (let times = 1; times <= 30; times += 1) {
    const work = store.transaction(
      async tx => await Promise.all([insertTaken(tx), tx.run(insert(100, 1)), tx.run(insert(101, 1))])
    )
    await assert.rejects(work, error => error === reason)
  }
})

test('a transaction reads its own changes, and others do not before the commit', async () => {
  await store.transaction(async tx => {
    await tx.run(insert(3, 10))
    assert.equal(await readAmount(3, tx), 10)
    assert.equal(await readAmount(3), undefined)
  })
  assert.equal(await readAmount(3), 10)
})

test('a transaction inside a transaction joins it', async () => {
  await store.transaction(async tx => {
    await tx.transaction(async inner => await inner.run(insert(4, 10)))
    assert.equal(await readAmount(4), undefined)
  })
  assert.equal(await readAmount(4), 10)

  const work = store.transaction(async tx => {
    await tx.transaction(async inner => await inner.run(insert(5, 10)))
    throw new Error('the outer one fails')
  })
  await assert.rejects(work, /the outer one fails/)
  assert.equal(await readAmount(5), undefined)
})

test('twice as many transactions as connections all succeed', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => 100 + index)
  await Promise.all(ids.map(async id => await store.transaction(async tx => await tx.run(insert(id, id)))))
  assert.equal((await store.all(sql`select id from public.items where id between 100 and 119`)).length, 20)
})

test('a transaction with a serialization failure (40001) is retried', async () => {
  await store.run(insert(10, 0))
  let attempts = 0
  await store.transaction(async tx => {
    attempts += 1
    await tx.script('set transaction isolation level repeatable read')
    const before = await readAmount(10, tx)
    if (attempts === 1) await other.run(sql`update public.items set amount = 100 where id = ${10}`)
    await tx.run(sql`update public.items set amount = ${(before ?? 0) + 1} where id = ${10}`)
  })
  assert.equal(attempts, 2)
  assert.equal(await readAmount(10), 101)
})

test('two transactions in a deadlock (40P01) both succeed after a retry', async () => {
  await store.run(insert(11, 0))
  await store.run(insert(12, 0))
  let attempts = 0
  let markFirstUpdate = () => {}
  const bothUpdatedFirst = new Promise<void>(resolve => {
    let arrived = 0
    markFirstUpdate = () => {
      arrived += 1
      if (arrived === 2) resolve()
    }
  })
  const add = async (first: number, second: number) =>
    await store.transaction(async tx => {
      attempts += 1
      await tx.run(sql`update public.items set amount = amount + 1 where id = ${first}`)
      markFirstUpdate()
      await bothUpdatedFirst
      await tx.run(sql`update public.items set amount = amount + 1 where id = ${second}`)
    })
  await Promise.all([add(11, 12), add(12, 11)])
  // 4 if PostgreSQL finds the deadlock from both sides at once, as on a busy machine.
  assert.ok(attempts === 3 || attempts === 4, `${attempts} attempts`)
  assert.deepEqual([await readAmount(11), await readAmount(12)], [2, 2])
})

test('a transaction that throws RetryTransaction is retried, and the failed attempt is rolled back', async () => {
  let attempts = 0
  await store.transaction(async tx => {
    attempts += 1
    await tx.run(insert(20 + attempts, 1))
    if (attempts < 3) throw new RetryTransaction('taken')
  })
  assert.deepEqual([await readAmount(21), await readAmount(22), await readAmount(23)], [undefined, undefined, 1])
})

const collisions: Record<string, (tx: Database) => Promise<unknown>> = {
  'that throws RetryTransaction': async () => {
    throw new RetryTransaction('taken')
  },
  'with a serialization failure': async tx => {
    await tx.script('set transaction isolation level repeatable read')
    await readAmount(30, tx)
    await other.run(sql`update public.items set amount = amount + 1 where id = ${30}`)
    return await tx.run(sql`update public.items set amount = 0 where id = ${30}`)
  }
}

test('a transaction is attempted five times at most, then fails with DatabaseUnavailable', async () => {
  await store.run(insert(30, 0))
  for (const [which, collide] of Object.entries(collisions)) {
    let attempts = 0
    const work = store.transaction(async tx => {
      attempts += 1
      await collide(tx)
    })
    await assert.rejects(work, DatabaseUnavailable, which)
    assert.equal(attempts, attemptsMax, which)
  }
})

test('other errors are not retried', async () => {
  let attempts = 0
  const work = store.transaction(async tx => {
    attempts += 1
    await tx.run(insert(31, 1))
    await tx.run(insert(31, 2))
  })
  await assert.rejects(work, { code: '23505' })
  assert.equal(attempts, 1)
})

test('of statements sent together the first error is thrown, and the connections stay usable', async () => {
  await store.run(insert(40, 1))
  for (let count = 0; count < 20; count += 1) {
    const work = store.transaction(async tx => {
      await Promise.all([
        tx.run(insert(41, 1)),
        tx.run(insert(40, 1)),
        tx.one(sql`select 1 / ${0}::int as n`),
        tx.run(sql`update public.items set amount = ${count} where id = ${40}`)
      ])
    })
    await assert.rejects(work, { code: '23505' })
  }
  assert.deepEqual([await readAmount(40), await readAmount(41)], [1, undefined])
  assert.equal(await store.transaction(async tx => await readAmount(40, tx)), 1)
})

test('a statement that was first sent in a failed transaction works in the next one', async () => {
  const statement = sql`select amount + ${1}::int as sum from public.items where id = ${40}`
  const work = store.transaction(async tx => {
    await Promise.all([tx.one(sql`select 1 / ${0}::int`), tx.one(statement), tx.one(statement)])
  })
  await assert.rejects(work, /division by zero/)
  for (let count = 0; count < 5; count += 1) {
    assert.deepEqual(await store.transaction(async tx => await tx.one(statement)), { sum: 2 })
  }
})

test('a transaction whose error was swallowed throws at its commit, because it was rolled back', async () => {
  const work = store.transaction(async tx => {
    await tx.run(insert(50, 1))
    await tx.run(insert(50, 2)).catch(() => 'swallowed')
    return 'all is well'
  })
  await assert.rejects(work, /failed and was rolled back/)
  assert.equal(await readAmount(50), undefined)
  assert.equal(await store.transaction(async tx => await tx.run(insert(51, 1))), 1)
})

test('a constraint that is checked at the commit fails the transaction', async () => {
  await store.script(`
    create table public.parents (id integer primary key);
    create table public.children (parent integer references public.parents deferrable initially deferred)`)
  const work = store.transaction(async tx => await tx.run(sql`insert into public.children values (${1})`))
  await assert.rejects(work, { code: '23503' })
  assert.deepEqual(await store.all(sql`select parent from public.children`), [])
})

test('a broken connection is destroyed, and the next transaction gets a new one', async () => {
  const pids = new Set<number>()
  for (let count = 0; count < 3; count += 1) {
    const work = store.transaction(async tx => {
      const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      assert.ok(!pids.has(pid))
      pids.add(pid)
      await tx.run(insert(60, 1))
      await other.one(sql`select pg_terminate_backend(${pid})`)
      await tx.run(insert(61, 1))
    })
    await assert.rejects(work, DatabaseUnavailable)
  }
  assert.equal(await store.transaction(async tx => await tx.run(insert(62, 1))), 1)
  assert.deepEqual([await readAmount(60), await readAmount(61)], [undefined, undefined])
})

test('oneStatement runs and notifies listeners without a transaction, or as part of an outer one', async () => {
  const announced: string[][] = []
  const stop = store.onCommit(changes => void announced.push(changes.map(({ action }) => action)))
  const change = { action: 'item.created', subject: 'item', subjectId: '70', details: {} }
  const add = (id: number) => async (tx: Database) => {
    const added = await tx.run(insert(id, 1))
    tx.addChange(change)
    return added
  }
  assert.equal(await store.oneStatement(add(70)), 1)
  assert.equal(await readAmount(70, other), 1)
  await assert.rejects(store.oneStatement(add(70)), { code: '23505' })
  const outer = store.transaction(async tx => {
    await tx.oneStatement(add(71))
    await tx.oneStatement(add(72))
    throw new Error('changed my mind')
  })
  await assert.rejects(outer, /changed my mind/)
  stop()
  assert.deepEqual([await readAmount(71), await readAmount(72)], [undefined, undefined])
  assert.deepEqual(announced, [['item.created']])
})

test('oneStatement retries after RetryTransaction', async () => {
  let attempts = 0
  await store.oneStatement(async tx => {
    attempts += 1
    if (attempts < 3) throw new RetryTransaction('taken')
    await tx.run(insert(73, attempts))
  })
  assert.equal(await readAmount(73), 3)
})

test('oneStatement refuses a second statement and a script', async () => {
  const twice = store.oneStatement(async tx => {
    await tx.run(insert(74, 1))
    await tx.run(insert(75, 1))
  })
  await assert.rejects(twice, /Only one statement/)
  assert.equal(await readAmount(75), undefined)
  await assert.rejects(
    store.oneStatement(async tx => await tx.script('select 1')),
    /more than one statement/
  )
})

/** Inserts items by one statement; announces each. */
async function insertItems(db: Database, ids: number[]): Promise<number[]> {
  return await db.oneStatement(async tx => {
    await tx.run(sql`insert into public.items (id, amount) select id, 1 from unnest(${ids}::bigint[]) as item (id)`)
    for (const id of ids) tx.addChange({ action: 'item.created', subject: 'item', subjectId: String(id), details: {} })
    return ids.map(id => id * 10)
  })
}

/** The subjects of the changes that the work announces, by transaction. */
async function collectChanges(work: () => Promise<void>): Promise<string[][]> {
  const announced: string[][] = []
  const stop = store.onCommit(changes => void announced.push(changes.map(({ subjectId }) => subjectId)))
  await work()
  stop()
  return announced
}

test('writeTogether writes the items of concurrent callers by one statement and announces their changes', async () => {
  const announced = await collectChanges(async () => {
    const results = await Promise.all([90, 91, 92].map(async id => await store.writeTogether(insertItems, id)))
    assert.deepEqual(results, [900, 910, 920])
  })
  assert.deepEqual(announced, [['90', '91', '92']])
  assert.equal(await readAmount(92, other), 1)
})

test('writeTogether writes each item by itself if one of them is refused', async () => {
  const announced = await collectChanges(async () => {
    const results = await Promise.allSettled([80, 90, 81].map(async id => await store.writeTogether(insertItems, id)))
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled']
    )
    assert.equal((results[1] as PromiseRejectedResult).reason.code, '23505')
  })
  assert.deepEqual(announced, [['80'], ['81']])
})

test('writeTogether is part of an outer transaction', async () => {
  const announced = await collectChanges(async () => {
    const outer = store.transaction(async tx => {
      assert.deepEqual([await tx.writeTogether(insertItems, 82), await tx.writeTogether(insertItems, 83)], [820, 830])
      throw new Error('changed my mind')
    })
    await assert.rejects(outer, /changed my mind/)
  })
  assert.deepEqual([await readAmount(82), await readAmount(83), announced], [undefined, undefined, []])
})

test('findTogether asks once for the keys of concurrent callers', async () => {
  const asked: number[][] = []
  const list = async (db: Database, ids: number[]) => {
    asked.push(ids)
    const rows = await db.all<{ id: number; amount: number }>(sql`
      select id::integer, amount from public.items where id = any(${ids}::bigint[])`)
    return new Map(rows.map(row => [row.id, row.amount]))
  }
  const find = async (id: number) => await store.findTogether(list, id)
  assert.deepEqual(await Promise.all([find(73), find(99), find(73), find(70)]), [3, undefined, 3, 1])
  assert.deepEqual(asked, [[73, 99, 70]])
  assert.equal(await store.transaction(async tx => await tx.findTogether(list, 73)), 3)
})

function insert(id: number, amount: number) {
  return sql`insert into public.items (id, amount) values (${id}, ${amount})`
}

async function readAmount(id: number, db: Database = store): Promise<number | undefined> {
  return (await db.maybeOne<{ amount: number }>(sql`select amount from public.items where id = ${id}`))?.amount
}
