// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Sql, sql } from '#platform/database/sql.ts'
import { onCitus } from '#test/support/database.ts'
import { countRuns } from '#test/support/full-run.ts'
import { donation, startCampaigns } from '#test/support/services.ts'
import { fundraisingChecks } from '../../doctor.ts'
import { vacuumDeltas } from './queries.ts'
import { foldTotals, newFoldJob } from './totals.ts'

const { admin, visitor, store, aCampaign } = await startCampaigns()
// Large pledges by visitors count at once, without review.
await admin.patch('/organisation', { reviewAbove: null })

/** The faults that `kalends doctor` reports. */
async function findFaults(): Promise<string[]> {
  const faults: string[] = []
  for (const check of fundraisingChecks) faults.push(...(await check.run(store)))
  return faults
}

/** The expected state of a donation. */
interface Expected {
  status: string
  cents: number
  received: number
}

/** A request that changes or deletes a donation, and the expected state afterwards. */
interface Change {
  method: 'PATCH' | 'POST' | 'DELETE'
  to?: 'payments' | 'undo'
  body?: object
  after: Expected
}

function listPossibleChanges(now: Expected, stateAfterUndo: Expected | undefined): Change[] {
  const { status, cents, received } = now
  if (status === 'DELETED') return []
  const half = Math.ceil(cents / 2)
  const patch = (body: object, after: Partial<Expected>): Change => ({
    method: 'PATCH',
    body,
    after: { ...now, ...after }
  })
  const pay = (more: number, after: string): Change => ({
    method: 'POST',
    to: 'payments',
    body: { amount: more / 100 },
    after: { ...now, status: after, received: received + more }
  })
  const changes: Change[] = stateAfterUndo === undefined ? [] : [{ method: 'POST', to: 'undo', after: stateAfterUndo }]
  const endWith = (word: string) => patch({ status: word }, { status: word, received: 0 })
  const deletion: Change = { method: 'DELETE', after: { ...now, status: 'DELETED' } }
  if (status === 'CANCELLED') return [...changes, deletion]
  if (status === 'TRANSFERRED') {
    changes.push(endWith('REFUNDED'), endWith('FAILED'), pay(-received, 'REFUNDED'))
    return received > 1 ? [...changes, pay(-1, 'TRANSFERRED')] : changes
  }
  if (status !== 'IN_PROCESS') return changes
  const fullyReceived = { status: 'TRANSFERRED', received: cents }
  changes.push(patch({ status: 'TRANSFERRED' }, fullyReceived), pay(2 * cents, 'TRANSFERRED'))
  if (received > 0) {
    const accepted = { status: 'TRANSFERRED', amountReceived: received / 100 }
    return [...changes, patch(accepted, { status: 'TRANSFERRED' }), pay(-received, 'IN_PROCESS')]
  }
  const less = { amountReceived: half / 100 }
  const partlyReceived = { status: half < cents ? 'IN_PROCESS' : 'TRANSFERRED', received: half }
  changes.push(
    patch(less, partlyReceived),
    patch({ ...less, status: 'TRANSFERRED' }, { status: 'TRANSFERRED', received: half })
  )
  return [...changes, endWith('CANCELLED'), endWith('FAILED'), deletion]
}

/** One step of a sequence: a new donation, a change of an existing donation, or folding the totals. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('give' as const), cents: fc.integer({ min: 1, max: 9_999_999 }) })
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move' as const), which: fc.nat(), where: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fold' as const) }) }
)

test('after any sequence of donations, payments and status changes the totals are the sums, and doctor finds no faults', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async steps => {
      const { id } = await aCampaign({ donationMinimum: 0, targetAmount: 1000 })
      const path = `/campaigns/${id}/donations`
      const donations: { id: string; now: Expected; undone: Expected | undefined }[] = []
      for (const one of steps) {
        if (one.kind === 'fold') await foldTotals(store)
        if (one.kind === 'give') {
          const { body } = await visitor.post(path, { ...donation, amount: one.cents / 100 })
          const now = { status: 'IN_PROCESS', cents: one.cents, received: 0 }
          donations.push({ id: body.id, now, undone: undefined })
        }
        if (one.kind === 'move') {
          const chosen = donations[one.which % Math.max(1, donations.length)]
          const changes = chosen === undefined ? [] : listPossibleChanges(chosen.now, chosen.undone)
          const change = changes[one.where % Math.max(1, changes.length)]
          if (chosen === undefined || change === undefined) continue
          const { method, to, body, after } = change
          const url = [path, chosen.id, ...(to === undefined ? [] : [to])].join('/')
          const response =
            method === 'DELETE'
              ? await admin.delete(url)
              : method === 'POST'
                ? await admin.post(url, body)
                : await admin.patch(url, body)
          assert.ok(response.status < 300, `${method} ${url} ${JSON.stringify(body)}: ${response.text}`)
          if (method !== 'DELETE') {
            const { status, amountReceived } = response.body
            assert.deepEqual([status, amountReceived], [after.status, after.received / 100])
          }
          // After a payment without a change of status, the change before can no longer be undone.
          chosen.undone = to === 'undo' || after.status === chosen.now.status ? undefined : chosen.now
          chosen.now = after
        }

        const live = donations
          .map(({ now }) => now)
          .filter(({ status }) => ['IN_PROCESS', 'TRANSFERRED'].includes(status))
        const donated = live.map(({ status, cents, received }) =>
          status === 'IN_PROCESS' ? Math.max(cents, received) : received
        )
        const addUp = (all: number[]) => all.reduce((sum, cents) => sum + cents, 0)
        const { body } = await visitor.get(`/campaigns/${id}`)
        assert.deepEqual(
          [body.amountDonatedSoFar, body.amountTransferred, body.donationCount, body.progressPercent],
          [
            addUp(donated) / 100,
            addUp(live.map(({ received }) => received)) / 100,
            live.length,
            Math.floor(addUp(donated) / 10) / 100
          ]
        )
      }
      assert.deepEqual(await findFaults(), [])
    }),
    { numRuns: countRuns(20) }
  )
})

test('folding removes the pending deltas and changes no total', async () => {
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

test('concurrent folds count each delta once', async () => {
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

const eachCampaign = onCitus && 'Citus folds each campaign by a statement of its own'
test('the deltas of many campaigns are folded by one statement, also by concurrent folds', {
  skip: eachCampaign
}, async () => {
  await foldTotals(store)
  const ids = Array.from({ length: 40 }, (_, index) => 2_000_000_000 + index)
  const insertDeltas = async () =>
    await store.run(sql`
      insert into fundraising.deltas (campaign_id, donated_cents, transferred_cents, donation_count)
      select id, 100, 10, 1 from unnest(${ids}::bigint[]) as id, generate_series(1, 50) order by random()`)
  const counts: number[] = []
  const fold = async () => {
    let statements = 0
    const one: typeof store.one = async statement => {
      if (statement.text.includes('fundraising.deltas')) statements += 1
      return await store.one(statement)
    }
    await foldTotals({ ...store, one, all: async () => assert.fail('Only one statement is needed.') })
    counts.push(statements)
  }
  for (let run = 0; run < 5; run += 1) {
    await insertDeltas()
    await Promise.all(Array.from({ length: 4 }, fold))
  }
  assert.deepEqual(new Set(counts), new Set([1]))
  const folded = await store.all<object>(sql`
    select distinct donated_cents as donated, transferred_cents as transferred, donation_count as count
    from fundraising.totals where campaign_id = any(${ids}::bigint[])`)
  assert.deepEqual(folded, [{ donated: 25_000, transferred: 2500, count: 250 }])
  await store.run(sql`delete from fundraising.totals where campaign_id = any(${ids}::bigint[])`)
})

test('a fold whose query plan is from an almost empty table still folds 20,000 deltas', async () => {
  const { id } = await aCampaign()
  const insertDeltas = async (count: number) =>
    await store.run(sql`
      insert into fundraising.deltas (campaign_id, donated_cents, transferred_cents, donation_count)
      select ${id}, 100, 0, 1 from generate_series(1, ${count})`)
  await foldTotals(store)
  await insertDeltas(1)
  await store.script('analyze fundraising.deltas')
  // After some runs PostgreSQL uses one generic plan for all values.
  for (let run = 0; run < 10; run += 1) {
    await foldTotals(store)
    await insertDeltas(1)
  }
  await insertDeltas(20_000)
  await foldTotals(store)
  const folded = await store.one<object>(sql`
    select donated_cents as cents, donation_count as count from fundraising.totals where campaign_id = ${id}`)
  assert.deepEqual(folded, { cents: 2_001_100, count: 20_011 })
  await store.run(sql`delete from fundraising.totals where campaign_id = ${id}`)
})

test('repeated small folds do not let the table of deltas grow', async () => {
  const { id } = await aCampaign()
  // The tests before it have made the table longer.
  await store.script('vacuum full fundraising.deltas')
  const fold = newFoldJob()
  for (let run = 0; run < 40; run += 1) {
    await store.run(sql`
      insert into fundraising.deltas (campaign_id, donated_cents, transferred_cents, donation_count)
      select ${id}, 100, 0, 1 from generate_series(1, 450)`)
    await fold(store)
  }
  const { pages } = await store.one<{ pages: number }>(sql`
    select pg_relation_size('fundraising.deltas') / 8192 as pages`)
  // All 18,000 deltas would take about 150 pages.
  assert.ok(pages < 40, `${pages} pages`)
  await store.run(sql`delete from fundraising.totals where campaign_id = ${id}`)
})

test('the check of totals reports each total that is not the sum, and the difference', async () => {
  const { id } = await aCampaign()
  const donated = await visitor.post(`/campaigns/${id}/donations`, donation)
  await admin.patch(`/campaigns/${id}/donations/${donated.body.id}`, { status: 'TRANSFERRED' })
  await visitor.post(`/campaigns/${id}/donations`, donation)
  assert.deepEqual(await findFaults(), [])
  const breaks: [breaking: Sql, repairing: Sql, expectedFault: RegExp, otherFaults?: RegExp[]][] = [
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
      sql`update fundraising.donations set received_cents = 2600 where campaign_id = ${id} and received_cents > 0`,
      sql`update fundraising.donations set received_cents = 2500 where campaign_id = ${id} and received_cents > 0`,
      /donated -1 too much, transferred -1 too much, 0 donations too many/,
      [/^donation \S+: 26 received, payments of 25, or another day$/]
    ],
    [
      sql`update fundraising.donations set amount_cents = 2600 where campaign_id = ${id} and received_cents = 0`,
      sql`update fundraising.donations set amount_cents = 2500 where campaign_id = ${id} and received_cents = 0`,
      /donated -1 too much, transferred 0 too much, 0 donations too many/
    ],
    [
      sql`insert into fundraising.deltas (campaign_id, donated_cents, transferred_cents, donation_count)
          values (${id}, 500, 0, 1)`,
      sql`delete from fundraising.deltas where campaign_id = ${id}`,
      /donated 5 too much, transferred 0 too much, 1 donations too many/
    ]
  ]
  await foldTotals(store)
  for (const [breaking, repairing, expectedFault, otherFaults = []] of breaks) {
    await store.run(breaking)
    const [first = '', ...rest] = await findFaults()
    assert.match(first, new RegExp(`^campaign ${id}: `))
    assert.match(first, expectedFault)
    assert.equal(rest.length, otherFaults.length)
    otherFaults.forEach((expected, index) => {
      assert.match(rest[index] ?? '', expected)
    })
    await store.run(repairing)
    assert.deepEqual(await findFaults(), [])
  }
})

const noMove = onCitus && 'Citus does not move a row to another campaign'
test('the check of totals reports donations that belong to no campaign', { skip: noMove }, async () => {
  const { id } = await aCampaign()
  await visitor.post(`/campaigns/${id}/donations`, donation)
  const unknownCampaignId = id + 1_000_000
  const moveDonations = async (from: number, to: number) => {
    await store.run(sql`update fundraising.donations set campaign_id = ${to} where campaign_id = ${from}`)
    await store.run(sql`update fundraising.deltas set campaign_id = ${to} where campaign_id = ${from}`)
    await store.run(sql`update fundraising.donation_history set campaign_id = ${to} where campaign_id = ${from}`)
  }
  await moveDonations(id, unknownCampaignId)
  assert.deepEqual(await findFaults(), ['1 donations belong to no campaign'])
  await moveDonations(unknownCampaignId, id)
  assert.deepEqual(await findFaults(), [])
})

test('the check of totals does not report donations to a deleted campaign', async () => {
  const { id } = await aCampaign()
  await visitor.post(`/campaigns/${id}/donations`, donation)
  await admin.delete(`/campaigns/${id}`)
  assert.deepEqual(await findFaults(), [])
})

test('vacuum leaves the emptied table as long as it is, because cutting it off would lock out donations and reads', {
  skip: onCitus && 'the rows are in tables of the workers'
}, async () => {
  const { id } = await aCampaign()
  await store.run(sql`
    insert into fundraising.deltas (campaign_id, donated_cents, transferred_cents, donation_count)
    select ${id}, 0, 0, 0 from generate_series(1, 5000)`)
  await foldTotals(store)
  await vacuumDeltas(store)
  const { bytes } = await store.one<{ bytes: number }>(sql`select pg_relation_size('fundraising.deltas') as bytes`)
  assert.ok(bytes > 5000 * 32, `${bytes} bytes`)
  await store.run(sql`delete from fundraising.totals where campaign_id = ${id}`)
})
