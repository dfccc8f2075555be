import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endSentence } from './sentence.ts'

test('a sentence ends with one full stop, whatever it ends with', () => {
  assert.equal(endSentence('Recorded: 5 € from Förderverein e. V.'), 'Recorded: 5 € from Förderverein e. V.')
  assert.equal(endSentence('Recorded: 5 € from Ada'), 'Recorded: 5 € from Ada.')
})
