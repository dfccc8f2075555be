import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDatabase, silent } from '#test/support/database.ts'
import { startProxy } from '#test/support/database-proxy.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { readSettings } from '../config.ts'
import type { Log } from '../log.ts'
import { openStore } from './database.ts'
import { sql } from './sql.ts'

const database = await createDatabase()
const proxy = await startProxy(database.url)
after(async () => {
  await proxy.close()
  await database.remove()
})

function newRecordingLog() {
  const lines: { fields: Record<string, unknown>; text: string }[] = []
  const add = (fields: Record<string, unknown>, text: string) => void lines.push({ fields, text })
  return { lines, log: { ...silent, info: add, warn: add } as unknown as Log }
}

test('a serving process waits for a database that cannot be reached yet, and logs the reason', async () => {
  await proxy.refuse()
  const { lines, log } = newRecordingLog()
  const opening = openStore(readSettings({ DATABASE_URL: proxy.url }), 'serving', log)
  await waitUntil(() => lines.length > 0)
  assert.equal(lines[0]?.text, 'waiting for the database (DATABASE_URL)')
  assert.match(String(lines[0]?.fields.reason), /ECONNREFUSED/)
  await proxy.pass()
  const store = await opening
  assert.deepEqual(await store.one(sql`select 1 as one`), { one: 1 })
  assert.equal(lines.at(-1)?.text, 'the database is available')
  await store.close()
})

test('an error response of the database server is not retried', async () => {
  const url = new URL(database.url)
  url.pathname = '/no_such_database'
  await assert.rejects(openStore(readSettings({ DATABASE_URL: url.href }), 'serving', silent), /no_such_database/)
})
