import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildBooking, startBankImports } from '#test/support/fundraising/bank-import.ts'
import { organisation } from '#test/support/fundraising/receipts.ts'
import { donation } from '#test/support/services.ts'

const { admin, aCampaign, aDonation, importBookings, treasurer, change } = await startBankImports()
const { id: campaignId } = await aCampaign()

async function createPledge(fields: object = {}) {
  const created = await aDonation(campaignId, { ...donation, amount: 100, ...fields })
  const path = `/campaigns/${campaignId}/donations/${created.id}`
  return {
    ...created,
    path,
    read: async () => (await treasurer.get(path)).body,
    undo: async () => treasurer.post(`${path}/undo`)
  }
}

const toState = ({ status, amountReceived }: { status: string; amountReceived: number }) => [status, amountReceived]

test('every manual status change can be undone, one after the other, back to the pledge', async () => {
  const { path, read, undo } = await createPledge()
  await treasurer.patch(path, { status: 'TRANSFERRED', amountReceived: 90, receivedOn: '2026-01-05' })
  await treasurer.patch(path, { status: 'REFUNDED' })
  assert.deepEqual(toState(await read()), ['REFUNDED', 0])
  const undone = await undo()
  assert.deepEqual(
    [undone.status, ...toState(undone.body), undone.body.receivedOn],
    [200, 'TRANSFERRED', 90, '2026-01-05']
  )
  assert.deepEqual(toState((await undo()).body), ['IN_PROCESS', 0])
  const nothing = await undo()
  assert.deepEqual([nothing.status, nothing.body.code], [409, 'nothing-to-undo'])
  for (const status of ['CANCELLED', 'FAILED']) {
    await treasurer.patch(path, { status })
    assert.deepEqual(toState((await undo()).body), ['IN_PROCESS', 0])
  }
  const { history } = await read()
  assert.deepEqual(
    history.map((one: { status: string }) => one.status),
    [
      'IN_PROCESS',
      'TRANSFERRED',
      'REFUNDED',
      'TRANSFERRED',
      'IN_PROCESS',
      'CANCELLED',
      'IN_PROCESS',
      'FAILED',
      'IN_PROCESS'
    ]
  )
})

test('undoing a recorded cash donation makes it a pledge, which can be deleted', async () => {
  const { path, undo } = await createPledge({ status: 'TRANSFERRED', account: undefined })
  assert.deepEqual(toState((await undo()).body), ['IN_PROCESS', 0])
  assert.equal((await treasurer.delete(path)).status, 204)
})

test('undoing a booking by a bank entry also unassigns the entry', async () => {
  const { reference, undo, read } = await createPledge()
  const { entries } = await importBookings([buildBooking({ amount: '100.00', text: reference })])
  assert.deepEqual(toState(await read()), ['TRANSFERRED', 100])
  assert.deepEqual(toState((await undo()).body), ['IN_PROCESS', 0])
  const { body } = await treasurer.get(`/bank-statements/${entries[0].statementId}/entries/${entries[0].id}`)
  assert.deepEqual([body.result, body.reason.code, body.match], ['suggested', 'taken-back', null])
})

test('a booking shared by several donations cannot be undone at a donation, only at the bank entry', async () => {
  const [one, other] = [await createPledge(), await createPledge()]
  const { entries } = await importBookings([buildBooking({ amount: '200.00', text: 'nothing' })])
  const split = await change(entries[0], {
    donations: [
      { campaignId, id: one.id, amount: 100 },
      { campaignId, id: other.id, amount: 100 }
    ]
  })
  assert.equal(split.status, 200, split.text)
  assert.deepEqual(
    split.body.matches.map((match: { donationId: string; share: number }) => [match.donationId, match.share]),
    [one, other].sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ id }) => [id, 100])
  )
  const refused = await one.undo()
  assert.deepEqual([refused.status, refused.body.code], [409, 'entry-is-shared'])
  await change(entries[0], { donation: null })
  assert.deepEqual([toState(await one.read()), toState(await other.read())].flat(), ['IN_PROCESS', 0, 'IN_PROCESS', 0])
})

test('undo is refused if a later payment or a receipt depends on the change, and the error names it', async () => {
  await admin.patch('/organisation', organisation)
  const { path, id, undo, read } = await createPledge({
    address: { street: 'Gasse 1', postalCode: '50667', city: 'Köln', country: 'DE' }
  })
  await treasurer.patch(path, { status: 'TRANSFERRED', amountReceived: 40 })
  await treasurer.post(`${path}/payments`, { amount: 10, receivedOn: '2026-01-09' })
  const later = await undo()
  assert.deepEqual([later.status, later.body.code], [409, 'later-payments'])
  assert.match(later.body.detail, /2026-01-09/)
  const { payments } = await read()
  await treasurer.delete(`${path}/payments/${payments.at(-1).id}`)
  const receipt = await treasurer.post('/receipts', { kind: 'single', donation: { campaignId, id } })
  assert.equal(receipt.status, 201, receipt.text)
  const certified = await undo()
  assert.deepEqual([certified.status, certified.body.code], [409, 'donation-has-receipt'])
  assert.ok(certified.body.detail.includes(receipt.body.number))
  await treasurer.post(`/receipts/${receipt.body.id}/withdraw`, { reason: 'A mistake.' })
  assert.deepEqual(toState((await undo()).body), ['IN_PROCESS', 0])
})

test('the changes of several donations are undone in one request, with a result for each', async () => {
  const all = [await createPledge(), await createPledge(), await createPledge()]
  const donations = all.map(({ id }) => ({ campaignId, id }))
  await treasurer.post('/donations/status', { status: 'TRANSFERRED', donations: donations.slice(0, 2) })
  const undone = await treasurer.post('/donations/undo', { donations })
  assert.deepEqual(
    [undone.body.changed, undone.body.results.map(({ ok, code }: { ok: boolean; code?: string }) => code ?? ok)],
    [2, [true, true, 'nothing-to-undo']]
  )
  for (const { read } of all) assert.deepEqual(toState(await read()), ['IN_PROCESS', 0])
})

test('undo with a stale If-Match is refused', async () => {
  const { path, read } = await createPledge()
  const { headers } = await treasurer.patch(path, { status: 'FAILED' })
  await treasurer.patch(path, { message: 'Changed' })
  const stale = await treasurer.post(`${path}/undo`, undefined, { 'if-match': headers.etag ?? '' })
  assert.equal(stale.status, 412)
  assert.equal((await read()).status, 'FAILED')
})
