import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { batchCalls } from './batch-calls.ts'
import { DatabaseUnavailable } from './errors.ts'

/** A run that ends when the test says so. */
function newRuns() {
  const runs: { items: number[]; end(): void; fail(error: Error): void }[] = []
  const run = async (items: number[]) =>
    await new Promise<string[]>((resolve, reject) => {
      runs.push({ items, end: () => resolve(items.map(String)), fail: reject })
    })
  return { runs, run }
}

const limits = { batchesMax: 2, waitMsMax: 1000 }

function newDatabaseError(code: string): Error {
  return Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code })
}

test('calls of one turn are one batch, and those that come while two batches run wait for the next', async () => {
  const { runs, run } = newRuns()
  const call = batchCalls(run, limits)
  const results = [call(1), call(2)]
  await nextTurn()
  results.push(call(3))
  await nextTurn()
  results.push(call(4))
  await nextTurn()
  results.push(call(5))
  await nextTurn()
  assert.deepEqual(
    runs.map(({ items }) => items),
    [[1, 2], [3]]
  )
  runs[1]?.end()
  await results[2]
  await nextTurn()
  assert.deepEqual(runs[2]?.items, [4, 5])
  runs[0]?.end()
  runs[2]?.end()
  assert.deepEqual(await Promise.all(results), ['1', '2', '3', '4', '5'])
})

test('a batch has a hundred items at most', async () => {
  const { runs, run } = newRuns()
  const call = batchCalls(run, limits)
  const results = Array.from({ length: 150 }, async (_, index) => await call(index))
  await nextTurn()
  await nextTurn()
  assert.deepEqual(
    runs.map(({ items }) => items.length),
    [100, 50]
  )
  for (const { end } of runs) end()
  assert.equal((await Promise.all(results)).at(-1), '149')
})

test('after an error in the data each item is run by itself; any other error is that of all', async () => {
  const asked: number[][] = []
  const call = batchCalls(async (items: number[]) => {
    asked.push(items)
    if (items.includes(13)) throw newDatabaseError('23514')
    if (items.includes(40)) throw newDatabaseError('40001')
    return items
  }, limits)
  const settled = await Promise.allSettled([call(12), call(13), call(14)])
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled']
  )
  assert.deepEqual(asked, [[12, 13, 14], [12], [13], [14]])
  const others = await Promise.allSettled([call(39), call(40)])
  assert.deepEqual(
    others.map(({ status }) => status),
    ['rejected', 'rejected']
  )
  assert.deepEqual(asked.at(-1), [39, 40])
})

test('a call that has waited too long is refused and not run', async () => {
  const { runs, run } = newRuns()
  const call = batchCalls(run, { batchesMax: 1, waitMsMax: 50 })
  const first = call(1)
  await nextTurn()
  const refused = assert.rejects(call(2), DatabaseUnavailable)
  await sleep(60)
  runs[0]?.end()
  assert.equal(await first, '1')
  await refused
  assert.equal(runs.length, 1)
})
