import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canParseUrl } from './parse-url.ts'

test('a URL with an umlaut is valid, also after many calls', () => {
  for (let count = 0; count < 20_000; count += 1) {
    assert.equal(canParseUrl('https://müller.example/straße?b=ü'), true)
    assert.equal(canParseUrl('../straße', 'https://müller.example/'), true)
  }
  assert.equal(canParseUrl('straße'), false)
  assert.equal(canParseUrl('https://'), false)
})
