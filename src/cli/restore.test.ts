// test: own process, long
// The short form of backup.test.ts, which runs in the full check.
import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createDataLocation, runKalends } from '#test/support/kalends-process.ts'

const folder = await mkdtemp(join(tmpdir(), 'kalends-restore-'))
after(async () => await rm(folder, { recursive: true, force: true, maxRetries: 10 }))
const { env, remove } = await createDataLocation()
after(remove)

test('a backup is one private file that restores on an empty machine, and only there', async () => {
  const file = join(folder, 'sample.backup')
  assert.equal((await runKalends(['seed'], env)).code, 0)
  const taken = await runKalends(['backup', file], env)
  assert.deepEqual([taken.code, taken.stdout], [0, ''], taken.stderr)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const [, content = 'nothing'] = /([\d,]+) rows of \d+ tables/.exec(taken.stderr) ?? []

  const empty = { DATA_DIR: join(folder, 'machine') }
  const restored = await runKalends(['restore', file], empty)
  assert.equal(restored.code, 0, restored.stderr)
  const [, count = ''] = /^Restored (\d+) rows of \d+ tables/.exec(restored.stdout) ?? []
  assert.equal(Number(count), Number(content.replaceAll(',', '')))
  const doctor = await runKalends(['doctor'], empty)
  assert.equal(doctor.code, 0, doctor.stdout + doctor.stderr)

  const again = await runKalends(['restore', file], empty)
  assert.equal(again.code, 1)
  assert.match(again.stderr, /^This database is not empty: .*Nothing was changed\.\n$/)
})
