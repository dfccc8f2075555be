import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { donation, startCampaigns } from '#test/support/services.ts'
import { donationStatuses } from './schema.ts'

const { admin, visitor, store, withRole, aCampaign } = await startCampaigns()
const treasurer = await withRole('treasurer')

type Status = (typeof donationStatuses)[number]

/** The status changes that lead to each status, and the possible next statuses. */
const transitions: Record<Status, { by: Status[]; next: Status[] }> = {
  IN_PROCESS: { by: [], next: ['TRANSFERRED', 'CANCELLED', 'FAILED'] },
  TRANSFERRED: { by: ['TRANSFERRED'], next: ['REFUNDED', 'FAILED'] },
  CANCELLED: { by: ['CANCELLED'], next: [] },
  FAILED: { by: ['FAILED'], next: [] },
  REFUNDED: { by: ['TRANSFERRED', 'REFUNDED'], next: [] }
}

async function createDonation(status: Status) {
  const { id } = await aCampaign({ targetAmount: 100 })
  const donated = await visitor.post(`/campaigns/${id}/donations`, { ...donation, amount: 20.5 })
  const path = `/campaigns/${id}/donations/${donated.body.id}`
  for (const step of transitions[status].by) assert.equal((await treasurer.patch(path, { status: step })).status, 200)
  return { id, path, donated: donated.body }
}

async function readTotals(id: number): Promise<number[]> {
  const { body } = await visitor.get(`/campaigns/${id}`)
  return [body.amountDonatedSoFar, body.amountTransferred, body.donationCount, body.progressPercent]
}

const expectedTotals: Record<Status, number[]> = {
  IN_PROCESS: [20.5, 0, 1, 20.5],
  TRANSFERRED: [20.5, 20.5, 1, 20.5],
  CANCELLED: [0, 0, 0, 0],
  FAILED: [0, 0, 0, 0],
  REFUNDED: [0, 0, 0, 0]
}

for (const from of donationStatuses) {
  for (const to of donationStatuses) {
    if (from === to) continue
    if (transitions[from].next.includes(to)) {
      test(`a donation can change from ${from} to ${to}, with a history row and exact totals`, async () => {
        const { id, path, donated } = await createDonation(from)
        assert.deepEqual(await readTotals(id), expectedTotals[from])
        const { status, body } = await treasurer.patch(path, { status: to })
        assert.equal(status, 200)
        assert.equal(body.status, to)
        assert.deepEqual([body.id, body.amount, body.reference], [donated.id, 20.5, donated.reference])
        assert.deepEqual(await readTotals(id), expectedTotals[to])
        const { history } = (await treasurer.get(path)).body
        assert.deepEqual(
          history.map((row: { status: string }) => row.status),
          ['IN_PROCESS', ...transitions[from].by, to]
        )
        assert.equal(history[0].actor, 'visitor')
        assert.match(history.at(-1).actor, /^key \d+ \(the tests' treasurer\)$/)
        assert.equal(history.at(-1).at, body.updatedAt)
      })
    } else {
      test(`a donation cannot change from ${from} to ${to}: 422`, async () => {
        const { id, path } = await createDonation(from)
        const before = (await treasurer.get(path)).body
        const { status, body } = await treasurer.patch(path, { status: to, message: 'Changed' })
        assert.equal(status, 422)
        assert.equal(body.code, 'illegal-status-change')
        assert.equal(body.errors[0].pointer, '/status')
        for (const next of transitions[from].next) assert.ok(body.detail.includes(next))
        assert.deepEqual((await treasurer.get(path)).body, before)
        assert.deepEqual(await readTotals(id), expectedTotals[from])
      })
    }
  }

  test(`setting a donation that is ${from} to the same status changes nothing`, async () => {
    const { id, path } = await createDonation(from)
    const before = (await treasurer.get(path)).body
    const { status, body } = await treasurer.patch(path, { status: from })
    assert.equal(status, 200)
    assert.equal(body.status, from)
    assert.deepEqual((await treasurer.get(path)).body.history, before.history)
    assert.deepEqual(await readTotals(id), expectedTotals[from])
  })
}

test('a refused status change has a German message too', async () => {
  const { path } = await createDonation('TRANSFERRED')
  const { body } = await treasurer.patch(path, { status: 'CANCELLED' }, { 'accept-language': 'de' })
  assert.equal(
    body.errors[0].message,
    'status kann nicht von TRANSFERRED zu CANCELLED wechseln; möglich ist REFUNDED oder FAILED.'
  )
})

test('a treasurer records a received donation with or without an account', async () => {
  const { id } = await aCampaign()
  const cash = { amount: 50, donorName: 'Collection box', status: 'TRANSFERRED' }
  for (const client of [treasurer, admin]) {
    const { status, body } = await client.post(`/campaigns/${id}/donations`, cash)
    assert.equal(status, 201)
    assert.equal(body.status, 'TRANSFERRED')
    assert.equal(body.account, null)
    const read = await client.get(`/campaigns/${id}/donations/${body.id}`)
    assert.equal(read.body.account, null)
    assert.deepEqual(
      read.body.history.map((row: { status: string }) => row.status),
      ['TRANSFERRED']
    )
  }
  const { body } = await treasurer.post(`/campaigns/${id}/donations`, { ...donation, status: 'TRANSFERRED' })
  assert.deepEqual(body.account, { ...donation.account, ibanValid: true })
  assert.deepEqual(await readTotals(id), [125, 125, 3, 1.56])
})

test('other callers cannot record a received donation', async () => {
  const { id } = await aCampaign()
  for (const client of [visitor, await withRole('viewer'), await withRole('author'), await withRole('editor')]) {
    for (const body of [
      { amount: 50, donorName: 'Box', status: 'TRANSFERRED' },
      { ...donation, status: 'TRANSFERRED' }
    ]) {
      const refused = await client.post(`/campaigns/${id}/donations`, body)
      assert.equal(refused.status, 422)
      assert.equal(refused.body.code, 'status-needs-treasurer')
      assert.equal(refused.body.errors[0].pointer, '/status')
    }
  }
  assert.deepEqual(await readTotals(id), [0, 0, 0, 0])
})

test('a treasurer records a pledge without an account', async () => {
  const { id } = await aCampaign()
  for (const status of [undefined, 'IN_PROCESS']) {
    const created = await treasurer.post(`/campaigns/${id}/donations`, { amount: 50, donorName: 'Box', status })
    assert.deepEqual([created.status, created.body.status, created.body.account], [201, 'IN_PROCESS', null])
  }
})

for (const status of ['IN_PROCESS', 'CANCELLED'] as const) {
  test(`DELETE of a donation that is ${status} is 204; then it is 404 and in no list or total, but its row is kept`, async () => {
    const { id, path, donated } = await createDonation(status)
    const deleted = await treasurer.delete(path)
    assert.equal(deleted.status, 204)
    assert.equal(deleted.text, '')
    for (const client of [visitor, treasurer, admin]) {
      assert.equal((await client.get(path)).status, 404)
      const list = await client.get(`/campaigns/${id}/donations`)
      assert.deepEqual(list.body, [])
      assert.equal(list.headers['x-total-count'], '0')
    }
    assert.equal((await treasurer.delete(path)).status, 404)
    assert.equal((await treasurer.patch(path, { status: 'TRANSFERRED' })).status, 404)
    assert.deepEqual(await readTotals(id), [0, 0, 0, 0])
    const kept = await store.one<object>(sql`
      select status, amount_cents as "amountCents", deleted_at is not null as deleted
      from fundraising.donations
      where campaign_id = ${id} and id = ${donated.id}`)
    assert.deepEqual(kept, { status: 'CANCELLED', amountCents: 2050, deleted: true })
    const history = await store.all<{ status: string }>(sql`
      select status from fundraising.donation_history where donation_id = ${donated.id} order by number`)
    assert.deepEqual(
      history.map(row => row.status),
      ['IN_PROCESS', 'CANCELLED']
    )
  })
}

for (const status of ['TRANSFERRED', 'FAILED', 'REFUNDED'] as const) {
  test(`DELETE of a donation that is ${status} is 409, and the donation is kept`, async () => {
    const { id, path } = await createDonation(status)
    const { status: code, body } = await treasurer.delete(path)
    assert.equal(code, 409)
    assert.equal(body.code, 'donation-cannot-be-deleted')
    assert.equal(body.detail.includes('REFUNDED instead'), status === 'TRANSFERRED')
    assert.equal((await treasurer.get(path)).body.status, status)
    assert.deepEqual(await readTotals(id), expectedTotals[status])
  })
}

test('a treasurer can change the status of donations to closed and draft campaigns', async () => {
  for (const status of ['closed', 'draft']) {
    const { id, path } = await createDonation('IN_PROCESS')
    const read = (await admin.get(`/campaigns/${id}`)).body
    await admin.put(`/campaigns/${id}`, { ...read, status })
    assert.equal((await treasurer.patch(path, { status: 'TRANSFERRED' })).status, 200)
    assert.equal((await admin.get(`/campaigns/${id}`)).body.amountTransferred, 20.5)
  }
})

test('progressPercent reaches 100 exactly with the target, and can exceed it', async () => {
  const { id } = await aCampaign({ targetAmount: 30_000, donationMinimum: 0 })
  for (const [amount, percent] of [
    [29_999.99, 99.99],
    [0.01, 100],
    [15_000, 150]
  ]) {
    await treasurer.post(`/campaigns/${id}/donations`, { ...donation, amount })
    assert.equal((await readTotals(id))[3], percent)
  }
})
