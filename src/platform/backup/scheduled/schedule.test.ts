import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildBackupName, listExpired } from './retention.ts'
import { findLastScheduledTime, isBackupDue } from './schedule.ts'

const berlin = 'Europe/Berlin'
const last = (minute: number, timezone: string, now: string) =>
  findLastScheduledTime(minute, timezone, new Date(now)).toISOString()

test('the last scheduled time is today’s, or yesterday’s if today’s is in the future', () => {
  assert.equal(last(197, 'UTC', '2026-11-15T12:00:30.500Z'), '2026-11-15T03:17:00.000Z')
  assert.equal(last(197, 'UTC', '2026-11-15T03:17:00.000Z'), '2026-11-15T03:17:00.000Z')
  assert.equal(last(197, 'UTC', '2026-11-15T03:16:59.999Z'), '2026-11-14T03:17:00.000Z')
  assert.equal(last(0, berlin, '2026-11-15T12:00:00Z'), '2026-11-14T23:00:00.000Z')
})

test('the scheduled time is local time, also on days of a clock change', () => {
  // Clocks go back on 25 October 2026 at 03:00, and forward on 29 March 2026 at 02:00.
  assert.equal(last(300, berlin, '2026-10-25T12:00:00Z'), '2026-10-25T04:00:00.000Z')
  assert.equal(last(300, berlin, '2026-10-25T03:30:00Z'), '2026-10-24T03:00:00.000Z')
  assert.equal(last(300, berlin, '2026-03-29T12:00:00Z'), '2026-03-29T03:00:00.000Z')
  assert.equal(last(60, berlin, '2026-03-29T12:00:00Z'), '2026-03-29T00:00:00.000Z')
  // 02:30 does not exist on that day; any time of that night is acceptable.
  assert.match(last(150, berlin, '2026-03-29T12:00:00Z'), /^2026-03-29T0[01]:30/)
})

test('a backup is due once after each scheduled time, also later, and again an hour after a failure', () => {
  const schedule = { scheduleMinute: 197, timezone: 'UTC' }
  const due = (now: string, lastAt?: string, failedAt?: string) =>
    isBackupDue(schedule, { lastAt, failedAt }, new Date(now))
  assert.equal(due('2026-11-15T03:20:00Z'), true)
  assert.equal(due('2026-11-15T03:16:00Z', '2026-11-14T03:20:00Z'), false)
  assert.equal(due('2026-11-15T03:17:00Z', '2026-11-14T03:20:00Z'), true)
  assert.equal(due('2026-11-15T09:00:00Z', '2026-11-14T03:20:00Z'), true)
  assert.equal(due('2026-11-15T09:00:00Z', '2026-11-15T03:20:00Z'), false)
  assert.equal(due('2026-11-15T04:00:00Z', '2026-11-14T03:20:00Z', '2026-11-15T03:20:00Z'), false)
  assert.equal(due('2026-11-15T04:20:00Z', '2026-11-14T03:20:00Z', '2026-11-15T03:20:00Z'), true)
})

const nightly = (from: string, days: number) =>
  Array.from({ length: days }, (_, day) =>
    buildBackupName(new Date(Date.parse(`${from}T03:17:05Z`) + day * 86_400_000))
  )

test('the newest backup of each of the last days and months is kept', () => {
  const names = nightly('2026-01-01', 100)
  const expired = new Set(listExpired(names, { keepDays: 3, keepMonths: 2 }))
  assert.deepEqual(
    names.filter(name => !expired.has(name)),
    ['2026-03-31', '2026-04-08', '2026-04-09', '2026-04-10'].map(day => `kalends-scheduled-${day}T031705Z.backup`)
  )
})

test('the newest backup of each day is kept, and days without a backup are not counted', () => {
  const names = ['2026-01-05T030000', '2026-01-05T160000', '2026-01-01T030000', '2025-06-01T030000'].map(
    time => `kalends-scheduled-${time}Z.backup`
  )
  assert.deepEqual(listExpired(names, { keepDays: 2, keepMonths: 0 }), [names[0], names[3]])
  assert.deepEqual(listExpired(names, { keepDays: 1, keepMonths: 2 }), [names[0], names[2]])
})

test('only scheduled backups expire, and unfinished files of killed processes', () => {
  const unfinished = 'kalends-scheduled-2026-01-05T030000Z.backup.unfinished-17'
  const others = ['kalends-2020-01-01T0300Z.backup', 'before-upgrade.backup', 'notes.txt', '.hidden']
  assert.deepEqual(listExpired([...others, unfinished, ...nightly('2026-01-01', 1)], { keepDays: 1, keepMonths: 0 }), [
    unfinished
  ])
})
