import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatJson } from './format-json.ts'

test('JSON objects that fit in a line are on one line, others are indented, and the value is unchanged', () => {
  const value = {
    id: 7,
    title: 'A "quoted" title, and a line\nbreak',
    start_date_details: { year: '2027', month: '06', day: '05' },
    venue: { venue: 'Town Hall', description: 'x'.repeat(80), tags: [] },
    list: [1, null, true, {}]
  }
  const text = formatJson(value)
  assert.deepEqual(JSON.parse(text), value)
  assert.match(text, /^ {2}"start_date_details": \{ "year": "2027", "month": "06", "day": "05" \},$/m)
  assert.match(text, /^ {4}"venue": "Town Hall",$/m)
  assert.match(text, /^ {2}"list": \[1, null, true, \{\}\]$/m)
})
