import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatLogLine } from './format.ts'

const format = (fields: object) =>
  formatLogLine(`${JSON.stringify({ level: 30, time: new Date(2026, 10, 15, 7, 8, 9, 10), ...fields })}\n`)

test('a request is one readable line with local time, result, caller and client', () => {
  const request = {
    method: 'GET',
    path: '/campaigns',
    status: 200,
    ms: 3.2,
    caller: 'visitor',
    client: '203.0.113.0/24',
    requestId: 'abc'
  }
  assert.equal(
    format({ ...request, msg: 'request' }),
    '07:08:09.010 INFO  GET /campaigns 200 3.2 ms by visitor from 203.0.113.0/24 requestId=abc\n'
  )
})

test('other lines have the message and their fields, and an error its reason and stack trace', () => {
  assert.equal(
    format({ level: 40, msg: 'slow', seconds: 3, part: 'worker' }),
    '07:08:09.010 WARN  slow seconds=3 part=worker\n'
  )
  const err = {
    type: 'Error',
    message: 'broken',
    stack: 'Error: broken\n    at a.ts:1',
    cause: { message: 'deep', stack: 'Error: deep' }
  }
  assert.equal(
    format({ level: 50, msg: 'job failed', err }),
    '07:08:09.010 ERROR job failed (broken)\n    Error: broken\n    at a.ts:1\n    caused by:\n    Error: deep\n'
  )
})

test('names and paths cannot control the terminal', () => {
  const line = format({ msg: 'key \u001b[2J\u202eevil\nsecond' })
  assert.equal(line, '07:08:09.010 INFO  key \\u001b[2J\\u202eevil\\u000asecond\n')
})
