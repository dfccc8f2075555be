import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DayEntry, DayList } from '../../server/calendar-api.ts'
import { placeWeek } from './place-week.ts'

const week = ['2027-05-03', '2027-05-04', '2027-05-05', '2027-05-06', '2027-05-07', '2027-05-08', '2027-05-09']

/** Events by the index of their first and last day in the week, which may be outside of it; at most `perDay` are listed on a day. */
function arrange(events: [id: number, first: number, last: number][], { perDay = 3, rowsMax = 3 } = {}) {
  const days = new Map<string, DayList['days'][number]>()
  for (const [place, date] of week.entries()) {
    const onDay = events
      .filter(([, first, last]) => first <= place && place <= last)
      .map(([id, first, last]) => ({ id, day: place - first + 1, days: last - first + 1 }) as DayEntry)
    days.set(date, { date, total: onDay.length, events: onDay.slice(0, perDay) })
  }
  const { bars, days: arranged } = placeWeek(week, days, rowsMax)
  return {
    bars: bars.map(({ entry, first, last, lane }) => [entry.id, first, last, lane]),
    marks: bars.map(({ beganBefore, goesOn }) => [beganBefore, goesOn]),
    lanes: arranged.map(({ lanes }) => lanes),
    entries: arranged.map(({ entries }) => entries.map(({ id }) => id)),
    hidden: arranged.map(({ hidden }) => hidden)
  }
}

test('an event of several days is one bar in a week, and other events are in the cell of their day', () => {
  const { bars, lanes, entries, hidden, marks } = arrange([
    [1, 1, 3],
    [2, 2, 2]
  ])
  assert.deepEqual(bars, [[1, 1, 3, 0]])
  assert.deepEqual(marks, [[false, false]])
  assert.deepEqual(lanes, [0, 1, 1, 1, 0, 0, 0])
  assert.deepEqual(entries, [[], [], [2], [], [], [], []])
  assert.deepEqual(hidden, [0, 0, 0, 0, 0, 0, 0])
})

test('a bar ends at the edge of the week and is marked as continued', () => {
  const { bars, marks } = arrange([[1, -5, 20]])
  assert.deepEqual(bars, [[1, 0, 6, 0]])
  assert.deepEqual(marks, [[true, true]])
})

test('overlapping bars are in separate rows, and a free row is reused', () => {
  const { bars, lanes } = arrange([
    [1, 0, 2],
    [2, 1, 6],
    [3, 3, 4]
  ])
  assert.deepEqual(bars, [
    [1, 0, 2, 0],
    [2, 1, 6, 1],
    [3, 3, 4, 0]
  ])
  assert.deepEqual(lanes, [1, 2, 2, 2, 2, 2, 2])
})

test('events that do not fit are counted on each of their days', () => {
  const events: [number, number, number][] = [
    [1, 0, 6],
    [2, 0, 6],
    [3, 0, 6],
    [4, 2, 3],
    [5, 5, 5]
  ]
  const { bars, hidden, entries } = arrange(events)
  assert.equal(bars.length, 3)
  assert.deepEqual(entries.flat(), [])
  assert.deepEqual(hidden, [0, 0, 1, 1, 0, 1, 0])
  // The API lists event 7 on its second day only, because other events come first on the first day: it is still one bar.
  const cut = arrange(
    [
      [9, 0, 0],
      [8, 0, 0],
      [7, 0, 1]
    ],
    { perDay: 2 }
  )
  assert.deepEqual(cut.bars, [[7, 0, 1, 0]])
  assert.deepEqual(cut.entries[0], [9, 8])
  assert.deepEqual(cut.hidden, [0, 0, 0, 0, 0, 0, 0])
})
