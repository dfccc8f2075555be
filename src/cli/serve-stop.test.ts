// test: own process, long
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, type TestContext, test } from 'node:test'
import { createDatabase, encryptionKey } from '#test/support/database.ts'
import { startProxy } from '#test/support/database-proxy.ts'
import { openEventStream } from '#test/support/event-stream-client.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import {
  createDataLocation,
  onServer,
  type RunningKalends,
  sendRequest,
  startKalends,
  waitUntil
} from '#test/support/kalends-process.ts'
import { root } from '#test/support/project-root.ts'
import { campaign, donation } from '#test/support/services.ts'

/** Docker and other supervisors kill a process this long after they asked it to stop. */
const supervisorMs = 10_000
const adminKey = 'the-key-of-these-tests'
const headers = { authorization: `Bearer ${adminKey}` }
const dataLocation = await createDataLocation()
after(dataLocation.remove)
/** Exists while the embedded PostgreSQL runs; PostgreSQL removes it last when it shuts down. */
const postmasterFile = join(dataLocation.env.DATA_DIR ?? '', 'postgres', 'postmaster.pid')

async function serving(t: TestContext, env: Record<string, string> = {}): Promise<RunningKalends> {
  const started = await startKalends({ ADMIN_KEY: adminKey, ...dataLocation.env, ...env })
  t.after(async () => await started.stop())
  return started
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} under load drops nothing: every request gets a full response, and every confirmed donation is stored`, {
    skip: signal === 'SIGINT' && skipUnlessFull
  }, async t => {
    const started = await serving(t)
    const created = await sendRequest(`${started.url}/campaigns`, { method: 'POST', body: campaign, headers })
    const path = `/campaigns/${created.body.id}`
    const load = Array.from({ length: 16 }, () => keepBusy(started.url + path))
    await waitUntil(() => load.every(({ given }) => given.length >= 3))

    const stoppedAt = Date.now()
    const ended = started.stop(signal)
    await waitUntil(() => started.stderr().includes('"stopping"'))
    // It is not ready any more, but still serves clients that a load balancer sends.
    assert.equal((await sendRequest(`${started.url}/readyz`)).status, 503)
    assert.equal((await sendRequest(`${started.url}/livez`)).status, 200)
    // A second SIGTERM, as impatient supervisors send it. (A second Ctrl-C stops at once.)
    if (signal === 'SIGTERM') started.child.kill(signal)
    assert.equal(await ended, 0, started.stderr())
    assert.ok(Date.now() - stoppedAt < supervisorMs)
    assert.match(started.stderr(), /"stopped"\}\n$/)
    await Promise.all(load.map(({ done }) => done))

    const given = load.flatMap(one => one.given)
    const again = await serving(t)
    assert.deepEqual((await listDonationIds(again.url + path)).sort(), given.sort())
    const { body } = await sendRequest(again.url + path)
    assert.equal(body.donationCount, given.length)
    assert.equal(body.amountDonatedSoFar, given.length * donation.amount)
  })
}

test('SIGTERM to npm start stops the server and its embedded PostgreSQL', { skip: skipUnlessFull }, async t => {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, PORT: '0', ENCRYPTION_KEY: encryptionKey, ADMIN_KEY: adminKey, ...dataLocation.env }
  const npm = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  let isEnded = false
  t.after(() => {
    if (!isEnded && npm.pid !== undefined) process.kill(-npm.pid, 'SIGKILL')
  })
  let output = ''
  npm.stdout.setEncoding('utf8').on('data', chunk => {
    output += chunk
  })
  const findUrl = () => /listening at (http:\/\/\S+)/.exec(output)?.[1]
  await waitUntil(() => findUrl() !== undefined, 60_000)
  const url = `${findUrl()}/livez`
  assert.equal((await sendRequest(url)).status, 200)
  if (!onServer) await access(postmasterFile)
  npm.kill('SIGTERM')
  const isGone = async () =>
    await sendRequest(url).then(
      () => false,
      () => true
    )
  await waitUntil(isGone, supervisorMs)
  const isPostgresStopped = async () =>
    await access(postmasterFile).then(
      () => false,
      () => true
    )
  if (!onServer) await waitUntil(isPostgresStopped, supervisorMs)
  isEnded = true
})

test('SIGTERM closes event streams at once, and their clients reconnect to another process without missing an event', {
  skip: skipUnlessFull
}, async t => {
  const [started, other] = [await serving(t), onServer ? await serving(t) : undefined]
  const streams = await Promise.all(
    Array.from({ length: 3 }, async () => await openEventStream(`${started.url}/stream`))
  )
  const stopped = started.stop()
  await Promise.all(streams.map(async stream => await stream.waitUntil(stream.isClosed)))
  // The process did not wait for the streams: it still serves other requests.
  assert.equal((await sendRequest(`${started.url}/livez`)).status, 200)
  assert.equal((await sendRequest(`${started.url}/stream`)).status, 503)
  assert.equal(await stopped, 0)
  const { url } = other ?? (await serving(t))
  const created = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers })
  const again = await openEventStream(`${url}/stream`, { 'last-event-id': streams[0]?.lastId() ?? '' })
  assert.equal((await again.waitForMessages(1))[0]?.data.data.id, created.body.id)
  again.close()
})

test('a new connection after SIGTERM gets a full response or is refused', { skip: skipUnlessFull }, async t => {
  const started = await serving(t)
  const created = await sendRequest(`${started.url}/campaigns`, { method: 'POST', body: campaign, headers })
  const path = `/campaigns/${created.body.id}`
  const given: string[] = []
  const donateUntilRefused = async () => {
    for (;;) {
      try {
        const response = await sendRequest(`${started.url}${path}/donations`, { method: 'POST', body: donation })
        assert.equal(response.status, 201)
        given.push(response.body.id)
      } catch (error) {
        // Reset: the kernel had accepted the connection, but the listener was closed before the program accepted it.
        assert.ok(['ECONNREFUSED', 'ECONNRESET'].includes(codeOf(error)), String(error))
        return
      }
    }
  }
  const clients = Array.from({ length: 8 }, donateUntilRefused)
  await waitUntil(() => given.length >= 20)
  const before = given.length
  assert.equal(await started.stop(), 0)
  await Promise.all(clients)
  assert.ok(given.length > before + 8)

  const again = await serving(t)
  assert.deepEqual((await listDonationIds(again.url + path)).sort(), given.sort())
})

test('a request that waits for a database lock when SIGTERM arrives gets its response', {
  skip: skipUnlessFull
}, async t => {
  const started = await serving(t, { DRAIN_SECONDS: '0' })
  const created = await sendRequest(`${started.url}/campaigns`, { method: 'POST', body: campaign, headers })
  const path = `/campaigns/${created.body.id}`
  const row = `from fundraising.campaigns where id = ${created.body.id}`
  const held = dataLocation.query(`begin; select id ${row} for update; select pg_sleep(0.7); commit`)
  await waitUntil(async () => await hasBackend(`wait_event = 'PgSleep'`))
  const agent = new Agent({ keepAlive: true })
  const waiting = sendRequest(started.url + path, {
    method: 'PUT',
    body: { ...campaign, name: 'Changed' },
    headers,
    agent
  })
  await waitUntil(async () => await hasBackend(`wait_event_type = 'Lock'`))

  const ended = started.stop()
  const response = await waiting
  assert.equal(response.status, 200)
  assert.equal(response.body.name, 'Changed')
  // A keep-alive connection does not delay the exit.
  assert.equal(await ended, 0)
  await held
})

for (const [count, how] of [
  [400, 'in one piece'],
  [700, 'as a stream']
] as const) {
  test(`a slow reader gets all of a long list that is sent ${how}, although SIGTERM arrives during the response`, {
    skip: skipUnlessFull
  }, async t => {
    const started = await serving(t, { DRAIN_SECONDS: '0', ...uncached })
    await fillWithCampaigns(count)
    const agent = new Agent({ keepAlive: true })
    const [response] = await once(get(`${started.url}/campaigns`, { agent }), 'response')
    response.pause()
    const ended = started.stop()
    await waitUntilRefused(started.url)
    const all = JSON.parse(await text(response))
    assert.equal(all.length, count)
    assert.equal(await ended, 0, started.stderr())
  })
}

test('a client that has stopped reading does not delay the exit longer than a supervisor waits', {
  skip: skipUnlessFull
}, async t => {
  const started = await serving(t, uncached)
  await fillWithCampaigns(700)
  const [response] = await once(get(`${started.url}/campaigns`), 'response')
  response.pause()
  response.on('error', () => undefined)
  const stoppedAt = Date.now()
  assert.equal(await started.stop(), 0, started.stderr())
  assert.ok(Date.now() - stoppedAt < supervisorMs)
  assert.match(started.stderr(), /"stopped"\}\n$/)
})

test('connections without a complete request do not delay the exit', { skip: skipUnlessFull }, async t => {
  const started = await serving(t, { DRAIN_SECONDS: '0' })
  const { hostname, port } = new URL(started.url)
  const silent = connect(Number(port), hostname)
  const half = connect(Number(port), hostname)
  for (const socket of [silent, half]) {
    socket.on('error', () => undefined)
    await once(socket, 'connect')
  }
  half.write('GET /campaigns HTTP/1.1\r\nHost: ')
  assert.equal((await sendRequest(`${started.url}/health`)).status, 200)
  const stoppedAt = Date.now()
  assert.equal(await started.stop(), 0, started.stderr())
  assert.ok(Date.now() - stoppedAt < supervisorMs)
})

test('SIGTERM while the database is unavailable ends the process with exit code 0', {
  skip: skipUnlessFull
}, async t => {
  const database = await createDatabase()
  after(database.remove)
  const proxy = await startProxy(database.url)
  after(proxy.close)
  const started = await serving(t, { DATABASE_URL: proxy.url })
  const key = { name: 'used', role: 'treasurer' }
  const issued = await sendRequest(`${started.url}/keys`, { method: 'POST', body: key, headers })
  // Its last use is not stored yet when the process stops.
  const used = await sendRequest(`${started.url}/campaigns`, {
    headers: { authorization: `Bearer ${issued.body.key}` }
  })
  assert.equal(used.status, 200)
  await proxy.refuse()
  assert.equal((await sendRequest(`${started.url}/readyz`)).status, 503)
  const stoppedAt = Date.now()
  assert.equal(await started.stop(), 0, started.stderr())
  assert.ok(Date.now() - stoppedAt < supervisorMs)
  for (const line of started.stderr().trimEnd().split('\n')) assert.ok(JSON.parse(line).msg, line)
})

test('Ctrl-C reaches the whole process group, and the embedded PostgreSQL still shuts down cleanly', {
  skip: onServer ? 'there is no embedded PostgreSQL' : skipUnlessFull
}, async t => {
  const started = await serving(t)
  process.kill(-started.pid, 'SIGINT')
  assert.equal(await started.end(), 0)
  await assert.rejects(access(postmasterFile), { code: 'ENOENT' })
})

const codeOf = (error: unknown) => String((error as NodeJS.ErrnoException).code)

/** Donates and reads over one keep-alive connection, until the server closes it with a response. */
function keepBusy(url: string): { given: string[]; done: Promise<void> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const given: string[] = []
  const work = async () => {
    for (;;) {
      const response = await sendRequest(`${url}/donations`, { method: 'POST', body: donation, agent })
      assert.equal(response.status, 201)
      given.push(response.body.id)
      if (response.headers.connection === 'close') return
      const read = await sendRequest(url, { agent })
      assert.equal(read.status, 200)
      assert.ok(read.body.donationCount >= given.length)
      if (read.headers.connection === 'close') return
    }
  }
  return { given, done: work() }
}

/** The ids of all donations, page by page. */
async function listDonationIds(url: string): Promise<string[]> {
  const ids: string[] = []
  let next: string | undefined = `${url}/donations?limit=200`
  while (next !== undefined) {
    const page = await sendRequest(next, { headers })
    ids.push(...page.body.map((one: { id: string }) => one.id))
    next = /<([^>]+)>; rel="next"/.exec(page.headers.link ?? '')?.[1]
  }
  return ids
}

/** For a list that the test writes into the database: the program has requested it after the start already. */
const uncached = { RESPONSE_CACHE: '0' }

/** Exactly `count` campaigns, with texts so long that they exceed the socket buffers of the kernel. */
async function fillWithCampaigns(count: number): Promise<void> {
  await dataLocation.query(`
    update fundraising.campaigns set deleted_at = now();
    insert into fundraising.campaigns (name, description, donation_minimum_cents, target_amount_cents, currency, status,
      account_iban, account_iban_valid, account_name, account_bank, created_at, updated_at)
    select 'Long', repeat('ü', 20000), 0, 100, 'EUR', 'open', 'DE89370400440532013000', true, 'A', 'B', now(), now()
    from generate_series(1, ${count})`)
}

async function hasBackend(condition: string): Promise<boolean> {
  return (
    (await dataLocation.query(`select from pg_stat_activity where datname = current_database() and ${condition}`))
      .length > 0
  )
}

async function waitUntilRefused(url: string): Promise<void> {
  await waitUntil(async () => {
    try {
      await sendRequest(`${url}/livez`)
      return false
    } catch (error) {
      return codeOf(error) === 'ECONNREFUSED'
    }
  })
}
