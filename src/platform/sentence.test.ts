import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endSentence } from './sentence.ts'

test('a sentence gets a full stop unless it ends with one', () => {
  assert.equal(endSentence('Recorded: 5 € from Förderverein e. V.'), 'Recorded: 5 € from Förderverein e. V.')
  assert.equal(endSentence('Recorded: 5 € from Ada'), 'Recorded: 5 € from Ada.')
})
