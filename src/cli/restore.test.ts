// test: own process, long, full
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { encryptionKey } from '#test/support/database.ts'
import { createDataLocation, runKalends } from '#test/support/kalends-process.ts'
import { root } from '#test/support/project-root.ts'

const folder = await mkdtemp(join(tmpdir(), 'kalends-restore-'))
after(async () => await rm(folder, { recursive: true, force: true, maxRetries: 10 }))
const { env, remove } = await createDataLocation()
after(remove)

const file = join(folder, 'sample.backup')

test('a backup is one private file that restores on an empty machine, and is refused by a database with data', async () => {
  assert.equal((await runKalends(['seed'], env)).code, 0)
  const taken = await runKalends(['backup', file], env)
  assert.deepEqual([taken.code, taken.stdout], [0, ''], taken.stderr)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const [, rowCount = 'nothing'] = /([\d,]+) rows of \d+ tables/.exec(taken.stderr) ?? []

  const empty = { DATA_DIR: join(folder, 'machine') }
  const restored = await runKalends(['restore', file], empty)
  assert.equal(restored.code, 0, restored.stderr)
  const [, count = ''] = /^Restored (\d+) rows of \d+ tables/.exec(restored.stdout) ?? []
  assert.equal(Number(count), Number(rowCount.replaceAll(',', '')))
  const doctor = await runKalends(['doctor'], empty)
  assert.equal(doctor.code, 0, doctor.stdout + doctor.stderr)

  const again = await runKalends(['restore', file], empty)
  assert.equal(again.code, 1)
  assert.match(again.stderr, /^This database is not empty: .*Nothing was changed\.\n$/)
})

/** As with `docker compose exec`: the archive, or its beginning, is read from a pipe. */
const restoreFromPipe = async (read: string, target: Record<string, string>, ...words: string[]) =>
  await promisify(execFile)(
    'sh',
    ['-c', `${read} "$0" | "$@"`, file, join(root, 'kalends'), 'restore', '-', ...words],
    {
      env: { PATH: process.env.PATH, ENCRYPTION_KEY: encryptionKey, ...target }
    }
  )

test('restore --check reads a backup from a pipe and leaves no file on the disk', async () => {
  const target = { DATA_DIR: join(folder, 'checked') }
  assert.match((await restoreFromPipe('cat', target, '--check')).stdout, /^Standard input: archive OK, \d+ rows/)
  await assert.rejects(restoreFromPipe('head -c 5000', target, '--check'), /Standard input cannot be restored: /)
  assert.deepEqual(await readdir(target.DATA_DIR), [])
})

test('a backup is restored from a pipe', async () => {
  const target = { DATA_DIR: join(folder, 'piped') }
  assert.match((await restoreFromPipe('cat', target)).stdout, /^Restored \d+ rows of \d+ tables/)
  const doctor = await runKalends(['doctor'], target)
  assert.equal(doctor.code, 0, doctor.stdout + doctor.stderr)
})
