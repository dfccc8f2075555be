// test: own process, long, full
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { useEmbedded } from '#platform/database/embedded/store.ts'
import { createDatabase, silent } from '#test/support/database.ts'
import { createDataLocation, runKalends, sendRequest, startKalends, waitUntil } from '#test/support/kalends-process.ts'
import { adminKey, calendar, campaign, donation, event } from '#test/support/services.ts'

const folder = await mkdtemp(join(tmpdir(), 'kalends-backup-'))
after(async () => await rm(folder, { recursive: true, force: true, maxRetries: 10 }))
const dataLocation = await createDataLocation()
after(dataLocation.remove)
const env = { ...dataLocation.env, ADMIN_KEY: adminKey, LOG_LEVEL: 'warn', RATE_LIMIT: '0', RATE_LIMIT_DONATIONS: '0' }
const headers = { authorization: `Bearer ${adminKey}` }
const file = join(folder, 'drill.backup')

const clients = 4
/** One black dot. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)
const sumOfPictures = `select count(*), md5(string_agg(size || encode(sha256(bytes), 'hex'), ',' order by media_id, size)) as sum
  from calendar.media_sizes`

test('a backup taken under load restores to a consistent state on an empty machine, embedded and on a database server', async () => {
  const started = await startKalends(env)
  const created = new Map<string, { key: string; amount: number; path: string }>()
  const events = new Set<number>()
  let isDone = false
  try {
    const post = async (path: string, body: unknown) =>
      (await sendRequest(started.url + path, { method: 'POST', body, headers })).body
    const paths = [await post('/campaigns', campaign), await post('/campaigns', campaign)].map(
      ({ id }) => `/campaigns/${id}`
    )
    const picture = await fetch(`${started.url}${calendar}/media`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'image/png' },
      body: png
    })
    const { id: image } = (await picture.json()) as { id: number }
    const first = await post(`${calendar}/events`, { ...event, title: 'With a picture', image })
    const clientLoops = Array.from({ length: clients }, (_, number) => work(number))

    async function work(number: number): Promise<void> {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (let count = 0; !isDone; count += 1) {
        const path = paths[count % 2] ?? ''
        const key = `client-${number}-${count}`
        const amount = 5 + (count % 90) / 10
        const donated = await sendRequest(`${started.url}${path}/donations`, {
          method: 'POST',
          body: { ...donation, amount, message: key },
          headers: { 'idempotency-key': key },
          agent
        })
        assert.equal(donated.status, 201, donated.text)
        created.set(donated.body.id, { key, amount, path })
        if (count % 5 > 0) continue
        const held = await sendRequest(`${started.url}${calendar}/events`, {
          method: 'POST',
          body: { ...event, title: key, venue: { venue: `Hall ${number}` }, tags: ['drill'] },
          headers,
          agent
        })
        assert.equal(held.status, 201, held.text)
        events.add(held.body.id)
      }
      agent.destroy()
    }

    await waitUntil(() => created.size > 30 && events.size > 5)
    const before = { donations: [...created.keys()], events: [...events, first.id] }
    const taken = await runKalends(['backup', file], env)
    assert.deepEqual([taken.code, taken.stdout], [0, ''], taken.stderr)
    const donatedDuringBackup = created.size - before.donations.length
    assert.ok(donatedDuringBackup > 0, 'No donation was created while the backup was taken.')
    isDone = true
    await Promise.all(clientLoops)
    assert.equal(await started.stop(), 0)

    const [pictures] = await dataLocation.query(sumOfPictures)
    const server = await createDatabase()
    after(server.remove)
    for (const empty of [{ DATA_DIR: join(folder, 'machine') }, { DATABASE_URL: server.url }]) {
      const restored = await runKalends(['restore', file], empty)
      assert.equal(restored.code, 0, restored.stderr)
      assert.match(restored.stdout, /^Restored \d+ rows of \d+ tables as of 20.*Z, written by Kalends /)
      const doctor = await runKalends(['doctor'], empty)
      assert.equal(doctor.code, 0, doctor.stdout + doctor.stderr)
      assert.doesNotMatch(doctor.stdout, /FAULT/)

      const donations = await queryStore(empty, 'select id, message, amount_cents from fundraising.donations')
      const ids = new Set(donations.map(({ id }) => id))
      assert.deepEqual(
        before.donations.filter(id => !ids.has(id)),
        []
      )
      for (const { id, message, amount_cents } of donations) {
        const { key, amount } = created.get(String(id)) ?? {}
        assert.deepEqual([message, Number(amount_cents)], [key, Math.round((amount ?? 0) * 100)])
      }
      const [sums] = await queryStore(
        empty,
        `select
          (select sum(donated_cents) from fundraising.totals) as folded,
          (select coalesce(sum(donated_cents), 0) from fundraising.deltas) as loose,
          (select sum(amount_cents) from fundraising.donations) as donated`
      )
      assert.equal(Number(sums?.folded ?? 0) + Number(sums?.loose), Number(sums?.donated))
      assert.deepEqual(await queryStore(empty, sumOfPictures), [pictures])
      const held = new Set((await queryStore(empty, 'select id from calendar.events')).map(({ id }) => Number(id)))
      assert.deepEqual(
        before.events.filter(id => !held.has(id)),
        []
      )
    }
  } finally {
    isDone = true
    await started.kill()
  }
})

test('a backup is one file that only its owner may read, and is recorded in the activity log', async () => {
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual(
    (await readdir(folder)).filter(name => name.includes('unfinished')),
    []
  )
  const [recorded] = await dataLocation.query(
    `select actor, subject, details from platform.activity where action = 'backup.taken'`
  )
  assert.deepEqual([recorded?.actor, recorded?.subject], ['command line', 'backup'])
  const doctor = await runKalends(['doctor'], env)
  assert.match(doctor.stdout, /^ok {4}backup: last one within a day$/m)
})

test('a backup without a file name gets one with the current time, and - writes it to standard output', async () => {
  const cwd = await mkdtemp(join(folder, 'here-'))
  assert.equal((await runKalends(['backup'], { ...env, ...absoluteDataFolder() }, { cwd })).code, 0)
  const [name = ''] = await readdir(cwd)
  assert.match(name, /^kalends-20\d\d-\d\d-\d\dT\d{4}Z\.backup$/)
  const checked = await runKalends(['restore', '--check', join(cwd, name)], {})
  assert.deepEqual([checked.code, checked.stderr], [0, ''])
  assert.match(checked.stdout, /archive OK, \d+ rows of \d+ tables as of 20/)

  const { code, stdout, stderr } = await runKalends(['backup', '-'], env)
  assert.equal(code, 0)
  assert.match(stdout, /^README\.txt\0/)
  assert.match(stderr, /^Backup: [\d,]+ rows of \d+ tables, [\d.]+ MB\.$/m)
})

test('an instance that is exported and imported from one store to the other and back gives the same file, byte for byte', async () => {
  const [first, embedded, server] = ['first', 'embedded', 'server'].map(name => join(folder, name)) as [
    string,
    string,
    string
  ]
  const database = await createDatabase()
  after(database.remove)
  const elsewhere = { DATA_DIR: join(folder, 'elsewhere') }
  assert.equal((await runKalends(['seed'], env)).code, 0)
  const exported = await runKalends(['export', 'instance', first], env)
  assert.equal(exported.code, 0, exported.stderr)
  for (const [from, to, target] of [
    [first, elsewhere, embedded],
    [embedded, { DATABASE_URL: database.url }, server]
  ] as const) {
    const imported = await runKalends(['import', 'instance', from], to)
    assert.equal(imported.code, 0, imported.stderr)
    assert.equal((await runKalends(['export', 'instance', target], to)).code, 0)
    assert.ok((await readFile(target)).equals(await readFile(first)), target)
  }
  const again = await runKalends(['import', 'instance', first], elsewhere)
  assert.equal(again.code, 1)
  assert.match(again.stderr, /^This database is not empty: it holds .*Nothing was changed\.\n$/)
})

test('export writes a file with all records for each list and language', async () => {
  const out = join(folder, 'files')
  for (const form of ['csv', 'jsonl', 'ics']) {
    const { code, stdout, stderr } = await runKalends(['export', form, '--out', out], env)
    assert.deepEqual([code, stderr], [0, ''])
    assert.equal(stdout.trimEnd().split('\n').length, form === 'ics' ? 2 : 12)
  }
  const lines = async (name: string) => (await readFile(join(out, name), 'utf8')).trimEnd().split('\n').length
  const [counts] = await dataLocation.query(`select
    (select count(*)::int from calendar.events where status <> 'trash') as events,
    (select count(*)::int from fundraising.campaigns) as campaigns,
    (select count(*)::int from fundraising.donations) as donations`)
  assert.deepEqual(
    [await lines('events.de.jsonl'), await lines('campaigns.jsonl'), await lines('donations.jsonl')],
    [counts?.events, counts?.campaigns, counts?.donations]
  )
  const calendarText = await readFile(join(out, 'events.en.ics'), 'utf8')
  assert.equal(calendarText.split('BEGIN:VEVENT').length - 1, counts?.events)
  const wrong = await runKalends(['export', 'xml'], env)
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /^export takes csv, jsonl, ics or instance\./)
})

test('restore refuses a database with data, a database in use and a broken file, and changes nothing', async () => {
  const refused = async (words: string[], to: Record<string, string>) => {
    const { code, stderr } = await runKalends(['restore', ...words], to)
    assert.equal(code, 1)
    return stderr
  }
  const before = await dataLocation.query('select count(*) as count from platform.activity')
  assert.match(
    await refused([file], env),
    /^This database is not empty: .*donations.*--replace.*Nothing was changed\.\n$/
  )
  assert.match(await refused([file, '--replace'], env), /pass --replace --yes/)
  const broken = join(folder, 'broken.backup')
  await writeFile(broken, (await readFile(file)).subarray(0, -2000))
  assert.match(await refused([broken, '--replace', '--yes'], env), /cannot be restored: .*Nothing was changed/)
  assert.match(await refused([join(folder, 'none')], env), /none: there is no such file or folder\.$/m)
  assert.match(await refused([], env), /^restore needs a backup file, or - for standard input\./)
  assert.deepEqual(await dataLocation.query('select count(*) as count from platform.activity'), before)

  const started = await startKalends(env)
  try {
    assert.match(await refused([file, '--replace', '--yes'], env), /^A Kalends is using this database .*Stop it first/)
  } finally {
    await started.stop()
  }
  const replaced = await runKalends(['restore', file, '--replace', '--yes'], env)
  assert.equal(replaced.code, 0, replaced.stderr)
  const [record] = await dataLocation.query(`select details from platform.activity where action = 'backup.restored'`)
  assert.ok(record)
})

test('account numbers in a backup are encrypted: restore needs their key, refuses another one, and with --lost-key discards only them', async () => {
  const own = { DATA_DIR: join(folder, 'own'), ENCRYPTION_KEY: '' }
  const encrypted = join(folder, 'encrypted.backup')
  assert.equal((await runKalends(['seed'], own)).code, 0)
  const taken = await runKalends(['backup', encrypted], own)
  assert.match(taken.stderr, /^IBANs, .* are encrypted in it\. Store the key separately/m)
  const key = (await readFile(join(folder, 'own', 'encryption.key'), 'utf8')).trim()
  const iban = /"iban":"DE\d{2}51210800\d{10}"/

  const other = { DATA_DIR: join(folder, 'other') }
  const without = await runKalends(['restore', encrypted], { ...other, ENCRYPTION_KEY: '' })
  assert.deepEqual([without.code, without.stdout], [1, ''])
  assert.match(
    without.stderr,
    /^Account numbers, links of donors, and secrets of webhooks and authenticator apps in this archive are encrypted with a key that this instance does not have .*ENCRYPTION_KEY/
  )
  const restored = await runKalends(['restore', encrypted], { ...other, ENCRYPTION_KEY: key })
  assert.equal(restored.code, 0, restored.stderr)
  const out = join(folder, 'opened')
  assert.equal((await runKalends(['export', 'jsonl', '--out', out], { ...other, ENCRYPTION_KEY: key })).code, 0)
  assert.match(await readFile(join(out, 'donations.jsonl'), 'utf8'), iban)

  const count = `select count(*)::int as donations, count(iban_encrypted)::int as accounts from fundraising.donations`
  const [before] = await queryStore(other, count)
  const wrong = await runKalends(['restore', encrypted, '--replace', '--yes'], other)
  assert.equal(wrong.code, 1)
  assert.match(
    wrong.stderr,
    /encrypted with a key that this instance does not have .*--lost-key.*Nothing was changed\.\n$/s
  )
  assert.deepEqual(await queryStore(other, count), [before])
  const lost = await runKalends(['restore', encrypted, '--replace', '--yes', '--lost-key'], other)
  assert.equal(lost.code, 0, lost.stderr)
  assert.match(
    lost.stdout,
    /^Discarded values that could not be decrypted: [1-9]\d* IBANs, [1-9]\d* donor links in emails, \d+ secrets of webhooks, \d+ authenticator apps\./m
  )
  assert.deepEqual(await queryStore(other, count), [{ donations: before?.donations, accounts: 0 }])
})

/** Settings for the same data folder when the working folder is another one. */
function absoluteDataFolder(): Record<string, string> {
  const { DATA_DIR } = dataLocation.env
  return DATA_DIR === undefined ? {} : { DATA_DIR }
}

async function queryStore(env: Record<string, string>, statement: string): Promise<Record<string, unknown>[]> {
  const { DATABASE_URL, DATA_DIR = '' } = env
  const embedded = DATABASE_URL === undefined ? await useEmbedded({ dataDir: DATA_DIR, log: silent }) : undefined
  const client = new pg.Client(embedded?.connection ?? { connectionString: DATABASE_URL })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
    await embedded?.stop()
  }
}
