import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAmountInWords } from './amount-in-words.ts'

test('amounts are written in words, in German and English', () => {
  for (const [cents, german, english] of [
    [1, 'ein Cent', 'one cent'],
    [100, 'ein Euro', 'one euro'],
    [101, 'ein Euro und ein Cent', 'one euro and one cent'],
    [1700, 'siebzehn Euro', 'seventeen euro'],
    [2105, 'einundzwanzig Euro und fünf Cent', 'twenty-one euro and five cents'],
    [25_010, 'zweihundertfünfzig Euro und zehn Cent', 'two hundred and fifty euro and ten cents'],
    [100_000, 'eintausend Euro', 'one thousand euro'],
    [100_000_000, 'eine Million Euro', 'one million euro'],
    [
      99_999_999_999,
      'neunhundertneunundneunzig Millionen neunhundertneunundneunzigtausendneunhundertneunundneunzig Euro und neunundneunzig Cent',
      'nine hundred and ninety-nine million nine hundred and ninety-nine thousand nine hundred and ninety-nine euro and ninety-nine cents'
    ]
  ] as const) {
    assert.equal(formatAmountInWords(cents, 'EUR', 'de'), german)
    assert.equal(formatAmountInWords(cents, 'EUR', 'en'), english)
  }
  assert.equal(formatAmountInWords(12_005, 'GBP', 'en'), 'one hundred and twenty and 05/100 GBP')
})
