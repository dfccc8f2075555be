import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '#test/support/any-character.ts'
import { normalizeForSearch, parseSearch, toLikePattern } from './search.ts'

for (const [text, query] of [
  ['Käse', 'kase'],
  ['Ka\u0308se', 'KASE'],
  ['Straße', 'STRASSE'],
  ['STRAẞE', 'strasse'],
  ['Łódź', 'lodz'],
  ['Ærøskøbing', 'aeroskobing'],
  ['Đặng', 'dang'],
  ['Œuvre', 'oeuvre'],
  ['İstanbul', 'istanbul'],
  ['ΣΑΣ', 'σας'],
  ['ﬁne', 'fine'],
  ['Ada’s – day', "ada's - day"],
  ['soft\u00adhyphen', 'softhyphen'],
  [' two\u00a0 \n blanks\t', 'two blanks']
] as const) {
  test(`${JSON.stringify(query)} finds ${JSON.stringify(text)}`, () => {
    assert.equal(normalizeForSearch(text), normalizeForSearch(query))
    assert.notEqual(normalizeForSearch(text), '')
  })
}

test('normalization keeps different letters different', () => {
  assert.equal(normalizeForSearch('Maße'), 'masse')
  assert.notEqual(normalizeForSearch('Masse'), normalizeForSearch('Mase'))
  assert.equal(normalizeForSearch('Дом 5%_\\'), 'дом 5%_\\')
})

test('normalizing a text twice gives the same result as once', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), text => {
      assert.equal(normalizeForSearch(normalizeForSearch(text)), normalizeForSearch(text))
      assert.equal(normalizeForSearch(text.toUpperCase()).includes('\0'), false)
    })
  )
})

for (const [text, wanted, unwanted] of [
  ['Jazz Berlin', ['jazz', 'berlin'], []],
  ['"open  Air" Jazz', ['open air', 'jazz'], []],
  ['Jazz -rock -"Open Air"', ['jazz'], ['rock', 'open air']],
  ['Käse, KASE kase', ['kase'], []],
  ['rock - pop', ['rock', 'pop'], []],
  ['rock-pop', ['rock-pop'], []],
  ['5" vinyl', ['5"', 'vinyl'], []],
  ['"open air', ['"open', 'air'], []],
  ['"a b"c', ['a b', 'c'], []],
  ['"" -"" - , \u0301', [], []],
  ['', [], []]
] as const) {
  test(`a search for ${JSON.stringify(text)} includes ${JSON.stringify(wanted)} and excludes ${JSON.stringify(unwanted)}`, () => {
    assert.deepEqual(parseSearch(text), { included: wanted, excluded: unwanted })
  })
}

test('a search has at most 20 terms; a repeated term counts once', () => {
  const words = Array.from({ length: 30 }, (_, place) => `w${place}`)
  assert.deepEqual(parseSearch(`w0 ${words.join(' ')}`).included, words.slice(0, 20))
  const mixed = parseSearch(words.join(' -'))
  assert.equal(mixed.included.length + mixed.excluded.length, 20)
})

test('a LIKE pattern escapes the wildcards of its term', () => {
  assert.equal(toLikePattern('100%_a\\b'), '%100\\%\\_a\\\\b%')
})

test('a long search has at most 20 words', () => {
  for (const part of ['"', '-', ' ', '-"', '" ', 'a ', '\ufdfa', 'a\u0301'])
    assert.ok(parseSearch(part.repeat(300_000 / Buffer.byteLength(part))).included.length <= 20)
})
