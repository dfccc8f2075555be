import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CacheKeyParts } from './key.ts'
import { type CacheEntry, type CacheStore, newCacheStore, type RawResponse } from './store.ts'

const megabyte = 1_048_576
const forever = Number.POSITIVE_INFINITY
const content = (size: number) => ({ bytes: Buffer.alloc(size), headers: {} })
const ground = (...names: string[]) => ({ tags: names, untilMs: forever })

/** As a visitor asks whose browser sends nothing unusual. */
const asked = (url: string, more: Partial<CacheKeyParts> = {}): CacheKeyParts => ({
  url,
  host: 'localhost',
  hasOrigin: false,
  languages: 'de',
  defaultLanguage: 'en',
  timezone: 'Europe/Berlin',
  currency: 'EUR',
  proxied: undefined,
  ...more
})
const way = (kept: CacheEntry, of: CacheKeyParts, body = 'x') => ({ entry: kept, keyParts: of, body }) as RawResponse

/** What is asked for twice, at this moment or an earlier one. */
function put(shelf: CacheStore, key: string, { size = 100, names = ['all'], askedAt = shelf.getGeneration() } = {}) {
  shelf.put(key, content(size), ground(...names), askedAt)
  return shelf.put(key, content(size), ground(...names), askedAt)
}

test('what is touched goes, with every way to it, and the rest stays', () => {
  const shelf = newCacheStore(megabyte)
  const kept = put(shelf, '/campaigns/1', { names: ['fundraising', 'campaign 1'] })
  assert.ok(kept)
  const ways = [asked('/campaigns/1'), asked('/campaigns/1', { languages: 'en' }), asked('/campaigns/1?x')]
  for (const one of ways) shelf.addRawResponse(way(kept, one))
  for (const one of ways) assert.equal(shelf.findRawResponse({ ...one })?.keyParts, one)
  const other = put(shelf, '/campaigns/2', { names: ['fundraising', 'campaign 2'] })
  assert.ok(other)
  shelf.addRawResponse(way(other, asked('/campaigns/1', { host: 'other.example' })))
  put(shelf, '/events', { names: ['calendar'] })

  shelf.invalidate(['campaign 1'])
  assert.equal(shelf.find('/campaigns/1'), undefined)
  for (const one of ways) assert.equal(shelf.findRawResponse(one), undefined)
  assert.ok(shelf.findRawResponse(asked('/campaigns/1', { host: 'other.example' })))
  assert.ok(kept.isEvicted)
  assert.ok(shelf.find('/campaigns/2'))

  shelf.invalidate(['fundraising'])
  assert.equal(shelf.find('/campaigns/2'), undefined)
  assert.ok(shelf.find('/events'))

  shelf.invalidate('everything')
  assert.equal(shelf.countEntries(), 0)
  assert.equal(shelf.countBytes(), 0)
})

test('only who asks the same in every respect is led to an answer', () => {
  const shelf = newCacheStore(megabyte)
  const kept = put(shelf, '/events')
  assert.ok(kept)
  shelf.addRawResponse(way(kept, asked('/events')))
  const others: Partial<CacheKeyParts>[] = [
    { host: 'other.example' },
    { host: undefined },
    { hasOrigin: true },
    { languages: 'de-AT' },
    { languages: undefined },
    { defaultLanguage: 'de' },
    { timezone: 'UTC' },
    { currency: 'CHF' },
    { proxied: '127.0.0.1 other.example https' }
  ]
  for (const other of others)
    assert.equal(shelf.findRawResponse(asked('/events', other)), undefined, JSON.stringify(other))
  assert.equal(shelf.findRawResponse(asked('/events?page=2')), undefined)
  assert.ok(shelf.findRawResponse(asked('/events')))
})

test('whoever makes up hosts and languages neither fills the memory nor keeps others out', () => {
  const shelf = newCacheStore(megabyte)
  const one = put(shelf, '/events')
  assert.ok(one)
  for (let number = 0; number < 300; number += 1)
    shelf.addRawResponse(way(one, asked('/events', { languages: `x-${number}` })))
  assert.equal(one.rawResponses.length, 200)
  for (let number = 0; number < 300; number += 1) {
    const host = `${number}.example`
    const made = put(shelf, `/events of ${host}`)
    assert.ok(made)
    shelf.addRawResponse(way(made, asked('/events', { host })))
    assert.ok(shelf.findRawResponse(asked('/events', { host })), 'who comes last is let in')
  }
  assert.ok(one.isEvicted)
  assert.equal(shelf.findRawResponse(asked('/events', { host: '1.example' })), undefined)
})

test('what was asked for before a change and came after it is not kept', () => {
  const shelf = newCacheStore(megabyte)
  const askedAt = shelf.getGeneration()
  shelf.invalidate(['campaign 1'])
  assert.equal(put(shelf, '/campaigns/1', { names: ['campaign 1'], askedAt }), undefined)
  assert.ok(put(shelf, '/campaigns/2', { names: ['campaign 2'], askedAt }), 'it rests on nothing that changed')
  const before = shelf.getGeneration()
  shelf.invalidate('everything')
  assert.equal(put(shelf, '/campaigns/2', { names: ['campaign 2'], askedAt: before }), undefined)
  assert.ok(put(shelf, '/campaigns/2'))
})

test('what is asked for once is not kept, what is asked for again is, and after a change at once', () => {
  const shelf = newCacheStore(megabyte)
  const ask = (key: string) => shelf.put(key, content(1), ground('campaign 1'), shelf.getGeneration())
  for (let number = 0; number < 15_000; number += 1) assert.equal(ask(`/campaigns/1?n=${number}`), undefined)
  assert.equal(shelf.countEntries(), 0)
  assert.ok(ask('/campaigns/1?n=14000'))
  assert.ok(ask('/campaigns/1?n=1'), 'so far back it remembers')
  shelf.invalidate(['campaign 1'])
  assert.ok(ask('/campaigns/1?n=14000'))
})

test('what depends on the clock is gone when its time is over', () => {
  let now = 1000
  const shelf = newCacheStore(megabyte, () => now)
  const ask = () => shelf.put('/events', content(1), { tags: ['calendar'], untilMs: 2000 }, shelf.getGeneration())
  ask()
  ask()
  now = 1999
  assert.ok(shelf.find('/events'))
  now = 2000
  assert.equal(shelf.find('/events'), undefined)
  assert.equal(shelf.countBytes(), 0)
  assert.equal(ask(), undefined)
})

test('what is too large is not kept, and what was not asked for again goes first', () => {
  const shelf = newCacheStore(megabyte)
  assert.equal(put(shelf, 'large', { size: megabyte / 2 }), undefined)
  const size = 200_000
  for (const key of ['one', 'two', 'three', 'four', 'five']) assert.ok(put(shelf, key, { size }))
  // The sixth has no room: nothing was asked for since it is there, so the oldest goes.
  put(shelf, 'six', { size })
  assert.equal(shelf.find('one'), undefined)
  assert.ok(shelf.find('two'))
  put(shelf, 'seven', { size })
  assert.ok(shelf.find('two'), 'it was asked for since')
  assert.equal(shelf.find('three'), undefined)
})

test('memory has its bound, whatever is asked for and whatever changes', () => {
  const step = fc.oneof(
    fc.record({ put: fc.nat(60), size: fc.integer({ min: 0, max: 300_000 }), on: fc.nat(5) }),
    fc.record({ find: fc.nat(60) }),
    fc.record({ touch: fc.nat(5) }),
    fc.record({ way: fc.nat(60), length: fc.nat(2000) })
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), steps => {
      const shelf = newCacheStore(megabyte)
      for (const one of steps) {
        if ('put' in one) put(shelf, `/${one.put}`, { size: one.size, names: ['all', `ground ${one.on}`] })
        else if ('find' in one) shelf.find(`/${one.find}`)
        else if ('touch' in one) shelf.invalidate([`ground ${one.touch}`])
        else {
          const kept = shelf.find(`/${one.way}`)
          if (kept !== undefined)
            shelf.addRawResponse(way(kept, asked(`/${one.way}`, { languages: 'x'.repeat(one.length) }), ''))
        }
        assert.ok(shelf.countBytes() >= 0 && shelf.countBytes() <= megabyte, `${shelf.countBytes()} bytes`)
      }
      shelf.invalidate(['all'])
      assert.equal(shelf.countEntries(), 0)
      assert.equal(shelf.countBytes(), 0, 'nothing is held for what is gone')
    }),
    { seed: 7 }
  )
})
