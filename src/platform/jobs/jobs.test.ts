// test: own process, long, server
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDatabase, silent } from '#test/support/database.ts'
import { type DatabaseProxy, startProxy } from '#test/support/database-proxy.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { donation, startCampaigns } from '#test/support/services.ts'
import { connectStore } from '../database/postgres.ts'
import { sql } from '../database/sql.ts'
import type { Log } from '../log.ts'
import { enqueue, type Job, newDebouncedEnqueuer, prepareQueue, startWorker } from './jobs.ts'

const database = await createDatabase()
const store = connectStore({ connectionString: database.url }, { noTimeouts: false, log: silent })
after(async () => {
  await store.close()
  await database.remove()
})

/** The number of waiting jobs of this name. */
const countWaiting = async (name: string, db = store) =>
  (await db.one<{ n: number }>(sql`select count(*) as n from graphile_worker.jobs where task_identifier = ${name}`)).n

test('a job is in the queue after its transaction is committed, and not before', async () => {
  await store.transaction(async tx => {
    await enqueue(tx, 'in-transaction')
    assert.equal(await countWaiting('in-transaction'), 0)
  })
  assert.equal(await countWaiting('in-transaction'), 1)
})

test('a job of a transaction that is rolled back never runs', async () => {
  const work = store.transaction(async tx => {
    await enqueue(tx, 'rolled-back')
    throw new Error('changed my mind')
  })
  await assert.rejects(work, /changed my mind/)
  assert.equal(await countWaiting('rolled-back'), 0)
})

test('a job with a key is queued once, a job without a key each time', async () => {
  for (let count = 0; count < 3; count += 1) {
    await enqueue(store, 'keyed', { key: 'the-same' })
    await enqueue(store, 'unkeyed')
  }
  await enqueue(store, 'keyed', { key: 'another' })
  assert.equal(await countWaiting('keyed'), 2)
  assert.equal(await countWaiting('unkeyed'), 3)
})

test('a worker runs a job with its payload, and stops when asked to', async () => {
  const ran: unknown[] = []
  const job: Job = {
    name: 'with-payload',
    run: async (db, payload) => {
      ran.push([payload, await db.one(sql`select 1 as n`)])
    }
  }
  await enqueue(store, job.name, { payload: { id: 7 } })
  const worker = await startWorker(store, [job], silent)
  await enqueue(store, job.name, { payload: { id: 8 } })
  await waitUntil(() => ran.length === 2)
  assert.deepEqual(new Set(ran.map(one => JSON.stringify(one))), new Set(['[{"id":7},{"n":1}]', '[{"id":8},{"n":1}]']))
  await waitUntil(async () => (await countWaiting(job.name)) === 0)
  await worker.stop()
  await enqueue(store, job.name)
  assert.equal(await countWaiting(job.name), 1)
  assert.equal(ran.length, 2)
})

test('a worker that is stopped finishes its running job', async () => {
  let finished = false
  let started = false
  const job: Job = {
    name: 'slow',
    run: async db => {
      started = true
      await db.one(sql`select pg_sleep(0.5)`)
      finished = true
    }
  }
  const worker = await startWorker(store, [job], silent)
  await enqueue(store, job.name)
  await waitUntil(() => started)
  await worker.stop()
  assert.ok(finished)
})

test('a job that fails is retried', async () => {
  let attempts = 0
  const job: Job = {
    name: 'fails-once',
    run: async () => {
      attempts += 1
      if (attempts === 1) throw new Error('the first time')
    }
  }
  const worker = await startWorker(store, [job], silent)
  await enqueue(store, job.name)
  await waitUntil(async () => attempts === 2 && (await countWaiting(job.name)) === 0)
  await worker.stop()
})

test('jobs that a worker does not know stay in the queue', async () => {
  const worker = await startWorker(store, [{ name: 'known', run: async () => {} }], silent)
  await enqueue(store, 'unknown-here')
  await enqueue(store, 'known')
  await waitUntil(async () => (await countWaiting('known')) === 0)
  assert.equal(await countWaiting('unknown-here'), 1)
  await worker.stop()
})

test('many calls of enqueueSoon create one job, and later ones another', async () => {
  const enqueuer = newDebouncedEnqueuer(store, silent)
  for (let count = 0; count < 100; count += 1) enqueuer.enqueueSoon('nudged')
  await waitUntil(async () => (await countWaiting('nudged')) === 1)
  let ran = 0
  const run = async () => {
    ran += 1
  }
  const worker = await startWorker(store, [{ name: 'nudged', run }], silent)
  await waitUntil(() => ran === 1)
  for (let count = 0; count < 100; count += 1) enqueuer.enqueueSoon('nudged')
  await waitUntil(() => ran === 2)
  await worker.stop()
  enqueuer.close()
})

test('a closed enqueuer creates no job', async () => {
  const [closed, open] = [newDebouncedEnqueuer(store, silent), newDebouncedEnqueuer(store, silent)]
  closed.enqueueSoon('closed')
  closed.close()
  open.enqueueSoon('open')
  await waitUntil(async () => (await countWaiting('open')) === 1)
  assert.equal(await countWaiting('closed'), 0)
  open.close()
})

test('many donations create one job that adds up the totals', async () => {
  const service = await startCampaigns()
  const { id } = await service.aCampaign()
  const url = `/campaigns/${id}/donations`
  await Promise.all(Array.from({ length: 20 }, async () => await service.visitor.post(url, donation)))
  await waitUntil(async () => (await countWaiting('fold-totals', service.store)) > 0)
  assert.equal(await countWaiting('fold-totals', service.store), 1)
})

const outages: Record<string, (proxy: DatabaseProxy) => Promise<void>> = {
  'broke its connections': async proxy => proxy.reset(),
  'refused connections': async proxy => await proxy.refuse(),
  'disappeared without closing connections': async proxy => proxy.abandon()
}

for (const [what, breakIt] of Object.entries(outages)) {
  test(`a worker continues by itself after the database ${what} while a job was running`, async t => {
    const proxy = await startProxy(database.url)
    const proxiedStore = connectStore({ connectionString: proxy.url }, { noTimeouts: false, log: silent })
    const job = `after it ${what}`
    let ran = 0
    let finish = () => {}
    const held = new Promise<void>(resolve => {
      finish = resolve
    })
    const run = async () => {
      ran += 1
      await held
    }
    const messages: string[] = []
    const collect = (_: object, message: string) => void messages.push(message)
    const log = { debug: collect, info: collect, warn: collect, error: collect } as Log
    const worker = await startWorker(proxiedStore, [{ name: job, run }], log)
    t.after(async () => {
      finish()
      await worker.stop()
      await proxiedStore.close()
      await proxy.close()
    })
    await enqueue(store, job)
    await waitUntil(() => ran === 1)
    await breakIt(proxy)
    finish()
    await enqueue(store, job)
    // The job is done, but the worker cannot store that without a database.
    if (what === 'refused connections')
      await waitUntil(() => messages.some(message => /Failed to complete/.test(message)))
    await proxy.pass()
    // Enqueued again, as by the schedule: a job whose assignment response was lost stays locked for hours.
    await waitUntil(async () => {
      if (ran === 1) await enqueue(store, job)
      return ran >= 2
    }, 40_000)
  })
}

test('a worker can be stopped while the database is unavailable', async () => {
  const proxy = await startProxy(database.url)
  const proxiedStore = connectStore({ connectionString: proxy.url }, { noTimeouts: false, log: silent })
  for (const breakIt of [proxy.refuse, async () => proxy.blackHole()]) {
    const worker = await startWorker(proxiedStore, [{ name: 'stopped', run: async () => {} }], silent)
    await breakIt()
    await worker.stop()
    await proxy.pass()
  }
  await proxiedStore.close()
  await proxy.close()
})

test('the queue can be prepared repeatedly and concurrently', async () => {
  await Promise.all([prepareQueue(store, silent), prepareQueue(store, silent)])
  await enqueue(store, 'still-works')
  assert.equal(await countWaiting('still-works'), 1)
})
