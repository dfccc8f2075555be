import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawRandomBytes } from './random-bytes.ts'

test('random bytes have the requested length, and are different each time', () => {
  const drawn = Array.from({ length: 5000 }, (_, index) => drawRandomBytes(12 + (index % 5)))
  for (const [index, bytes] of drawn.entries()) assert.equal(bytes.length, 12 + (index % 5))
  assert.equal(new Set(drawn.map(bytes => bytes.toString('hex').slice(0, 24))).size, drawn.length)
  assert.equal(drawRandomBytes(10_000).length, 10_000)
})

test('overwriting returned bytes does not change others', () => {
  const [first, second] = [drawRandomBytes(16), drawRandomBytes(16)]
  const before = second.toString('hex')
  first.fill(0)
  for (let count = 0; count < 1000; count += 1) drawRandomBytes(16)
  assert.equal(second.toString('hex'), before)
  assert.ok(first.every(byte => byte === 0))
})
