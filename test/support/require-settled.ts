import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Much longer than any timeout of the program, because the machine may be busy. */
const hangMs = 60_000

/** Fails if the work neither returns nor throws. */
export async function requireSettled<Result>(work: Promise<Result>): Promise<Result> {
  const hanging = Symbol('hanging')
  const first = await Promise.race([work, sleep(hangMs, hanging, { ref: false })])
  assert.notEqual(first, hanging, 'neither a result nor an error')
  return first as Result
}
