// test: server
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFullRun, skipUnlessFull } from '#test/support/full-run.ts'
import { donation, startCampaigns } from '#test/support/services.ts'
import { foldTotals } from '../campaigns/totals/totals.ts'
import { fundraisingChecks } from '../doctor.ts'

const { visitor, store, withRole, aCampaign } = await startCampaigns()

/** Runs `work` for every item, `width` items at a time. */
async function runInParallel<Item>(
  waiting: IterableIterator<Item>,
  width: number,
  work: (item: Item) => Promise<void>
): Promise<void> {
  const worker = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

/** A full run sends more, for more interleavings. */
const donationCount = isFullRun ? 1000 : 250

test('during hundreds of concurrent donations every total is possible and never decreases, and the final total is exact', async () => {
  const { id } = await aCampaign({ donationMinimum: 0, targetAmount: 1_000_000 })
  const amounts: number[] = []
  let reads = 0
  let folds = 0
  /** A slow machine reads and folds seldom: donors go on until both have often met donations. */
  function* generateAmounts(): Generator<number> {
    while (!isDone && (amounts.length < donationCount || Math.min(reads, folds) <= 20)) {
      const cents = (amounts.length + 1) * 7 + 3
      amounts.push(cents)
      yield cents
    }
  }
  let sentCents = 0
  let acknowledgedCents = 0
  let acknowledged = 0
  let isDone = false

  const end = () => {
    isDone = true
  }

  async function readAll(): Promise<void> {
    let last = 0
    while (!isDone) {
      const least = acknowledgedCents
      const { status, body } = await visitor.get(`/campaigns/${id}`)
      const cents = Math.round(body.amountDonatedSoFar * 100)
      assert.equal(status, 200)
      assert.ok(cents >= least, `read ${cents} when ${least} had been acknowledged`)
      assert.ok(cents <= sentCents, `read ${cents} when ${sentCents} had been sent`)
      assert.ok(cents >= last, `read ${cents} after ${last}`)
      last = cents
      reads += 1
    }
  }

  async function foldAll(): Promise<void> {
    while (!isDone) {
      await foldTotals(store)
      folds += 1
    }
  }

  const donating = runInParallel(generateAmounts(), 50, async cents => {
    sentCents += cents
    const { status, text } = await visitor.post(`/campaigns/${id}/donations`, { ...donation, amount: cents / 100 })
    assert.equal(status, 201, text)
    acknowledgedCents += cents
    acknowledged += 1
  }).finally(end)
  await Promise.all([readAll(), foldAll(), readAll(), foldAll(), donating]).finally(end)

  const sum = amounts.reduce((before, cents) => before + cents, 0)
  assert.equal(acknowledged, amounts.length)
  for (const fold of [false, true]) {
    if (fold) await foldTotals(store)
    const { body } = await visitor.get(`/campaigns/${id}`)
    assert.deepEqual(
      [body.amountDonatedSoFar, body.donationCount, body.amountTransferred],
      [sum / 100, amounts.length, 0]
    )
  }
  assert.equal(
    (await visitor.get(`/campaigns/${id}/donations?limit=1`)).headers['x-total-count'],
    String(amounts.length)
  )
})

test('concurrent donations, status changes, deletions and folds leave exact totals', {
  skip: skipUnlessFull
}, async () => {
  const { id } = await aCampaign({ donationMinimum: 0 })
  const treasurer = await withRole('treasurer')
  const steps = [['TRANSFERRED'], ['CANCELLED'], ['TRANSFERRED', 'REFUNDED'], ['FAILED'], ['DELETE'], []]
  const items = Array.from({ length: 240 }, (_, index) => ({
    cents: 101 + index,
    way: steps[index % steps.length] ?? []
  }))
  let isDone = false
  async function foldAll(): Promise<void> {
    while (!isDone) await foldTotals(store)
  }
  const working = runInParallel(items.values(), 20, async ({ cents, way }) => {
    const donated = await visitor.post(`/campaigns/${id}/donations`, { ...donation, amount: cents / 100 })
    const path = `/campaigns/${id}/donations/${donated.body.id}`
    for (const step of way) {
      const { status } =
        step === 'DELETE' ? await treasurer.delete(path) : await treasurer.patch(path, { status: step })
      assert.ok(status === 200 || status === 204)
    }
  }).finally(() => {
    isDone = true
  })
  await Promise.all([working, foldAll()])

  const sumAmounts = (...ways: (string[] | undefined)[]) =>
    items.filter(item => ways.includes(item.way)).reduce((sum, item) => sum + item.cents, 0) / 100
  const { body } = await visitor.get(`/campaigns/${id}`)
  assert.deepEqual(
    [body.amountDonatedSoFar, body.amountTransferred, body.donationCount],
    [sumAmounts(steps[0], steps[5]), sumAmounts(steps[0]), 80]
  )
  for (const check of fundraisingChecks) assert.deepEqual(await check.run(store), [])
})

test('the next page of donations continues after the last one although new donations are created in between', async () => {
  const { id } = await aCampaign()
  const donate = async () => (await visitor.post(`/campaigns/${id}/donations`, donation)).body.id as string
  const firstIds = [await donate(), await donate(), await donate(), await donate()]
  const idsOfPages: string[] = []
  for (let path: string | undefined = `/campaigns/${id}/donations?limit=1`; path !== undefined; ) {
    const { headers, body } = await visitor.get(path)
    idsOfPages.push(body[0].id)
    await donate()
    const next: string | undefined = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1]
    path = next?.replace(/^https?:\/\/[^/]+/, '')
  }
  assert.deepEqual(idsOfPages, firstIds.toReversed())
})
