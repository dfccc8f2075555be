import { performance } from 'node:perf_hooks'
import { batchUntilImmediate } from './batch-until-immediate.ts'
import { DatabaseUnavailable, isDataError } from './errors.ts'

/** Keeps the statement of a batch small. */
const itemsMax = 100

interface BatchLimits {
  /** Batches that run at once. */
  batchesMax: number
  /** How long a call waits for its batch. */
  waitMsMax: number
}

interface Call<Item, Result> {
  item: Item
  sinceMs: number
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Returns a function whose calls are run together: those of one turn of the event loop, and those that come while
 * `batchesMax` batches are under way. So a batch is the larger, the busier the process is. If a batch fails because of
 * its data, each of its items is run by itself, so that one does not make the others fail.
 */
export function batchCalls<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { batchesMax, waitMsMax }: BatchLimits
): (item: Item) => Promise<Result> {
  const waiting: Call<Item, Result>[] = []
  let underWay = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.length === 0 || underWay === batchesMax) return
    isScheduled = true
    batchUntilImmediate(start)
  }

  function start(): void {
    isScheduled = false
    const oldestMs = performance.now() - waitMsMax
    const calls = waiting.splice(0, itemsMax)
    for (const { sinceMs, reject } of calls) if (sinceMs < oldestMs) reject(new DatabaseUnavailable('Waited too long.'))
    underWay += 1
    void runCalls(calls.filter(({ sinceMs }) => sinceMs >= oldestMs)).then(() => {
      underWay -= 1
      schedule()
    })
    schedule()
  }

  async function runCalls(calls: Call<Item, Result>[]): Promise<void> {
    if (calls.length === 0) return
    try {
      const results = await run(calls.map(({ item }) => item))
      for (const [index, { resolve }] of calls.entries()) resolve(results[index] as Result)
    } catch (error) {
      if (calls.length > 1 && isDataError(error)) for (const call of calls) await runCalls([call])
      else for (const { reject } of calls) reject(error)
    }
  }

  return async item =>
    await new Promise<Result>((resolve, reject) => {
      waiting.push({ item, sinceMs: performance.now(), resolve, reject })
      schedule()
    })
}
