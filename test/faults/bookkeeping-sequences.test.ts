// test: own process, long, both stores, full
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fundraisingChecks } from '#fundraising/doctor.ts'
import { createDatabase } from '#test/support/database.ts'
import { isFullRun } from '#test/support/full-run.ts'
import {
  applyStep,
  type BookkeepingStep,
  bookkeepingStep,
  createLedger,
  findContradictions,
  type Ledger,
  retries,
  retryUnavailable
} from '#test/support/fundraising/bookkeeping.ts'
import { organisation } from '#test/support/fundraising/receipts.ts'
import { campaign, startCampaigns, type TestResponse } from '#test/support/services.ts'

/** `BOOKS_SEED=random` uses new sequences each time, `BOOKS_SEED=7` those of a seed; `BOOKS_RUNS` is their number. */
const seed = process.env.BOOKS_SEED === 'random' ? Date.now() : Number(process.env.BOOKS_SEED ?? 20_261_116)
// The PostgreSQL server runs the same program: few sequences are enough there.
const numRuns = Number(process.env.BOOKS_RUNS ?? (isFullRun && process.env.TEST_STORE !== 'server' ? 2000 : 80))
console.log(`Random bookkeeping: ${numRuns} sequences, seed ${seed}`)

// Two processes on one database, each with its own connections.
const database = await createDatabase()
const first = await startCampaigns({ database })
const second = await startCampaigns({ database: { ...database, remove: async () => undefined } })
const { store } = first
const [admin, otherAdmin] = [retryUnavailable(first.admin), retryUnavailable(second.admin)]

const { status } = await admin.patch('/organisation', organisation)
assert.equal(status, 200)

const allowed = [200, 201, 204, 404, 409, 412, 422]

function assertAllowedStatus(answer: TestResponse | undefined): void {
  if (answer === undefined) return
  assert.ok(allowed.includes(answer.status), `${answer.status} ${answer.text}`)
}

async function openLedger(amounts: number[]): Promise<Ledger> {
  const { status, body, text } = await admin.post('/campaigns', { ...campaign, donationMinimum: 0, targetAmount: 1000 })
  assert.equal(status, 201, text)
  return await createLedger(admin, body.id, amounts)
}

async function readState({ campaignId, donations }: Ledger): Promise<unknown[]> {
  const read = await Promise.all(
    donations.map(async ({ id }) => await admin.get(`/campaigns/${campaignId}/donations/${id}`))
  )
  return read.map(({ status, body }) => [status, body.status, body.amountReceived, body.receivedOn])
}

async function listFaults(): Promise<string[]> {
  const found: string[] = []
  for (const check of fundraisingChecks) {
    if (check.isWarning !== true) found.push(...(await check.run(store)))
  }
  return found
}

const amount = fc.integer({ min: 2, max: 20_000 })
const amounts = fc.tuple(amount, amount, amount)
const sequence = fc.record({
  mine: fc.array(bookkeepingStep, { minLength: 2, maxLength: 5 }),
  others: fc.array(bookkeepingStep, { minLength: 0, maxLength: 3 })
})
/** A ledger to which two sequences are applied, one after the other. */
const ledgerInput = fc.record({ amounts, sequences: fc.tuple(sequence, sequence) })

/** Run concurrently, each on its own campaign, because most of the time is spent waiting for the database. */
const concurrentLedgers = 10

test('after random bookkeeping of two concurrent treasurers, sums, statuses, receipts, exports and doctor agree to the cent', async () => {
  async function runSequence(books: Ledger, { mine, others }: { mine: BookkeepingStep[]; others: BookkeepingStep[] }) {
    const work = async (client: typeof admin, steps: BookkeepingStep[]) => {
      for (const one of steps) assertAllowedStatus(await applyStep(client, books, one))
    }
    await Promise.all([work(admin, mine), work(otherAdmin, others)])
    assert.deepEqual(await findContradictions(store, admin, books), [])
  }
  let runs = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(ledgerInput, { minLength: concurrentLedgers, maxLength: concurrentLedgers }),
      async all => {
        await Promise.all(
          all.map(async ({ amounts, sequences }) => {
            const books = await openLedger(amounts)
            for (const one of sequences) await runSequence(books, one)
          })
        )
        runs += 1
        if (runs % 25 === 0) assert.deepEqual(await listFaults(), [])
      }
    ),
    { numRuns: Math.ceil(numRuns / concurrentLedgers / 2), seed, endOnFailure: true }
  )
  assert.deepEqual(await listFaults(), [])
  console.log(`${retries.count} requests were tried again after 503`)
})

test('undoing a random change restores status, sum and day of every donation', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(bookkeepingStep, { minLength: 0, maxLength: 4 }),
      bookkeepingStep,
      amounts,
      async (earlierSteps, one, cents) => {
        if (one.kind === 'undo' || one.kind === 'remove' || !('which' in one)) return
        const books = await openLedger(cents)
        for (const earlier of earlierSteps) await applyStep(admin, books, earlier)
        const before = await readState(books)
        const answer = await applyStep(admin, books, one)
        const after = await readState(books)
        const [statusBefore, statusAfter] = [before, after].map(state => (state[one.which] as unknown[])[1])
        // Only changes of status can be undone; an entry that was assigned to another donation before has changed that one too.
        const isOther = before.some((state, place) => place !== one.which && String(state) !== String(after[place]))
        if (answer === undefined || answer.status >= 400 || statusBefore === statusAfter || isOther) return
        // This step is an undo itself.
        if (one.kind === 'takeBackPayment') return
        const undone = await admin.post(
          `/campaigns/${books.campaignId}/donations/${books.donations[one.which]?.id}/undo`
        )
        assert.equal(undone.status, 200, undone.text)
        assert.deepEqual(await readState(books), before, JSON.stringify(one))
      }
    ),
    { numRuns: Math.ceil(numRuns / 10), seed }
  )
})
