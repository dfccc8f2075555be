import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canParseUrl } from './parse-url.ts'

test('an address with an umlaut is an address, however often that is asked', () => {
  for (let count = 0; count < 20_000; count += 1) {
    assert.equal(canParseUrl('https://müller.example/straße?b=ü'), true)
    assert.equal(canParseUrl('../straße', 'https://müller.example/'), true)
  }
  assert.equal(canParseUrl('straße'), false)
  assert.equal(canParseUrl('https://'), false)
})
