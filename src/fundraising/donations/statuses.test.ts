import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { donation, startCampaigns } from '#test/support/services.ts'
import { donationStatuses } from './schema.ts'

const { admin, visitor, store, withRole, aCampaign } = await startCampaigns()
const treasurer = await withRole('treasurer')

type Status = (typeof donationStatuses)[number]

/** How a donation gets to each status, and where it can go from there. */
const ways: Record<Status, { by: Status[]; next: Status[] }> = {
  IN_PROCESS: { by: [], next: ['TRANSFERRED', 'CANCELLED', 'FAILED'] },
  TRANSFERRED: { by: ['TRANSFERRED'], next: ['REFUNDED', 'FAILED'] },
  CANCELLED: { by: ['CANCELLED'], next: [] },
  FAILED: { by: ['FAILED'], next: [] },
  REFUNDED: { by: ['TRANSFERRED', 'REFUNDED'], next: [] }
}

async function aDonationThatIs(status: Status) {
  const { id } = await aCampaign({ targetAmount: 100 })
  const given = await visitor.post(`/campaigns/${id}/donations`, { ...donation, amount: 20.5 })
  const path = `/campaigns/${id}/donations/${given.body.id}`
  for (const step of ways[status].by) assert.equal((await treasurer.patch(path, { status: step })).status, 200)
  return { id, path, given: given.body }
}

async function totalsOf(id: number): Promise<number[]> {
  const { body } = await visitor.get(`/campaigns/${id}`)
  return [body.amountDonatedSoFar, body.amountTransferred, body.donationCount, body.progressPercent]
}

const totalsWhen: Record<Status, number[]> = {
  IN_PROCESS: [20.5, 0, 1, 20.5],
  TRANSFERRED: [20.5, 20.5, 1, 20.5],
  CANCELLED: [0, 0, 0, 0],
  FAILED: [0, 0, 0, 0],
  REFUNDED: [0, 0, 0, 0]
}

for (const from of donationStatuses) {
  for (const to of donationStatuses) {
    if (from === to) continue
    if (ways[from].next.includes(to)) {
      test(`a donation goes from ${from} to ${to}, with a history row and exact totals`, async () => {
        const { id, path, given } = await aDonationThatIs(from)
        assert.deepEqual(await totalsOf(id), totalsWhen[from])
        const { status, body } = await treasurer.patch(path, { status: to })
        assert.equal(status, 200)
        assert.equal(body.status, to)
        assert.deepEqual([body.id, body.amount, body.reference], [given.id, 20.5, given.reference])
        assert.deepEqual(await totalsOf(id), totalsWhen[to])
        const { history } = (await treasurer.get(path)).body
        assert.deepEqual(
          history.map((row: { status: string }) => row.status),
          ['IN_PROCESS', ...ways[from].by, to]
        )
        assert.equal(history[0].actor, 'visitor')
        assert.match(history.at(-1).actor, /^key \d+ \(the tests' treasurer\)$/)
        assert.equal(history.at(-1).at, body.updatedAt)
      })
    } else {
      test(`a donation does not go from ${from} to ${to}: 422`, async () => {
        const { id, path } = await aDonationThatIs(from)
        const before = (await treasurer.get(path)).body
        const { status, body } = await treasurer.patch(path, { status: to, message: 'Changed' })
        assert.equal(status, 422)
        assert.equal(body.code, 'illegal-status-change')
        assert.equal(body.errors[0].pointer, '/status')
        for (const next of ways[from].next) assert.ok(body.detail.includes(next))
        assert.deepEqual((await treasurer.get(path)).body, before)
        assert.deepEqual(await totalsOf(id), totalsWhen[from])
      })
    }
  }

  test(`a donation that is ${from} can be sent its own status: nothing moves`, async () => {
    const { id, path } = await aDonationThatIs(from)
    const before = (await treasurer.get(path)).body
    const { status, body } = await treasurer.patch(path, { status: from })
    assert.equal(status, 200)
    assert.equal(body.status, from)
    assert.deepEqual((await treasurer.get(path)).body.history, before.history)
    assert.deepEqual(await totalsOf(id), totalsWhen[from])
  })
}

test('a status change is refused in German too', async () => {
  const { path } = await aDonationThatIs('TRANSFERRED')
  const { body } = await treasurer.patch(path, { status: 'CANCELLED' }, { 'accept-language': 'de' })
  assert.equal(
    body.errors[0].message,
    'status kann nicht von TRANSFERRED zu CANCELLED wechseln; möglich ist REFUNDED oder FAILED.'
  )
})

test('a treasurer records cash without an account, and with one', async () => {
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
  assert.deepEqual(await totalsOf(id), [125, 125, 3, 1.56])
})

test('nobody else records money that is there', async () => {
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
  assert.deepEqual(await totalsOf(id), [0, 0, 0, 0])
})

test('a treasurer records a promise without an account', async () => {
  const { id } = await aCampaign()
  for (const status of [undefined, 'IN_PROCESS']) {
    const made = await treasurer.post(`/campaigns/${id}/donations`, { amount: 50, donorName: 'Box', status })
    assert.deepEqual([made.status, made.body.status, made.body.account], [201, 'IN_PROCESS', null])
  }
})

for (const status of ['IN_PROCESS', 'CANCELLED'] as const) {
  test(`DELETE of a donation that is ${status}: 204, then 404, gone from lists and sums, kept inside`, async () => {
    const { id, path, given } = await aDonationThatIs(status)
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
    assert.deepEqual(await totalsOf(id), [0, 0, 0, 0])
    const kept = await store.one<object>(sql`
      select status, amount_cents as "amountCents", deleted_at is not null as deleted
      from fundraising.donations
      where campaign_id = ${id} and id = ${given.id}`)
    assert.deepEqual(kept, { status: 'CANCELLED', amountCents: 2050, deleted: true })
    const history = await store.all<{ status: string }>(sql`
      select status from fundraising.donation_history where donation_id = ${given.id} order by number`)
    assert.deepEqual(
      history.map(row => row.status),
      ['IN_PROCESS', 'CANCELLED']
    )
  })
}

for (const status of ['TRANSFERRED', 'FAILED', 'REFUNDED'] as const) {
  test(`DELETE of a donation that is ${status} is 409, and it stays`, async () => {
    const { id, path } = await aDonationThatIs(status)
    const { status: code, body } = await treasurer.delete(path)
    assert.equal(code, 409)
    assert.equal(body.code, 'donation-cannot-be-deleted')
    assert.equal(body.detail.includes('REFUNDED instead'), status === 'TRANSFERRED')
    assert.equal((await treasurer.get(path)).body.status, status)
    assert.deepEqual(await totalsOf(id), totalsWhen[status])
  })
}

test('a treasurer moves donations of closed and hidden campaigns on', async () => {
  for (const status of ['closed', 'draft']) {
    const { id, path } = await aDonationThatIs('IN_PROCESS')
    const read = (await admin.get(`/campaigns/${id}`)).body
    await admin.put(`/campaigns/${id}`, { ...read, status })
    assert.equal((await treasurer.patch(path, { status: 'TRANSFERRED' })).status, 200)
    assert.equal((await admin.get(`/campaigns/${id}`)).body.amountTransferred, 20.5)
  }
})

test('progressPercent passes 100, and is 100 only when the target is reached', async () => {
  const { id } = await aCampaign({ targetAmount: 30_000, donationMinimum: 0 })
  for (const [amount, percent] of [
    [29_999.99, 99.99],
    [0.01, 100],
    [15_000, 150]
  ]) {
    await treasurer.post(`/campaigns/${id}/donations`, { ...donation, amount })
    assert.equal((await totalsOf(id))[3], percent)
  }
})
