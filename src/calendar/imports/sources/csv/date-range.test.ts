import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectDayOrder } from './date-parser.ts'
import { parseDateOrRange } from './date-range.ts'

for (const [text, first, last] of [
  ['3.–5. Mai 2027', '2027-05-03', '2027-05-05'],
  ['3.-5.5.2027', '2027-05-03', '2027-05-05'],
  ['3.5. - 5.5.2027', '2027-05-03', '2027-05-05'],
  ['03.05.2027 bis 05.05.2027', '2027-05-03', '2027-05-05'],
  ['30. April – 2. Mai 2027', '2027-04-30', '2027-05-02'],
  ['30.12. – 2.1.2028', '2027-12-30', '2028-01-02'],
  ['30. Dezember – 2. Januar 2028', '2027-12-30', '2028-01-02'],
  ['May 3 – 5, 2027', '2027-05-03', '2027-05-05'],
  ['April 30 to May 2, 2027', '2027-04-30', '2027-05-02'],
  ['5/3/2027 - 5/15/2027', '2027-05-03', '2027-05-15'],
  ['5/3 - 5/15/2027', '2027-05-03', '2027-05-15'],
  ['2027-05-03 - 2027-05-05', '2027-05-03', '2027-05-05'],
  ['2027-05-03 – 2027-05-05', '2027-05-03', '2027-05-05']
] as const) {
  test(`${text} is parsed as a range of dates`, () => {
    const found = parseDateOrRange(text, 'month-first')
    assert.deepEqual([found?.date, found?.endDate], [first, last])
  })
}

for (const text of ['soon – later', '3.–5.', '3.-31.2.2027', '–', '3.5.2027 –', `${'3-'.repeat(60)}2027`]) {
  test(`${JSON.stringify(text.slice(0, 20))} is not parsed as a range of dates`, () => {
    assert.equal(parseDateOrRange(text, 'day-first'), undefined)
  })
}

test('a range can be unclear, and its last day can show the order of day and month', () => {
  assert.equal(parseDateOrRange('5/3/2027 - 5/4/2027', 'unknown')?.isUnclear, true)
  assert.equal(detectDayOrder('5/3/2027 - 5/15/2027'), 'month-first')
})

test('a single date, and a date with a range of times, are not parsed as a range of dates', () => {
  assert.deepEqual(parseDateOrRange('3.5.2027', 'unknown'), { date: '2027-05-03' })
  assert.deepEqual(parseDateOrRange('3.5.2027 19:00 - 21:00', 'unknown'), {
    date: '2027-05-03',
    time: '19:00:00',
    endTime: '21:00:00'
  })
})
