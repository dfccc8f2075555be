import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newCsvWriter } from './csv.ts'
import { parseCsv } from './parse.ts'

const rowsOf = (text: string) => [...parseCsv(text).rows].map(({ cells }) => cells)

for (const [what, text] of [
  ['commas', 'a,b\r\n1,"2,3"\r\n'],
  ['semicolons', 'a;b\n1;2,3\n'],
  ['tabs', 'a\tb\n1\t2,3'],
  ['bars', 'a|b\r1|2,3\r'],
  ['what Excel says', 'sep=;\r\na;b\r\n1;2,3\r\n'],
  ['commas in a name', '"a, or b";b\n1;2,3\n'],
  ['a mark and empty lines', '\ufeff\r\n,\r\na,b\r\n\r\n1,"2,3"\r\n,\r\n']
] as const) {
  test(`cells are separated by ${what}`, () => {
    assert.deepEqual(rowsOf(text), [['1', '2,3']])
    assert.equal(parseCsv(text).columns.at(-1), 'b')
  })
}

test('rows know the line in which they begin', () => {
  const text = 'a,b\r\n"one\r\ntwo",2\r\n\r\n"three\nfour\nfive",4\r\n5,6'
  assert.deepEqual(
    [...parseCsv(text).rows].map(({ line }) => line),
    [2, 5, 8]
  )
})

test('quotes in the midst of a cell are characters, and what follows a closing quote belongs to the cell', () => {
  assert.deepEqual(rowsOf('a,b\n5" disk,"say ""yes"""!\n'), [['5" disk', 'say "yes"!']])
})

test('a quote that is never closed breaks the row in which it opens, and those before are read', () => {
  const rows = [...parseCsv('a,b\n1,2\n3,"4\n5,6\n').rows]
  assert.deepEqual(
    rows.map(({ line, isUnterminated }) => [line, isUnterminated]),
    [
      [2, false],
      [3, true]
    ]
  )
})

/** A text that itself begins like one that the export made harmless cannot be told from it. */
const isAmbiguous = (cell: string) => /^'\s*[=+\-@\t\r\n]/.test(cell)

test('every table that our own export writes is read back equal, in both languages', () => {
  const cell = fc.string({ unit: fc.constantFrom(...'aä,;|"\'\t\r\n =+-@1|') }).filter(text => !isAmbiguous(text))
  const rows = fc.array(fc.tuple(fc.constant('x'), cell, cell), { minLength: 1, maxLength: 10 })
  fc.assert(
    fc.property(rows, fc.constantFrom('en', 'de'), (cells, language) => {
      const csv = newCsvWriter(language as 'en' | 'de')
      const text = csv.formatHeader(['first', 'second', 'third']) + cells.map(csv.formatRow).join('')
      assert.deepEqual(rowsOf(text), cells)
    })
  )
})

test('a table can begin below lines that say something else, which may separate by something else', () => {
  const text = 'Account, all of it\r\n"From";"1 March, 2026"\r\n\r\na;b\r\n1;2,3\r\n'
  const table = parseCsv(text, cells => cells.join() === 'a,b')
  assert.deepEqual(table.columns, ['a', 'b'])
  assert.deepEqual(
    [...table.rows].map(({ line, cells }) => [line, ...cells]),
    [[5, '1', '2,3']]
  )
})

test('where no row is the one that is looked for, the table begins as any other', () => {
  assert.deepEqual(parseCsv('a,b\n1,2\n', () => false).columns, ['a', 'b'])
})
