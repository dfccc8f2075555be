// test: own process, both stores
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendRequest, waitUntil } from '#test/support/kalends-process.ts'
import { campaign, startCampaigns } from '#test/support/services.ts'

const { server, admin, visitor, store, aCampaign } = await startCampaigns()
const { id } = await aCampaign()
const path = `/campaigns/${id}`
await server.app.listen({ host: '127.0.0.1', port: 0 })
const url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
const agent = new Agent({ keepAlive: true })
after(() => agent.destroy())

/** Over a socket, where excess requests are refused before the router runs. */
const get = async (of: string, headers: Record<string, string> = {}) =>
  await sendRequest(`${url}${of}`, { headers, agent })
const countHits = async () => Number(/^kalends_cache_hits (\d+)/m.exec(await server.metrics.render())?.[1])
const refused = async () => Number(/^kalends_requests_refused (\d+)/m.exec(await server.metrics.render())?.[1])

/** Asks with a key: a visitor who is still served would have the response cached. */
const waitUntilOverloaded = async () => await waitUntil(async () => (await admin.get(path)).status === 503)

/** Locks the campaign, so that all its changes wait until the work is done. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  await store.transaction(async tx => {
    await tx.script(`select id from fundraising.campaigns where id = ${id} for update`)
    await work()
  })
}

test('requests beyond the concurrency limit get 503 at once, and health checks are served', async () => {
  const pending: Promise<{ status: number }>[] = []
  await whileLocked(async () => {
    for (let count = 0; count < 200; count += 1) pending.push(admin.put(path, campaign))
    await waitUntilOverloaded()
    const { status, headers, body } = await visitor.get(path, { 'accept-language': 'de' })
    assert.equal(status, 503)
    assert.equal(body.code, 'overloaded')
    assert.match(body.detail, /Der Server ist überlastet/)
    assert.equal(headers['retry-after'], '1')
    assert.match(headers['content-type'] ?? '', /^application\/problem\+json/)
    for (const probe of ['/livez', '/readyz', '/health', '/metrics']) {
      assert.equal((await visitor.get(probe)).status, 200, probe)
    }
    assert.match((await visitor.get('/metrics')).text, /^kalends_requests_refused [1-9]/m)
  })
  const statuses = new Set((await Promise.all(pending)).map(({ status }) => status))
  for (const status of statuses) assert.ok([200, 503].includes(status), String(status))
})

test('under overload a cached response is still sent, but only to callers without credentials', async () => {
  const { id: cachedId } = await aCampaign()
  const cachedPath = `/campaigns/${cachedId}`
  // The cache polls every 250 ms what was written; the creation of the campaign must not come after this.
  await visitor.get(cachedPath)
  await sleep(300)
  await visitor.get(cachedPath)
  await waitUntil(async () => {
    const before = await countHits()
    await visitor.get(cachedPath)
    return (await countHits()) > before
  })
  const pending: Promise<unknown>[] = []
  await whileLocked(async () => {
    for (let count = 0; count < 200; count += 1) pending.push(admin.put(path, campaign))
    await waitUntil(async () => (await visitor.get(`${cachedPath}/donations`)).status === 503)
    const { status, headers } = await visitor.get(cachedPath)
    assert.deepEqual([status, headers['x-content-type-options']], [200, 'nosniff'])
    assert.equal((await admin.get(cachedPath)).status, 503)
  })
  await Promise.all(pending)
})

test('under overload every request gets 503 in its language and with its own request id', async () => {
  const pending: Promise<unknown>[] = []
  const withoutRequestId = ({ status, headers, text }: Awaited<ReturnType<typeof get>>) => {
    const { date: _, connection: __, 'keep-alive': ___, 'x-request-id': id = '', ...others } = headers
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.ok(text.includes(id))
    return { status, others, text: text.replace(id, '') }
  }
  await whileLocked(async () => {
    for (let count = 0; count < 200; count += 1) pending.push(admin.put(path, campaign))
    await waitUntilOverloaded()
    const requests: [string, Record<string, string>][] = [
      [path, {}],
      [path, { 'accept-language': 'de' }],
      [path, { origin: 'https://elsewhere.example' }],
      ['/campaigns?limit=1', {}],
      ['/no-such-thing', { accept: 'text/html' }]
    ]
    for (const [of, headers] of requests) {
      const byRouter = withoutRequestId(await get(of, headers))
      assert.equal(byRouter.status, 503)
      const before = await refused()
      const atOnce = [await get(of, headers), await get(of, headers)]
      for (const response of atOnce) assert.deepEqual(withoutRequestId(response), byRouter)
      assert.notEqual(atOnce[0]?.headers['x-request-id'], atOnce[1]?.headers['x-request-id'])
      assert.equal(await refused(), before + 2)
    }
    assert.match((await get(path, { 'accept-language': 'de' })).body.detail, /Der Server ist überlastet/)
    const own = await get(path, { 'x-request-id': 'overloaded' })
    assert.deepEqual([own.headers['x-request-id'], own.body.code, own.body.requestId], Array(3).fill('overloaded'))
    const sent = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, agent })
    const again = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, agent })
    assert.deepEqual(withoutRequestId(again), withoutRequestId(sent))
    assert.equal((await get('/livez')).status, 200)
    const count = /duration_seconds_count\{method="GET",route="\/campaigns",status="503"\} (\d+)/
    assert.equal(count.exec(await server.metrics.render())?.[1], '3')
  })
  await Promise.all(pending)
})

test('after the overload all requests are served again', async () => {
  await waitUntil(async () => (await visitor.get(path)).status === 200)
  assert.equal((await get(path)).status, 200)
  await waitUntil(async () => {
    const responses = await Promise.all(Array.from({ length: 100 }, async () => await visitor.get(path)))
    return responses.every(({ status }) => status === 200)
  })
})
