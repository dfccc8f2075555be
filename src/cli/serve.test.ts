// test: own process, long
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import {
  createDataLocation,
  onServer,
  type RunningKalends,
  runKalends,
  sendRequest,
  startKalends,
  waitUntil
} from '#test/support/kalends-process.ts'
import { root } from '#test/support/project-root.ts'
import { campaign, donation } from '#test/support/services.ts'

const adminKey = 'the-key-of-these-tests'
const dataLocation = await createDataLocation()
after(dataLocation.remove)

/** Serves until the test ends; on the shared data location unless `on` is another one. */
async function serving(
  t: TestContext,
  env: Record<string, string> = {},
  {
    words = ['serve'],
    cwd = root,
    on = dataLocation.env
  }: { words?: string[]; cwd?: string; on?: Record<string, string> } = {}
): Promise<RunningKalends> {
  const started = await startKalends({ DRAIN_SECONDS: '0', ...on, ...env }, words, { cwd })
  t.after(async () => await started.stop())
  return started
}

test('npm start needs no settings: it creates its store in the working folder and accepts donations', async t => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  assert.equal(scripts.start, 'node scripts/kalends.mjs serve')
  const cwd = await mkdtemp(join(tmpdir(), 'kalends-nothing-'))
  after(async () => await rm(cwd, { recursive: true, maxRetries: 10 }))
  const started = await startKalends({}, ['serve'], { cwd })
  t.after(async () => await started.stop())

  assert.match(started.stdout(), new RegExp(`Store: {2}embedded PostgreSQL in ${cwd}/data\\n`))
  const created = await sendRequest(`${started.url}/campaigns`, { method: 'POST', body: campaign })
  assert.equal(created.status, 201)
  const given = await sendRequest(`${started.url}/campaigns/${created.body.id}/donations`, {
    method: 'POST',
    body: donation
  })
  assert.equal(given.status, 201)
  assert.deepEqual(await readdir(cwd), ['data'])
  assert.equal(await started.stop(), 0)
})

test('the start message names URL, store and mode, and its curl commands work', { skip: skipUnlessFull }, async t => {
  const fresh = await createDataLocation()
  after(fresh.remove)
  const started = await serving(t, {}, { on: fresh.env })

  assert.match(started.url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
  assert.match(started.stdout(), /Store: {2}(embedded PostgreSQL in \/|PostgreSQL server \(DATABASE_URL\)\n)/)
  assert.match(started.stdout(), /Mode: {3}protected mode: no API keys or users yet/)
  await waitUntil(() => /"level":40,.*protected mode/.test(started.stderr()))
  assertGreetingWorks(started)
})

test('with a key the start message says so, and its curl commands need $KEY', { skip: skipUnlessFull }, async t => {
  const fresh = await createDataLocation()
  after(fresh.remove)
  const started = await serving(t, { ADMIN_KEY: adminKey }, { on: fresh.env })

  assert.match(started.stdout(), /Mode: {3}API keys or users are required, except for reading and donating\./)
  assert.equal((await sendRequest(`${started.url}/campaigns`, { method: 'POST', body: campaign })).status, 401)
  assertGreetingWorks(started)
})

test('each start prints a new setup link until the first account is created, and none afterwards', {
  skip: skipUnlessFull
}, async t => {
  const fresh = await createDataLocation()
  after(fresh.remove)
  const link = /^ {10}(http:\/\/127\.0\.0\.1:\d+)\/admin\/setup\?token=(kst_\w{10}_\w{32})$/m
  const first = await serving(t, {}, { on: fresh.env })
  const [, address, token = ''] = link.exec(first.stdout()) ?? []
  assert.equal(address, first.url)
  const user = { name: 'Anna', email: 'anna@example.org', password: 'correct horse battery' }
  const stranger = { 'x-forwarded-for': '192.0.2.7' }
  const post = async ({ url }: RunningKalends, headers: Record<string, string> = {}) =>
    await sendRequest(`${url}/setup?token=${token}`, { method: 'POST', body: { user, token }, headers })
  const bearer = (given: string) => ({ ...stranger, authorization: `Bearer ${given}` })
  // The token is sent like a key, and local callers need it too.
  assert.equal((await post(first)).status, 401)
  assert.equal((await post(first, stranger)).status, 401)
  assert.equal(await first.stop(), 0)

  const second = await serving(t, { LOG_LEVEL: 'trace' }, { on: fresh.env })
  const newer = link.exec(second.stdout())?.[2] ?? ''
  assert.ok(newer !== '' && newer !== token)
  await sendRequest(`${second.url}/admin/setup?token=${newer}`)
  assert.equal((await post(second, bearer(newer))).status, 201)
  assert.equal((await post(second, bearer(token))).status, 401)
  assert.equal(await second.stop(), 0)
  for (const secret of [token, newer, user.password, user.email]) assert.ok(!second.stderr().includes(secret), secret)

  const third = await serving(t, {}, { on: fresh.env })
  assert.doesNotMatch(third.stdout(), /setup|protected mode/)
  assert.equal((await sendRequest(`${third.url}/campaigns`, { method: 'POST', body: campaign })).status, 401)
})

test('on a public address serve starts if there is a user account', { skip: skipUnlessFull }, async t => {
  const fresh = await createDataLocation()
  after(fresh.remove)
  const words = ['user', 'create', '--name', 'Anna', '--email', 'anna@example.org', '--role', 'admin']
  assert.equal((await runKalends(words, fresh.env)).code, 0)
  const started = await serving(t, { HOST: '0.0.0.0', PUBLIC_URL: 'https://give.example.org' }, { on: fresh.env })
  const url = `http://127.0.0.1:${new URL(started.url).port}`
  assert.equal((await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign })).status, 401)
})

test('an admin who lost the password gets a reset link on the command line and chooses a new password', {
  skip: skipUnlessFull
}, async t => {
  const fresh = await createDataLocation()
  after(fresh.remove)
  const words = ['user', 'create', '--name', 'Anna', '--email', 'anna@example.org', '--role', 'admin']
  const old = (await runKalends(words, fresh.env)).stdout.trim()
  const { code, stdout } = await runKalends(['user', 'reset', 'Anna@example.org'], fresh.env)
  assert.equal(code, 0)
  const token = /\/admin\/reset\?token=(krl_\w+)\n$/.exec(stdout)?.[1] ?? ''
  assert.notEqual((await runKalends(['user', 'reset', 'nobody@example.org'], fresh.env)).code, 0)
  assert.notEqual((await runKalends(['user', 'reset'], fresh.env)).code, 0)
  const { url } = await serving(t, {}, { on: fresh.env })
  const password = 'chosen after the loss'
  const reset = await sendRequest(`${url}/password-resets/use`, { method: 'POST', body: { token, password } })
  assert.equal(reset.status, 204)
  const signIn = async (given: string) =>
    (await sendRequest(`${url}/sessions`, { method: 'POST', body: { email: 'anna@example.org', password: given } }))
      .status
  assert.deepEqual([await signIn(old), await signIn(password)], [401, 201])
})

test('each service can run alone', { skip: skipUnlessFull }, async t => {
  const campaigns = await serving(t, {}, { words: ['serve', 'campaigns'] })
  assert.match(campaigns.stdout(), / and serves campaigns\.\n/)
  assert.equal((await sendRequest(`${campaigns.url}/campaigns`)).status, 200)
  assert.equal((await sendRequest(`${campaigns.url}/calendar/events/v1/events`)).status, 404)
  assert.equal(await campaigns.stop(), 0)

  const calendar = await serving(t, {}, { words: ['serve', 'calendar'] })
  assert.match(calendar.stdout(), / and serves calendar\.\n/)
  assert.equal((await sendRequest(`${calendar.url}/calendar/events/v1/events`)).status, 200)
  assert.equal((await sendRequest(`${calendar.url}/campaigns`)).status, 404)
})

test('a worker runs the jobs of other processes, and serves only health and metrics', {
  skip: skipUnlessFull
}, async t => {
  const fresh = await createDataLocation()
  after(fresh.remove)
  const env = { ADMIN_KEY: adminKey, WORKER: 'false' }
  const campaigns = await serving(t, env, { words: ['serve', 'campaigns'], on: fresh.env })
  const headers = { authorization: `Bearer ${adminKey}` }
  const { body } = await sendRequest(`${campaigns.url}/campaigns`, { method: 'POST', body: campaign, headers })
  await sendRequest(`${campaigns.url}/campaigns/${body.id}/donations`, { method: 'POST', body: donation })
  const waiting = async () => Number((await fresh.query('select count(*) from fundraising.deltas'))[0]?.count)
  const asked = "select 1 from graphile_worker.jobs where task_identifier = 'fold-totals'"
  await waitUntil(async () => (await fresh.query(asked)).length > 0)
  assert.equal(await waiting(), 1)
  // The embedded store belongs to one process at a time.
  if (!onServer) assert.equal(await campaigns.stop(), 0)

  const worker = await serving(t, env, { words: ['serve', 'worker'], on: fresh.env })
  assert.match(worker.stdout(), /as a worker: it runs background jobs and serves only/)
  for (const path of ['/livez', '/readyz', '/health', '/metrics']) {
    assert.equal((await sendRequest(worker.url + path)).status, 200, path)
  }
  for (const path of [
    '/campaigns',
    '/calendar/events/v1/events',
    '/en',
    '/keys',
    '/stream',
    '/openapi.json',
    '/site'
  ]) {
    assert.equal((await sendRequest(worker.url + path, { headers })).status, 404, path)
  }
  await waitUntil(async () => (await waiting()) === 0)
})

test('a worker starts on a public address without any key, and cannot be combined with a service', {
  skip: skipUnlessFull
}, async t => {
  const fresh = await createDataLocation()
  after(fresh.remove)
  const settings = { HOST: '0.0.0.0', PUBLIC_URL: 'https://give.example.org' }
  const worker = await serving(t, settings, { words: ['serve', 'worker'], on: fresh.env })
  assert.equal(await worker.stop(), 0)
  const { code, stderr } = await runKalends(['serve', 'worker', 'calendar'], fresh.env)
  assert.equal(code, 1)
  assert.match(stderr, /worker cannot be combined with other services/)
})

test('health checks, metrics and the OpenAPI document need no key', { skip: skipUnlessFull }, async t => {
  const started = await serving(t, { ADMIN_KEY: adminKey })
  const readText = async (path: string) => {
    const { status, text } = await sendRequest(started.url + path)
    assert.equal(status, 200, path)
    return text
  }
  assert.equal(await readText('/health'), '{"alive": true}')
  assert.equal(await readText('/livez'), '{"status":"ok"}')
  assert.equal(await readText('/readyz'), '{"status":"ok"}')
  assert.match(await readText('/metrics'), /^kalends_http_request_duration_seconds_count\{.*route="\/readyz".*\} 1$/m)
  assert.equal(JSON.parse(await readText('/openapi.json')).openapi, '3.1.0')
})

test('on a public address serve starts with ADMIN_KEY and PUBLIC_URL, and refuses writes without a key', {
  skip: skipUnlessFull
}, async t => {
  const started = await serving(t, { HOST: '0.0.0.0', PUBLIC_URL: 'https://give.example.org', ADMIN_KEY: adminKey })
  const url = `http://127.0.0.1:${new URL(started.url).port}`
  assert.equal((await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign })).status, 401)
  const headers = { authorization: `Bearer ${adminKey}` }
  const created = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers })
  assert.equal(created.status, 201)
  assert.equal(created.headers.location, `https://give.example.org/campaigns/${created.body.id}`)
})

const reachable: Record<string, string>[] = [
  { HOST: '0.0.0.0', PUBLIC_URL: 'https://give.example.org' },
  { PUBLIC_URL: 'https://give.example.org' }
]

for (const env of reachable) {
  test(`with a public ${Object.keys(env).join(' and ')} and no credentials serve starts, allows reads, and requires the setup token for every write`, {
    skip: skipUnlessFull
  }, async t => {
    const fresh = await createDataLocation()
    after(fresh.remove)
    const started = await serving(t, env, { on: fresh.env })
    const url = `http://127.0.0.1:${new URL(started.url).port}`
    const message = 'reading and donating are public, every change needs the setup token'
    assert.match(started.stdout(), new RegExp(`protected mode: .*${message}`))
    await waitUntil(() => new RegExp(`"level":40,.*${message}`).test(started.stderr()))
    const [, token = ''] = /give\.example\.org\/admin\/setup\?token=(kst_\w+)$/m.exec(started.stdout()) ?? []
    assert.ok(!started.stderr().includes(token))
    assert.equal((await sendRequest(`${url}/campaigns`)).status, 200)
    assert.match((await sendRequest(`${url}/en`)).text, /Changes need the setup link from the server log/)
    assert.match((await sendRequest(`${url}/de`)).text, /Änderungen brauchen den Einrichtungslink/)
    const post = async (headers = {}) =>
      await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers })
    assert.equal((await post()).status, 401)
    const created = await post({ authorization: `Bearer ${token}` })
    assert.equal(created.status, 201)
    const given = await sendRequest(`${url}/campaigns/${created.body.id}/donations`, { method: 'POST', body: donation })
    assert.equal(given.status, 201)
  })
}

test('a service without web pages also prints the setup token', { skip: skipUnlessFull }, async t => {
  const fresh = await createDataLocation()
  after(fresh.remove)
  const env = { PUBLIC_URL: 'https://give.example.org' }
  const { url, stdout } = await serving(t, env, { words: ['serve', 'campaigns'], on: fresh.env })
  const [, token = ''] = /^ {10}(kst_\w{10}_\w{32})$/m.exec(stdout()) ?? []
  const post = async (headers = {}) =>
    await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers })
  assert.equal((await post()).status, 401)
  assert.equal((await post({ authorization: `Bearer ${token}` })).status, 201)
})

test('protected mode does not return when ADMIN_KEY is removed', { skip: skipUnlessFull }, async t => {
  const fresh = await createDataLocation()
  after(fresh.remove)
  const first = await serving(t, { ADMIN_KEY: adminKey }, { on: fresh.env })
  assert.equal(await first.stop(), 0)
  const second = await serving(t, {}, { on: fresh.env })
  assert.doesNotMatch(second.output(), /protected mode/)
  assert.equal((await sendRequest(`${second.url}/campaigns`, { method: 'POST', body: campaign })).status, 401)
})

test('on a public address serve refuses to start without PUBLIC_URL', async () => {
  const { code, stderr } = await runKalends(['serve'], { ...dataLocation.env, HOST: '0.0.0.0', ADMIN_KEY: adminKey })
  assert.equal(code, 1)
  assert.match(stderr, /PUBLIC_URL: required, because HOST is 0\.0\.0\.0/)
})

test('invalid settings are listed all at once, by name, without secret values', async () => {
  const bad = { HOST: 'a b', PORT: '80800', TIMEZONE: 'Mars/Olympus', IBAN_POLICY: 'maybe', ADMIN_KEY: 'hush-hush' }
  const { code, stdout, stderr } = await runKalends(['serve'], { ...dataLocation.env, ...bad })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  for (const name of Object.keys(bad)) assert.match(stderr, new RegExp(`^ {2}${name}: `, 'm'))
  assert.doesNotMatch(stderr, /hush-hush/)
  assert.doesNotMatch(stderr, stackTrace)
})

test('a port that is in use stops the start with a clear message', async t => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const { code, stdout, stderr } = await runKalends(['serve'], { ...dataLocation.env, PORT: String(port) })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  const words = `Port ${port} is already in use (EADDRINUSE). Set PORT to another port, or to 0 for any.\n`
  assert.equal(withoutLog(stderr), words)
})

test('an unknown service is a usage error', { skip: skipUnlessFull }, async () => {
  const { code, stdout, stderr } = await runKalends(['serve', 'nonsense'], dataLocation.env)
  assert.equal(code, 1)
  assert.equal(stdout, '')
  const usage = /^Unknown service: nonsense\. Available: campaigns, calendar, web\.\n\nKalends .*\n\n {2}kalends serve/
  assert.match(stderr, usage)
})

test('the log is JSON lines on standard error, without account numbers and keys, at every level', async t => {
  const started = await serving(t, { ADMIN_KEY: adminKey, LOG_LEVEL: 'trace' })
  const secrets = await sendSecrets(started)
  const greeting = started.stdout()
  assert.equal(await started.stop(), 0)

  assert.equal(started.stdout(), greeting)
  const lines = started.stderr().trimEnd().split('\n')
  for (const line of lines) assert.equal(typeof JSON.parse(line).msg, 'string', line)
  assert.ok(lines.some(line => JSON.parse(line).path?.endsWith('/donations')))
  for (const secret of secrets) assert.ok(!started.stderr().toLowerCase().includes(secret.toLowerCase()), secret)
})

const stackTrace = /^\s+at /m

/** The messages for people, without the JSON lines of the log. */
function withoutLog(stderr: string): string {
  return stderr.replace(/^\{.*\}\n/gm, '')
}

function assertGreetingWorks(started: RunningKalends): void {
  const lines = started.stdout().match(/(?<=^ *)curl .*$/gm) ?? []
  assert.equal(lines.length, 3)
  const [campaign, given, event] = lines.map(line => JSON.parse(run(line)))
  assert.equal(campaign.name, 'New roof')
  assert.equal(given.campaignId, campaign.id)
  assert.equal(given.amount, 25)
  assert.equal(event.title, 'Summer concert')
  assert.equal(event.venue.venue, 'Town Hall')
}

/** Runs the line in a shell; on a machine without curl a Node program replaces it. */
function run(line: string): string {
  const standIn = `curl() { "${process.execPath}" --input-type=module -e '
    import { parseArgs } from "node:util"
    const options = { header: { type: "string", short: "H", multiple: true }, data: { type: "string", short: "d" } }
    const { values, positionals } = parseArgs({ args: process.argv.slice(1), options, allowPositionals: true })
    const headers = (values.header ?? []).map(header => header.split(": "))
    const answer = await fetch(positionals[0], values.data ? { method: "POST", headers, body: values.data } : { headers })
    console.log(await answer.text())' -- "$@"; }`
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `command -v curl >/dev/null || ${standIn}\n${line}`], {
    encoding: 'utf8',
    env: { ...process.env, KEY: adminKey }
  })
  assert.equal(status, 0, stderr)
  return stdout
}

/** Sends account numbers and keys in every place that a caller can put them. */
async function sendSecrets({ url }: RunningKalends): Promise<string[]> {
  const iban = 'DE02120300000000202051'
  const spaced = 'DE02 1203 0000 0000 2020 51'
  const authorization = `Bearer ${adminKey}`
  const created = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers: { authorization } })
  const donations = `${url}/campaigns/${created.body.id}/donations`
  const post = async (to: string, body: unknown, headers = {}) =>
    await sendRequest(to, { method: 'POST', body, headers })

  assert.equal((await post(donations, donation, { 'idempotency-key': iban })).status, 201)
  assert.equal((await post(donations, { ...donation, account: { iban: spaced } })).status, 201)
  assert.equal((await post(donations, { ...donation, amount: iban })).status, 400)
  assert.equal((await post(donations, iban)).status, 400)
  const key = (await post(`${url}/keys`, { name: `key of ${iban}`, role: 'treasurer' }, { authorization })).body.key
  assert.match(key, /^kal_/)
  const withKey = { authorization: `Bearer ${key}` }
  assert.equal((await sendRequest(donations, { headers: withKey })).status, 200)
  const basic = Buffer.from(`me:${key}`).toString('base64')
  assert.equal((await sendRequest(donations, { headers: { authorization: `Basic ${basic}` } })).status, 200)
  assert.equal((await sendRequest(donations, { headers: { authorization: `Bearer ${key}x` } })).status, 401)
  for (const path of [iban, encodeURIComponent(spaced), `1?iban=${iban}`, `1/donations?cursor=${iban}`]) {
    await sendRequest(`${url}/campaigns/${path}`)
  }
  return [campaign.account.iban, iban, spaced, encodeURIComponent(spaced), adminKey, key, basic]
}
