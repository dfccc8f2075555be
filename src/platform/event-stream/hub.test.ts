// test: own process, both stores
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createCalendarService } from '#calendar/service.ts'
import { createFundraisingService } from '#fundraising/service.ts'
import { createDatabase } from '#test/support/database.ts'
import {
  type EventStreamClient,
  openEventStream,
  openStreamAtEnd,
  type StreamMessage
} from '#test/support/event-stream-client.ts'
import { adminKey, calendar, campaign, donation, event, newClient, startServices } from '#test/support/services.ts'

// Heartbeats are sent when a test advances the mocked timers; everything else uses the real clock.
mock.timers.enable({ apis: ['setInterval'] })
const started = await startServices([createFundraisingService, createCalendarService], {})
const { server, store, admin, visitor, databaseUrl } = started
const origin = await server.app.listen({ host: '127.0.0.1', port: 0 })

const streams: EventStreamClient[] = []
/** Opens a stream that begins at the end of the log, or after `last-event-id`. All streams are closed before the server is drained. */
async function openStream(query = '', headers: Record<string, string> = {}): Promise<EventStreamClient> {
  const isResumed = query.includes('lastEventId') || 'last-event-id' in headers
  if (isResumed) return await openStreamAtOnce(query, headers)
  return keep(await openStreamAtEnd(store, `${origin}/stream${query}`, headers))
}
async function openStreamAtOnce(query: string, headers: Record<string, string> = {}): Promise<EventStreamClient> {
  return keep(await openEventStream(`${origin}/stream${query}`, headers))
}
function keep(stream: EventStreamClient): EventStreamClient {
  streams.push(stream)
  return stream
}
after(() => {
  for (const stream of streams) stream.close()
})
const as = (key: string) => ({ authorization: `Bearer ${key}` })
const keyFor = async (role: string) => (await admin.post('/keys', { name: role, role })).body.key as string
const named = (received: StreamMessage[]) => received.map(({ event }) => event)

const aCampaign = async (fields: object = {}) => (await admin.post('/campaigns', { ...campaign, ...fields })).body
const aDonation = async (id: number, fields: object = {}) =>
  (await visitor.post(`/campaigns/${id}/donations`, { ...donation, ...fields })).body

test('a visitor’s stream gets a new donation with its public fields only', async () => {
  const { id } = await aCampaign()
  const stream = await openStream()
  const { headers } = stream
  assert.equal(stream.status, 200)
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store, no-transform')
  assert.equal(headers['x-accel-buffering'], 'no')
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(headers.etag, undefined)
  const newDonation = await aDonation(id, { donorName: 'Nora Hidden', message: 'Good luck', email: 'nora@example.org' })
  const [received] = await stream.waitForMessages(1)
  assert.equal(received?.event, 'donation.created')
  assert.match(received?.id ?? '', /^\d+-\d+$/)
  const { type, timestamp, data } = received?.data ?? {}
  assert.deepEqual([type, timestamp], ['donation.created', newDonation.createdAt])
  const { campaign: progress, ...item } = data
  assert.deepEqual(item, (await visitor.get(`/campaigns/${id}/donations/${newDonation.id}`)).body)
  const { name, targetAmount } = campaign
  const expected = {
    id,
    name,
    amountDonatedSoFar: 25,
    amountTransferred: 0,
    amountOffline: 0,
    targetAmount,
    progressPercent: 0.31,
    donationCount: 1,
    currency: 'EUR'
  }
  assert.deepEqual(progress, expected)
  assert.doesNotMatch(JSON.stringify(received), /Nora|example\.org|DE02/)
})

test('each role gets the events that it may see: visitors get no drafts, notes, keys and exports', async () => {
  const { id } = await aCampaign()
  const newDonation = await aDonation(id)
  const [visitors, viewers, editors, treasurers, admins] = await Promise.all([
    openStream(),
    openStream('', as(await keyFor('viewer'))),
    openStream('', as(await keyFor('editor'))),
    openStream('', as(await keyFor('treasurer'))),
    openStream('', as(adminKey))
  ])
  const draft = await aCampaign({ name: 'A draft', status: 'draft' })
  await admin.post(`/campaigns/${id}/donations/${newDonation.id}/notes`, { text: 'Has called' })
  await admin.get('/donations.csv')
  await admin.post(`${calendar}/events`, { ...event, title: 'Secret', status: 'draft' })
  await admin.post('/keys', { name: 'new', role: 'viewer' })
  await admin.delete(`/campaigns/${id}/donations/${newDonation.id}`)
  await admin.post(`${calendar}/venues`, { venue: 'Town Hall' })
  const last = (stream: EventStreamClient) => async () =>
    await stream.waitUntil(() => stream.messages.some(({ event }) => event === 'venue.created'))
  await Promise.all([visitors, viewers, editors, treasurers, admins].map(async stream => await last(stream)()))

  assert.deepEqual(named(visitors.messages), ['venue.created'])
  assert.deepEqual(named(viewers.messages), ['venue.created'])
  assert.deepEqual(named(editors.messages), ['campaign.created', 'event.created', 'venue.created'])
  const ofDonations = ['donation.noted', 'donation.exported', 'donation.deleted']
  assert.deepEqual(named(treasurers.messages), ['campaign.created', ...ofDonations, 'venue.created'])
  assert.deepEqual(
    named(admins.messages).filter(action => action !== 'key.created'),
    ['campaign.created', 'donation.noted', 'donation.exported', 'event.created', 'donation.deleted', 'venue.created']
  )
  assert.ok(named(admins.messages).includes('key.created'))

  const [ofDraft] = treasurers.messages
  assert.deepEqual(ofDraft?.data.data, { id: draft.id, subject: 'campaign' })
  const activity = (await admin.get(`/activity?subject=campaign&subjectId=${draft.id}`)).body
  assert.deepEqual(admins.messages.find(({ event }) => event === 'campaign.created')?.data.activity, activity[0])
})

test('actions, subject and subjectId filter the events', async () => {
  const [one, other] = [await aCampaign(), await aCampaign()]
  const table: [query: string, received: string[]][] = [
    ['?actions=campaign.updated', ['campaign.updated', 'campaign.updated']],
    ['?actions=donation.created,%20venue.*', ['donation.created', 'venue.created']],
    ['?actions=*&subject=venue', ['venue.created']],
    [`?subject=campaign&subjectId=${one.id}`, ['campaign.updated']]
  ]
  const received = await Promise.all(table.map(async ([query]) => await openStream(query)))
  const lastId = received[0]?.lastId() ?? ''
  await admin.put(`/campaigns/${one.id}`, { ...campaign, name: 'Another name' })
  await admin.put(`/campaigns/${other.id}`, { ...campaign, name: 'Another name' })
  await aDonation(one.id)
  await admin.post(`${calendar}/venues`, { venue: 'Barn' })
  const everything = await openStream('', { 'last-event-id': lastId })
  await everything.waitForMessages(4)
  for (const [index, [query, expected]] of table.entries()) {
    assert.deepEqual(named((await received[index]?.waitForMessages(expected.length)) ?? []), expected, query)
  }
})

test('unknown actions and subjects are refused, and the error names the parameter', async () => {
  for (const [query, pointer] of [
    ['actions=donation.exploded', '/actions'],
    ['actions=', '/actions'],
    ['actions=donation.created,', '/actions'],
    ['actions=donation.created,__proto__', '/actions'],
    ['subject=constructor', '/subject'],
    [`subjectId=${'x'.repeat(101)}`, '/subjectId'],
    ['subject=donation&subject=campaign', '/subject']
  ]) {
    const { status, body } = await visitor.get(`/stream?${query}`)
    assert.deepEqual([status, body.errors?.[0]?.in, body.errors?.[0]?.pointer], [400, 'query', pointer], query)
  }
})

test('a client that reconnects with its last id gets each missed event exactly once', async () => {
  const { id } = await aCampaign()
  const first = await openStream('?subject=donation')
  const before = await aDonation(id)
  await first.waitForMessages(1)
  first.close()
  const missed = [await aDonation(id), await aDonation(id)]
  for (const again of [
    await openStream('?subject=donation', { 'last-event-id': first.lastId() ?? '' }),
    await openStream(`?subject=donation&lastEventId=${first.lastId()}`)
  ]) {
    const received = await again.waitForMessages(2)
    assert.deepEqual(
      received.map(({ data }) => data.data.id),
      missed.map(one => one.id)
    )
    const next = await aDonation(id)
    missed.push(next)
    await again.waitUntil(() => again.messages.at(-1)?.data.data.id === next.id)
    assert.equal(new Set(again.messages.map(one => one.id)).size, again.messages.length)
    assert.ok(again.messages.every(({ data }) => data.data.id !== before.id))
    missed.splice(2)
    missed.push(next)
  }
})

test('an event that is committed late is sent, although later ones were committed first', async () => {
  const insert = `
    insert into platform.activity (at, action, subject, subject_id, actor, details)
    values (now(), 'campaign.updated', 'campaign', $1, 'somebody', '{}') returning id`
  const [slow, fast] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)]
  await Promise.all([slow.connect(), fast.connect()])
  try {
    const { id } = await aCampaign()
    const stream = await openStream(`?subject=campaign&subjectId=${id}`)
    await slow.query('begin')
    const { rows: early } = await slow.query(insert, [String(id)])
    const { rows: late } = await fast.query(insert, [String(id)])
    assert.ok(Number(early[0].id) < Number(late[0].id))
    // A client that connects in between gets the late event too.
    const between = await openStreamAtOnce(`?subject=campaign&subjectId=${id}`)
    await slow.query('commit')
    for (const one of [stream, between]) {
      const received = await one.waitForMessages(2)
      assert.deepEqual(
        received.map(message => Number(message.id?.split('-')[1])),
        [Number(early[0].id), Number(late[0].id)]
      )
      // A reconnect after the first event gets only the second one.
      const again = await openStream(`?subject=campaign&subjectId=${id}`, { 'last-event-id': received[0]?.id ?? '' })
      assert.deepEqual(await again.waitForMessages(1), received.slice(1))
    }
  } finally {
    await Promise.all([slow.end(), fast.end()])
  }
})

test('a last id that is malformed, of another database or too old gets a reset event, and then new events', async () => {
  const { id } = await aCampaign()
  await store.script(`
    insert into platform.activity (at, action, subject, subject_id, actor, details)
    select now(), 'site.changed', 'site', '1', 'somebody', '{}' from generate_series(1, 10001)`)
  const ids = [
    'nonsense',
    '1-2-3',
    '-1',
    "1' or 1=1",
    '9223372036854775807-1',
    '9999999999999999999-1',
    '5-999999',
    '0-0'
  ]
  const received = await Promise.all(
    [...ids, 'x'.repeat(10_000)].map(async lastId => await openStream('?subject=donation', { 'last-event-id': lastId }))
  )
  await Promise.all(received.map(async stream => await stream.waitForMessages(1)))
  const newDonation = await aDonation(id)
  for (const stream of received) {
    const [reset, next] = await stream.waitForMessages(2)
    assert.deepEqual([stream.status, reset?.event, reset?.data.type], [200, 'reset', 'reset'])
    assert.equal(next?.data.data.id, newDonation.id)
  }
})

test('events are ordered by numeric transaction id', async () => {
  const numbers = ['98', '99', '100', '101']
  const insert = (tx: string) => `
    insert into platform.activity (at, action, subject, subject_id, actor, details, tx)
    values (now(), 'site.changed', 'site', 'digits', 'somebody', '{}', '${tx}') returning id`
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const ids: number[] = []
  for (const tx of numbers) ids.push(Number((await client.query(insert(tx))).rows[0].id))
  // Marks all other records as old: they would be more than the limit of missed events.
  await client.query("update platform.activity set tx = '0' where subject_id <> 'digits' and tx > '0'")
  await client.end()
  const stream = await openStream('?subject=site&subjectId=digits', {
    ...as(adminKey),
    'last-event-id': `98-${ids[0]}`
  })
  const received = await stream.waitForMessages(3)
  assert.deepEqual(
    received.map(message => message.id),
    [`99-${ids[1]}`, `100-${ids[2]}`, `101-${ids[3]}`]
  )
  const next = await openStream('?subject=image')
  assert.equal(next.lastId(), `101-${ids[3]}`)
})

test('many missed events are sent in order', async () => {
  const { id } = await aCampaign()
  const first = await openStream(`?subject=campaign&subjectId=${id}`, as(adminKey))
  first.close()
  await store.script(`
    insert into platform.activity (at, action, subject, subject_id, actor, details)
    select now(), 'campaign.updated', 'campaign', '${id}', repeat('somebody ', 200), '{}' from generate_series(1, 350)`)
  const again = await openStream(`?subject=campaign&subjectId=${id}`, {
    ...as(adminKey),
    'last-event-id': first.lastId() ?? ''
  })
  const numbers = (await again.waitForMessages(350)).map(message => message.data.activity.id)
  assert.deepEqual(
    numbers,
    numbers.toSorted((a: number, b: number) => a - b)
  )
  assert.equal(new Set(numbers).size, 350)
})

test('the migration marks existing records as old without rewriting the table', async () => {
  const database = await createDatabase()
  const client = new pg.Client(database.url)
  await client.connect()
  const insert = `
    insert into platform.activity (at, action, subject, subject_id, actor, details)
    values (now(), 'site.changed', 'site', '1', 'somebody', '{}') returning tx`
  await client.query(`alter table platform.activity drop column tx; ${insert.replace(' returning tx', '')}`)
  const fileOf = async () =>
    (await client.query("select pg_relation_filenode('platform.activity') as file")).rows[0].file
  const before = await fileOf()
  await client.query(await readFile(new URL('../database/migrations/010_stream.sql', import.meta.url), 'utf8'))
  assert.equal(await fileOf(), before)
  assert.deepEqual((await client.query('select tx from platform.activity')).rows, [{ tx: '0' }])
  assert.ok(BigInt((await client.query(insert)).rows[0].tx) > 0n)
  await client.end()
  await database.remove()
})

test('restored records with future transaction ids neither block the stream nor are repeated', async () => {
  const other = await startServices([createFundraisingService], {})
  await other.store.script(`
    insert into platform.activity (at, action, subject, subject_id, actor, details, tx)
    select now(), 'site.changed', 'site', '1', 'somebody', '{}', '900000000000' from generate_series(1, 3)`)
  const address = await other.server.app.listen({ host: '127.0.0.1', port: 0 })
  const stream = await openEventStream(`${address}/stream`, as(adminKey))
  await other.admin.post('/campaigns', campaign)
  assert.deepEqual(named(await stream.waitForMessages(1)), ['campaign.created'])
  stream.close()
})

test('a heartbeat sends the current id, also without events, and closes the stream of a revoked key', async () => {
  const issued = (await admin.post('/keys', { name: 'short', role: 'treasurer' })).body
  const [idle, revoked] = [await openStream('?subject=image'), await openStream('?subject=image', as(issued.key))]
  const before = idle.lastId()
  const beats = idle.countHeartbeats()
  const campaignStream = await openStream('?subject=campaign')
  await aCampaign()
  await campaignStream.waitForMessages(1)
  mock.timers.tick(15_000)
  await idle.waitUntil(() => idle.countHeartbeats() > beats)
  assert.notEqual(idle.lastId(), before)
  assert.equal(revoked.isClosed(), false)
  await admin.delete(`/keys/${issued.id}`)
  mock.timers.tick(15_000)
  await revoked.waitUntil(revoked.isClosed)
  assert.equal(idle.isClosed(), false)
})

test('a client that does not read is disconnected after some heartbeats, and others are not delayed', async () => {
  const { id } = await aCampaign()
  const [unread, stream] = [await openStream('', as(adminKey)), await openStream('?subject=campaign', as(adminKey))]
  unread.pause()
  const count = () => metric('kalends_stream_listeners')
  const before = await count()
  // More than the socket buffers of both sides hold, in several batches.
  for (let round = 0; round < 12; round += 1) {
    await store.script(`
      insert into platform.activity (at, action, subject, subject_id, actor, details)
      select now(), 'site.changed', 'site', '1', repeat('x', 10000), '{}' from generate_series(1, 100)`)
    await admin.put(`/campaigns/${id}`, { ...campaign, name: `Round ${round}` })
    await stream.waitForMessages(round + 1)
  }
  assert.equal(await count(), before)
  while ((await count()) >= before) {
    await sleep(50)
    mock.timers.tick(15_000)
  }
  assert.equal(stream.isClosed(), false)
})

test('one address can open ten streams, local clients are not limited by address', async () => {
  const remoteAddress = { 'x-forwarded-for': '203.0.113.9' }
  const openStreams = await Promise.all(
    Array.from({ length: 10 }, async () => await openStream('?subject=image', remoteAddress))
  )
  const refused = await newClient(server).get('/stream', remoteAddress)
  assert.equal(refused.status, 429)
  assert.equal(refused.body.code, 'too-many-listeners')
  assert.equal(refused.headers['retry-after'], '60')
  assert.equal((await openStream('?subject=image')).status, 200)
  const before = await metric('kalends_stream_listeners')
  openStreams[0]?.close()
  while ((await metric('kalends_stream_listeners')) >= before) await sleep(10)
  assert.equal((await openStream('?subject=image', remoteAddress)).status, 200)
})

test('HEAD returns the headers of GET and opens no stream', async () => {
  const before = await metric('kalends_stream_listeners')
  const { status, headers } = await visitor.send({ method: 'HEAD', url: '/stream' })
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(headers.etag, undefined)
  assert.equal(await metric('kalends_stream_listeners'), before)
})

test('wrong credentials are refused', async () => {
  assert.equal((await visitor.get('/stream', as('nonsense'))).status, 401)
})

async function metric(name: string): Promise<number> {
  const { text } = await visitor.get('/metrics')
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}
