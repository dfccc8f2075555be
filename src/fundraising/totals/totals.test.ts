import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from '#platform/sql.ts'
import { donation, startCampaigns } from '#test/support.ts'
import { fundraisingChecks } from '../checks.ts'
import { foldTotals, newFolding } from './totals.ts'

const { admin, visitor, store, aCampaign } = await startCampaigns()
// Large promises of the public count here at once.
await admin.patch('/organisation', { reviewAbove: null })

/** What doctor would say. */
async function faults(): Promise<string[]> {
  const found: string[] = []
  for (const check of fundraisingChecks) found.push(...(await check.run(store)))
  return found
}

const next: Record<string, string[]> = {
  IN_PROCESS: ['TRANSFERRED', 'CANCELLED', 'FAILED', 'DELETED'],
  TRANSFERRED: ['REFUNDED', 'FAILED'],
  CANCELLED: ['DELETED']
}

/** One step of a walk: a new donation, a move of an old one, or a fold. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('give' as const), cents: fc.integer({ min: 1, max: 9_999_999 }) })
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move' as const), which: fc.nat(), where: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fold' as const) }) }
)

test('C1 C6 after any walk of donations and status changes the totals are the sums, and doctor finds nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async steps => {
      const { id } = await aCampaign({ donationMinimum: 0, targetAmount: 1000 })
      const path = `/campaigns/${id}/donations`
      const donations: { id: string; cents: number; status: string }[] = []
      for (const one of steps) {
        if (one.kind === 'fold') await foldTotals(store)
        if (one.kind === 'give') {
          const { body } = await visitor.post(path, { ...donation, amount: one.cents / 100 })
          donations.push({ id: body.id, cents: one.cents, status: 'IN_PROCESS' })
        }
        if (one.kind === 'move') {
          const chosen = donations[one.which % Math.max(1, donations.length)]
          const ways = next[chosen?.status ?? ''] ?? []
          const status = ways[one.where % Math.max(1, ways.length)]
          if (chosen === undefined || status === undefined) continue
          const answer =
            status === 'DELETED'
              ? await admin.delete(`${path}/${chosen.id}`)
              : await admin.patch(`${path}/${chosen.id}`, { status })
          assert.equal(answer.status, status === 'DELETED' ? 204 : 200)
          chosen.status = status
        }

        const live = donations.filter(({ status }) => status === 'IN_PROCESS' || status === 'TRANSFERRED')
        const sum = live.reduce((cents, { cents: more }) => cents + more, 0)
        const arrived = live.filter(({ status }) => status === 'TRANSFERRED')
        const { body } = await visitor.get(`/campaigns/${id}`)
        assert.deepEqual(
          [body.amountDonatedSoFar, body.amountTransferred, body.donationCount, body.progressPercent],
          [
            sum / 100,
            arrived.reduce((cents, { cents: more }) => cents + more, 0) / 100,
            live.length,
            Math.floor(sum / 10) / 100
          ]
        )
      }
      assert.deepEqual(await faults(), [])
    }),
    { numRuns: 20 }
  )
})

test('C1 folding moves what is pending and changes no total', async () => {
  const { id } = await aCampaign()
  for (let count = 0; count < 5; count += 1) await visitor.post(`/campaigns/${id}/donations`, donation)
  const before = await visitor.get(`/campaigns/${id}`)
  await foldTotals(store)
  const after = await visitor.get(`/campaigns/${id}`)
  assert.deepEqual(after.body, before.body)
  assert.equal(after.headers.etag, before.headers.etag)
  const { pending } = await store.one<{ pending: number }>(sql`
    select count(*) as pending from fundraising.deltas where campaign_id = ${id}`)
  assert.equal(pending, 0)
  await foldTotals(store)
  assert.deepEqual((await visitor.get(`/campaigns/${id}`)).body, before.body)
})

test('C1 two that fold at once take nothing twice', async () => {
  const { id } = await aCampaign()
  await store.run(sql`
    insert into fundraising.deltas (campaign_id, donated_cents, transferred_cents, donation_count)
    select ${id}, 100, 0, 1 from generate_series(1, 12345)`)
  await Promise.all(Array.from({ length: 4 }, async () => await foldTotals(store)))
  await foldTotals(store)
  const folded = await store.one<object>(sql`
    select donated_cents as cents, donation_count as count from fundraising.totals where campaign_id = ${id}`)
  assert.deepEqual(folded, { cents: 1_234_500, count: 12_345 })
  await store.run(sql`delete from fundraising.totals where campaign_id = ${id}`)
})

test('C1 folding that was planned while hardly anything was pending still folds very many', async () => {
  const { id } = await aCampaign()
  const fill = async (count: number) =>
    await store.run(sql`
      insert into fundraising.deltas (campaign_id, donated_cents, transferred_cents, donation_count)
      select ${id}, 100, 0, 1 from generate_series(1, ${count})`)
  await foldTotals(store)
  await fill(1)
  await store.script('analyze fundraising.deltas')
  // PostgreSQL settles on one plan for all values after some runs.
  for (let run = 0; run < 10; run += 1) {
    await foldTotals(store)
    await fill(1)
  }
  await fill(20_000)
  await foldTotals(store)
  const folded = await store.one<object>(sql`
    select donated_cents as cents, donation_count as count from fundraising.totals where campaign_id = ${id}`)
  assert.deepEqual(folded, { cents: 2_001_100, count: 20_011 })
  await store.run(sql`delete from fundraising.totals where campaign_id = ${id}`)
})

test('C1 folding a few at a time does not let what they leave behind pile up', async () => {
  const { id } = await aCampaign()
  const fold = newFolding()
  for (let run = 0; run < 40; run += 1) {
    await store.run(sql`
      insert into fundraising.deltas (campaign_id, donated_cents, transferred_cents, donation_count)
      select ${id}, 100, 0, 1 from generate_series(1, 450)`)
    await fold(store)
  }
  const { pages } = await store.one<{ pages: number }>(sql`
    select pg_relation_size('fundraising.deltas') / 8192 as pages`)
  // All 18,000 of them would be some 150.
  assert.ok(pages < 40, `${pages} pages`)
  await store.run(sql`delete from fundraising.totals where campaign_id = ${id}`)
})

test('C1 the check of totals finds a total that is not the sum, and how much it is off', async () => {
  const { id } = await aCampaign()
  const given = await visitor.post(`/campaigns/${id}/donations`, donation)
  await admin.patch(`/campaigns/${id}/donations/${given.body.id}`, { status: 'TRANSFERRED' })
  assert.deepEqual(await faults(), [])
  const breaks = [
    [
      sql`update fundraising.totals set donated_cents = donated_cents + 1 where campaign_id = ${id}`,
      sql`update fundraising.totals set donated_cents = donated_cents - 1 where campaign_id = ${id}`,
      /donated 0\.01 too much, transferred 0 too much, 0 donations too many/
    ],
    [
      sql`update fundraising.totals set transferred_cents = transferred_cents - 2500 where campaign_id = ${id}`,
      sql`update fundraising.totals set transferred_cents = transferred_cents + 2500 where campaign_id = ${id}`,
      /donated 0 too much, transferred -25 too much, 0 donations too many/
    ],
    [
      sql`update fundraising.donations set amount_cents = 2600 where campaign_id = ${id}`,
      sql`update fundraising.donations set amount_cents = 2500 where campaign_id = ${id}`,
      /donated -1 too much, transferred -1 too much, 0 donations too many/
    ],
    [
      sql`insert into fundraising.deltas (campaign_id, donated_cents, transferred_cents, donation_count)
          values (${id}, 500, 0, 1)`,
      sql`delete from fundraising.deltas where campaign_id = ${id}`,
      /donated 5 too much, transferred 0 too much, 1 donations too many/
    ]
  ] as const
  await foldTotals(store)
  for (const [breaking, mending, expected] of breaks) {
    await store.run(breaking)
    const found = await faults()
    assert.equal(found.length, 1)
    assert.match(found[0] ?? '', new RegExp(`^campaign ${id}: `))
    assert.match(found[0] ?? '', expected)
    await store.run(mending)
    assert.deepEqual(await faults(), [])
  }
})

test('C9 the check finds donations that belong to no campaign', async () => {
  const { id } = await aCampaign()
  await visitor.post(`/campaigns/${id}/donations`, donation)
  const nowhere = id + 1_000_000
  const move = async (from: number, to: number) => {
    await store.run(sql`update fundraising.donations set campaign_id = ${to} where campaign_id = ${from}`)
    await store.run(sql`update fundraising.deltas set campaign_id = ${to} where campaign_id = ${from}`)
    await store.run(sql`update fundraising.donation_history set campaign_id = ${to} where campaign_id = ${from}`)
  }
  await move(id, nowhere)
  assert.deepEqual(await faults(), ['1 donations belong to no campaign'])
  await move(nowhere, id)
  assert.deepEqual(await faults(), [])
})

test('C9 donations to a deleted campaign are no orphans', async () => {
  const { id } = await aCampaign()
  await visitor.post(`/campaigns/${id}/donations`, donation)
  await admin.delete(`/campaigns/${id}`)
  assert.deepEqual(await faults(), [])
})
