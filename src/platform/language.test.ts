import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Language, negotiateLanguage } from './language.ts'

const cases: [header: string | undefined, expected: Language, fallback?: Language][] = [
  [undefined, 'en'],
  [undefined, 'de', 'de'],
  ['', 'de', 'de'],
  ['de', 'de'],
  ['en', 'en', 'de'],
  ['DE', 'de'],
  ['de-AT', 'de'],
  ['de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7', 'de'],
  ['en-US,en;q=0.9,de;q=0.8', 'en', 'de'],
  ['fr, de;q=0.5, en;q=0.4', 'de'],
  ['en;q=0.4, de;q=0.5', 'de'],
  ['en;q=0.5, de;q=0.5', 'en', 'de'],
  ['de;q=0.5, en', 'en', 'de'],
  ['de ; q=0.1 , en ; q=0.9', 'en', 'de'],
  ['de;q=0', 'en'],
  ['de;q=0, en;q=0.1', 'en', 'de'],
  ['fr', 'en'],
  ['fr', 'de', 'de'],
  ['*', 'de', 'de'],
  ['fr, *;q=0.1', 'de', 'de'],
  ['de, *;q=0.1', 'de'],
  ['den', 'en'],
  ['deutsch', 'en']
]

test('the preferred language of Accept-Language is chosen, otherwise the default', () => {
  for (const [header, expected, fallback = 'en'] of cases) {
    assert.equal(negotiateLanguage(header, fallback), expected, `${header}, else ${fallback}`)
  }
})

const hostile = [
  'de;q=abc, en',
  'de;q=, en',
  'de;q=-1, en;q=0.1',
  'de;q=NaN',
  ';;;,,,;q=1',
  ';q=1',
  ',',
  '\u0000de',
  '__proto__, constructor',
  'x'.repeat(10_000),
  ','.repeat(10_000),
  `${'x-'.repeat(5000)};q=0.9`,
  `fr;${'p=1;'.repeat(2500)}`
]

test('a malformed Accept-Language gives the default language', () => {
  for (const header of hostile) assert.equal(negotiateLanguage(header, 'en'), 'en', header.slice(0, 50))
})

test('a malformed range does not affect the other ones', () => {
  assert.equal(negotiateLanguage('en;q=abc, de;q=0.2', 'en'), 'de')
  assert.equal(negotiateLanguage(',,;;, de', 'en'), 'de')
})
