// test: both stores
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createDatabase, migrations, silent } from '#test/support/database.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, campaign, donation, startCampaignsAndCalendar } from '#test/support/services.ts'
import { checkChain, extendChain } from '../activity/chain/chain.ts'
import type { Caller } from '../caller.ts'
import { newSystemCaller } from '../caller.ts'
import { findKnownVersions, migrateInTransaction } from '../database/migrate.ts'
import { connectStore } from '../database/postgres.ts'
import { sql } from '../database/sql.ts'
import { writeArchive } from './archive.ts'
import { openArchive, RestoreError, restoreArchive } from './restore.ts'
import { listTables } from './tables.ts'
import { buildTarMember, tarEnd } from './tar.ts'

const folder = await mkdtemp(join(tmpdir(), 'kalends-archive-'))
after(async () => await rm(folder, { recursive: true }))
const { admin, visitor, databaseUrl } = await startCampaignsAndCalendar()
const schemas = migrations.map(({ part }) => part)

/** Rows of all kinds: texts in two languages, an image, the trash, donations, notes, users, keys, special characters. */
const specialCharacters = 'tab\tbackslash\\N newline "quote" €😀 \\. end'
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)
const image = await admin.send({
  method: 'POST',
  url: `${calendar}/media`,
  headers: { 'content-type': 'image/png' },
  payload: picture
})
assert.equal(image.status, 201, image.text)
const concert = await admin.post(`${calendar}/events`, {
  title: 'Concert',
  description: specialCharacters,
  start_date: '2027-06-01 19:00:00',
  end_date: '2027-06-01 21:00:00',
  image: image.body.id,
  venue: { venue: 'Hall', geo_lat: 0.1, geo_lng: -179.999999999 },
  tags: ['free']
})
assert.equal(concert.status, 201, concert.text)
await admin.patch(`${calendar}/events/${concert.body.id}`, { language: 'de', title: 'Konzert' })
const trashed = await admin.post(`${calendar}/events`, { ...concert.body, title: 'Gone', venue: [], organizer: [] })
await admin.delete(`${calendar}/events/${trashed.body.id}`)
const roof = await admin.post('/campaigns', { ...campaign, description: specialCharacters })
const donated = await visitor.post(`/campaigns/${roof.body.id}/donations`, donation, { 'idempotency-key': 'only-once' })
await admin.post(`/campaigns/${roof.body.id}/donations/${donated.body.id}/notes`, { text: specialCharacters })
await admin.post('/keys', { name: 'of the archive', role: 'editor' })
await admin.post('/users', { name: 'Ada', email: 'ada@example.org', role: 'admin', password: 'a long enough password' })

const chainStore = connectStore({ connectionString: databaseUrl }, { noTimeouts: true, log: silent })
await extendChain(chainStore, { all: false })
const { about: chainOfSource } = await checkChain(chainStore)
await chainStore.close()

const path = join(folder, 'instance')
await write(databaseUrl, path)

const whole = await readFile(path)
const at = (text: string) => whole.indexOf(text)
const manifest = JSON.parse(contentOf('manifest.json').toString())

/** A restore is slow: most tests share these two databases. */
const [copy, second] = [await createDatabase(), await aDatabase()]

test('an instance that was exported, imported and exported again is the same file, byte for byte', async () => {
  await restore(copy.url, path)
  const again = join(folder, 'again')
  const { rows } = await write(copy.url, again)
  assert.ok(rows > 20)
  assert.ok((await readFile(path)).equals(await readFile(again)))
})

test('an archive contains every table except those of one installation, and every row is restored unchanged', async () => {
  const [source, target] = [open(databaseUrl), open(copy.url)]
  const tables = await listTables(source, schemas)
  const all = await source.all<{ name: string }>(sql`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema = any(${schemas}::text[]) and table_type = 'BASE TABLE'`)
  const names = tables.map(({ name }) => name)
  assert.deepEqual(
    all
      .map(({ name }) => name)
      .filter(name => !names.includes(name))
      .sort(),
    [
      ...[
        'platform.account_links',
        'platform.counters',
        'platform.migrations',
        'platform.outbox',
        'platform.sessions',
        'platform.setup'
      ],
      'platform.sign_in_steps'
    ]
  )
  for (const filled of ['calendar.media_sizes', 'calendar.event_texts', 'fundraising.notes', 'platform.idempotency']) {
    assert.ok(names.includes(filled), filled)
  }
  for (const { name, columns } of tables) {
    const rows = sql`${raw(`select md5(string_agg(line, ',' order by line)) as sum, count(*) as rows
      from (select row(${columns.join()})::text as line from ${name}) as lines`)}`
    assert.deepEqual(await target.one(rows), await source.one(rows), name)
  }
  assert.deepEqual(await checkChain(target), { level: 'ok', about: chainOfSource })
  await Promise.all([source.close(), target.close()])
})

test('after a restore ids continue, and a donation repeated with its Idempotency-Key is not created twice', async () => {
  const restored = await startCampaignsAndCalendar({ database: copy })
  const next = await restored.admin.post(`${calendar}/venues`, { venue: 'Next' })
  assert.ok(next.body.id > trashed.body.id, next.text)
  const more = await restored.admin.post('/campaigns', campaign)
  assert.equal(more.body.id, roof.body.id + 1)
  const again = await restored.visitor.post(`/campaigns/${roof.body.id}/donations`, donation, {
    'idempotency-key': 'only-once'
  })
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal(again.body.id, donated.body.id)
  assert.equal((await restored.visitor.get(`/campaigns/${roof.body.id}`)).body.donationCount, 1)
})

test('an archive can be unpacked with tar, and its checksums are correct', { skip: hasTools() }, async () => {
  const unpacked = await mkdtemp(join(folder, 'unpacked-'))
  assert.equal(spawnSync('tar', ['-xf', path, '-C', unpacked]).status, 0)
  const checked = spawnSync('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: unpacked, encoding: 'utf8' })
  assert.equal(checked.status, 0, checked.stdout + checked.stderr)

  // Packed again by another tar, in another order and with folders, it is still a valid archive.
  const packed = join(folder, 'packed')
  assert.equal(spawnSync('tar', ['-cf', packed, '-C', unpacked, '.']).status, 0)
  const archive = await openArchive(packed)
  assert.deepEqual(archive.manifest, manifest)
  for (const table of archive.manifest.tables) {
    const hash = createHash('sha256')
    for await (const rows of archive.readRows(table)) hash.update(rows)
    assert.equal(hash.digest('hex'), table.sha256, table.name)
  }
  await archive.close()
})

const olderVersions: [which: string, versions: Record<string, number>][] = [
  ['much older', { platform: 8, calendar: 7 }],
  ['from before the outbox table was renamed', { platform: 26, fundraising: 26, calendar: 9 }]
]
for (const [which, versions] of olderVersions) {
  test(`a backup of a Kalends ${which} is restored into tables of its version, which are then migrated`, {
    skip: skipUnlessFull
  }, async () => {
    const known = await findKnownVersions(migrations)
    const { url } = await aDatabase()
    const db = open(url)
    await db.transaction(async tx => {
      await tx.script('drop schema platform, fundraising, calendar cascade')
      await migrateInTransaction(tx, migrations, { ...known, ...versions })
      await tx.script(`insert into platform.activity (at, action, subject, subject_id, actor, details)
        values (now(), 'campaign.created', 'campaign', '1', 'somebody', '{}')`)
      if (versions.platform === 26) {
        await tx.script(`insert into platform.letters (id, kind, about, is_once, next_attempt_at, created_at)
          values (gen_random_uuid(), 'receipt', '1', true, now(), now())`)
      }
    })
    const older = join(folder, 'older')
    await db.close()
    await write(url, older, 'backup')
    await restore(url, older, { mayReplace: true })
    const restored = open(url)
    const applied = await restored.all<{ part: string; number: number }>(sql`
      select part, max(number) as number from platform.migrations group by part`)
    assert.deepEqual(Object.fromEntries(applied.map(({ part, number }) => [part, number])), known)
    assert.equal((await restored.all(sql`select from platform.activity where actor = 'somebody'`)).length, 1)
    assert.equal(
      (await restored.all(sql`select from platform.outbox`)).length,
      0,
      'An archive contains no queued emails.'
    )
    assert.equal(await extendChain(restored, { all: false }), 1)
    assert.equal((await checkChain(restored)).level, 'ok')
    await restored.close()
  })
}

const flipped = (position: number) => {
  const broken = Buffer.from(whole)
  broken.writeUInt8(broken.readUInt8(position) ^ 1, position)
  return broken
}
const broken: [what: string, content: Buffer, message: RegExp][] = [
  ['is empty', Buffer.alloc(0), /is truncated/],
  ['is something else', Buffer.from('x'.repeat(5000)), /is not an archive of Kalends/],
  [
    'is a tar of something else',
    Buffer.concat([...buildTarMember('a', Buffer.from('b'), new Date(0)), tarEnd]),
    /is not an archive of Kalends/
  ],
  ['was cut off in the middle', whole.subarray(0, whole.length / 2), /is truncated/],
  ['was cut off between two files', Buffer.concat([whole.subarray(0, at('manifest.json\0')), tarEnd]), /is truncated/],
  ['was cut off at its end', whole.subarray(0, whole.length - 1024), /is truncated/],
  [
    'has one wrong bit in its rows',
    flipped(at('calendar.events/000001.copy.gz\0') + 530),
    /calendar\.events\/000001\.copy\.gz is damaged/
  ],
  ['has one wrong bit in its manifest', flipped(at('"kalends-archive"') + 4), /manifest\.json is damaged/],
  ['has one wrong bit in its checksums', flipped(at('SHA256SUMS\0') + 515), /is damaged|checksums/],
  ['has one wrong bit in the name of a file', flipped(at('calendar.events/000001.copy.gz\0') + 3), /damaged at byte/],
  ['has one wrong byte in front', flipped(3), /is not an archive of Kalends/]
]
for (const [what, content, message] of broken) {
  test(`an archive that ${what} is refused when it is opened`, async () => {
    const file = join(folder, 'broken')
    await writeFile(file, content)
    await assert.rejects(openArchive(file), error => {
      assert.ok(error instanceof RestoreError, String(error))
      assert.match(error.message, message)
      return true
    })
  })
}

test('a missing file or a folder is refused with a plain message', async () => {
  await assert.rejects(openArchive('/nowhere/x.backup'), {
    message: '/nowhere/x.backup: there is no such file or folder.'
  })
  await assert.rejects(openArchive('/tmp'), { message: '/tmp: it is a folder.' })
})

const incompatible: [what: string, change: object, message: RegExp][] = [
  ['has a newer format', { version: 2, program: '9.0.0' }, /Kalends 9\.0\.0 in a newer form \(2\)/],
  [
    'has newer tables, of a later build with the same version',
    { migrations: { ...manifest.migrations, calendar: 900, platform: 901 } },
    /newer tables than this program: (?=.*calendar 900 \(this program: \d+\))(?=.*platform 901 \(this program: \d+\)).* by a later build of Kalends [\d.]+, which this program is, too\. Update this program.*Nothing was changed/
  ],
  [
    'has newer tables, of a newer version',
    { program: '9.0.0', migrations: { ...manifest.migrations, calendar: 900 } },
    /newer tables than this program: calendar 900 .* written by Kalends 9\.0\.0\. Update this program/
  ],
  ['has no tables', { tables: [] }, /tables of this archive are not those/],
  ['lacks a table', { tables: manifest.tables.slice(1) }, /tables of this archive are not those/],
  [
    'names an unknown table',
    { tables: [...manifest.tables, { ...manifest.tables[0], name: 'platform.keys"; drop table x; --' }] },
    /tables of this archive are not those/
  ],
  [
    'has a wrong number of rows',
    { tables: manifest.tables.map((table: object, place: number) => (place === 0 ? { ...table, rows: 7 } : table)) },
    /should have 7 rows/
  ],
  ['is a list', [], /not an archive of Kalends/],
  ['has text instead of numbers', { migrations: { platform: 'all' } }, /manifest is invalid/]
]

test('restore refuses a database that a Kalends is using', async () => {
  const db = open(second.url)
  await db.ping()
  await assert.rejects(restore(second.url, path), /A Kalends is using this database \(connections: 1\)\. Stop it first/)
  await db.run(sql`update platform.site set name = 'Ours', updated_at = now()`)
  await db.close()
})

test('restore refuses a database with data and says what it contains, unless it may be replaced', async () => {
  const refusal = /not empty: it holds 1 row of platform\.site\. .*--replace.*Nothing was changed/
  await assert.rejects(restore(second.url, path), refusal)
  await restore(second.url, path, { recordedAs: newSystemCaller('the test'), mayReplace: true })
  await assert.rejects(restore(second.url, path), /1 row of fundraising\.campaigns/)
})

test('restored activity records have the transaction id 0, and new ones have their own', async () => {
  const db = open(second.url)
  const count = async (condition: string) =>
    (await db.one<{ count: number }>(raw(`select count(*) as count from platform.activity where ${condition}`))).count
  assert.ok((await count(`tx = '0'`)) > 5)
  assert.equal(await count(`tx > '0'`), 1)
  assert.equal(await count(`action = 'backup.restored' and tx > '0'`), 1)
  await db.close()
})

test('an archive with an invalid or incompatible manifest is refused and changes nothing', {
  skip: skipUnlessFull
}, async () => {
  const before = await digest(second.url)
  for (const [what, change, message] of incompatible) {
    const file = join(folder, 'other')
    await writeFile(file, withManifest(Array.isArray(change) ? change : { ...manifest, ...change }))
    await assert.rejects(restore(second.url, file, { mayReplace: true }), error => {
      assert.ok(error instanceof RestoreError, `${what}: ${error}`)
      assert.match(error.message, message, what)
      return true
    })
  }
  assert.equal(await digest(second.url), before)
})

test('a database without tables cannot be exported, but can be restored into', async () => {
  const db = open(second.url)
  await db.script('drop schema platform, fundraising, calendar cascade')
  await db.close()
  await assert.rejects(write(second.url, join(folder, 'nothing')), /nothing to take/)
  await restore(second.url, path)
  assert.equal(await digest(second.url), createHash('sha256').update(whole).digest('hex'))
})

async function aDatabase(): Promise<{ url: string }> {
  const database = await createDatabase()
  after(database.remove)
  return database
}

const open = (url: string) => connectStore({ connectionString: url }, { noTimeouts: true, log: silent })

async function write(url: string, file: string, kind: 'instance' | 'backup' = 'instance') {
  const pieces: Buffer[] = []
  const taken = await writeArchive({ connectionString: url }, migrations, async piece => void pieces.push(piece), kind)
  await writeFile(file, Buffer.concat(pieces))
  return taken
}

async function restore(
  url: string,
  file: string,
  { mayReplace = false, ...rest }: { mayReplace?: boolean; recordedAs?: Caller } = {}
): Promise<void> {
  const archive = await openArchive(file)
  try {
    await restoreArchive({ connectionString: url }, archive, migrations, {
      mayReplace: async () => mayReplace,
      ...rest
    })
  } finally {
    await archive.close()
  }
}

async function digest(url: string): Promise<string> {
  const file = join(folder, 'digest')
  await write(url, file)
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}

/** A statement from trusted text of this test. */
function raw(text: string) {
  return sql([text] as unknown as TemplateStringsArray)
}

function contentOf(name: string): Buffer {
  const start = at(`${name}\0`)
  return whole.subarray(
    start + 512,
    start + 512 + Number.parseInt(whole.toString('latin1', start + 124, start + 135), 8)
  )
}

/** The same archive with another manifest and correct checksums. */
function withManifest(changed: unknown): Buffer {
  const content = Buffer.from(JSON.stringify(changed))
  const sum = createHash('sha256').update(content).digest('hex')
  const sums = contentOf('SHA256SUMS')
    .toString()
    .replace(/[0-9a-f]{64} {2}manifest\.json/, `${sum}  manifest.json`)
  const epoch = new Date(0)
  return Buffer.concat([
    whole.subarray(0, at('manifest.json\0')),
    ...buildTarMember('manifest.json', content, epoch),
    ...buildTarMember('SHA256SUMS', Buffer.from(sums), epoch),
    tarEnd
  ])
}

function hasTools(): string | false {
  const has = (tool: string) => spawnSync(tool, ['--version']).status === 0
  return has('tar') && has('sha256sum') ? false : 'tar or sha256sum is missing'
}
