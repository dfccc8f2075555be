// test: own process, long, server, full
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { runAsOwner, toDatabaseUrl } from '#test/support/database.ts'
import { openEventStream } from '#test/support/event-stream-client.ts'
import { onServer, type RunningKalends, sendRequest, startKalends, waitUntil } from '#test/support/kalends-process.ts'
import { campaign, donation, type TestResponse } from '#test/support/services.ts'
import { startWebhookReceiver } from '#test/support/webhook-receiver.ts'

/** The embedded store belongs to one process. */
const skip = !onServer
const adminKey = 'the-key-of-the-tests-admin'
const admin = { authorization: `Bearer ${adminKey}` }
const passwords = { email: 'anna@example.org', password: 'correct horse battery' }
const donationsPerMinute = 5

const { processes, ids, query }: Processes = skip
  ? { processes: [], ids: [0, 0], query: async () => [] }
  : await startProcesses()
const [id, otherId] = ids

interface Processes {
  processes: RunningKalends[]
  /** Of campaigns that were created before the first event stream is opened. */
  ids: [number, number]
  query(statement: string): Promise<Record<string, unknown>[]>
}

async function startProcesses(): Promise<Processes> {
  const server = process.env.TEST_DATABASE_URL ?? ''
  const name = `test_${randomBytes(6).toString('hex')}`
  await runAsOwner(server, `create database ${name}`)
  const env = {
    DATABASE_URL: toDatabaseUrl(server, name),
    ADMIN_KEY: adminKey,
    TRUST_PROXY: '1',
    RATE_LIMIT_DONATIONS: String(donationsPerMinute),
    ALLOW_PRIVATE_ADDRESSES: 'true'
  }
  const processes = await Promise.all(Array.from({ length: 3 }, async () => await startKalends(env)))
  const client = new pg.Client(env.DATABASE_URL)
  await client.connect()
  after(async () => {
    await Promise.all(processes.map(async ({ kill }) => await kill()))
    await client.end()
    await runAsOwner(server, `drop database ${name} with (force)`)
  })
  const aCampaign = async (): Promise<number> =>
    (await sendRequest(`${processes[0]?.url}/campaigns`, { method: 'POST', body: campaign, headers: admin })).body.id
  const ids: [number, number] = [await aCampaign(), await aCampaign()]
  return { processes, ids, query: async statement => (await client.query(statement)).rows }
}

let requestCount = 0
/** Sends each request to the next process. */
async function sendToNext(
  path: string,
  { method = 'GET', headers = {}, body }: Parameters<typeof sendRequest>[1] = {}
): Promise<TestResponse> {
  requestCount += 1
  const { url } = processes[requestCount % processes.length] as RunningKalends
  return await sendRequest(url + path, { method, headers, ...(body === undefined ? {} : { body }) })
}
const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
  await sendToNext(path, { method: 'POST', body, headers })
const from = (address: string) => ({ 'x-forwarded-for': address })
const statuses = (responses: TestResponse[]) => responses.map(({ status }) => status)

async function inTurn(times: number, work: () => Promise<TestResponse>): Promise<TestResponse[]> {
  const responses: TestResponse[] = []
  while (responses.length < times) responses.push(await work())
  return responses
}

test('three processes that start at once on an empty database run each migration once', { skip }, () => {
  const files = processes.flatMap(({ stderr }) => [...stderr().matchAll(/"file":"(\w+\.sql)","msg":"migrated"/g)])
  const created = files.map(([, file]) => file)
  assert.ok(created.length > 20)
  const parts = processes.flatMap(({ stderr }) => [...stderr().matchAll(/"part":"\w+","file":"\w+\.sql"/g)].map(String))
  assert.equal(new Set(parts).size, parts.length)
})

test('a session created at one process is valid at all processes, until it is deleted at any of them', {
  skip
}, async () => {
  const account = { name: 'Anna', role: 'editor', ...passwords }
  assert.equal((await post('/users', account, admin)).status, 201)
  const { body } = await post('/sessions', passwords)
  const headers = { authorization: `Bearer ${body.token}` }
  const current = async () => await sendToNext('/sessions/current', { headers })
  assert.deepEqual(statuses(await inTurn(3, current)), [200, 200, 200])
  assert.equal((await sendToNext('/sessions/current', { method: 'DELETE', headers })).status, 204)
  assert.deepEqual(statuses(await inTurn(3, current)), [401, 401, 401])
})

test('donations of an address, wrong passwords and wrong keys are counted over all processes', { skip }, async () => {
  const donate = async () => await post(`/campaigns/${id}/donations`, donation, from('192.0.2.1'))
  const donated = await inTurn(9, donate)
  assert.deepEqual(statuses(donated), [201, 201, 201, 201, 201, 429, 429, 429, 429])
  assert.match(donated[4]?.headers.ratelimit ?? '', /^"donations";r=0;/)
  assert.ok(Number(donated[8]?.headers['retry-after']) <= 60)

  const wrong = { email: 'nobody@example.org', password: 'wrong' }
  const tries = await inTurn(12, async () => await post('/sessions', wrong, from('192.0.2.2')))
  assert.deepEqual(statuses(tries), [...Array(10).fill(401), 429, 429])

  const key = { ...from('192.0.2.3'), authorization: 'Bearer wrong' }
  const began = Date.now()
  assert.deepEqual(
    new Set(statuses(await inTurn(11, async () => await sendToNext('/keys', { headers: key })))),
    new Set([401])
  )
  assert.ok(Date.now() - began >= 900, 'The eleventh response was delayed.')
})

test('requests with the same Idempotency-Key to three processes at once create one donation', { skip }, async () => {
  const url = `/campaigns/${otherId}`
  const headers = { 'idempotency-key': 'the-same-everywhere' }
  const donate = async () => await post(`${url}/donations`, donation, headers)
  const created: TestResponse[] = []
  while (created.length < 6) {
    const responses = await Promise.all([donate(), donate(), donate()])
    for (const { status } of responses) assert.ok(status === 201 || status === 409, String(status))
    created.push(...responses.filter(({ status }) => status === 201))
  }
  assert.equal(new Set(created.map(({ body }) => body.id)).size, 1)
  assert.deepEqual(
    (await inTurn(3, async () => await sendToNext(url))).map(({ body }) => body.donationCount),
    [1, 1, 1]
  )
})

test('a change at one process is sent to the event streams of all processes, and to a webhook once', {
  skip
}, async () => {
  const receiver = await startWebhookReceiver()
  assert.equal((await post('/webhooks', { url: receiver.url, actions: ['campaign.created'] }, admin)).status, 201)
  const streams = await Promise.all(
    processes.map(async ({ url }) => await openEventStream(`${url}/stream?actions=campaign.created`))
  )
  const created: number[] = []
  for (let count = 0; count < 6; count += 1) created.push((await post('/campaigns', campaign, admin)).body.id)
  for (const stream of streams) {
    const messages = await stream.waitForMessages(created.length)
    assert.deepEqual(
      messages.map(({ data }) => data.data.id),
      created
    )
    stream.close()
  }
  await waitUntil(() => receiver.received.length >= created.length)
  // Longer than the interval at which the senders look for due deliveries.
  await new Promise(resolve => setTimeout(resolve, 1500))
  assert.deepEqual(receiver.received.map(({ body }) => JSON.parse(body).data.id).sort(), created.sort())
})

test('when a process is killed, the other processes run the job that it had not queued', { skip }, async () => {
  const { url } = processes[0] as RunningKalends
  const donate = async (to: string, last: number) =>
    await sendRequest(`${to}/campaigns/${id}/donations`, {
      method: 'POST',
      body: donation,
      headers: from(`192.0.2.${last}`)
    })
  const donated = await Promise.all([4, 5, 6].map(async last => await donate(url, last)))
  assert.deepEqual(statuses(donated), [201, 201, 201])
  // Immediately, before it has queued the job that adds up the totals.
  await processes.shift()?.kill()
  const [other] = processes as [RunningKalends]
  assert.equal((await donate(other.url, 7)).status, 201)
  await waitUntil(async () => (await query('select id from fundraising.deltas')).length === 0)
  const [total] = await query(`select donation_count as count from fundraising.totals where campaign_id = ${id}`)
  assert.equal(Number(total?.count), donationsPerMinute + 4)
  assert.equal((await sendToNext(`/campaigns/${id}`)).body.donationCount, donationsPerMinute + 4)
})
