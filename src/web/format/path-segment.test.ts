import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodePathSegment, isSlug } from './path-segment.ts'

test('a slug in another script is encoded once', () => {
  const slug = '%d8%ad%d9%81%d9%84-2027'
  assert.equal(encodePathSegment(slug), slug)
  assert.equal(decodeURIComponent(encodePathSegment(slug)), 'حفل-2027')
  assert.equal(encodePathSegment('a b/c?d'), 'a%20b%2Fc%3Fd')
  assert.equal(encodePathSegment('100%'), '100%25')
})

test('a slug is recognised in a decoded path, but not if it was encoded twice', () => {
  assert.ok(isSlug('حفل', '%d8%ad%d9%81%d9%84'))
  assert.ok(isSlug('summer-party', 'summer-party'))
  assert.ok(!isSlug('%d8%ad%d9%81%d9%84', '%d8%ad%d9%81%d9%84'))
  assert.ok(!isSlug('summer', 'summer-party'))
  assert.ok(!isSlug(undefined, ''))
  assert.ok(isSlug('%e0%a4%a', '%e0%a4%a'))
})
