import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { encodeBody, negotiateCoding, newEncodedBodies } from './content-coding.ts'

test('the client chooses the coding, and brotli is preferred among equals', () => {
  const chosen: [string | undefined, string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;Q=0.5 , BR;q=0.4', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['deflate, zstd', undefined],
    ['broken', undefined],
    ['gzip;q=nothing', undefined],
    [';;;,,,=', undefined]
  ]
  for (const [header, coding] of chosen) assert.equal(negotiateCoding(header).coding, coding, header)
})

test('a client may refuse a body that is not compressed', () => {
  for (const header of ['identity;q=0, gzip', 'gzip, *;q=0']) {
    assert.deepEqual(negotiateCoding(header), { coding: 'gzip', acceptsIdentity: false }, header)
  }
  for (const header of ['gzip', '*', 'identity;q=0.1, *;q=0']) {
    assert.equal(negotiateCoding(header).acceptsIdentity, true, header)
  }
})

test('requests that share a body share its compressed form, which is created and counted once', async () => {
  const counted: number[] = []
  const encoded = { ...newEncodedBodies(), onEncoded: (bytes: number) => void counted.push(bytes) }
  const body = 'Music, words and good company. '.repeat(100)
  const [first, second] = await Promise.all([encodeBody(encoded, 'br', body), encodeBody(encoded, 'br', body)])
  assert.equal(first, second)
  assert.equal(brotliDecompressSync(first).toString(), body)
  assert.equal(encodeBody(encoded, 'br', body), first)
  assert.deepEqual(counted, [first.length])
  await encodeBody(encoded, 'gzip', body)
  assert.equal(counted.length, 2)
})
