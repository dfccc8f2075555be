import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { folded, likePattern, readSearch } from './search.ts'

for (const [text, same] of [
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
  test(`${JSON.stringify(same)} finds ${JSON.stringify(text)}`, () => {
    assert.equal(folded(text), folded(same))
    assert.notEqual(folded(text), '')
  })
}

test('folding leaves different letters different', () => {
  assert.equal(folded('Maße'), 'masse')
  assert.notEqual(folded('Masse'), folded('Mase'))
  assert.equal(folded('Дом 5%_\\'), 'дом 5%_\\')
})

test('what is folded stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      assert.equal(folded(folded(text)), folded(text))
      assert.equal(folded(text.toUpperCase()).includes('\0'), false)
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
  test(`a search for ${JSON.stringify(text)} wants ${JSON.stringify(wanted)} without ${JSON.stringify(unwanted)}`, () => {
    assert.deepEqual(readSearch(text), { wanted, unwanted })
  })
}

test('a search has at most twenty terms, and a term that comes twice is one', () => {
  const words = Array.from({ length: 30 }, (_, place) => `w${place}`)
  assert.deepEqual(readSearch(`w0 ${words.join(' ')}`).wanted, words.slice(0, 20))
  const mixed = readSearch(words.join(' -'))
  assert.equal(mixed.wanted.length + mixed.unwanted.length, 20)
})

test('a pattern finds its term literally', () => {
  assert.equal(likePattern('100%_a\\b'), '%100\\%\\_a\\\\b%')
})

test('a long search has at most 20 words', () => {
  for (const part of ['"', '-', ' ', '-"', '" ', 'a ', '\ufdfa', 'a\u0301'])
    assert.ok(readSearch(part.repeat(300_000 / Buffer.byteLength(part))).wanted.length <= 20)
})
