import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareTexts, type DiffPart, shortenUnchanged } from './text-diff.ts'

const joinTexts = (parts: DiffPart[], ...kinds: DiffPart['kind'][]) =>
  parts
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ text }) => text)
    .join('')

test('texts are compared word by word', () => {
  assert.deepEqual(compareTexts('The choir sings at seven in the hall.', 'The choir sings at eight in the old hall.'), [
    { kind: 'same', text: 'The choir sings at' },
    { kind: 'removed', text: ' seven' },
    { kind: 'added', text: ' eight' },
    { kind: 'same', text: ' in the' },
    { kind: 'added', text: ' old' },
    { kind: 'same', text: ' hall.' }
  ])
  assert.deepEqual(compareTexts('', 'New'), [{ kind: 'added', text: 'New' }])
  assert.deepEqual(compareTexts('Same', 'Same'), [{ kind: 'same', text: 'Same' }])
})

test('both texts can be reconstructed from the parts, for random texts', () => {
  const words = fc.array(fc.constantFrom('a', 'b', ' ', '\n', 'ä', '😀', '  c')).map(parts => parts.join(''))
  fc.assert(
    fc.property(words, words, (before, after) => {
      const parts = compareTexts(before, after)
      assert.equal(joinTexts(parts, 'same', 'removed'), before)
      assert.equal(joinTexts(parts, 'same', 'added'), after)
    })
  )
})

test('long texts are compared line by line, and very long ones as a whole', () => {
  const lines = (count: number, word: string) =>
    Array.from({ length: count }, (_, index) => `${word} ${index} words in each line`).join('\n')
  const long = `${lines(300, 'a')}\nthe same line\n${lines(300, 'b')}`
  const other = `${lines(300, 'c')}\nthe same line\n${lines(300, 'd')}`
  const parts = compareTexts(long, other)
  assert.equal(joinTexts(parts, 'same'), 'the same line\n')
  assert.equal(joinTexts(parts, 'same', 'removed'), long)
  const [huge, huger] = [lines(1500, 'e'), lines(1500, 'f')]
  assert.deepEqual(compareTexts(huge, huger), [
    { kind: 'removed', text: huge },
    { kind: 'added', text: huger }
  ])
})

test('long unchanged text is shortened around a difference', () => {
  const parts = compareTexts(`${'x '.repeat(500)}old`, `${'x '.repeat(500)}new`)
  const [first, ...rest] = shortenUnchanged(parts, '…')
  assert.ok((first?.text.length ?? 0) < 200)
  assert.match(first?.text ?? '', /^… x/)
  assert.deepEqual(
    rest.map(({ text }) => text.trim()),
    ['old', 'new']
  )
})
