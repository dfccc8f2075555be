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
  type StreamMessage,
  waitForCommittedActivity
} from '#test/support/event-stream-client.ts'
import { adminKey, calendar, campaign, donation, event, newClient, startServices } from '#test/support/services.ts'

// Beats come when a test lets the time pass; everything else has the real clock.
mock.timers.enable({ apis: ['setInterval'] })
const started = await startServices([createFundraisingService, createCalendarService], {})
const { server, store, admin, visitor, databaseUrl } = started
const origin = await server.app.listen({ host: '127.0.0.1', port: 0 })

const streams: EventStreamClient[] = []
async function hear(query = '', headers: Record<string, string> = {}): Promise<EventStreamClient> {
  await waitForCommittedActivity(store)
  return await hearAtOnce(query, headers)
}
/** Closed before the server is drained, so that no test depends on the other. */
async function hearAtOnce(query: string, headers: Record<string, string> = {}): Promise<EventStreamClient> {
  const stream = await openEventStream(`${origin}/stream${query}`, headers)
  streams.push(stream)
  return stream
}
after(() => {
  for (const stream of streams) stream.close()
})
const as = (key: string) => ({ authorization: `Bearer ${key}` })
const keyFor = async (role: string) => (await admin.post('/keys', { name: role, role })).body.key as string
const named = (heard: StreamMessage[]) => heard.map(({ event }) => event)

const aCampaign = async (fields: object = {}) => (await admin.post('/campaigns', { ...campaign, ...fields })).body
const aDonation = async (id: number, fields: object = {}) =>
  (await visitor.post(`/campaigns/${id}/donations`, { ...donation, ...fields })).body

test('a visitor hears of a donation while it happens, and sees of it what everybody may see', async () => {
  const { id } = await aCampaign()
  const stream = await hear()
  const { headers } = stream
  assert.equal(stream.status, 200)
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store, no-transform')
  assert.equal(headers['x-accel-buffering'], 'no')
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(headers.etag, undefined)
  const given = await aDonation(id, { donorName: 'Nora Hidden', message: 'Good luck', email: 'nora@example.org' })
  const [heard] = await stream.waitForMessages(1)
  assert.equal(heard?.event, 'donation.created')
  assert.match(heard?.id ?? '', /^\d+-\d+$/)
  const { type, timestamp, data } = heard?.data ?? {}
  assert.deepEqual([type, timestamp], ['donation.created', given.createdAt])
  const { campaign: progress, ...item } = data
  assert.deepEqual(item, (await visitor.get(`/campaigns/${id}/donations/${given.id}`)).body)
  const { name, targetAmount } = campaign
  const expected = {
    id,
    name,
    amountDonatedSoFar: 25,
    amountTransferred: 0,
    targetAmount,
    progressPercent: 0.31,
    donationCount: 1,
    currency: 'EUR'
  }
  assert.deepEqual(progress, expected)
  assert.doesNotMatch(JSON.stringify(heard), /Nora|example\.org|DE02/)
})

test('each hears what they may: drafts, notes, keys and exports are not for visitors', async () => {
  const { id } = await aCampaign()
  const given = await aDonation(id)
  const [visitorsEar, viewers, editors, treasurers, admins] = await Promise.all([
    hear(),
    hear('', as(await keyFor('viewer'))),
    hear('', as(await keyFor('editor'))),
    hear('', as(await keyFor('treasurer'))),
    hear('', as(adminKey))
  ])
  const draft = await aCampaign({ name: 'A draft', status: 'draft' })
  await admin.post(`/campaigns/${id}/donations/${given.id}/notes`, { text: 'Has called' })
  await admin.get('/donations.csv')
  await admin.post(`${calendar}/events`, { ...event, title: 'Secret', status: 'draft' })
  await admin.post('/keys', { name: 'new', role: 'viewer' })
  await admin.delete(`/campaigns/${id}/donations/${given.id}`)
  await admin.post(`${calendar}/venues`, { venue: 'Town Hall' })
  const last = (stream: EventStreamClient) => async () =>
    await stream.waitUntil(() => stream.messages.some(({ event }) => event === 'venue.created'))
  await Promise.all([visitorsEar, viewers, editors, treasurers, admins].map(async stream => await last(stream)()))

  assert.deepEqual(named(visitorsEar.messages), ['venue.created'])
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

test('actions, subject and subjectId narrow what is heard', async () => {
  const [one, other] = [await aCampaign(), await aCampaign()]
  const table: [query: string, heard: string[]][] = [
    ['?actions=campaign.updated', ['campaign.updated', 'campaign.updated']],
    ['?actions=donation.created,%20venue.*', ['donation.created', 'venue.created']],
    ['?actions=*&subject=venue', ['venue.created']],
    [`?subject=campaign&subjectId=${one.id}`, ['campaign.updated']]
  ]
  const heard = await Promise.all(table.map(async ([query]) => await hear(query)))
  const lastId = heard[0]?.lastId() ?? ''
  await admin.put(`/campaigns/${one.id}`, { ...campaign, name: 'Another name' })
  await admin.put(`/campaigns/${other.id}`, { ...campaign, name: 'Another name' })
  await aDonation(one.id)
  await admin.post(`${calendar}/venues`, { venue: 'Barn' })
  const everything = await hear('', { 'last-event-id': lastId })
  await everything.waitForMessages(4)
  for (const [index, [query, expected]] of table.entries()) {
    assert.deepEqual(named((await heard[index]?.waitForMessages(expected.length)) ?? []), expected, query)
  }
})

test('names that nothing has are refused by name', async () => {
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

test('who comes again with the last id has missed nothing and hears nothing twice', async () => {
  const { id } = await aCampaign()
  const first = await hear('?subject=donation')
  const before = await aDonation(id)
  await first.waitForMessages(1)
  first.close()
  const missed = [await aDonation(id), await aDonation(id)]
  for (const again of [
    await hear('?subject=donation', { 'last-event-id': first.lastId() ?? '' }),
    await hear(`?subject=donation&lastEventId=${first.lastId()}`)
  ]) {
    const heard = await again.waitForMessages(2)
    assert.deepEqual(
      heard.map(({ data }) => data.data.id),
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

test('what a slow transaction commits late is heard, although others with higher numbers were faster', async () => {
  const insert = `
    insert into platform.activity (at, action, subject, subject_id, actor, details)
    values (now(), 'campaign.updated', 'campaign', $1, 'somebody', '{}') returning id`
  const [slow, fast] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)]
  await Promise.all([slow.connect(), fast.connect()])
  try {
    const { id } = await aCampaign()
    const stream = await hear(`?subject=campaign&subjectId=${id}`)
    await slow.query('begin')
    const { rows: early } = await slow.query(insert, [String(id)])
    const { rows: late } = await fast.query(insert, [String(id)])
    assert.ok(Number(early[0].id) < Number(late[0].id))
    // Whoever connects in between must not pass over the slow one either.
    const between = await hearAtOnce(`?subject=campaign&subjectId=${id}`)
    await slow.query('commit')
    for (const one of [stream, between]) {
      const heard = await one.waitForMessages(2)
      assert.deepEqual(
        heard.map(message => Number(message.id?.split('-')[1])),
        [Number(early[0].id), Number(late[0].id)]
      )
      // From the first of them the other one follows, and from the second one nothing.
      const again = await hear(`?subject=campaign&subjectId=${id}`, { 'last-event-id': heard[0]?.id ?? '' })
      assert.deepEqual(await again.waitForMessages(1), heard.slice(1))
    }
  } finally {
    await Promise.all([slow.end(), fast.end()])
  }
})

test('an id that is malformed, of another database or too old begins with a reset, and then goes on', async () => {
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
  const heard = await Promise.all(
    [...ids, 'x'.repeat(10_000)].map(async lastId => await hear('?subject=donation', { 'last-event-id': lastId }))
  )
  await Promise.all(heard.map(async stream => await stream.waitForMessages(1)))
  const given = await aDonation(id)
  for (const stream of heard) {
    const [reset, next] = await stream.waitForMessages(2)
    assert.deepEqual([stream.status, reset?.event, reset?.data.type], [200, 'reset', 'reset'])
    assert.equal(next?.data.data.id, given.id)
  }
})

test('transactions come in the order of their numbers, however many digits these have', async () => {
  const numbers = ['98', '99', '100', '101']
  const insert = (tx: string) => `
    insert into platform.activity (at, action, subject, subject_id, actor, details, tx)
    values (now(), 'site.changed', 'site', 'digits', 'somebody', '{}', '${tx}') returning id`
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const ids: number[] = []
  for (const tx of numbers) ids.push(Number((await client.query(insert(tx))).rows[0].id))
  // They count as long ago: what came after them here is too much to be told.
  await client.query("update platform.activity set tx = '0' where subject_id <> 'digits' and tx > '0'")
  await client.end()
  const stream = await hear('?subject=site&subjectId=digits', { ...as(adminKey), 'last-event-id': `98-${ids[0]}` })
  const heard = await stream.waitForMessages(3)
  assert.deepEqual(
    heard.map(message => message.id),
    [`99-${ids[1]}`, `100-${ids[2]}`, `101-${ids[3]}`]
  )
  const next = await hear('?subject=image')
  assert.equal(next.lastId(), `101-${ids[3]}`)
})

test('much that was missed is heard in order, as fast as it is read', async () => {
  const { id } = await aCampaign()
  const first = await hear(`?subject=campaign&subjectId=${id}`, as(adminKey))
  first.close()
  await store.script(`
    insert into platform.activity (at, action, subject, subject_id, actor, details)
    select now(), 'campaign.updated', 'campaign', '${id}', repeat('somebody ', 200), '{}' from generate_series(1, 350)`)
  const again = await hear(`?subject=campaign&subjectId=${id}`, {
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

test('what was recorded before there was a stream is old, and its table was not written anew for that', async () => {
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

test('rows of a restored database that carry transactions still to come neither block nor repeat', async () => {
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

test('a beat tells where one is, also who hears nothing, and ends what a revoked key listens to', async () => {
  const issued = (await admin.post('/keys', { name: 'short', role: 'treasurer' })).body
  const [patient, shut] = [await hear('?subject=image'), await hear('?subject=image', as(issued.key))]
  const before = patient.lastId()
  const beats = patient.countHeartbeats()
  const told = await hear('?subject=campaign')
  await aCampaign()
  await told.waitForMessages(1)
  mock.timers.tick(15_000)
  await patient.waitUntil(() => patient.countHeartbeats() > beats)
  assert.notEqual(patient.lastId(), before)
  assert.equal(shut.isClosed(), false)
  await admin.delete(`/keys/${issued.id}`)
  mock.timers.tick(15_000)
  await shut.waitUntil(shut.isClosed)
  assert.equal(patient.isClosed(), false)
})

test('who does not read is cut off after a while, and others are not delayed', async () => {
  const { id } = await aCampaign()
  const [deaf, stream] = [await hear('', as(adminKey)), await hear('?subject=campaign', as(adminKey))]
  deaf.pause()
  const count = () => metric('kalends_stream_listeners')
  const before = await count()
  // More than the sockets on both sides hold, in pieces that come one after the other.
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

test('from one address ten can listen, at the machine itself as many as there is room for', async () => {
  const elsewhere = { 'x-forwarded-for': '203.0.113.9' }
  const many = await Promise.all(Array.from({ length: 10 }, async () => await hear('?subject=image', elsewhere)))
  const refused = await newClient(server).get('/stream', elsewhere)
  assert.equal(refused.status, 429)
  assert.equal(refused.body.code, 'too-many-listeners')
  assert.equal(refused.headers['retry-after'], '60')
  assert.equal((await hear('?subject=image')).status, 200)
  const before = await metric('kalends_stream_listeners')
  many[0]?.close()
  while ((await metric('kalends_stream_listeners')) >= before) await sleep(10)
  assert.equal((await hear('?subject=image', elsewhere)).status, 200)
})

test('HEAD says what a GET would, and holds no place', async () => {
  const before = await metric('kalends_stream_listeners')
  const { status, headers } = await visitor.send({ method: 'HEAD', url: '/stream' })
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(headers.etag, undefined)
  assert.equal(await metric('kalends_stream_listeners'), before)
})

test('wrong credentials are refused, as everywhere', async () => {
  assert.equal((await visitor.get('/stream', as('nonsense'))).status, 401)
})

async function metric(name: string): Promise<number> {
  const { text } = await visitor.get('/metrics')
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}
