import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cell, newCsvWriter } from './csv.ts'

const en = newCsvWriter('en')
const de = newCsvWriter('de')

test('an English file has commas and decimal points and begins with its header row', () => {
  assert.equal(en.formatHeader(['name', 'amount']), 'name,amount\r\n')
  assert.equal(en.formatRow(['Ada', 20.5]), 'Ada,20.50\r\n')
})

test('a German file has a UTF-8 byte order mark, semicolons and decimal commas', () => {
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

test('null is an empty cell, and booleans are true and false', () => {
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
  test(`a cell that begins with ${JSON.stringify(start)} is escaped, so that a spreadsheet does not run it as a formula`, () => {
    for (const csv of [en, de]) {
      const [first = ''] = parseLine(csv.formatRow([`${start}1`]), ';')
      assert.equal(first, `'${start}1`)
    }
  })
}

test('a text with the separator of the other language is quoted, so that no cell with a formula results', () => {
  assert.deepEqual(parseLine(en.formatRow(['Ada;=1+1']), ';'), ['Ada;=1+1'])
  assert.deepEqual(parseLine(de.formatRow(['Ada,=1+1']), ','), ['Ada,=1+1'])
  for (const csv of [en, de]) assert.deepEqual(parseLine(csv.formatRow(['Ada\t=1+1']), '\t'), ['Ada\t=1+1'])
})

test('a row with special characters is read back unchanged', () => {
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
  assert.deepEqual(parseLine(en.formatRow(cells), ','), cells)
  assert.deepEqual(parseLine(de.formatRow(cells), ';'), cells)
})

/** The cells that a reader of RFC 4180 finds in one line. */
function parseLine(line: string, separator: string): string[] {
  const cells: string[] = []
  const cellPattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n)`, 'gy')
  for (const [, quoted, plain = ''] of line.matchAll(cellPattern)) cells.push(quoted?.replaceAll('""', '"') ?? plain)
  return cells
}
