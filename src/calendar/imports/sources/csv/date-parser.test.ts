import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectDayOrder, parseDateCell, parseTimeCell } from './date-parser.ts'

for (const [text, date, time] of [
  ['2027-03-01', '2027-03-01', undefined],
  ['2027/3/1', '2027-03-01', undefined],
  ['20270301', '2027-03-01', undefined],
  ['01.03.2027', '2027-03-01', undefined],
  ['1. 3. 27', '2027-03-01', undefined],
  ['Mo, 01.03.2027', '2027-03-01', undefined],
  ['Donnerstag, 4. März 2027', '2027-03-04', undefined],
  ['Monday, March 1, 2027', '2027-03-01', undefined],
  ['1st Mar 2027', '2027-03-01', undefined],
  ['1-Mar-2027', '2027-03-01', undefined],
  ['24. Dez. 2027', '2027-12-24', undefined],
  ['13/3/2027', '2027-03-13', undefined],
  ['3/13/2027', '2027-03-13', undefined],
  ['01-03-2027', '2027-03-01', undefined],
  ['5/5/2027', '2027-05-05', undefined],
  ['46447', '2027-03-01', undefined],
  ['46447.8125', '2027-03-01', '19:30:00'],
  ['46447,99999999', '2027-03-02', '00:00:00'],
  ['2027-03-01 19:30', '2027-03-01', '19:30:00'],
  ['2027-03-01T19:30:15', '2027-03-01', '19:30:15'],
  ['01.03.2027, 19.30 Uhr', '2027-03-01', '19:30:00'],
  ['3/13/2027 7:30 PM', '2027-03-13', '19:30:00']
] as const) {
  test(`${text} is parsed as a date`, () => {
    assert.deepEqual([parseDateCell(text, 'unknown')?.date, parseDateCell(text, 'unknown')?.time], [date, time])
  })
}

test('3/1/2027 is parsed in the order of day and month of the other rows, and is unclear without them', () => {
  assert.equal(parseDateCell('3/1/2027', 'month-first')?.date, '2027-03-01')
  assert.equal(parseDateCell('3/1/2027', 'day-first')?.date, '2027-01-03')
  assert.equal(parseDateCell('3/1/2027', 'unknown')?.isUnclear, true)
  assert.deepEqual(['3/13/2027', '13/3/2027', '3/1/2027', '13.3.2027'].map(detectDayOrder), [
    'month-first',
    'day-first',
    undefined,
    undefined
  ])
})

test('a date with a UTC offset is parsed as an instant', () => {
  assert.equal(
    parseDateCell('2027-03-01T19:30:00+01:00', 'unknown')?.instant?.toISOString(),
    '2027-03-01T18:30:00.000Z'
  )
  assert.equal(parseDateCell('2027-03-01 19:30Z', 'unknown')?.instant?.toISOString(), '2027-03-01T19:30:00.000Z')
})

for (const text of [
  '',
  'soon',
  '30.02.2027',
  '2027-13-01',
  '31/31/2027',
  '1. Foo 2027',
  '12',
  '2027-03-01 25:00',
  `1${' '.repeat(200)}`
]) {
  test(`${JSON.stringify(text.slice(0, 20))} is not parsed as a date`, () => {
    assert.equal(parseDateCell(text, 'day-first'), undefined)
  })
}

for (const [text, time, endTime] of [
  ['19:30', '19:30:00', undefined],
  ['19.30 Uhr', '19:30:00', undefined],
  ['19 Uhr', '19:00:00', undefined],
  ['ab 19 Uhr', '19:00:00', undefined],
  ['19h30', '19:30:00', undefined],
  ['7:30 pm', '19:30:00', undefined],
  ['7 p.m.', '19:00:00', undefined],
  ['12am', '00:00:00', undefined],
  ['12:15 PM', '12:15:00', undefined],
  ['19:30:00', '19:30:00', undefined],
  ['19:30 – 21:00 Uhr', '19:30:00', '21:00:00'],
  ['19 bis 21 Uhr', '19:00:00', '21:00:00'],
  ['7 - 9 pm', '19:00:00', '21:00:00'],
  ['7:30 - 9 pm', '19:30:00', '21:00:00'],
  ['11:30 - 1 pm', '11:30:00', '13:00:00'],
  ['0.8125', '19:30:00', undefined],
  ['0,75', '18:00:00', undefined]
] as const) {
  test(`${text} is parsed as a time`, () => {
    assert.deepEqual([parseTimeCell(text)?.time, parseTimeCell(text)?.endTime], [time, endTime])
  })
}

for (const text of ['', '19', '25:00', '19:60', '13 pm', '0 am', 'evening', '19:30 - ', '1:00 - 2:00 - 3:00']) {
  test(`${JSON.stringify(text)} is not parsed as a time`, () => {
    assert.equal(parseTimeCell(text), undefined)
  })
}
