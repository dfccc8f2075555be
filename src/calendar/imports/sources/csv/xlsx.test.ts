import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFile } from '#test/support/calendar/read-source.ts'
import { buildNumberCell, buildXlsx, type XlsxCell } from '#test/support/calendar/xlsx.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import type { Incoming } from '../source.ts'
import { openCsv } from './csv-source.ts'

const head = ['Title', 'Start', 'End', 'Venue', 'Cost']

async function read(bytes: Buffer): Promise<Incoming[]> {
  return (await readFile(openCsv, bytes)).filter(({ kind }) => kind === 'event')
}

const getDates = ({ fields }: Incoming) => [fields.start_date, fields.end_date, fields.all_day]

test('the first visible sheet of a workbook is read below its title, with dates by the style of the cell', async () => {
  const events = await read(
    buildXlsx([
      ['Events of the year'],
      [],
      head,
      ['Concert & <Dinner>', buildNumberCell(46447.8125, 2), buildNumberCell(46447.875, 2), 'Town Hall', '12 €'],
      ['Fair', buildNumberCell(46447, 1), buildNumberCell(46449, 1), '', buildNumberCell(5, 3)]
    ])
  )
  assert.deepEqual(
    events.map(event => [event.texts.en?.title, ...getDates(event), event.fields.cost, event.problems]),
    [
      ['Concert & <Dinner>', '2027-03-01 19:30:00', '2027-03-01 21:00:00', false, '12 €', []],
      ['Fair', '2027-03-01 00:00:00', '2027-03-03 23:59:59', true, '5', []]
    ]
  )
})

test('times, booleans, inline texts and failed formulas are read', async () => {
  const inline = (text: string): XlsxCell => ({ attributes: 't="inlineStr"', content: `<is><t>${text}</t></is>` })
  const [event] = await read(
    buildXlsx([
      ['Title', 'Date', 'Time', 'End time', 'Featured', 'Cost'],
      [
        inline('Concert'),
        { attributes: 't="str"', content: '<f>TEXT(A1)</f><v>2027-03-01</v>' },
        buildNumberCell(0.8125, 2),
        buildNumberCell(0.875),
        { attributes: 't="b"', content: '<v>1</v>' },
        { attributes: 't="e"', content: '<v>#REF!</v>' }
      ]
    ])
  )
  assert.deepEqual(getDates(event as Incoming), ['2027-03-01 19:30:00', '2027-03-01 21:00:00', false])
  assert.deepEqual([event?.fields.featured, event?.fields.cost], [true, ''])
})

test('dates of a workbook with the 1904 date system are converted', async () => {
  const rows = [head, ['Concert', buildNumberCell(46447 - 1462, 1)]]
  const [event] = await read(buildXlsx(rows, { bookAttributes: 'date1904="1"' }))
  assert.equal(event?.fields.start_date, '2027-03-01 00:00:00')
})

test('a problem names the row of the sheet', async () => {
  const [event] = await read(buildXlsx([['A title'], head, ['Concert', 'soon']]))
  assert.match(event?.problems[0]?.en ?? '', /^Line 3, Start: “soon” must be a date/)
})

const sheet = 'xl/worksheets/sheet2.xml'
const rows: XlsxCell[][] = [head, ['Concert', buildNumberCell(46447, 1)]]
const workbook = buildXlsx(rows)

for (const [description, bytes] of [
  ['that is truncated', workbook.subarray(0, -30)],
  ['with a document type', buildXlsx(rows, { replaced: [{ name: sheet, content: '<!DOCTYPE a><worksheet/>' }] })],
  ['with broken XML', buildXlsx(rows, { replaced: [{ name: sheet, content: '<worksheet><row>' }] })],
  [
    'without its sheet',
    buildXlsx(rows, { replaced: [{ name: 'xl/_rels/workbook.xml.rels', content: '<Relationships/>' }] })
  ],
  [
    'that unpacks to more than its declared size',
    buildXlsx(rows, { replaced: [{ name: sheet, content: ' '.repeat(100_000), told: { size: 10 } }] })
  ],
  [
    'that unpacks to 1 GB',
    buildXlsx(rows, { replaced: [{ name: sheet, content: ' ', told: { size: 1024 * 1024 * 1024 } }] })
  ],
  ['with a password', buildXlsx(rows, { replaced: [{ name: sheet, content: ' ', told: { flags: 1 } }] })]
] as const) {
  test(`a workbook ${description} is refused with a reason`, async () => {
    await assert.rejects(read(Buffer.from(bytes)), { code: 'not-a-workbook' })
  })
}

test('a workbook with too many rows is refused', { skip: skipUnlessFull }, async () => {
  const manyRows = `<worksheet>${'<row><c t="inlineStr"><is><t>a</t></is></c></row>'.repeat(61_000)}</worksheet>`
  const bytes = buildXlsx(rows, { replaced: [{ name: sheet, content: manyRows }] })
  await assert.rejects(read(bytes), { code: /^(?:too-many-rows|not-a-table)$/ })
})
