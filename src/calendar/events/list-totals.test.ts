import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '#platform/database/sql.ts'
import { createServer } from '#platform/server.ts'
import { silent } from '#test/support/database.ts'
import { adminKey, calendar, event, newClient, startCalendar } from '#test/support/services.ts'
import { createCalendarService } from '../service.ts'

const first = await startCalendar()
const path = `${calendar}/events`

/** With one event per page, so that the total cannot be derived from the page. */
const readTotal = async (instance = first): Promise<number> =>
  (await instance.visitor.get(`${path}?per_page=1`)).body.total

test('the total is updated at once in the process that writes, after create, update and delete', async () => {
  await first.anEvent()
  const { id } = await first.anEvent()
  assert.equal(await readTotal(), 2)
  await first.anEvent()
  assert.equal(await readTotal(), 3)
  await first.admin.patch(`${path}/${id}`, { status: 'draft' })
  assert.equal(await readTotal(), 2)
  await first.admin.patch(`${path}/${id}`, { status: 'publish' })
  assert.equal(await readTotal(), 3)
  await first.admin.delete(`${path}/${id}`)
  assert.equal(await readTotal(), 2)
  await first.admin.delete(`${path}/${id}?force=true`)
  assert.equal(await readTotal(), 2)
  await first.admin.send({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'title=Form&start_date=2027-06-01&end_date=2027-06-02'
  })
  assert.equal(await readTotal(), 3)
})

test('the total of a category is updated at once when a subcategory moves away', async () => {
  const category = await first.aCategory({ name: 'Going' })
  const child = await first.aCategory({ name: 'Below', parent: category.id })
  for (let count = 0; count < 3; count += 1) await first.anEvent({ categories: child.id })
  const readTotalInCategory = async () =>
    (await first.visitor.get(`${path}?per_page=1&categories=${category.id}&orderby=title`)).body.total
  assert.equal(await readTotalInCategory(), 3)
  await first.admin.patch(`${calendar}/categories/${child.id}`, { parent: 0 })
  assert.equal(await readTotalInCategory(), 0)
})

test('the total is updated soon after a write of another process', async () => {
  const other = await startCalendar({ database: { url: first.databaseUrl, remove: async () => undefined } })
  const before = await readTotal()
  assert.equal(await readTotal(other), before)
  await other.anEvent()
  assert.equal(await readTotal(other), before + 1)
  // This takes a second, or longer on a busy machine.
  for (let tries = 0; tries < 100 && (await readTotal()) === before; tries += 1) await pause(100)
  assert.equal(await readTotal(), before + 1)
})

test('a total that was counted before a write and returned after it is not cached', async () => {
  const held: { until?: Promise<unknown> } = {}
  const slow = new Proxy(first.store, {
    get: (target, name) => {
      if (name !== 'one') return Reflect.get(target, name)
      return async (statement: Sql) => {
        const row = await target.one(statement)
        await held.until
        return row
      }
    }
  })
  const server = await createServer([createCalendarService(first.settings)], {
    store: slow,
    settings: first.settings,
    log: silent
  })
  const client = newClient(server, adminKey)
  const readSeenTotal = async () => (await client.get(`${path}?per_page=1&language=de`)).body.total
  const before = await readSeenTotal()
  await client.post(`${calendar}/tags`, { name: 'forgets what was known' })

  let release = () => {}
  held.until = new Promise<void>(resolve => {
    release = resolve
  })
  const reading = readSeenTotal()
  await pause(200)
  delete held.until
  assert.equal((await client.post(path, event)).status, 201)
  release()
  assert.equal(await reading, before)
  assert.equal(await readSeenTotal(), before + 1)
  await server.drain()
})

test('concurrent requests for the same total count it once', async () => {
  for (let count = 0; count < 2; count += 1) await first.anEvent()
  let counts = 0
  const counting = new Proxy(first.store, {
    get: (target, name) => {
      if (name !== 'one') return Reflect.get(target, name)
      return async (statement: Sql) => {
        if (!statement.text.endsWith(' as total')) return await target.one(statement)
        counts += 1
        // Long enough for the other requests to read their page.
        await pause(300)
        return await target.one(statement)
      }
    }
  })
  const server = await createServer([createCalendarService(first.settings)], {
    store: counting,
    settings: first.settings,
    log: silent
  })
  const client = newClient(server)
  const expected = await readTotal()
  // The first request starts to poll for writes of other processes. Its page has all events, so it counts nothing.
  await client.get(`${path}?per_page=50`)
  const readSeenTotal = await Promise.all(
    [1, 2, 3, 4].map(async request => (await client.get(`${path}?per_page=1&request=${request}`)).body.total)
  )
  await server.drain()
  assert.deepEqual(readSeenTotal, [expected, expected, expected, expected])
  assert.equal(counts, 1)
})
