import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type CacheStore, newCacheStore } from './store.ts'

const megabyte = 1_048_576
const forever = Number.POSITIVE_INFINITY

interface Put {
  bytes?: number
  tags?: string[]
  untilMs?: number
  since?: number
}

/** Stores a value as for one request; returns whether it is stored. */
function put(store: CacheStore<string>, key: string, entry: Put = {}): boolean {
  const { bytes = 100, tags = ['all'], untilMs = forever, since = store.getGeneration() } = entry
  if (store.wants(key, untilMs)) store.put({ key, value: key, bytes, tags, untilMs, since })
  return store.find(key) !== undefined
}

/** The first request for a key stores nothing, the second does. */
function putTwice(store: CacheStore<string>, key: string, entry: Put = {}): boolean {
  put(store, key, entry)
  return put(store, key, entry)
}

test('invalidating a tag removes its entries and leaves the others', () => {
  const store = newCacheStore<string>(megabyte)
  putTwice(store, '/campaigns/1', { tags: ['fundraising', 'campaign 1'] })
  putTwice(store, '/campaigns/2', { tags: ['fundraising', 'campaign 2'] })
  putTwice(store, '/events', { tags: ['calendar'] })
  const first = store.find('/campaigns/1')
  assert.equal(first?.value, '/campaigns/1')

  store.invalidate(['campaign 1'])
  assert.equal(store.find('/campaigns/1'), undefined)
  assert.ok(first?.isEvicted)
  assert.ok(store.find('/campaigns/2'))

  store.invalidate(['fundraising'])
  assert.equal(store.find('/campaigns/2'), undefined)
  const last = store.find('/events')
  assert.ok(last)

  store.invalidate('everything')
  assert.ok(last.isEvicted)
  assert.equal(store.countEntries(), 0)
  assert.equal(store.countBytes(), 0)
})

test('a value requested before an invalidation of its tags and stored after it is dropped', () => {
  const store = newCacheStore<string>(megabyte)
  const since = store.getGeneration()
  store.invalidate(['campaign 1'])
  assert.equal(putTwice(store, '/campaigns/1', { tags: ['campaign 1'], since }), false)
  assert.ok(putTwice(store, '/campaigns/2', { tags: ['campaign 2'], since }), 'none of its tags was invalidated')
  const before = store.getGeneration()
  store.invalidate('everything')
  assert.equal(putTwice(store, '/campaigns/2', { tags: ['campaign 2'], since: before }), false)
  assert.ok(putTwice(store, '/campaigns/2'))
})

test('a key is stored with its second request, and after an invalidation at once', () => {
  const store = newCacheStore<string>(megabyte)
  const request = (key: string) => put(store, key, { bytes: 1, tags: ['campaign 1'] })
  for (let number = 0; number < 15_000; number += 1) assert.equal(request(`/campaigns/1?n=${number}`), false)
  assert.equal(store.countEntries(), 0)
  assert.ok(request('/campaigns/1?n=14000'))
  assert.ok(request('/campaigns/1?n=1'), 'at least 10,000 keys are remembered')
  store.invalidate(['campaign 1'])
  assert.ok(request('/campaigns/1?n=14000'))
})

test('a key is not stored if it is requested so rarely that each entry would expire without use', () => {
  let now = 0
  const store = newCacheStore<string>(megabyte, () => now)
  const request = (lifetimeMs: number) => put(store, '/events', { untilMs: now + lifetimeMs })
  request(1000)
  now += 1000
  assert.equal(request(1000), false)
  now += 1000
  assert.equal(request(1000), false)
  now += 999
  assert.ok(request(1000), 'requested twice within a second')
  now += 1000
  assert.ok(request(60_000), 'an entry that lives longer')
})

test('an entry that was used until it expired is replaced with the next request, one without use is not', () => {
  let now = 0
  const store = newCacheStore<string>(megabyte, () => now)
  const isReplaced = (key: string, atMs: number) => {
    now = atMs
    assert.equal(store.find(key), undefined)
    return put(store, key, { bytes: 1, tags: [], untilMs: now + 1000 })
  }
  for (const key of ['used', 'forgotten', 'unused']) {
    store.wants(key, 1000)
    store.put({ key, value: key, bytes: 1, tags: [], untilMs: 1000, since: 0 })
  }
  now = 10
  assert.ok(store.find('used') && store.find('forgotten'))
  assert.deepEqual(
    [isReplaced('unused', 1500), isReplaced('used', 1500), isReplaced('forgotten', 2000)],
    [false, true, false]
  )
})

test('an entry expires', () => {
  let now = 1000
  const store = newCacheStore<string>(megabyte, () => now)
  assert.ok(putTwice(store, '/events', { untilMs: 2000 }))
  now = 1999
  assert.ok(store.find('/events'))
  now = 2000
  assert.equal(store.find('/events'), undefined)
  assert.equal(store.countBytes(), 0)
  assert.equal(put(store, '/events', { untilMs: 2000 }), false)
})

test('a large value is not stored, and entries without use are evicted first', () => {
  const store = newCacheStore<string>(megabyte)
  const fill = (key: string) => store.put({ key, value: key, bytes: 200_000, tags: [], untilMs: forever, since: 0 })
  assert.equal(putTwice(store, 'large', { bytes: megabyte / 2 }), false)
  for (const key of ['one', 'two', 'three', 'four', 'five']) fill(key)
  // The sixth has no room, and no entry was used since it was stored: the oldest is evicted.
  fill('six')
  assert.equal(store.find('one'), undefined)
  assert.ok(store.find('two'))
  fill('seven')
  assert.ok(store.find('two'), 'it was used in the meantime')
  assert.equal(store.find('three'), undefined)
})

test('bytes added to an entry later are counted, only as long as the entry holds that value', () => {
  const store = newCacheStore<string>(megabyte)
  putTwice(store, 'one', { bytes: 200_000 })
  const before = store.countBytes()
  store.grow('one', 'one', 100_000)
  assert.equal(store.countBytes(), before + 100_000)
  store.grow('one', 'another value', 100_000)
  store.grow('two', 'two', 100_000)
  assert.equal(store.countBytes(), before + 100_000)
  store.invalidate('everything')
  store.grow('one', 'one', 100_000)
  assert.equal(store.countBytes(), 0)
  putTwice(store, 'one', { bytes: 200_000 })
  putTwice(store, 'two', { bytes: 200_000 })
  store.grow('two', 'two', 900_000)
  assert.equal(store.find('one'), undefined, 'evicted, because there is no room any more')
})

test('memory stays within its limit, whatever is stored and invalidated', () => {
  const step = fc.oneof(
    fc.record({ put: fc.nat(60), bytes: fc.integer({ min: 0, max: 300_000 }), tag: fc.nat(5) }),
    fc.record({ find: fc.nat(60) }),
    fc.record({ invalidate: fc.nat(5) })
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), steps => {
      const store = newCacheStore<string>(megabyte)
      for (const one of steps) {
        if ('put' in one) putTwice(store, `/${one.put}`, { bytes: one.bytes, tags: ['all', `tag ${one.tag}`] })
        else if ('find' in one) store.find(`/${one.find}`)
        else store.invalidate([`tag ${one.invalidate}`])
        assert.ok(store.countBytes() >= 0 && store.countBytes() <= megabyte, `${store.countBytes()} bytes`)
      }
      store.invalidate(['all'])
      assert.equal(store.countEntries(), 0)
      assert.equal(store.countBytes(), 0, 'removed entries hold no memory')
    }),
    { seed: 7 }
  )
})
