import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cell, newCsvWriter } from './csv.ts'

const en = newCsvWriter('en')
const de = newCsvWriter('de')

test('an English file has commas and decimal points and begins with its head', () => {
  assert.equal(en.formatHeader(['name', 'amount']), 'name,amount\r\n')
  assert.equal(en.formatRow(['Ada', 20.5]), 'Ada,20.50\r\n')
})

test('a German file says that it is UTF-8 and has semicolons and decimal commas', () => {
  assert.equal(de.formatHeader(['Name', 'Betrag']), '\ufeffName;Betrag\r\n')
  assert.equal(de.formatRow(['Ada', 20.5]), 'Ada;20,50\r\n')
})

for (const [number, text] of [
  [0, '0.00'],
  [0.01, '0.01'],
  [4.35, '4.35'],
  [1.15, '1.15'],
  [20, '20.00'],
  [999_999_999.99, '999999999.99'],
  [-5, '-5.00']
] as const) {
  test(`the amount ${number} is written ${text}, and with a comma in German`, () => {
    assert.equal(en.formatRow([number]), `${text}\r\n`)
    assert.equal(de.formatRow([number]), `${text.replace('.', ',')}\r\n`)
  })
}

test('nothing is an empty cell, and truth is a word', () => {
  assert.equal(en.formatRow([null, true, false, '']), ',true,false,\r\n')
})

for (const [text, written] of [
  ['say "yes"', '"say ""yes"""'],
  ['"', '""""'],
  ['one\ntwo', '"one\ntwo"'],
  ['one\r\ntwo', '"one\r\ntwo"'],
  ['one\rtwo', '"one\rtwo"'],
  ['Lovelace, Ada', '"Lovelace, Ada"'],
  ['Lovelace; Ada', '"Lovelace; Ada"']
] as const) {
  test(`${JSON.stringify(text)} is quoted in both languages`, () => {
    assert.equal(en.formatRow([text]), `${written}\r\n`)
    assert.equal(de.formatRow([text]), `${written}\r\n`)
  })
}

for (const start of ['=', '+', '-', '@', '\t', ' =', '\n=', '\u00a0@', '   +']) {
  test(`a cell that begins with ${JSON.stringify(start)} is no formula to a spreadsheet`, () => {
    for (const csv of [en, de]) {
      const [first = ''] = cellsOf(csv.formatRow([`${start}1`]), ';')
      assert.equal(first, `'${start}1`)
    }
  })
}

test('a text that a spreadsheet of the other language would cut open holds no formula behind the cut', () => {
  assert.deepEqual(cellsOf(en.formatRow(['Ada;=1+1']), ';'), ['Ada;=1+1'])
  assert.deepEqual(cellsOf(de.formatRow(['Ada,=1+1']), ','), ['Ada,=1+1'])
  for (const csv of [en, de]) assert.deepEqual(cellsOf(csv.formatRow(['Ada\t=1+1']), '\t'), ['Ada\t=1+1'])
})

test('any row of cells is read back as it was', () => {
  const cells: Cell[] = [
    'plain',
    'with, comma; and semicolon',
    'two\nlines',
    '"quoted"',
    ' blank ',
    'ümläut',
    '',
    "it's"
  ]
  assert.deepEqual(cellsOf(en.formatRow(cells), ','), cells)
  assert.deepEqual(cellsOf(de.formatRow(cells), ';'), cells)
})

/** What a reader of RFC 4180 makes of one line. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  const form = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n)`, 'gy')
  for (const [, quoted, plain = ''] of line.matchAll(form)) cells.push(quoted?.replaceAll('""', '"') ?? plain)
  return cells
}
