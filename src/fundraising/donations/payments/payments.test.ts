import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { donation, startCampaigns } from '#test/support/services.ts'
import { fundraisingChecks } from '../../doctor.ts'

const { admin, visitor, store, aCampaign, aDonation, withRole } = await startCampaigns({
  env: { TIMEZONE: 'Europe/Berlin' }
})
const treasurer = await withRole('treasurer')
const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(new Date())
const tomorrow = new Date(Date.parse(today) + 2 * 86_400_000).toISOString().slice(0, 10)

/** Creates a pledge of 100 for a new campaign. */
async function createPledge(fields: object = {}) {
  const campaign = await aCampaign()
  const { id } = await aDonation(campaign.id, { ...donation, amount: 100, ...fields })
  const path = `/campaigns/${campaign.id}/donations/${id}`
  return {
    campaignId: campaign.id,
    id,
    path,
    read: async () => (await treasurer.get(path)).body,
    totals: async () => {
      const { body } = await visitor.get(`/campaigns/${campaign.id}`)
      return [body.amountDonatedSoFar, body.amountTransferred, body.donationCount]
    }
  }
}

const toState = ({ status, amount, amountReceived, receivedOn }: Record<string, unknown>) => [
  status,
  amount,
  amountReceived,
  receivedOn
]

test('a donation stays pending after a partial payment and is received with the rest', async () => {
  const { path, read, totals } = await createPledge()
  const partial = await treasurer.post(`${path}/payments`, { amount: 40, receivedOn: '2026-02-01', source: 'cash' })
  assert.equal(partial.status, 201, partial.text)
  assert.deepEqual(toState(partial.body), ['IN_PROCESS', 100, 40, '2026-02-01'])
  assert.deepEqual(await totals(), [100, 40, 1])
  assert.deepEqual(partial.body.nextStatuses, ['TRANSFERRED'])
  await treasurer.post(`${path}/payments`, { amount: '60.00', receivedOn: '2026-03-01' })
  const complete = await read()
  assert.deepEqual(toState(complete), ['TRANSFERRED', 100, 100, '2026-03-01'])
  assert.deepEqual(
    complete.payments.map((one: Record<string, unknown>) => [one.amount, one.receivedOn, one.source, one.reverses]),
    [
      [40, '2026-02-01', 'cash', null],
      [60, '2026-03-01', 'manual', null]
    ]
  )
  assert.deepEqual(await totals(), [100, 100, 1])
})

test('a treasurer can accept less than was pledged, and the totals count the received amount', async () => {
  for (const accept of [
    (path: string) => treasurer.patch(path, { status: 'TRANSFERRED', amountReceived: 40 }),
    (path: string) => treasurer.post(`${path}/payments`, { amount: 40, accept: true })
  ]) {
    const { path, read, totals } = await createPledge()
    assert.ok((await accept(path)).status < 300)
    assert.deepEqual(toState(await read()), ['TRANSFERRED', 100, 40, today])
    assert.deepEqual(await totals(), [40, 40, 1])
  }
  const { path, read } = await createPledge()
  await treasurer.patch(path, { amountReceived: 40 })
  assert.equal((await read()).status, 'IN_PROCESS')
  const accepted = await treasurer.patch(path, { status: 'TRANSFERRED', amountReceived: 40 })
  assert.deepEqual(toState(accepted.body), ['TRANSFERRED', 100, 40, today])
  assert.equal((await read()).payments.length, 1)
})

test('a payment above the pledge counts with its full amount', async () => {
  const { path, totals } = await createPledge()
  const paid = await treasurer.patch(path, { status: 'TRANSFERRED', amountReceived: 120.5, receivedOn: '2026-01-05' })
  assert.deepEqual(toState(paid.body), ['TRANSFERRED', 100, 120.5, '2026-01-05'])
  assert.deepEqual(await totals(), [120.5, 120.5, 1])
})

test('a payment has the given date, otherwise today; a date in the future is refused', async () => {
  const { path, read } = await createPledge()
  for (const [field, body] of [
    ['/receivedOn', { status: 'TRANSFERRED', receivedOn: tomorrow }],
    ['/receivedOn', { status: 'TRANSFERRED', receivedOn: '2026-02-30' }],
    ['/receivedOn', { receivedOn: '2026-01-01' }],
    ['/paymentSource', { paymentSource: 'cash' }],
    ['/paymentSource', { status: 'TRANSFERRED', paymentSource: 'bank_entry' }]
  ] as const) {
    const refused = await treasurer.patch(path, body)
    assert.ok(refused.status === 422 || refused.status === 400, refused.text)
    assert.equal(refused.body.errors[0].pointer, field)
  }
  assert.deepEqual(toState(await read()), ['IN_PROCESS', 100, 0, null])
  const received = await treasurer.patch(path, {
    status: 'TRANSFERRED',
    receivedOn: '2025-12-30',
    paymentSource: 'cash'
  })
  assert.deepEqual(toState(received.body), ['TRANSFERRED', 100, 100, '2025-12-30'])

  const { campaignId } = await createPledge()
  const cash = { ...donation, account: undefined, amount: 20, status: 'TRANSFERRED', receivedOn: '2025-12-31' }
  const recorded = await treasurer.post(`/campaigns/${campaignId}/donations`, cash)
  assert.deepEqual(toState(recorded.body), ['TRANSFERRED', 20, 20, '2025-12-31'])
  const later = await treasurer.post(`/campaigns/${campaignId}/donations`, { ...cash, receivedOn: tomorrow })
  assert.deepEqual([later.status, later.body.errors[0].pointer], [422, '/receivedOn'])
  const byVisitor = await visitor.post(`/campaigns/${campaignId}/donations`, { ...donation, receivedOn: '2025-12-31' })
  assert.deepEqual([byVisitor.status, byVisitor.body.errors[0].pointer], [422, '/receivedOn'])

  const [one, other] = [await createPledge(), await createPledge()]
  const bulk = await treasurer.post('/donations/status', {
    status: 'TRANSFERRED',
    receivedOn: '2026-01-02',
    donations: [one, other].map(({ campaignId: campaign, id }) => ({ campaignId: campaign, id }))
  })
  assert.equal(bulk.body.changed, 2)
  assert.equal((await other.read()).receivedOn, '2026-01-02')
})

test('a partial refund reduces the received amount, and a full refund sets the status REFUNDED', async () => {
  const { path, read, totals } = await createPledge()
  await treasurer.post(`${path}/payments`, { amount: 60, receivedOn: '2026-01-01' })
  await treasurer.post(`${path}/payments`, { amount: 40, receivedOn: '2026-02-01' })
  const partial = await treasurer.post(`${path}/payments`, { amount: -50, receivedOn: '2026-03-01' })
  // The newest payment was refunded completely, so the date is that of the remaining one.
  assert.deepEqual(toState(partial.body), ['TRANSFERRED', 100, 50, '2026-01-01'])
  assert.deepEqual(await totals(), [50, 50, 1])
  const { payments } = await read()
  assert.deepEqual(
    payments
      .map((one: Record<string, unknown>) => [one.amount, one.source, one.amountReturned])
      .sort(([one]: [number], [other]: [number]) => other - one),
    [
      [60, 'manual', 10],
      [40, 'manual', 40],
      [-10, 'correction', 0],
      [-40, 'correction', 0]
    ]
  )
  const tooMuch = await treasurer.post(`${path}/payments`, { amount: -50.01 })
  assert.deepEqual([tooMuch.status, tooMuch.body.errors[0].pointer], [422, '/amount'])
  assert.match(tooMuch.body.errors[0].message, /at most 50 /)
  const all = await treasurer.post(`${path}/payments`, { amount: -50 })
  assert.deepEqual(toState(all.body), ['REFUNDED', 100, 0, null])
  assert.deepEqual(await totals(), [0, 0, 0])
  const more = await treasurer.post(`${path}/payments`, { amount: 10 })
  assert.deepEqual([more.status, more.body.code], [409, 'donation-is-over'])
})

test('a donation with a partial payment cannot be cancelled, failed or deleted', async () => {
  const { path, read } = await createPledge()
  await treasurer.patch(path, { amountReceived: 40 })
  for (const status of ['CANCELLED', 'FAILED']) {
    const refused = await treasurer.patch(path, { status })
    assert.deepEqual([refused.status, refused.body.code], [409, 'donation-has-payments'])
  }
  assert.equal((await treasurer.delete(path)).status, 409)
  const less = await treasurer.patch(path, { amountReceived: 39 })
  assert.deepEqual([less.status, less.body.errors[0].pointer], [422, '/amountReceived'])
  assert.deepEqual(toState(await read()), ['IN_PROCESS', 100, 40, today])
  await treasurer.post(`${path}/payments`, { amount: -40 })
  assert.deepEqual(toState(await read()), ['IN_PROCESS', 100, 0, null])
  assert.equal((await treasurer.delete(path)).status, 204)
})

test('deleting a payment restores the previous state of the donation', async () => {
  const { path, read, totals } = await createPledge()
  await treasurer.post(`${path}/payments`, { amount: 100 })
  const { payments } = await read()
  const removed = await treasurer.delete(`${path}/payments/${payments[0].id}`)
  assert.equal(removed.status, 204, removed.text)
  assert.deepEqual(toState(await read()), ['IN_PROCESS', 100, 0, null])
  assert.deepEqual(await totals(), [100, 0, 1])
  assert.deepEqual((await treasurer.get(`${path}/payments`)).body, [])
  assert.equal((await treasurer.delete(`${path}/payments/${payments[0].id}`)).status, 404)
})

test('a payment is recorded once per Idempotency-Key, and refused with a stale If-Match', async () => {
  const { path, read } = await createPledge()
  const etag = (await treasurer.get(path)).headers.etag ?? ''
  const key = { 'idempotency-key': 'payment-of-the-test' }
  const first = await treasurer.post(`${path}/payments`, { amount: 30 }, key)
  const again = await treasurer.post(`${path}/payments`, { amount: 30 }, key)
  assert.deepEqual([first.status, again.status, again.headers['idempotent-replayed']], [201, 201, 'true'])
  assert.equal((await read()).amountReceived, 30)
  const stale = await treasurer.post(`${path}/payments`, { amount: 30 }, { 'if-match': etag })
  assert.equal(stale.status, 412)
  assert.equal((await read()).amountReceived, 30)
  const zero = await treasurer.post(`${path}/payments`, { amount: 0 })
  assert.deepEqual([zero.status, zero.body.errors[0].pointer], [400, '/amount'])
})

test('each check of payments reports its fault and no other', async () => {
  const { path, campaignId, id } = await createPledge()
  await treasurer.post(`${path}/payments`, { amount: 100 })
  await treasurer.post(`${path}/payments`, { amount: -30 })
  const findFaultyChecks = async () => {
    const found: string[] = []
    for (const check of fundraisingChecks) if ((await check.run(store)).length > 0) found.push(check.name)
    return found
  }
  assert.deepEqual(await findFaultyChecks(), [])
  const ofDonation = sql`campaign_id = ${campaignId} and donation_id = ${id}`
  const donationRow = sql`campaign_id = ${campaignId} and id = ${id}`
  const sums = 'amounts received equal the sums of payments'
  const statuses = 'donation statuses match their payments'
  const belonging = 'payments belong to donations, and refunds to payments'
  const totals = 'campaign totals equal the sums of donations'
  const cases = [
    [
      sql`update fundraising.donations set received_cents = 7001 where ${donationRow}`,
      sql`update fundraising.donations set received_cents = 7000 where ${donationRow}`,
      [totals, sums]
    ],
    [
      sql`update fundraising.donations set received_on = '2020-01-01' where ${donationRow}`,
      sql`update fundraising.donations set received_on = ${today}::date where ${donationRow}`,
      [sums]
    ],
    [
      sql`update fundraising.donations set status = 'FAILED' where ${donationRow}`,
      sql`update fundraising.donations set status = 'TRANSFERRED' where ${donationRow}`,
      [totals, statuses]
    ],
    [
      sql`update fundraising.payments set returned_cents = 2999 where ${ofDonation} and amount_cents > 0`,
      sql`update fundraising.payments set returned_cents = 3000 where ${ofDonation} and amount_cents > 0`,
      [belonging]
    ],
    [
      sql`update fundraising.payments set received_on = current_date + 2 where ${ofDonation} and amount_cents < 0`,
      sql`update fundraising.payments set received_on = ${today}::date where ${ofDonation} and amount_cents < 0`,
      ['no payment has a date in the future']
    ],
    [
      sql`update fundraising.payments set is_assumed = true where ${ofDonation}`,
      sql`update fundraising.payments set is_assumed = false where ${ofDonation}`,
      ['amounts and dates of payments are known']
    ]
  ] as const
  for (const [breaking, repairing, expected] of cases) {
    await store.run(breaking)
    assert.deepEqual(await findFaultyChecks(), expected)
    await store.run(repairing)
  }
  assert.deepEqual(await findFaultyChecks(), [])
})

test('the database refuses to certify more of a payment than was received and not refunded', async () => {
  const { path, campaignId, id } = await createPledge()
  await treasurer.post(`${path}/payments`, { amount: 100 })
  await treasurer.post(`${path}/payments`, { amount: -30 })
  const certify = async (cents: number) =>
    await store.run(sql`
      update fundraising.payments set certified_cents = ${cents}, receipt_id = ${id}
      where campaign_id = ${campaignId} and donation_id = ${id} and amount_cents > 0`)
  await assert.rejects(certify(7001), /payments_certified/)
  assert.equal(await certify(7000), 1)
  await store.run(sql`
    update fundraising.payments set certified_cents = 0, receipt_id = null where campaign_id = ${campaignId}`)
})

test('only treasurers and admins see payments', async () => {
  const { path } = await createPledge()
  await treasurer.post(`${path}/payments`, { amount: 100 })
  assert.equal((await visitor.get(`${path}/payments`)).status, 401)
  const { body } = await visitor.get(path)
  assert.equal(body.payments, undefined)
  assert.equal(body.receivedOn, undefined)
  assert.equal(body.amountReceived, 100)
  assert.equal((await admin.get(`${path}/payments`)).status, 200)
})
