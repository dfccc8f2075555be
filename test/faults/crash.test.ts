// test: own process, long, both stores, full
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, test } from 'node:test'
import { runCrashRounds } from '../support/crash.ts'
import { isFullRun } from '../support/full-run.ts'
import { createDataLocation } from '../support/kalends-process.ts'

const roundCount = isFullRun ? 5 : 2

test('kill -9 under load loses no acknowledged donation, duplicates none, and keeps the totals correct', async t => {
  const dataLocation = await createDataLocation()
  after(dataLocation.remove)
  const seed = randomInt(2 ** 31)
  t.diagnostic(`seed ${seed}`)
  const { rounds, acknowledged, lost, doubled, faults, doctor } = await runCrashRounds({
    rounds: roundCount,
    seed,
    env: dataLocation.env
  })
  assert.deepEqual({ lost, doubled, faults }, { lost: [], doubled: [], faults: [] })
  assert.equal(doctor.code, 0, doctor.stdout + doctor.stderr)
  assert.equal(rounds.length, roundCount)
  assert.ok(acknowledged > roundCount)
})
