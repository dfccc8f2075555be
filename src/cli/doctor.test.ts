// test: own process, long
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { createDataLocation, onServer, runKalends } from '#test/support/kalends-process.ts'
import { root } from '#test/support/project-root.ts'

const dataLocation = await createDataLocation()
after(dataLocation.remove)

async function doctor(env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runKalends(['doctor'], { ...dataLocation.env, ...env })
  assert.equal(stderr, '')
  return { code, stdout }
}

test('doctor finds no fault in a new instance, and changes nothing', async () => {
  assert.equal((await runKalends(['seed'], dataLocation.env)).code, 0)
  const state = 'select (select count(*) from platform.activity), (select count(*) from platform.migrations)'
  const before = await dataLocation.query(state)
  const { code, stdout } = await doctor()
  assert.equal(code, 0, stdout)
  assert.doesNotMatch(stdout, /^FAULT/m)
  assert.match(stdout, /^ok {4}database: reachable, PostgreSQL \d+.*, [\d,]+ MB$/m)
  assert.match(stdout, /^ok {4}clock: in sync with the database$/m)
  assert.match(stdout, /^ok {4}migrations: up to date$/m)
  assert.match(
    stdout,
    /^ok {4}IBANs, donor links, and secrets of webhooks and authenticator apps are encrypted with the current key$/m
  )
  assert.match(stdout, /^WARN {2}backup: none yet\n {6}→ Set BACKUP_SCHEDULE, or run kalends backup/m)
  // No process has run jobs yet, and sample content has creation dates in the past.
  assert.match(stdout, /^WARN {2}activity log: 0 records in the hash chain, \d+ not chained yet\n/m)
  assert.match(stdout, /^(?:ok {4}|WARN {2})PostgreSQL release: \d+\.\d+/m)
  // The version from npm is older than the latest known version.
  assert.equal(/, run from .*\n {6}18\.6 is available .*\n {6}→ Install PostgreSQL 18 /.test(stdout), !onServer)
  assert.equal(/^\w+ +disk: [\d,]+ MB free in /m.test(stdout), !onServer)
  assert.deepEqual(await dataLocation.query(state), before)
})

test('doctor reports each fault that the test created, names the remedy, and exits with 1', async () => {
  await dataLocation.query(`
    delete from fundraising.donation_history
      where (campaign_id, donation_id) in (select campaign_id, id from fundraising.donations order by id limit 2);
    insert into fundraising.notes (campaign_id, donation_id, id, text, at, actor)
      values (1, gen_random_uuid(), gen_random_uuid(), 'lost', now(), 'nobody');
    delete from calendar.media_sizes where media_id = (select min(id) from calendar.media) and size = 'full';
    insert into platform.webhooks (url, actions, description, secret, is_on, switched_off_at, failing_since, created_at, updated_at)
      values ('https://a.example', '{*}', '', '', false, '2026-02-01', '2026-01-29', now(), now()),
        ('https://b.example', '{*}', '', '', true, null, '2026-03-01', now(), now()),
        ('https://c.example', '{*}', '', '', true, null, null, now(), now());
    insert into platform.webhook_deliveries (webhook_id, id, at, action, subject, subject_id, details, next_attempt_at)
      values (3, gen_random_uuid(), now() - interval '1 hour', 'event.created', 'event', '1', '{}', now() - interval '1 hour'),
        (3, gen_random_uuid(), now() - interval '1 hour', 'event.created', 'event', '1', '{}', now() + interval '1 hour');
    insert into calendar.imports (source, dry_run, policy, language, timezone, author_id, caller, status, created_at)
      values ('csv', true, 'keep', 'en', 'UTC', 1, '{}', 'waiting', now() - interval '1 hour');
    insert into platform.activity (at, action, subject, subject_id, actor, details)
      values (now() - interval '9 days', 'backup.taken', 'backup', '', 'command line', '{}');
    insert into platform.observations (name, seen_at, details)
      values ('untrusted-proxy', now(), 'they carry headers of a proxy')`)
  const { code, stdout } = await doctor({
    ALLOW_PRIVATE_ADDRESSES: 'true',
    ENCRYPTION_KEY: 'a key that nothing was encrypted with'
  })
  assert.equal(code, 1)
  for (const lines of [
    /^WARN {2}settings: .*\n {6}ALLOW_PRIVATE_ADDRESSES=true .*\n {6}→ Remove it/m,
    /^FAULT notes and status histories .*\n {6}1 notes belong to no donation\n {6}2 donations have no history\n {6}→ Create a backup now/m,
    /^FAULT every image has its original\n {6}image \d+: its original is missing\n {6}→ /m,
    /^WARN {2}webhooks .*\n {6}webhook 1: disabled since 2026-02-01.*\n {6}webhook 2: failing since 2026-03-01.*\n {6}→ Check/m,
    /^WARN {2}webhook deliveries .*\n {6}webhook 3: 2 deliveries wait .*, the oldest for 60 minutes\n {6}→ Check the deliveries .* start the worker/m,
    /^WARN {2}imports make progress\n {6}import 1: waiting, but not being processed\n {6}→ Start the worker/m,
    /^WARN {2}proxy: .* not in TRUST_PROXY\n {6}On \d{4}-\d\d-\d\d: they carry headers of a proxy\.\n.*\n {6}→ Have the proxy send .* set TRUST_PROXY/m,
    /^FAULT backup: last one 9 days ago\n {6}It must not be older than 7 days .*\n {6}→ Set BACKUP_SCHEDULE/m,
    /^FAULT IBANs, .*\n {6}\d+ values use key [0-9a-f]{8}, which is missing\n {6}→ Set ENCRYPTION_KEY to the key/m,
    /^ok {4}campaign totals equal the sums of donations$/m
  ]) {
    assert.match(stdout, lines)
  }
})

test('doctor fails if there is no backup a day after the installation, unless the check is switched off', {
  skip: skipUnlessFull
}, async () => {
  const fresh = await createDataLocation()
  after(fresh.remove)
  assert.equal((await runKalends(['migrate'], fresh.env)).code, 0)
  await fresh.query(`update platform.migrations set applied_at = now() - interval '25 hours'`)
  const none = await runKalends(['doctor'], fresh.env)
  assert.equal(none.code, 1)
  assert.match(none.stdout, /^FAULT backup: none yet\n {6}→ Set BACKUP_SCHEDULE/m)
  const other = await runKalends(['doctor'], { ...fresh.env, BACKUP_MAX_AGE_DAYS: '0' })
  assert.deepEqual([other.code, /^FAULT/m.test(other.stdout)], [0, false], other.stdout)
})

test('doctor and backup create nothing where there is no database', { skip: skipUnlessFull }, async () => {
  const DATA_DIR = join(tmpdir(), `kalends-none-${randomBytes(6).toString('hex')}`)
  for (const command of ['doctor', 'backup']) {
    const { code, stderr } = await runKalends([command], { DATA_DIR })
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^There is no database in \/.*, and nothing was created\. .* kalends serve creates a database\.\n$/
    )
    assert.ok(!existsSync(DATA_DIR))
  }
})

test('a reader that closes the output pipe early causes no error', { skip: skipUnlessFull }, async () => {
  // `true` ends before the program writes; `head` might read everything first.
  const words = `'${process.execPath}' scripts/kalends.mjs help | true; exit \${PIPESTATUS[0]}`
  const { status, stdout, stderr } = spawnSync('bash', ['-c', words], { cwd: root, encoding: 'utf8' })
  assert.deepEqual([status, stderr, stdout], [0, '', ''])
})

test('a full disk or a missing folder during a backup is reported in one sentence', {
  skip: skipUnlessFull
}, async () => {
  const env = { PATH: process.env.PATH, ENCRYPTION_KEY: 'x'.repeat(32), ...dataLocation.env }
  const words = `'${process.execPath}' scripts/kalends.mjs backup - > /dev/full`
  const { status, stderr } = spawnSync('bash', ['-c', words], { cwd: root, encoding: 'utf8', env })
  assert.equal(status, 1)
  assert.match(stderr, /^standard output: the disk is full\.$/m)
  assert.doesNotMatch(stderr, /\n +at /)
  const path = '/nowhere/x.backup'
  const withoutFolder = await runKalends(['backup', path], dataLocation.env)
  assert.deepEqual([withoutFolder.code, withoutFolder.stderr], [1, `${path}: there is no such file or folder.\n`])
})

test('doctor lists pending migrations and does not run them', {
  skip: skipUnlessFull
}, async () => {
  await dataLocation.query(
    'delete from platform.migrations where (part, number) in (select part, max(number) from platform.migrations group by part)'
  )
  const before = await dataLocation.query(
    'select part, max(number) from platform.migrations group by part order by part'
  )
  const { code, stdout } = await doctor()
  assert.equal(code, 0)
  assert.match(stdout, /^WARN {2}migrations: pending\n {6}platform: version \d+, latest \d+\n/m)
  assert.doesNotMatch(stdout, /totals/)
  assert.deepEqual(
    await dataLocation.query('select part, max(number) from platform.migrations group by part order by part'),
    before
  )
})
