import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseQuery } from '../http/form.ts'
import { normalizeQuery } from './key.ts'

test('the order of query parameters is ignored, except between parameters of the same name', () => {
  assert.equal(normalizeQuery('/events?page=2&categories=music'), normalizeQuery('/events?categories=music&page=2'))
  assert.equal(normalizeQuery('/events'), '/events')
  // The last parameter of a name wins, also if one of them is written as a list.
  for (const [one, other] of [
    ['/events?page=2&page=3', '/events?page=3&page=2'],
    ['/events?tags=a&tags[]=b', '/events?tags[]=b&tags=a'],
    ['/events?tags[]=a&tags[]=b', '/events?tags[]=b&tags[]=a'],
    ['/events?page=2&p%61ge=3', '/events?p%61ge=3&page=2'],
    ['/events?a b=1&a_b=2', '/events?a_b=2&a b=1']
  ] as const) {
    assert.notEqual(normalizeQuery(one), normalizeQuery(other), one)
  }
})

test('a normalized query has the same meaning as the original', () => {
  const name = fc.constantFrom('a', 'b', 'a[]', 'a[x]', 'b[0]', 'ab', '%61', 'a%5B%5D', 'a.b', 'a_b', '')
  const query = fc.array(fc.tuple(name, fc.constantFrom('1', '2', '')), { maxLength: 6 })
  const meaning = (url: string) => {
    try {
      return parseQuery(url.slice(url.indexOf('?') + 1))
    } catch (error) {
      return { refused: (error as Error).message }
    }
  }
  fc.assert(
    fc.property(query, pairs => {
      const url = `/x?${pairs.map(([one, value]) => `${one}=${value}`).join('&')}`
      assert.deepEqual(meaning(normalizeQuery(url)), meaning(url))
    }),
    { seed: 7, numRuns: 500 }
  )
})
