import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { createDatabase, migrations, silent } from '#test/support/database.ts'
import { startObjectStore } from '#test/support/object-store.ts'
import { readSettings, type Settings } from '../../config.ts'
import { connectStore } from '../../database/postgres.ts'
import { sql } from '../../database/sql.ts'
import { checkBackup, checkBackupCopies } from '../../doctor/backup-checks.ts'
import type { Log } from '../../log.ts'
import { openArchive } from '../restore.ts'
import { withBackupLock } from '../session.ts'
import { findBackupStatus } from '../status.ts'
import { buildBackupJobs } from './scheduled-backup.ts'

const database = await createDatabase()
const store = connectStore({ connectionString: database.url }, { noTimeouts: true, log: silent })
const objectStore = await startObjectStore()
const root = await mkdtemp(join(tmpdir(), 'kalends-scheduled-'))
after(async () => {
  await objectStore.close()
  await store.close()
  await database.remove()
  await rm(root, { recursive: true })
})

let folder = ''
let count = 0
beforeEach(async () => {
  count += 1
  folder = join(root, String(count), 'backups')
  objectStore.objects.clear()
  objectStore.failure = undefined
  await store.script('alter table platform.activity disable trigger user; delete from platform.activity')
})

function configure(env: Record<string, string> = {}, withCopies = false): Settings {
  const settings = readSettings({ BACKUP_SCHEDULE: '03:17', BACKUP_DIR: folder, ...env })
  if (withCopies) settings.backup.s3 = objectStore.settings
  return settings
}

/** Runs the job as the worker does. */
async function runJob(settings: Settings, stopping = new AbortController().signal): Promise<string[]> {
  const lines: string[] = []
  const write = (_: object, text: string) => void lines.push(text)
  const log = { debug: write, info: write, warn: write, error: write } as unknown as Log
  const [job] = buildBackupJobs(settings, migrations, log)
  await job?.run(store, {}, stopping)
  return lines
}

test('without a schedule there is no job', () => {
  assert.deepEqual(buildBackupJobs(readSettings({}), migrations, silent), [])
})

test('a due backup is written as a private file, verified, copied to the object store and recorded, once', async () => {
  const settings = configure({}, true)
  assert.deepEqual(await runJob(settings), ['backup taken'])
  const [name = ''] = await readdir(folder)
  assert.match(name, /^kalends-scheduled-\d{4}-\d\d-\d\dT\d{6}Z\.backup$/)
  const path = join(folder, name)
  assert.deepEqual([(await stat(path)).mode & 0o777, (await stat(folder)).mode & 0o777], [0o600, 0o700])
  const archive = await openArchive(path)
  assert.ok(archive.manifest.tables.length > 20)
  await archive.close()
  assert.ok(objectStore.objects.get(`test-bucket/backups/${name}`)?.equals(await readFile(path)))

  const [recorded] = await store.all<{ actor: string; details: { file: string; bytes: number } }>(
    sql`select actor, details from platform.activity where action = 'backup.taken'`
  )
  assert.deepEqual([recorded?.actor, recorded?.details.file], ['scheduled backup', name])
  assert.equal(recorded?.details.bytes, (await stat(path)).size)
  assert.deepEqual(await runJob(settings), [])
  assert.equal((await readdir(folder)).length, 1)
  assert.equal((await checkBackup(store, settings, new Date())).level, 'ok')
  assert.deepEqual(
    (await checkBackupCopies(settings)).map(({ level }) => level),
    ['ok']
  )
})

test('no backup is a warning on the first day and a fault afterwards, and a backup that is too old is a fault', async () => {
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000)
  const level = async (now: Date, env?: Record<string, string>) => (await checkBackup(store, configure(env), now)).level
  assert.deepEqual([await level(hours(0)), await level(hours(25))], ['WARN', 'FAULT'])
  assert.equal(await level(hours(25), { BACKUP_MAX_AGE_DAYS: '0' }), 'ok')
  await runJob(configure())
  assert.deepEqual([await level(hours(47)), await level(hours(49))], ['ok', 'FAULT'])
  assert.equal(await level(hours(49), { BACKUP_MAX_AGE_DAYS: '7' }), 'ok')
})

test('expired backups are deleted from the folder and the object store, and nothing else', async () => {
  await mkdir(folder, { recursive: true })
  const old = Array.from({ length: 4 }, (_, day) => `kalends-scheduled-2025-03-0${day + 1}T031700Z.backup`)
  const others = ['kalends-2025-01-01T0300Z.backup', 'notes.txt']
  for (const name of [...old, ...others, `${old[0]}.unfinished-1`]) {
    await writeFile(join(folder, name), '')
    objectStore.objects.set(`test-bucket/backups/${name}`, Buffer.from(''))
  }
  await runJob(configure({ BACKUP_KEEP_DAYS: '2', BACKUP_KEEP_MONTHS: '0' }, true))
  const left = (await readdir(folder)).sort()
  assert.deepEqual(left.slice(0, 2), [others[0], old[3]])
  assert.deepEqual([left.length, left.at(-1)], [4, 'notes.txt'])
  assert.deepEqual(
    [...objectStore.objects.keys()].sort(),
    left.map(name => `test-bucket/backups/${name}`)
  )
})

test('a copy that the object store refuses is logged, recorded and reported by doctor; the next attempt is an hour later', async () => {
  const settings = configure({}, true)
  objectStore.failure = { status: 507, code: 'InsufficientStorage', message: 'The quota is used up.' }
  assert.deepEqual(await runJob(settings), ['backup failed'])
  // The backup file itself exists.
  assert.equal((await readdir(folder)).length, 1)
  const { failure, lastAt } = await findBackupStatus(store)
  assert.match(
    failure?.reason ?? '',
    /^cannot store backups\/kalends-scheduled-\S+ in http:.*: InsufficientStorage \(507\): The quota is used up\.$/
  )
  assert.equal(lastAt, undefined)
  const finding = await checkBackup(store, settings, new Date())
  assert.equal(finding.level, 'FAULT')
  assert.match(finding.details?.[0] ?? '', /^The scheduled backup of .* failed: cannot store/)
  assert.deepEqual(
    (await checkBackupCopies(settings)).map(({ level }) => level),
    ['FAULT']
  )

  objectStore.failure = undefined
  assert.deepEqual(await runJob(settings), [])
  await store.script(`update platform.activity set at = at - interval '61 minutes'`)
  assert.deepEqual(await runJob(settings), ['backup taken'])
  assert.equal((await findBackupStatus(store)).failure, undefined)
})

test('a folder that cannot be written to is a failure with a plain reason', async () => {
  await mkdir(join(folder, '..'), { recursive: true })
  await writeFile(folder, 'a file')
  assert.deepEqual(await runJob(configure()), ['backup failed'])
  assert.match(
    (await findBackupStatus(store)).failure?.reason ?? '',
    /\/backups.*: (a part of its path is not a folder|it exists already)\.$/
  )
})

test('a process that stops records no failure, and while one process creates a backup other processes do nothing', async () => {
  assert.deepEqual(await runJob(configure(), AbortSignal.abort()), [])
  assert.deepEqual(await readdir(folder), [])
  assert.equal((await findBackupStatus(store)).failure, undefined)
  const logLines = await withBackupLock(store.connection, async () => await runJob(configure()))
  assert.deepEqual(logLines, [])
  assert.deepEqual(await readdir(folder), [])
})
