import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { newUuidV7 } from './ids.ts'

// The generator remembers the latest time it has seen: each test uses later times than the previous one, and than the
// other test files in this process.
let clock = Date.UTC(2900, 0, 1)
const advance = (ms: number) => {
  clock += ms
  return clock
}

test('an id is a UUID of version 7 that begins with the time', () => {
  const now = advance(10_000)
  for (let count = 0; count < 1000; count += 1) {
    assert.match(newUuidV7(now + count), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
  const id = newUuidV7(advance(20_000))
  assert.equal(timeIn(id), clock)
})

test('ids of one millisecond are strictly increasing, however many there are', () => {
  const now = advance(10_000)
  const ids = Array.from({ length: 20_000 }, () => newUuidV7(now))
  assert.ok(ids.every((id, index) => index === 0 || id > (ids[index - 1] as string)))
  advance(20)
})

test('ids are strictly increasing while the clock advances', () => {
  const start = advance(10_000)
  const ids = Array.from({ length: 20_000 }, (_, index) => newUuidV7(start + Math.floor(index / 3)))
  assert.ok(ids.every((id, index) => index === 0 || id > (ids[index - 1] as string)))
  advance(10_000)
})

test('ids are strictly increasing when the clock goes back by less than a second', () => {
  const now = advance(10_000)
  const times = [now, now - 1, now - 500, now - 999, now, now - 3, now + 1, now - 200]
  const ids = times.map(newUuidV7)
  assert.deepEqual(ids, [...ids].sort())
  assert.equal(new Set(ids).size, ids.length)
})

test('an id for a time long ago has that time, and does not affect current ids', () => {
  const now = advance(10_000)
  const before = newUuidV7(now)
  const longPast = Date.UTC(2024, 1, 29, 12)
  const old = newUuidV7(longPast)
  assert.equal(timeIn(old), longPast)
  const next = newUuidV7(now)
  assert.ok(old < before && before < next)
})

test('ids are unique', { skip: skipUnlessFull }, () => {
  const now = advance(10_000)
  const ids = new Set<string>()
  for (let count = 0; count < 100_000; count += 1) ids.add(newUuidV7(now + (count % 7) * 100 - (count % 3) * 5000))
  assert.equal(ids.size, 100_000)
})

function timeIn(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}
