// test: both stores
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase } from '#test/support/database.ts'
import { startProxy } from '#test/support/database-proxy.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { sendRequest } from '#test/support/kalends-process.ts'
import { calendar, campaign, donation, event, startCampaignsAndCalendar, startSite } from '#test/support/services.ts'

const { server, admin, visitor, store, settings } = await startSite({ env: { DRAIN_SECONDS: '0' } })
await server.app.listen({ port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
/** A keep-alive connection, on which cached responses take the fast path. */
const agent = new Agent({ keepAlive: true })
after(() => agent.destroy())
const get = async (path: string, headers: Record<string, string> = {}) =>
  await sendRequest(`${url}${path}`, { headers, agent })

const aCampaign = async (name: string) => (await admin.post('/campaigns', { ...campaign, name })).body.id as number

/** The second request stores the response in the cache. */
async function getTwice(path: string, headers: Record<string, string> = {}) {
  await get(path, headers)
  return await get(path, headers)
}

/** The number of responses from the cache. */
async function hits(of = server): Promise<number> {
  return Number(/^kalends_cache_hits (\d+)$/m.exec(await of.metrics.render())?.[1])
}

/** Whether the response came from the cache. */
async function isCached(request: () => Promise<unknown>): Promise<boolean> {
  const before = await hits()
  await request()
  return (await hits()) > before
}

/** Waits until this process has also read its own writes from the activity log, as if another process had written them. */
async function waitUntilSettled(): Promise<void> {
  await get('/site')
  await sleep(300)
  await get('/site')
  await sleep(100)
}

/** Headers that differ for each request or connection. */
const requestHeaders = ['x-request-id', 'date', 'connection', 'keep-alive', 'transfer-encoding']
function withoutRequestHeaders(headers: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !requestHeaders.includes(name)))
}

test('a cached response equals the uncached one, for GET, HEAD and conditional requests', async () => {
  const id = await aCampaign('The same')
  const created = await admin.post(`${calendar}/events`, event)
  const paths = [
    `/campaigns/${id}`,
    '/campaigns?limit=1',
    `/campaigns/${id}/donations`,
    '/site',
    `${calendar}/events/${created.body.id}`,
    `/wp-json/tribe/events/v1/events/${created.body.id}`,
    `/en/events/${created.body.id}.ics`,
    '/de',
    `/en/event/${created.body.slug}`,
    '/en/embed/events',
    '/en/campaigns.atom'
  ]
  for (const path of paths) {
    const first = await get(path)
    const second = await get(path)
    const third = await get(path)
    assert.equal(first.status, 200, path)
    assert.deepEqual(withoutRequestHeaders(second.headers), withoutRequestHeaders(first.headers), path)
    assert.deepEqual(withoutRequestHeaders(third.headers), withoutRequestHeaders(first.headers), path)
    assert.equal(third.text, first.text, path)
    assert.ok(await isCached(async () => await get(path)), path)
    assert.equal(third.headers['cache-control'], 'no-cache, max-age=1', path)

    const etag = String(first.headers.etag)
    for (const by of [agent, false] as const) {
      const whole = await sendRequest(`${url}${path}`, { agent: by })
      assert.deepEqual(
        [whole.status, whole.text, withoutRequestHeaders(whole.headers)],
        [200, first.text, withoutRequestHeaders(first.headers)],
        path
      )
      assert.equal(whole.headers.connection, by === false ? 'close' : 'keep-alive')
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const { status, text, headers } = await sendRequest(`${url}${path}`, {
          headers: { 'if-none-match': tag },
          agent: by
        })
        assert.deepEqual([status, text, headers.etag], [304, '', etag], `${path} ${tag}`)
        assert.equal(headers['content-length'], undefined)
      }
      const head = await sendRequest(`${url}${path}`, { method: 'HEAD', agent: by })
      assert.deepEqual([head.status, head.text], [200, ''], path)
      assert.deepEqual(withoutRequestHeaders(head.headers), withoutRequestHeaders(first.headers), path)
    }
  }
})

test('pipelined requests get all responses in order, cached or not', async () => {
  const { body: created } = await admin.post(`${calendar}/events`, { ...event, description: 'x'.repeat(20_000) })
  const paths = [
    `/campaigns/${await aCampaign('First')}`,
    '/site',
    `${calendar}/events/${created.id}`,
    '/no-such-thing',
    `/campaigns/${await aCampaign('Last')}`
  ]
  const alone = await Promise.all(paths.map(async path => (await get(path)).text))
  for (const path of paths) await get(path)
  for (const version of ['1.1', '1.0']) {
    const connection = version === '1.0' ? 'Connection: keep-alive\r\n' : ''
    const requests = paths.map(path => `GET ${path} HTTP/${version}\r\nHost: ${new URL(url).host}\r\n${connection}\r\n`)
    const responses = await sendPipelined(requests)
    assert.deepEqual(
      responses.map(({ body }) => body.replace(/"requestId":"[^"]+"/, '')),
      alone.map(text => text.replace(/"requestId":"[^"]+"/, ''))
    )
    assert.equal(new Set(responses.map(({ head }) => /^x-request-id: (.+)$/m.exec(head)?.[1])).size, paths.length)
    for (const { head } of responses) assert.match(head, /^date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/im)
  }
})

/** Sends all requests at once over one connection. */
async function sendPipelined(requests: string[]): Promise<{ head: string; body: string }[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(requests.join(''))
  const responses: { head: string; body: string }[] = []
  let text = ''
  for await (const chunk of socket) {
    text += (chunk as Buffer).toString('latin1')
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      const head = text.slice(0, end).replaceAll('\r\n', '\n')
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1])
      if (text.length < end + 4 + length) break
      responses.push({ head, body: Buffer.from(text.slice(end + 4, end + 4 + length), 'latin1').toString() })
      text = text.slice(end + 4 + length)
    }
    if (responses.length === requests.length) break
  }
  return responses
}

test('each cached response has its own request id or the one of the client, and is counted in the metrics', async () => {
  const path = `/campaigns/${await aCampaign('Ids')}`
  await get(path)
  const ids = [await get(path), await get(path)].map(({ headers }) => headers['x-request-id'])
  assert.notEqual(ids[0], ids[1])
  assert.equal((await get(path, { 'x-request-id': 'an-id-of-mine' })).headers['x-request-id'], 'an-id-of-mine')
  const count = async () =>
    Number(
      /duration_seconds_count\{method="GET",route="\/site",status="200"\} (\d+)/.exec(
        await server.metrics.render()
      )?.[1] ?? 0
    )
  const before = await count()
  for (let round = 0; round < 5; round += 1) await get('/site')
  assert.equal(await count(), before + 5)
})

test('the cache distinguishes languages, hosts and origins, and ignores the order of parameters', async () => {
  const id = await aCampaign('Keys')
  await aCampaign('Another')
  await waitUntilSettled()
  const list = '/campaigns?limit=1'
  await getTwice(list)
  assert.match((await get(list, { host: 'one.example' })).headers.link ?? '', /one\.example/)
  assert.match((await get(list, { host: 'other.example' })).headers.link ?? '', /other\.example/)

  const events = `${calendar}/categories`
  assert.equal((await getTwice(events, { 'accept-language': 'de-AT,de;q=0.9' })).headers['content-language'], 'de')
  assert.equal((await get(events, { 'accept-language': 'en' })).headers['content-language'], 'en')
  assert.ok(
    await isCached(async () => await get(events, { 'accept-language': 'de' })),
    'another spelling of the same language'
  )

  await getTwice('/campaigns?limit=1&deleted=false')
  assert.ok(await isCached(async () => await get('/campaigns?deleted=false&limit=1')))

  const path = `/campaigns/${id}`
  assert.equal((await getTwice(path)).headers['access-control-expose-headers'], undefined)
  for (let round = 0; round < 3; round += 1) {
    const { headers } = await get(path, { origin: 'https://elsewhere.example' })
    assert.match(headers['access-control-expose-headers'] ?? '', /ETag/)
  }
  assert.equal((await get(path)).headers['access-control-expose-headers'], undefined)
})

test('responses to requests with credentials are neither cached nor sent to visitors', async () => {
  const draft = (await admin.post('/campaigns', { ...campaign, status: 'draft' })).body.id
  const open = await aCampaign('Open')
  const authorization = `Bearer ${settings.adminKey}`
  await admin.post(`/campaigns/${open}/donations`, donation)
  for (let round = 0; round < 3; round += 1) {
    assert.equal((await get(`/campaigns/${draft}`, { authorization })).status, 200)
    assert.equal((await get(`/campaigns/${draft}`)).status, 404)
    const [ours] = (await get(`/campaigns/${open}/donations`, { authorization })).body
    const [theirs] = (await get(`/campaigns/${open}/donations`)).body
    assert.ok('account' in ours)
    assert.ok(!('account' in theirs))
    assert.equal((await get(`/campaigns/${open}`, { authorization: 'Bearer wrong' })).status, 401)
  }
  assert.equal(await isCached(async () => await get(`/campaigns/${open}`, { authorization })), false)
})

test('cookies do not change public pages, and pages of the console are never cached', async () => {
  const plain = await get('/en')
  const withCookie = await get('/en', { cookie: 'kalends_session=whatever; language=de' })
  assert.equal(withCookie.text, plain.text)
  for (const path of ['/admin', '/challenge', '/ibans/DE89370400440532013000', '/readyz']) {
    await get(path)
    assert.equal(await isCached(async () => await get(path)), false, path)
  }
  // The API call for redirects of old URLs is served from the cache; the 404 page is not.
  for (const { status, headers } of [await getTwice('/nothing'), await get('/nothing')]) {
    assert.deepEqual([status, headers.etag], [404, undefined])
  }
  // The API call for the settings of the site is served from the cache; the page is not.
  const [first, second] = [await getTwice('/admin/sign-in'), await get('/admin/sign-in')]
  for (const { headers } of [first, second]) assert.match(headers['cache-control'] ?? '', /no-store/)
})

test('a change is visible at once in records, lists and pages', async () => {
  const id = await aCampaign('Before')
  const read = async () => {
    const [one, list, page] = await Promise.all([get(`/campaigns/${id}`), get('/campaigns'), get('/en/donate')])
    return { one: one.body, listed: list.body.find((other: { id: number }) => other.id === id), page: page.text }
  }
  for (let round = 1; round <= 5; round += 1) {
    await read()
    await admin.put(`/campaigns/${id}`, { ...campaign, name: `Round ${round}` })
    const renamed = await read()
    assert.equal(renamed.one.name, `Round ${round}`)
    assert.equal(renamed.listed.name, `Round ${round}`)
    assert.match(renamed.page, new RegExp(`Round ${round}`))
    await visitor.post(`/campaigns/${id}/donations`, donation)
    const afterDonation = await read()
    assert.equal(afterDonation.one.donationCount, round)
    assert.equal(afterDonation.listed.amountDonatedSoFar, afterDonation.one.amountDonatedSoFar)
  }
})

test('a month is cached with the days that it got as an object, and shows a change of an event at once', async () => {
  const dates = { start_date: '2031-05-06 10:00:00', end_date: '2031-05-06 12:00:00' }
  const { body } = await admin.post(`${calendar}/events`, { ...event, ...dates, title: 'Before the change' })
  const month = '/en/calendar/2031-05'
  await waitUntilSettled()
  assert.match((await getTwice(month)).text, /Before the change/)
  const before = await hits()
  assert.match((await get(month)).text, /Before the change/)
  // More if the page had been rendered again, from cached settings and categories.
  assert.equal(await hits(), before + 1)
  await admin.patch(`${calendar}/events/${body.id}`, { title: 'After the change' })
  assert.match((await get(month)).text, /After the change/)
})

test('a donation invalidates neither the cached responses of other campaigns nor of the calendar', async () => {
  const [donatedTo, other] = [await aCampaign('Given to'), await aCampaign('Not given to')]
  await waitUntilSettled()
  await getTwice(`/campaigns/${other}`)
  await visitor.post(`/campaigns/${donatedTo}/donations`, donation)
  assert.ok(await isCached(async () => await get(`/campaigns/${other}`)))
  assert.equal(await isCached(async () => await get(`/campaigns/${donatedTo}`)), false)
  assert.equal(await isCached(async () => await get('/campaigns')), false)
  const events = `${calendar}/events`
  await getTwice(events)
  await visitor.post(`/campaigns/${donatedTo}/donations`, donation)
  assert.ok(await isCached(async () => await get(events)))
})

test('a response that depends on the current time expires after a second', async () => {
  const created = await admin.post(`${calendar}/events`, event)
  const path = `${calendar}/events/${created.body.id}`
  await waitUntilSettled()
  await getTwice(path)
  assert.ok(await isCached(async () => await get(path)))
  await sleep(1100)
  assert.equal(await isCached(async () => await get(path)), false)
})

test('concurrent requests for the same response share one query', async () => {
  const path = `/campaigns/${await aCampaign('Flight')}`
  await waitUntilSettled()
  let queries = 0
  let release = () => {}
  const othersAreSent = new Promise<void>(resolve => {
    release = resolve
  })
  const original = store.findTogether
  const isQueried = new Promise<void>(resolve => {
    store.findTogether = async (list, key) => {
      queries += 1
      resolve()
      await othersAreSent
      return await original(list, key)
    }
  })
  const first = visitor.get(path)
  await isQueried
  const others = [visitor.get(path), visitor.get(path)]
  await sleep(20)
  release()
  const responses = await Promise.all([first, ...others])
  store.findTogether = original
  assert.equal(queries, 1)
  assert.ok(responses.every(({ status }) => status === 200))
})

test('RESPONSE_CACHE=0 disables the cache', async () => {
  const off = await startCampaignsAndCalendar({ env: { RESPONSE_CACHE: '0' } })
  const { id } = (await off.admin.post('/campaigns', campaign)).body
  const { headers } = await off.visitor.get(`/campaigns/${id}`)
  assert.equal(headers['cache-control'], 'no-cache')
  await off.store.script(`update fundraising.campaigns set name = 'By hand' where id = ${id}`)
  assert.equal((await off.visitor.get(`/campaigns/${id}`)).body.name, 'By hand')
  assert.doesNotMatch(await off.server.metrics.render(), /kalends_cache/)
})

test('cached responses count towards the rate limit', async () => {
  const { server: limited, admin: limitedAdmin } = await startCampaignsAndCalendar({
    env: { RATE_LIMIT: '5', TRUST_PROXY: 'true', DRAIN_SECONDS: '0' }
  })
  const { id } = (await limitedAdmin.post('/campaigns', campaign)).body
  await limited.app.listen({ port: 0, host: '127.0.0.1' })
  const campaignUrl = `http://127.0.0.1:${(limited.app.server.address() as AddressInfo).port}/campaigns/${id}`
  const from = async (address: string) => await sendRequest(campaignUrl, { headers: { 'x-forwarded-for': address } })
  const responses = []
  for (let round = 0; round < 7; round += 1) responses.push(await from('203.0.113.7'))
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200, 200, 200, 429, 429]
  )
  assert.deepEqual(
    responses.slice(0, 5).map(({ headers }) => /r=(\d)/.exec(headers.ratelimit ?? '')?.[1]),
    ['4', '3', '2', '1', '0']
  )
  assert.ok((await hits(limited)) >= 3)
  assert.equal((await from('203.0.113.8')).status, 200)
})

test('while the database is unavailable cached responses are served for less than a second, then 503', {
  skip: skipUnlessFull
}, async () => {
  const database = await createDatabase()
  const proxy = await startProxy(database.url)
  const away = await startCampaignsAndCalendar({
    database: { url: proxy.url, remove: database.remove },
    withTimeouts: true
  })
  after(proxy.close)
  const { id } = (await away.admin.post('/campaigns', campaign)).body
  const path = `/campaigns/${id}`
  assert.equal((await away.visitor.get(path)).status, 200)
  await proxy.refuse()
  await sleep(1000)
  assert.equal((await away.visitor.get(path)).status, 503)
  await proxy.pass()
  assert.equal((await away.visitor.get(path)).status, 200)
})

test('a server that stops sends Connection: close with cached responses', { skip: skipUnlessFull }, async () => {
  const { server: ending, admin: limitedAdmin } = await startCampaignsAndCalendar({ env: { DRAIN_SECONDS: '1' } })
  const { id } = (await limitedAdmin.post('/campaigns', campaign)).body
  await ending.app.listen({ port: 0, host: '127.0.0.1' })
  const campaignUrl = `http://127.0.0.1:${(ending.app.server.address() as AddressInfo).port}/campaigns/${id}`
  for (let round = 0; round < 2; round += 1) {
    assert.equal((await sendRequest(campaignUrl, { agent })).headers.connection, 'keep-alive')
  }
  const drained = ending.drain()
  const { status, headers } = await sendRequest(campaignUrl, { agent })
  assert.deepEqual([status, headers.connection], [200, 'close'])
  await drained
})
