import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roles } from '#platform/caller.ts'
import { sql } from '#platform/database/sql.ts'
import { isFullRun, skipUnlessFull } from '#test/support/full-run.ts'
import { type Client, calendar, event, startCalendar } from '#test/support/services.ts'

// Permissions on every route as in the table of the contract. Unlike there, ownership is checked by slug too.

const started = await startCalendar()
const { admin, visitor, store, withKey } = started

interface Person {
  role: string
  client: Client
  /** The id as author of items. */
  id: number
}

async function createPerson(role: string): Promise<Person> {
  const issued = await admin.post('/keys', { name: `the matrix' ${role}`, role })
  return { role, client: withKey(issued.body.key), id: issued.body.id }
}

const people: Person[] = [{ role: 'visitor', client: visitor, id: 0 }]
for (const role of roles) people.push(await createPerson(role))
const otherEditor = await createPerson('editor')

const writers = ['contributor', 'author', 'editor', 'admin']
const publishers = ['author', 'editor', 'admin']
const editors = ['editor', 'admin']

/** 401 for a visitor, 403 for callers without permission. */
const getRefusal = (role: string) => (role === 'visitor' ? 401 : 403)
const getExpected = (role: string, able: string[], status: number) => (able.includes(role) ? status : getRefusal(role))

const kinds = {
  event: { path: `${calendar}/events`, fields: event, table: sql`calendar.events` },
  venue: { path: `${calendar}/venues`, fields: { venue: 'Hall' }, table: sql`calendar.venues` },
  organizer: { path: `${calendar}/organizers`, fields: { organizer: 'Ann' }, table: sql`calendar.organizers` }
}
type Kind = keyof typeof kinds

const states: Record<string, object> = {
  published: { status: 'publish' },
  draft: { status: 'draft' },
  pending: { status: 'pending' },
  private: { status: 'private' },
  scheduled: { status: 'publish', date: '+3 days' },
  trashed: { status: 'trash' }
}

interface Cell {
  role: string
  isOwn: boolean
  state: string
}

function canEdit({ role, isOwn, state }: Cell): boolean {
  if (editors.includes(role)) return true
  if (!isOwn) return false
  return role === 'author' || (role === 'contributor' && state !== 'published' && state !== 'scheduled')
}

/** A slug does not reveal a hidden item (404); for an id the status is that of The Events Calendar (403). */
const getHiddenStatus = (address: string) => (address.includes('/by-slug/') ? 404 : 403)

function isHidden({ role, isOwn, state }: Cell): boolean {
  return state !== 'trashed' && state !== 'published' && !editors.includes(role) && !(isOwn && writers.includes(role))
}

function getReadStatus(cell: Cell, address: string): number {
  if (cell.state === 'trashed') return 404
  return isHidden(cell) ? getHiddenStatus(address) : 200
}

/** For roles without any write permission that is checked first. */
const getRefusalAt = (cell: Cell, address: string) =>
  isHidden(cell) && writers.includes(cell.role) ? getHiddenStatus(address) : getRefusal(cell.role)

const getChangeStatus = (cell: Cell, address: string) =>
  canEdit(cell) ? (cell.state === 'trashed' ? 404 : 200) : getRefusalAt(cell, address)
const getDeleteStatus = (cell: Cell, address: string) =>
  canEdit(cell) ? (cell.state === 'trashed' ? 410 : 200) : getRefusalAt(cell, address)

let itemCount = 0

async function createItem(kind: Kind, state: string, authorId: number): Promise<{ id: number; slug: string }> {
  itemCount += 1
  const { path, fields } = kinds[kind]
  const slug = `item-${itemCount}`
  const answer = await admin.post(path, { ...fields, ...states[state], slug, author: authorId })
  assert.equal(answer.status, 201, answer.text)
  return { id: answer.body.id, slug }
}

/** The last activity and the version of the item: they change with every write. */
async function readWriteState(kind: Kind, id: number): Promise<object> {
  return await store.one(sql`
    select (select max(id) from platform.activity) as activity,
      (select version from ${kinds[kind].table} where id = ${id}) as version`)
}

for (const [kindIndex, kind] of (Object.keys(kinds) as Kind[]).entries()) {
  const { path, fields } = kinds[kind]
  for (const [roleIndex, { role, client, id: personId }] of people.entries()) {
    // All kinds have the same rules: each role is tested with one of them, and in a full run with all.
    const skip = (kindIndex + roleIndex) % 3 === 0 ? false : skipUnlessFull
    test(`a ${role} can read, change and delete each ${kind} by id and by slug exactly as permitted`, {
      skip
    }, async () => {
      for (const isOwn of role === 'visitor' ? [false] : [true, false]) {
        for (const [stateIndex, state] of Object.keys(states).entries()) {
          // Outside of a full run each role is tested with a third of the states, which differ by role.
          if (!isFullRun && (stateIndex + roleIndex + Number(isOwn)) % 3 > 0) continue
          const cell = { role, isOwn, state }
          const shownCell = JSON.stringify(cell)
          const authorId = isOwn ? personId : otherEditor.id
          const { id, slug } = await createItem(kind, state, authorId)
          const addresses = [`${path}/${id}`, `${path}/by-slug/${slug}`]
          const before = await readWriteState(kind, id)

          const toRead = kind === 'event' ? [...addresses, `${path}/${id}.ics`] : addresses
          for (const address of toRead) {
            assert.equal(
              (await client.get(address)).status,
              getReadStatus(cell, address),
              `GET ${address} ${shownCell}`
            )
          }
          const canChange = getChangeStatus(cell, addresses[0] ?? '') === 200
          for (const [at, send] of [client.post, client.put, client.patch].entries()) {
            for (const address of canChange ? addresses : [addresses[at % 2] ?? '']) {
              const answer = await send(address, { description: 'x' })
              assert.equal(answer.status, getChangeStatus(cell, address), `${address} ${shownCell} ${answer.text}`)
              if (answer.status === 403) assert.equal(answer.body.code, 'rest_forbidden')
            }
          }
          if (getDeleteStatus(cell, addresses[0] ?? '') === 200) {
            assert.equal((await client.delete(addresses[0] ?? '')).status, 200, shownCell)
            const other = await createItem(kind, state, authorId)
            assert.equal((await client.delete(`${path}/by-slug/${other.slug}`)).status, 200, shownCell)
            continue
          }
          for (const address of addresses) {
            assert.equal((await client.delete(address)).status, getDeleteStatus(cell, address), shownCell)
          }
          if (canEdit(cell)) continue
          const permanentDelete = await client.delete(`${addresses[0]}?force=true`)
          assert.equal(permanentDelete.status, getRefusal(role), shownCell)
          assert.deepEqual(await readWriteState(kind, id), before, shownCell)
        }
      }
    })

    test(`a ${role} can create each ${kind} and sees it in lists exactly as permitted`, async () => {
      const answer = await client.post(path, fields)
      assert.equal(answer.status, getExpected(role, writers, 201))
      if (answer.status === 201) {
        assert.equal(answer.body.status, publishers.includes(role) ? 'publish' : 'draft')
        assert.equal(answer.body.author, String(personId))
      }
      const incomplete = await client.post(path, {})
      assert.equal(incomplete.status, getExpected(role, writers, 400), 'permission is checked before validation')

      for (const isOwn of role === 'visitor' ? [false] : [true, false]) {
        const shown = []
        for (const state of Object.keys(states)) {
          const { id } = await createItem(kind, state, isOwn ? personId : otherEditor.id)
          const list = await client.get(`${path}?include=${id}`)
          assert.equal(list.status, 200, list.text)
          if (list.body.total === 1) shown.push(state)
        }
        const expected = Object.keys(states).filter(state => getReadStatus({ role, isOwn, state }, path) === 200)
        assert.deepEqual(shown, expected, `own: ${isOwn}`)
      }
      for (const status of ['draft', 'private', 'trash', 'publish,pending']) {
        const filtered = await client.get(`${path}?status=${status}`)
        assert.equal(filtered.status, writers.includes(role) ? 200 : 400, status)
      }
    })
  }
}

for (const { collection, able } of [
  { collection: 'categories', able: publishers },
  { collection: 'tags', able: editors }
]) {
  const path = `${calendar}/${collection}`
  test(`each role can read, create, change and delete ${collection} exactly as permitted`, async () => {
    for (const { role, client } of people) {
      itemCount += 1
      const { id } = (await admin.post(path, { name: `Term ${itemCount}` })).body
      assert.equal((await client.get(path)).status, 200)
      assert.equal((await client.get(`${path}/${id}`)).status, 200)
      const before = await store.one(sql`select max(id) as activity from platform.activity`)
      for (const send of [client.post, client.put, client.patch]) {
        assert.equal((await send(`${path}/${id}`, { description: 'x' })).status, getExpected(role, able, 200), role)
      }
      assert.equal((await client.post(path, { name: `By a ${role}` })).status, getExpected(role, able, 201), role)
      assert.equal((await client.post(path, {})).status, getExpected(role, able, 400), role)
      assert.equal((await client.delete(`${path}/${id}`)).status, getExpected(role, able, 200), role)
      if (able.includes(role)) continue
      assert.deepEqual(await store.one(sql`select max(id) as activity from platform.activity`), before)
    }
  })
}

test('each role can list, read, upload and delete images exactly as permitted', async () => {
  const path = `${calendar}/media`
  const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const upload = async (by: Client) =>
    await by.send({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'image/png' },
      payload: Buffer.from(onePixel, 'base64')
    })
  for (const { role, client } of people) {
    const ofOtherEditor = (await upload(otherEditor.client)).body
    assert.equal((await client.get(path)).status, getExpected(role, publishers, 200), role)
    assert.equal((await client.get(`${path}/${ofOtherEditor.id}`)).status, getExpected(role, editors, 200), role)
    assert.equal((await visitor.get(new URL(ofOtherEditor.url).pathname)).status, 200)
    assert.equal((await client.delete(`${path}/${ofOtherEditor.id}`)).status, getExpected(role, editors, 200), role)
    const own = await upload(client)
    assert.equal(own.status, getExpected(role, publishers, 201), role)
    if (own.status !== 201) continue
    assert.equal((await client.get(`${path}/${own.body.id}`)).status, 200)
    assert.equal((await client.delete(`${path}/${own.body.id}`)).status, 200)
  }
})

test('only roles that may publish can set an image by URL', async () => {
  for (const { role, client } of people.filter(person => writers.includes(person.role))) {
    const answer = await client.post(`${calendar}/events`, { ...event, image: 'http://127.0.0.1:9/none.png' })
    assert.equal(answer.status, role === 'contributor' ? 403 : 400, role)
  }
})

test('the namespace has exactly the known routes', async () => {
  const { routes } = (await visitor.get(calendar)).body
  const collections = ['events', 'venues', 'organizers', 'categories', 'tags', 'media']
  const bySlug = ['events', 'venues', 'organizers']
  const exported = [...bySlug, 'categories', 'tags']
  const known = [
    ...['', '/doc', '/days', '/redirects', '/events.ics', '/events/(?P<id>\\d+).ics'],
    ...['/series/preview', '/series/(?P<id>\\d+)'],
    ...collections.flatMap(collection => [`/${collection}`, `/${collection}/(?P<id>\\d+)`]),
    ...bySlug.map(collection => `/${collection}/by-slug/(?P<slug>[^/]+)`),
    ...exported.flatMap(collection => [`/${collection}.csv`, `/${collection}.jsonl`]),
    ...['', '/(?P<version>\\d+)', '/(?P<version>\\d+)/restore'].map(path => `/events/(?P<id>\\d+)/versions${path}`),
    ...['', '/(?P<id>\\d+)', '/(?P<id>\\d+)/undo'].map(path => `/events/bulk${path}`),
    '/authors',
    ...['', '/(?P<id>\\d+)', '/template.csv'].map(path => `/imports${path}`),
    ...['rows', 'report.csv', 'run', 'cancel', 'undo', 'compare'].map(what => `/imports/(?P<id>\\d+)/${what}`),
    ...['/files', '/files/(?P<id>\\d+)'],
    ...['/subscriptions', '/subscriptions/(?P<id>\\d+)'],
    ...['runs', 'rows', 'events', 'resolve', 'refresh', 'apply'].map(what => `/subscriptions/(?P<id>\\d+)/${what}`),
    ...['.atom', '', '/challenge', '/confirm', '/(?P<id>\\d+)'].map(path => `/suggestions${path}`),
    ...['accept', 'decline', 'sender'].map(what => `/suggestions/(?P<id>\\d+)/${what}`)
  ]
  const patterns = Object.keys(routes).map(pattern => pattern.slice(calendar.length))
  assert.deepEqual(patterns.toSorted(), known.toSorted())
})
