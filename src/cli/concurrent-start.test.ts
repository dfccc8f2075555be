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

const { processes, ids, query }: Scene = skip ? { processes: [], ids: [0, 0], query: async () => [] } : await open()
const [id, otherId] = ids

interface Scene {
  processes: RunningKalends[]
  /** Of campaigns that were made before anybody listens. */
  ids: [number, number]
  query(statement: string): Promise<Record<string, unknown>[]>
}

async function open(): Promise<Scene> {
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

let asked = 0
/** Asks one after the other. */
async function ask(
  path: string,
  { method = 'GET', headers = {}, body }: Parameters<typeof sendRequest>[1] = {}
): Promise<TestResponse> {
  asked += 1
  const { url } = processes[asked % processes.length] as RunningKalends
  return await sendRequest(url + path, { method, headers, ...(body === undefined ? {} : { body }) })
}
const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
  await ask(path, { method: 'POST', body, headers })
const from = (address: string) => ({ 'x-forwarded-for': address })
const statuses = (answers: TestResponse[]) => answers.map(({ status }) => status)

async function inTurn(times: number, work: () => Promise<TestResponse>): Promise<TestResponse[]> {
  const answers: TestResponse[] = []
  while (answers.length < times) answers.push(await work())
  return answers
}

test('three processes that start at once on an empty database make its tables once', { skip }, () => {
  const files = processes.flatMap(({ stderr }) => [...stderr().matchAll(/"file":"(\w+\.sql)","msg":"migrated"/g)])
  const made = files.map(([, file]) => file)
  assert.ok(made.length > 20)
  const parts = processes.flatMap(({ stderr }) => [...stderr().matchAll(/"part":"\w+","file":"\w+\.sql"/g)].map(String))
  assert.equal(new Set(parts).size, parts.length)
})

test('whoever signs in at one process is signed in at all, until they sign out at any', { skip }, async () => {
  const account = { name: 'Anna', role: 'editor', ...passwords }
  assert.equal((await post('/users', account, admin)).status, 201)
  const { body } = await post('/sessions', passwords)
  const headers = { authorization: `Bearer ${body.token}` }
  const current = async () => await ask('/sessions/current', { headers })
  assert.deepEqual(statuses(await inTurn(3, current)), [200, 200, 200])
  assert.equal((await ask('/sessions/current', { method: 'DELETE', headers })).status, 204)
  assert.deepEqual(statuses(await inTurn(3, current)), [401, 401, 401])
})

test('donations of an address, wrong passwords and wrong keys are counted over all processes', { skip }, async () => {
  const donate = async () => await post(`/campaigns/${id}/donations`, donation, from('192.0.2.1'))
  const given = await inTurn(9, donate)
  assert.deepEqual(statuses(given), [201, 201, 201, 201, 201, 429, 429, 429, 429])
  assert.match(given[4]?.headers.ratelimit ?? '', /^"donations";r=0;/)
  assert.ok(Number(given[8]?.headers['retry-after']) <= 60)

  const wrong = { email: 'nobody@example.org', password: 'wrong' }
  const tries = await inTurn(12, async () => await post('/sessions', wrong, from('192.0.2.2')))
  assert.deepEqual(statuses(tries), [...Array(10).fill(401), 429, 429])

  const key = { ...from('192.0.2.3'), authorization: 'Bearer wrong' }
  const began = Date.now()
  assert.deepEqual(
    new Set(statuses(await inTurn(11, async () => await ask('/keys', { headers: key })))),
    new Set([401])
  )
  assert.ok(Date.now() - began >= 900, 'The eleventh was answered after a pause.')
})

test('the same Idempotency-Key at three processes at once has one effect', { skip }, async () => {
  const url = `/campaigns/${otherId}`
  const headers = { 'idempotency-key': 'the-same-everywhere' }
  const donate = async () => await post(`${url}/donations`, donation, headers)
  const made: TestResponse[] = []
  while (made.length < 6) {
    const answers = await Promise.all([donate(), donate(), donate()])
    for (const { status } of answers) assert.ok(status === 201 || status === 409, String(status))
    made.push(...answers.filter(({ status }) => status === 201))
  }
  assert.equal(new Set(made.map(({ body }) => body.id)).size, 1)
  assert.deepEqual(
    (await inTurn(3, async () => await ask(url))).map(({ body }) => body.donationCount),
    [1, 1, 1]
  )
})

test('what is written at one process is heard at all others, and webhooks are told once', { skip }, async () => {
  const receiver = await startWebhookReceiver()
  assert.equal((await post('/webhooks', { url: receiver.url, actions: ['campaign.created'] }, admin)).status, 201)
  const streams = await Promise.all(
    processes.map(async ({ url }) => await openEventStream(`${url}/stream?actions=campaign.created`))
  )
  const made: number[] = []
  for (let count = 0; count < 6; count += 1) made.push((await post('/campaigns', campaign, admin)).body.id)
  for (const stream of streams) {
    const heard = await stream.waitForMessages(made.length)
    assert.deepEqual(
      heard.map(({ data }) => data.data.id),
      made
    )
    stream.close()
  }
  await waitUntil(() => receiver.received.length >= made.length)
  // Longer than a courier looks again.
  await new Promise(resolve => setTimeout(resolve, 1500))
  assert.deepEqual(receiver.received.map(({ body }) => JSON.parse(body).data.id).sort(), made.sort())
})

test('when one is killed the others do what it left', { skip }, async () => {
  const { url } = processes[0] as RunningKalends
  const donate = async (to: string, last: number) =>
    await sendRequest(`${to}/campaigns/${id}/donations`, {
      method: 'POST',
      body: donation,
      headers: from(`192.0.2.${last}`)
    })
  const given = await Promise.all([4, 5, 6].map(async last => await donate(url, last)))
  assert.deepEqual(statuses(given), [201, 201, 201])
  // At once, so that it has not yet asked for the job that adds them up.
  await processes.shift()?.kill()
  const [other] = processes as [RunningKalends]
  assert.equal((await donate(other.url, 7)).status, 201)
  await waitUntil(async () => (await query('select id from fundraising.deltas')).length === 0)
  const [total] = await query(`select donation_count as count from fundraising.totals where campaign_id = ${id}`)
  assert.equal(Number(total?.count), donationsPerMinute + 4)
  assert.equal((await ask(`/campaigns/${id}`)).body.donationCount, donationsPerMinute + 4)
})
