import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Asked } from './key.ts'
import { type Kept, newShelf, type Shelf, type Way } from './shelf.ts'

const megabyte = 1_048_576
const forever = Number.POSITIVE_INFINITY
const content = (size: number) => ({ bytes: Buffer.alloc(size), headers: {} })
const ground = (...names: string[]) => ({ names, untilMs: forever })

/** As a visitor asks whose browser sends nothing unusual. */
const asked = (url: string, more: Partial<Asked> = {}): Asked => ({
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
const way = (kept: Kept, of: Asked, body = 'x') => ({ kept, asked: of, body }) as Way

/** What is asked for twice, at this moment or an earlier one. */
function put(shelf: Shelf, key: string, { size = 100, names = ['all'], askedAt = shelf.moment() } = {}) {
  shelf.put(key, content(size), ground(...names), askedAt)
  return shelf.put(key, content(size), ground(...names), askedAt)
}

test('what is touched goes, with every way to it, and the rest stays', () => {
  const shelf = newShelf(megabyte)
  const kept = put(shelf, '/campaigns/1', { names: ['fundraising', 'campaign 1'] })
  assert.ok(kept)
  const ways = [asked('/campaigns/1'), asked('/campaigns/1', { languages: 'en' }), asked('/campaigns/1?x')]
  for (const one of ways) shelf.addWay(way(kept, one))
  for (const one of ways) assert.equal(shelf.findWay({ ...one })?.asked, one)
  const other = put(shelf, '/campaigns/2', { names: ['fundraising', 'campaign 2'] })
  assert.ok(other)
  shelf.addWay(way(other, asked('/campaigns/1', { host: 'other.example' })))
  put(shelf, '/events', { names: ['calendar'] })

  shelf.touch(['campaign 1'])
  assert.equal(shelf.find('/campaigns/1'), undefined)
  for (const one of ways) assert.equal(shelf.findWay(one), undefined)
  assert.ok(shelf.findWay(asked('/campaigns/1', { host: 'other.example' })))
  assert.ok(kept.isGone)
  assert.ok(shelf.find('/campaigns/2'))

  shelf.touch(['fundraising'])
  assert.equal(shelf.find('/campaigns/2'), undefined)
  assert.ok(shelf.find('/events'))

  shelf.touch('everything')
  assert.equal(shelf.answers(), 0)
  assert.equal(shelf.bytes(), 0)
})

test('only who asks the same in every respect is led to an answer', () => {
  const shelf = newShelf(megabyte)
  const kept = put(shelf, '/events')
  assert.ok(kept)
  shelf.addWay(way(kept, asked('/events')))
  const others: Partial<Asked>[] = [
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
  for (const other of others) assert.equal(shelf.findWay(asked('/events', other)), undefined, JSON.stringify(other))
  assert.equal(shelf.findWay(asked('/events?page=2')), undefined)
  assert.ok(shelf.findWay(asked('/events')))
})

test('whoever makes up hosts and languages neither fills the memory nor keeps others out', () => {
  const shelf = newShelf(megabyte)
  const one = put(shelf, '/events')
  assert.ok(one)
  for (let number = 0; number < 300; number += 1) shelf.addWay(way(one, asked('/events', { languages: `x-${number}` })))
  assert.equal(one.ways.length, 200)
  for (let number = 0; number < 300; number += 1) {
    const host = `${number}.example`
    const made = put(shelf, `/events of ${host}`)
    assert.ok(made)
    shelf.addWay(way(made, asked('/events', { host })))
    assert.ok(shelf.findWay(asked('/events', { host })), 'who comes last is let in')
  }
  assert.ok(one.isGone)
  assert.equal(shelf.findWay(asked('/events', { host: '1.example' })), undefined)
})

test('what was asked for before a change and came after it is not kept', () => {
  const shelf = newShelf(megabyte)
  const askedAt = shelf.moment()
  shelf.touch(['campaign 1'])
  assert.equal(put(shelf, '/campaigns/1', { names: ['campaign 1'], askedAt }), undefined)
  assert.ok(put(shelf, '/campaigns/2', { names: ['campaign 2'], askedAt }), 'it rests on nothing that changed')
  const before = shelf.moment()
  shelf.touch('everything')
  assert.equal(put(shelf, '/campaigns/2', { names: ['campaign 2'], askedAt: before }), undefined)
  assert.ok(put(shelf, '/campaigns/2'))
})

test('what is asked for once is not kept, what is asked for again is, and after a change at once', () => {
  const shelf = newShelf(megabyte)
  const ask = (key: string) => shelf.put(key, content(1), ground('campaign 1'), shelf.moment())
  for (let number = 0; number < 15_000; number += 1) assert.equal(ask(`/campaigns/1?n=${number}`), undefined)
  assert.equal(shelf.answers(), 0)
  assert.ok(ask('/campaigns/1?n=14000'))
  assert.ok(ask('/campaigns/1?n=1'), 'so far back it remembers')
  shelf.touch(['campaign 1'])
  assert.ok(ask('/campaigns/1?n=14000'))
})

test('what depends on the clock is gone when its time is over', () => {
  let now = 1000
  const shelf = newShelf(megabyte, () => now)
  const ask = () => shelf.put('/events', content(1), { names: ['calendar'], untilMs: 2000 }, shelf.moment())
  ask()
  ask()
  now = 1999
  assert.ok(shelf.find('/events'))
  now = 2000
  assert.equal(shelf.find('/events'), undefined)
  assert.equal(shelf.bytes(), 0)
  assert.equal(ask(), undefined)
})

test('what is too large is not kept, and what was not asked for again goes first', () => {
  const shelf = newShelf(megabyte)
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
      const shelf = newShelf(megabyte)
      for (const one of steps) {
        if ('put' in one) put(shelf, `/${one.put}`, { size: one.size, names: ['all', `ground ${one.on}`] })
        else if ('find' in one) shelf.find(`/${one.find}`)
        else if ('touch' in one) shelf.touch([`ground ${one.touch}`])
        else {
          const kept = shelf.find(`/${one.way}`)
          if (kept !== undefined)
            shelf.addWay(way(kept, asked(`/${one.way}`, { languages: 'x'.repeat(one.length) }), ''))
        }
        assert.ok(shelf.bytes() >= 0 && shelf.bytes() <= megabyte, `${shelf.bytes()} bytes`)
      }
      shelf.touch(['all'])
      assert.equal(shelf.answers(), 0)
      assert.equal(shelf.bytes(), 0, 'nothing is held for what is gone')
    }),
    { seed: 7 }
  )
})
