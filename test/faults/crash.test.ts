import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, test } from 'node:test'
import { runCrashRounds } from '../support/crash.ts'
import { createDataLocation } from '../support/kalends-process.ts'

test('kill -9 under load loses no acknowledged donation, makes none twice, and keeps the totals right', async t => {
  const place = await createDataLocation()
  after(place.remove)
  const seed = randomInt(2 ** 31)
  t.diagnostic(`seed ${seed}`)
  const { rounds, acknowledged, lost, doubled, faults, doctor } = await runCrashRounds({
    rounds: 3,
    seed,
    env: place.env
  })
  assert.deepEqual({ lost, doubled, faults }, { lost: [], doubled: [], faults: [] })
  assert.equal(doctor.code, 0, doctor.stdout + doctor.stderr)
  assert.equal(rounds.length, 3)
  assert.ok(acknowledged > 3)
})
