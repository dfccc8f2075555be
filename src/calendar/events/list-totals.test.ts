import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '#platform/database/sql.ts'
import { createServer } from '#platform/server.ts'
import { silent } from '#test/support/database.ts'
import { adminKey, calendar, event, newClient, startCalendar } from '#test/support/services.ts'
import { createCalendarService } from '../service.ts'

const one = await startCalendar()
const path = `${calendar}/events`

/** Whole pages, so that the number of all is not told by the page itself. */
const total = async (of = one): Promise<number> => (await of.visitor.get(`${path}?per_page=1`)).body.total

test('a write is counted at once in the process that made it, whatever it was', async () => {
  await one.anEvent()
  const { id } = await one.anEvent()
  assert.equal(await total(), 2)
  await one.anEvent()
  assert.equal(await total(), 3)
  await one.admin.patch(`${path}/${id}`, { status: 'draft' })
  assert.equal(await total(), 2)
  await one.admin.patch(`${path}/${id}`, { status: 'publish' })
  assert.equal(await total(), 3)
  await one.admin.delete(`${path}/${id}`)
  assert.equal(await total(), 2)
  await one.admin.delete(`${path}/${id}?force=true`)
  assert.equal(await total(), 2)
  await one.admin.send({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'title=Form&start_date=2027-06-01&end_date=2027-06-02'
  })
  assert.equal(await total(), 3)
})

test('what leaves a category with the one it is in is counted at once too', async () => {
  const category = await one.aCategory({ name: 'Going' })
  const child = await one.aCategory({ name: 'Below', parent: category.id })
  for (let count = 0; count < 3; count += 1) await one.anEvent({ categories: child.id })
  const inCategory = async () =>
    (await one.visitor.get(`${path}?per_page=1&categories=${category.id}&orderby=title`)).body.total
  assert.equal(await inCategory(), 3)
  await one.admin.patch(`${calendar}/categories/${child.id}`, { parent: 0 })
  assert.equal(await inCategory(), 0)
})

test('a write of another process is counted soon', async () => {
  const other = await startCalendar({ database: { url: one.databaseUrl, remove: async () => undefined } })
  const before = await total()
  assert.equal(await total(other), before)
  await other.anEvent()
  assert.equal(await total(other), before + 1)
  // A second, or longer where counting takes long, as on a busy machine.
  for (let tries = 0; tries < 100 && (await total()) === before; tries += 1) await pause(100)
  assert.equal(await total(), before + 1)
})

test('a count that was made before a write and comes after it is not kept', async () => {
  const held: { until?: Promise<unknown> } = {}
  const slow = new Proxy(one.store, {
    get: (target, name) => {
      if (name !== 'one') return Reflect.get(target, name)
      return async (statement: Sql) => {
        const row = await target.one(statement)
        await held.until
        return row
      }
    }
  })
  const server = await createServer([createCalendarService(one.settings)], {
    store: slow,
    settings: one.settings,
    log: silent
  })
  const client = newClient(server, adminKey)
  const seen = async () => (await client.get(`${path}?per_page=1&language=de`)).body.total
  const before = await seen()
  await client.post(`${calendar}/tags`, { name: 'forgets what was known' })

  let release = () => {}
  held.until = new Promise<void>(resolve => {
    release = resolve
  })
  const reading = seen()
  await pause(200)
  delete held.until
  assert.equal((await client.post(path, event)).status, 201)
  release()
  assert.equal(await reading, before)
  assert.equal(await seen(), before + 1)
  await server.drain()
})

test('requests that need the same total at once count it once', async () => {
  for (let count = 0; count < 2; count += 1) await one.anEvent()
  let counts = 0
  const counting = new Proxy(one.store, {
    get: (target, name) => {
      if (name !== 'one') return Reflect.get(target, name)
      return async (statement: Sql) => {
        if (!statement.text.endsWith(' as total')) return await target.one(statement)
        counts += 1
        // Long enough for the others to find their page.
        await pause(300)
        return await target.one(statement)
      }
    }
  })
  const server = await createServer([createCalendarService(one.settings)], {
    store: counting,
    settings: one.settings,
    log: silent
  })
  const client = newClient(server)
  const expected = await total()
  // The first request begins to follow what other processes write. Its page reveals the total.
  await client.get(`${path}?per_page=50`)
  const seen = await Promise.all(
    [1, 2, 3, 4].map(async request => (await client.get(`${path}?per_page=1&request=${request}`)).body.total)
  )
  await server.drain()
  assert.deepEqual(seen, [expected, expected, expected, expected])
  assert.equal(counts, 1)
})
