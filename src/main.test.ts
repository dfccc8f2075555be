// test: own process, long
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { pickSample, skipUnlessFull } from '#test/support/full-run.ts'
import {
  createDataLocation,
  type DataLocation,
  type FinishedCommand,
  onServer,
  type RunningKalends,
  runKalends,
  sendRequest,
  startKalends
} from '#test/support/kalends-process.ts'
import { campaign, donation } from '#test/support/services.ts'

const dataLocation = await createDataLocation()
after(dataLocation.remove)

for (const state of ['runs', 'does not run']) {
  test(`every command works while the service ${state}`, {
    skip: skipUnlessFull
  }, async t => {
    const started = state === 'runs' ? await serving(t) : undefined
    assert.deepEqual(await succeeds('migrate'), { stdout: 'Database schema is up to date.\n', stderr: '' })
    assert.match(
      (await succeeds('doctor')).stdout,
      /^ok {4}settings: .*\nok {4}database: .*\n(?:(?:ok {4}|WARN {2})PostgreSQL release: .*\n(?: {6}.*\n)*)?ok {4}clock: .*\nok {4}migrations: .*\nok {4}campaign totals .*\nok {4}every donation/
    )
    assert.equal((await succeeds('seed')).stderr, '')
    assert.equal(JSON.parse((await succeeds('openapi')).stdout).openapi, '3.1.0')

    const created = await succeeds('key', 'create', '--name', `made while it ${state}`, '--role', 'treasurer')
    assert.match(created.stdout, /^kal_[A-Za-z0-9]{10}_[A-Za-z0-9]{32}\n$/)
    const id = /^Key (\d+) \(made while it .*, treasurer\)\. It is shown only once/.exec(created.stderr)?.[1] ?? ''
    const line = `${id}\ttreasurer\tmade while it ${state}\tdoes not expire\tnever used\tcreator unknown\n`
    assert.ok((await succeeds('key', 'list')).stdout.includes(line))
    assert.deepEqual(await succeeds('key', 'revoke', id), { stdout: `Key ${id} revoked.\n`, stderr: '' })
    assert.ok(!(await succeeds('key', 'list')).stdout.includes(line))
    assert.equal((await runKalends(['key', 'revoke', id], dataLocation.env)).code, 1)
    if (started !== undefined) assert.equal(await started.stop(), 0)
  })
}

test('a key created on the command line ends protected mode, works at once on the running service, and not after it is revoked', {
  skip: skipUnlessFull
}, async t => {
  const fresh = await aDataLocation()
  const { url } = await serving(t, {}, fresh)
  const post = async (headers = {}) =>
    (await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers })).status
  assert.equal(await post(), 201)
  const created = await runKalends(['key', 'create', '--name', 'me', '--role', 'editor'], fresh.env)
  const withKey = { authorization: `Bearer ${created.stdout.trim()}` }
  assert.equal(await post(), 401)
  assert.equal(await post(withKey), 201)
  const id = /^Key (\d+) /.exec(created.stderr)?.[1] ?? ''
  assert.equal((await runKalends(['key', 'revoke', id], fresh.env)).code, 0)
  assert.equal(await post(withKey), 401)
  assert.equal(await post(), 401)
})

test('a user created on the command line signs in with the printed password or the one from a file, until removed', {
  skip: skipUnlessFull
}, async t => {
  const fresh = await aDataLocation()
  const { url } = await serving(t, {}, fresh)
  const user = async (...words: string[]) => await runKalends(['user', ...words], fresh.env)
  const signIn = async (email: string, password: string) =>
    (await sendRequest(`${url}/sessions`, { method: 'POST', body: { email, password } })).status
  assert.deepEqual(await user('list'), { code: 0, stdout: 'No users.\n', stderr: '' })

  const anna = await user('create', '--name', 'Anna', '--email', 'Anna@example.org', '--role', 'admin')
  assert.equal(anna.code, 0, anna.stderr)
  assert.match(anna.stdout, /^[A-Za-z0-9]{20}\n$/)
  assert.match(anna.stderr, /^User \d+ \(Anna, admin\)\. The password is shown this once: keep it safe\.\n$/)
  assert.equal(await signIn('anna@example.org', anna.stdout.trim()), 201)
  assert.equal((await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign })).status, 401)

  const folder = await mkdtemp(join(tmpdir(), 'kalends-password-'))
  t.after(async () => await rm(folder, { recursive: true }))
  const file = join(folder, 'password')
  await writeFile(file, 'from the file\n')
  const options = ['--role', 'viewer', '--password-file', file]
  const berta = await user('create', '--name', 'Berta', '--email', 'berta@example.org', ...options)
  assert.deepEqual([berta.code, berta.stdout], [0, ''])
  assert.equal(await signIn('berta@example.org', 'from the file'), 201)
  const id = /^User (\d+) /.exec(berta.stderr)?.[1] ?? ''
  assert.ok((await user('list')).stdout.includes(`${id}\tviewer\tBerta\tberta@example.org\tnever seen\n`))

  const renewed = await user('password', id)
  assert.equal(renewed.code, 0)
  assert.equal(await signIn('berta@example.org', 'from the file'), 401)
  assert.equal(await signIn('berta@example.org', renewed.stdout.trim()), 201)
  assert.deepEqual((await user('remove', id)).stdout, `User ${id} deleted.\n`)
  assert.equal(await signIn('berta@example.org', renewed.stdout.trim()), 401)
  assert.equal((await user('remove', id)).code, 1)
  const last = await user('remove', /^User (\d+) /.exec(anna.stderr)?.[1] ?? '')
  assert.deepEqual([last.code, last.stderr], [1, 'At least one user must have the role admin.\n'])
})

test('user create refuses invalid input with a one-line error and creates no user', async () => {
  const fine = ['--name', 'Me', '--email', 'me@example.org']
  const refused = [
    [['--name', 'Me', '--role', 'admin'], /email is required/],
    [[...fine, '--role', 'author'], /role must be one of viewer, editor, treasurer, admin/],
    [[...fine, '--role', 'admin', '--email', 'me'], /email must be a valid email/],
    [[...fine, '--role', 'admin', '--password-file', '/dev/null'], /password needs at least 10 characters/],
    [[...fine, '--role', 'admin', '--password-file', '/nowhere'], /no such file/]
  ] as const
  for (const [words, message] of pickSample(refused, 0)) {
    const { code, stdout, stderr } = await runKalends(['user', 'create', ...words], dataLocation.env)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, message)
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
  }
  assert.equal((await succeeds('user', 'list')).stdout, 'No users.\n')
})

test('seed --remove deletes the sample content, prints what it deleted, and can be repeated', {
  skip: skipUnlessFull
}, async () => {
  const fresh = await aDataLocation()
  const nothing = { code: 0, stdout: 'No sample content to delete.\n', stderr: '' }
  assert.deepEqual(await runKalends(['seed', '--remove'], fresh.env), nothing)
  assert.equal((await runKalends(['seed'], fresh.env)).code, 0)
  const { code, stdout, stderr } = await runKalends(['seed', '--remove'], fresh.env)
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(
    stdout,
    /^Deleted sample content: \d+ donations, 7 campaigns, 40 events, 5 venues, 4 organizers, 6 categories, 8 tags, 15 images\.\n$/
  )
  const left = await fresh.query(`select
    (select count(*)::int from fundraising.donations) as donations, (select count(*)::int from calendar.events) as events`)
  assert.deepEqual(left, [{ donations: 0, events: 0 }])
  assert.deepEqual(await runKalends(['seed', '--remove'], fresh.env), nothing)
  assert.equal((await runKalends(['doctor'], fresh.env)).code, 0)
  assert.equal((await runKalends(['seed', '--forget'], fresh.env)).code, 1)
})

test('a key created with --expires works until it expires, and key list shows the expiry in UTC', {
  skip: skipUnlessFull
}, async t => {
  const { url } = await serving(t)
  const expires = '2199-12-31T23:59:00+01:00'
  const created = await succeeds('key', 'create', '--name', 'for a while', '--role', 'treasurer', '--expires', expires)
  assert.match(
    (await succeeds('key', 'list')).stdout,
    /\ttreasurer\tfor a while\texpires 2199-12-31T22:59:00.000Z\tnever used\tcreator unknown\n/
  )
  const listWithKey = async () =>
    (await sendRequest(`${url}/donations`, { headers: { authorization: `Bearer ${created.stdout.trim()}` } })).status
  assert.equal(await listWithKey(), 200)
  // Moves the expiry that the command has set into the past.
  const expiry = `update platform.keys set expires_at = expires_at - interval '200 years' where name = 'for a while'`
  await dataLocation.query(expiry)
  assert.equal(await listWithKey(), 401)
})

test('sample content has two languages and several statuses, has correct totals, and is created once although seed is repeated', {
  skip: skipUnlessFull
}, async t => {
  const fresh = await aDataLocation()
  await serving(t, {}, fresh)
  const [one, other] = await Promise.all([runKalends(['seed'], fresh.env), runKalends(['seed'], fresh.env)])
  assert.deepEqual([one.code, other.code], [0, 0], one.stderr + other.stderr)
  const counts = async () =>
    await fresh.query(`select
      (select count(*)::int from fundraising.campaigns) as campaigns,
      (select count(distinct name)::int from fundraising.campaigns) as names,
      (select count(*)::int from fundraising.donations) as donations,
      (select count(*)::int from calendar.events) as events,
      (select count(*)::int from calendar.event_texts where language = 'de') as german,
      (select count(*)::int from calendar.venues) as venues`)
  const before = await counts()
  assert.equal(before[0]?.campaigns, before[0]?.names)
  const { events, german, venues } = before[0] ?? {}
  for (const count of [events, german, venues]) assert.ok(Number(count) >= 3, JSON.stringify(before))
  assert.deepEqual(await runKalends(['seed'], fresh.env), {
    code: 0,
    stdout: 'Sample content already exists.\n',
    stderr: ''
  })
  assert.deepEqual(await counts(), before)

  const names = (await fresh.query('select name from fundraising.campaigns')).map(row => String(row.name))
  assert.ok(names.some(name => / für /.test(name)) && names.some(name => / for /.test(name)), names.join())
  const statuses = await fresh.query('select distinct status from fundraising.donations order by status')
  assert.deepEqual(
    statuses.map(row => row.status),
    ['CANCELLED', 'IN_PROCESS', 'TRANSFERRED']
  )
  const campaigns = await fresh.query('select distinct status from fundraising.campaigns order by status')
  assert.deepEqual(
    campaigns.map(row => row.status),
    ['closed', 'draft', 'open']
  )
  assert.equal((await runKalends(['doctor'], fresh.env)).code, 0)
})

test('doctor names the campaign whose total is not the sum of its donations', { skip: skipUnlessFull }, async t => {
  const fresh = await aDataLocation()
  const { url } = await serving(t, {}, fresh)
  const created = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign })
  await sendRequest(`${url}/campaigns/${created.body.id}/donations`, { method: 'POST', body: donation })
  assert.equal((await runKalends(['doctor'], fresh.env)).code, 0)

  await fresh.query(`insert into fundraising.deltas (campaign_id, donated_cents, transferred_cents, donation_count)
    values (${created.body.id}, 1, 0, 0)`)
  const { code, stdout } = await runKalends(['doctor'], fresh.env)
  assert.equal(code, 1)
  assert.match(
    stdout,
    /^FAULT campaign totals .*\n {6}campaign 1: donated 0\.01 too much, transferred 0 too much, 0 donations too many\n {6}→ Create a backup now.*\nok/m
  )

  await fresh.query(`delete from fundraising.campaigns where id = ${created.body.id}`)
  const orphaned = await runKalends(['doctor'], fresh.env)
  assert.equal(orphaned.code, 1)
  assert.match(
    orphaned.stdout,
    /^FAULT every donation belongs to a campaign\n {6}1 donations belong to no campaign\n {6}→ /m
  )
})

test('openapi prints a document without a database, and writes no files', { skip: skipUnlessFull }, async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'kalends-openapi-'))
  const all = await runKalends(['openapi'], { DATABASE_URL: 'postgres://127.0.0.1:1/nothing' }, { cwd })
  const campaigns = await runKalends(['openapi', 'campaigns'], {}, { cwd })
  assert.deepEqual([all.code, all.stderr, campaigns.code, campaigns.stderr], [0, '', 0, ''])
  assert.ok(JSON.parse(all.stdout).paths['/keys'])
  const own =
    /^\/(campaigns|donations|donors|donor-records|donor-duplicates|donor-letters|letter-texts|account-changes|account-requests|challenge|bank-statements|ibans|mandates?|collections|organisation|receipts|receipt-runs|journal|bookkeeping|payer-rules|news|presentation|treasurer-tasks|related-campaigns|campaign-updates)\b/
  assert.deepEqual(
    Object.keys(JSON.parse(campaigns.stdout).paths).filter(path => !own.test(path)),
    []
  )
  assert.deepEqual(await readdir(cwd), [])
  await rm(cwd, { recursive: true })
})

test('help names every command', async () => {
  for (const words of pickSample([['help'], ['--help'], ['-h']], 0)) {
    const { stdout } = await succeeds(...words)
    const keys = ['key create', 'key list', 'key revoke']
    const users = ['user create', 'user list', 'user password', 'user remove']
    for (const word of [
      'serve',
      'migrate',
      'seed',
      ...keys,
      ...users,
      'openapi',
      'export',
      'backup',
      'restore',
      'doctor',
      'update --check',
      'version'
    ]) {
      assert.match(stdout, new RegExp(`^ {2}kalends ${word}`, 'm'))
    }
  }
})

test('two services on one database server share keys, mode and totals immediately', {
  skip: !onServer && 'an embedded store has one service'
}, async t => {
  const fresh = await aDataLocation()
  const [one, other] = [await serving(t, {}, fresh), await serving(t, {}, fresh)]
  const issued = await sendRequest(`${one.url}/keys`, { method: 'POST', body: { name: 'shared', role: 'admin' } })
  assert.equal(issued.status, 201)
  assert.equal((await sendRequest(`${other.url}/campaigns`, { method: 'POST', body: campaign })).status, 401)
  const headers = { authorization: `Bearer ${issued.body.key}` }
  const created = await sendRequest(`${other.url}/campaigns`, { method: 'POST', body: campaign, headers })
  assert.equal(created.status, 201)
  const path = `/campaigns/${created.body.id}`
  const donated = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      sendRequest(`${(index % 2 ? one : other).url}${path}/donations`, { method: 'POST', body: donation })
    )
  )
  assert.deepEqual(new Set(donated.map(({ status }) => status)), new Set([201]))
  for (const { url } of [one, other]) {
    const { body } = await sendRequest(url + path)
    assert.equal(body.amountDonatedSoFar, 40 * donation.amount)
    assert.equal(body.donationCount, 40)
  }
  assert.equal((await sendRequest(`${one.url}/keys/${issued.body.id}`, { method: 'DELETE', headers })).status, 204)
  assert.equal((await sendRequest(`${other.url}${path}`, { headers })).status, 401)
})

test('a second service on the same data folder refuses to start', {
  skip: onServer ? 'there is no data folder' : skipUnlessFull
}, async t => {
  const first = await serving(t)
  const { code, stdout, stderr } = await runKalends(['serve'], dataLocation.env)
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.match(
    stderr,
    /^Another Kalends is already running on the data folder \S+\. Stop it first, or give this one a DATA_DIR and a PORT of its own\.\n$/
  )
  assert.equal((await sendRequest(`${first.url}/readyz`)).status, 200)
})

for (const [index, words] of [
  ['frobnicate'],
  ['constructor'],
  ['serve', 'constructor'],
  ['openapi', 'nonsense'],
  ['key'],
  ['key', 'toString'],
  ['key', 'create', '--nonsense'],
  ['key', 'create', '--name'],
  ['key', 'revoke'],
  ['key', 'revoke', 'mine'],
  ['user'],
  ['user', 'toString'],
  ['user', 'create', '--nonsense'],
  ['user', 'password', '--password-file', '/dev/null'],
  ['user', 'remove', 'me'],
  ['update'],
  ['update', '--check', '--registry', 'ftp://example.org'],
  ['restore']
].entries()) {
  test(`kalends ${words.join(' ')} is a usage error`, { skip: index % 9 > 0 && skipUnlessFull }, async () => {
    const { code, stdout, stderr } = await runKalends(words, dataLocation.env)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^\S.*\n\nKalends .*\n\n {2}kalends serve /)
    assert.doesNotMatch(stderr, /^\s+at /m)
  })
}

for (const [index, [what, words, message]] of (
  [
    ['no name', ['--role', 'admin'], /name is required/],
    ['no role', ['--name', 'me'], /role is required/],
    ['an unknown role', ['--name', 'me', '--role', 'king'], /role must be one of viewer, .*admin/],
    ['an empty name', ['--name', ' ', '--role', 'admin'], /name must not be empty/],
    [
      'an expiry in the past',
      ['--name', 'me', '--role', 'admin', '--expires', '2020-01-01T00:00:00Z'],
      /must be in the future/
    ],
    [
      'an expiry that is not a date and time',
      ['--name', 'me', '--role', 'admin', '--expires', 'soon'],
      /must be a date and time/
    ]
  ] as const
).entries()) {
  test(`key create refuses ${what}`, { skip: index > 0 && skipUnlessFull }, async () => {
    const { code, stdout, stderr } = await runKalends(['key', 'create', ...words], dataLocation.env)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, message)
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
  })
}

for (const words of [['serve'], ['doctor']]) {
  test(`${words} refuses a database that is newer than the program`, {
    skip: words[0] !== 'serve' && skipUnlessFull
  }, async () => {
    const fresh = await aDataLocation()
    assert.equal((await runKalends(['migrate'], fresh.env)).code, 0)
    await fresh.query(
      "insert into platform.migrations (part, number, name) values ('fundraising', 99, '099_future.sql')"
    )
    const { code, stdout, stderr } = await runKalends(words, fresh.env)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^This database is newer than this program: its fundraising tables are at version 99, .*\n$/)
  })
}

/** Removed after all tests, when no process uses it any more. */
async function aDataLocation(): Promise<DataLocation> {
  const fresh = await createDataLocation()
  after(fresh.remove)
  return fresh
}

async function serving(t: TestContext, env: Record<string, string> = {}, on = dataLocation): Promise<RunningKalends> {
  const started = await startKalends({ DRAIN_SECONDS: '0', ...on.env, ...env })
  t.after(async () => await started.stop())
  return started
}

async function succeeds(...words: string[]): Promise<Omit<FinishedCommand, 'code'>> {
  const { code, ...output } = await runKalends(words, dataLocation.env)
  assert.equal(code, 0, output.stderr)
  return output
}
