import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newCsvWriter } from './csv.ts'
import { parseCsv } from './parse.ts'

const parseRows = (text: string) => [...parseCsv(text).rows].map(({ cells }) => cells)

for (const [what, text] of [
  ['commas', 'a,b\r\n1,"2,3"\r\n'],
  ['semicolons', 'a;b\n1;2,3\n'],
  ['tabs', 'a\tb\n1\t2,3'],
  ['bars', 'a|b\r1|2,3\r'],
  ['the separator in a sep= line of Excel', 'sep=;\r\na;b\r\n1;2,3\r\n'],
  ['semicolons, with a comma in a column name', '"a, or b";b\n1;2,3\n'],
  ['commas, after a byte order mark and empty lines', '\ufeff\r\n,\r\na,b\r\n\r\n1,"2,3"\r\n,\r\n']
] as const) {
  test(`cells are separated by ${what}`, () => {
    assert.deepEqual(parseRows(text), [['1', '2,3']])
    assert.equal(parseCsv(text).columns.at(-1), 'b')
  })
}

test('each row has the number of the line in which it begins', () => {
  const text = 'a,b\r\n"one\r\ntwo",2\r\n\r\n"three\nfour\nfive",4\r\n5,6'
  assert.deepEqual(
    [...parseCsv(text).rows].map(({ line }) => line),
    [2, 5, 8]
  )
})

test('quotes inside a cell are characters, and text after a closing quote belongs to the cell', () => {
  assert.deepEqual(parseRows('a,b\n5" disk,"say ""yes"""!\n'), [['5" disk', 'say "yes"!']])
})

test('a quote that is never closed marks its row as unterminated, and earlier rows are read', () => {
  const rows = [...parseCsv('a,b\n1,2\n3,"4\n5,6\n').rows]
  assert.deepEqual(
    rows.map(({ line, isUnterminated }) => [line, isUnterminated]),
    [
      [2, false],
      [3, true]
    ]
  )
})

/** A text that begins like an escaped formula cannot be distinguished from one. */
const isAmbiguous = (cell: string) => /^'\s*[=+\-@\t\r\n]/.test(cell)

test('every table that the CSV export writes is read back unchanged, in both languages', () => {
  const cell = fc.string({ unit: fc.constantFrom(...'aä,;|"\'\t\r\n =+-@1|') }).filter(text => !isAmbiguous(text))
  const rows = fc.array(fc.tuple(fc.constant('x'), cell, cell), { minLength: 1, maxLength: 10 })
  fc.assert(
    fc.property(rows, fc.constantFrom('en', 'de'), (cells, language) => {
      const csv = newCsvWriter(language as 'en' | 'de')
      const text = csv.formatHeader(['first', 'second', 'third']) + cells.map(csv.formatRow).join('')
      assert.deepEqual(parseRows(text), cells)
    })
  )
})

test('a table can begin after other lines, which may have another separator', () => {
  const text = 'Account, all of it\r\n"From";"1 March, 2026"\r\n\r\na;b\r\n1;2,3\r\n'
  const table = parseCsv(text, cells => cells.join() === 'a,b')
  assert.deepEqual(table.columns, ['a', 'b'])
  assert.deepEqual(
    [...table.rows].map(({ line, cells }) => [line, ...cells]),
    [[5, '1', '2,3']]
  )
})

test('if no row matches the expected header, the first row is the header', () => {
  assert.deepEqual(parseCsv('a,b\n1,2\n', () => false).columns, ['a', 'b'])
})
