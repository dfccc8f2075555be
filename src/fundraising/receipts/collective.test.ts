// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSystemCaller } from '#platform/caller.ts'
import { sql } from '#platform/database/sql.ts'
import { donor, downloadFile, organisation, readPdfPages } from '#test/support/fundraising/receipts.ts'
import { adminKey, startCampaigns } from '#test/support/services.ts'
import { fundraisingChecks } from '../doctor.ts'
import { issueReceipt } from './issuing/issue.ts'

const { admin, aCampaign, aDonation, server, settings, store } = await startCampaigns({
  env: { TIMEZONE: 'Europe/Berlin' }
})
const year = new Date().getFullYear()
const { id: campaignId } = await aCampaign()
await admin.patch('/organisation', organisation)

/** Creates a received donation. */
const createReceived = async (fields: object = {}) =>
  await aDonation(campaignId, { ...donor, status: 'TRANSFERRED', ...fields })
const toSingleRequest = (donation: { id: string }) => ({ kind: 'single', donation: { campaignId, id: donation.id } })
const issue = async (body: object) => {
  const response = await admin.post('/receipts', body)
  assert.equal(response.status, 201, response.text)
  return response.body
}
const readText = async (id: string) =>
  (await readPdfPages((await downloadFile(server, `/receipts/${id}.pdf`, adminKey)).bytes)).join(' ')

test('collective receipts of a donor do not overlap', async () => {
  const person = { ...donor, donorName: 'Carl Twice', email: 'carl@example.org' }
  const before = async (day: string) => await createReceived({ ...person, receivedOn: day })
  const last = year - 1
  const inMarch = await before(`${last}-03-03`)
  const request = { kind: 'collective', donor: { donationId: inMarch.id, year: last } }
  const first = await issue(request)
  assert.deepEqual(first.period, { from: `${last}-01-01`, to: `${last}-12-31` })
  const inMay = await before(`${last}-05-05`)
  const again = await admin.post('/receipts', request)
  assert.deepEqual([again.status, again.body.code, again.body.number], [409, 'receipt-period-taken', first.number])
  assert.ok(again.body.detail.includes(first.number))
  const german = await admin.post('/receipts', request, { 'accept-language': 'de' })
  assert.match(german.body.detail, /Sammelbestätigung .* umfasst diesen Zeitraum bereits/)

  // Changed to a receipt until April: the next receipt begins on the day after.
  await store.run(sql`
    update fundraising.receipts set content = jsonb_set(content, '{period,to}', ${`"${last}-04-30"`}::jsonb)
    where id = ${first.id}`)
  const second = await issue({ kind: 'collective', donor: { donationId: inMay.id, year: last } })
  assert.deepEqual(second.period, { from: `${last}-05-01`, to: `${last}-12-31` })
  assert.equal(second.donations.length, 1)
  await admin.post(`/receipts/${first.id}/withdraw`, { reason: 'Lost' })
  const third = await issue(request)
  assert.deepEqual([third.period, third.replaces], [{ from: `${last}-01-01`, to: `${last}-04-30` }, first.number])

  // A payment within a claimed period can have a single receipt.
  const inFebruary = await before(`${last}-02-02`)
  assert.equal((await issue(toSingleRequest(inFebruary))).period.from, `${last}-02-02`)
  // A donor with the same name and another address is a different donor.
  const other = {
    ...person,
    email: 'other@example.org',
    address: { ...donor.address, city: 'Bonn' },
    account: undefined
  }
  const ofOtherDonor = await createReceived({ ...other, receivedOn: `${last}-05-06` })
  assert.equal(
    (await issue({ kind: 'collective', donor: { donationId: ofOtherDonor.id, year: last } })).donations.length,
    1
  )
})

test('concurrent requests for a collective receipt of one donor issue one receipt', async () => {
  const person = { ...donor, donorName: 'Dora Atonce', email: 'dora@example.org' }
  const [one, two] = [await createReceived(person), await createReceived(person)]
  const responses = await Promise.all(
    [one, two, one, two].map(({ id }) =>
      admin.post('/receipts', { kind: 'collective', donor: { donationId: id, year } })
    )
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409, 409])
})

test('if another process takes the receipt number, the file is created again, and no number is lost', async () => {
  const donated = await createReceived()
  const issuing = { by: newSystemCaller('test'), settings, now: new Date() }
  let attempts = 0
  const row = await issueReceipt(
    store,
    issuing,
    { kind: 'single', donation: { campaignId, id: donated.id } },
    async write =>
      store.transaction(async tx => {
        attempts += 1
        // In the first attempt another process takes the number.
        if (attempts === 1)
          await tx.run(sql`update fundraising.receipt_numbers set last = last + 1 where year = ${year}`)
        return await write(tx)
      })
  )
  assert.equal(attempts, 2)
  assert.match(await readText(row.id), new RegExp(`Nr. ${row.number}`))
  for (const check of fundraisingChecks.filter(({ name }) => name.includes('receipts'))) {
    assert.deepEqual(await check.run(store), [], check.name)
  }
})

test('doctor reports collective receipts with overlapping periods, and receipts over more than their payments', async () => {
  const person = { ...donor, donorName: 'Dora Double', email: 'dora@example.org' }
  const last = year - 1
  const findFaultyChecks = async () => {
    const found: string[] = []
    for (const check of fundraisingChecks) if ((await check.run(store)).length > 0) found.push(check.name)
    return found
  }
  const before = await findFaultyChecks()
  const one = await createReceived({ ...person, receivedOn: `${last}-03-03` })
  const first = await issue({ kind: 'collective', donor: { donationId: one.id, year: last } })
  const two = await createReceived({ ...person, receivedOn: `${year}-01-01` })
  const second = await issue({ kind: 'collective', donor: { donationId: two.id, year } })
  assert.deepEqual(await findFaultyChecks(), before)
  const period = JSON.stringify({ from: `${last}-12-31`, to: `${year}-01-01` })
  await store.run(sql`
    update fundraising.receipts set content = jsonb_set(content, '{period}', ${period}::jsonb) where id = ${second.id}`)
  assert.deepEqual(
    (await findFaultyChecks()).filter(name => !before.includes(name)),
    ['collective receipts of a donor do not overlap']
  )
  await store.run(
    sql`update fundraising.receipts set state = 'withdrawn', withdrawn_reason = 'x' where id = ${second.id}`
  )
  await store.run(
    sql`update fundraising.payments set receipt_id = null, certified_cents = 0 where receipt_id = ${second.id}`
  )
  await store.run(sql`update fundraising.receipts set amount_cents = amount_cents + 1 where id = ${first.id}`)
  assert.deepEqual(
    (await findFaultyChecks()).filter(name => !before.includes(name)),
    ['receipts certify received payments']
  )
})
