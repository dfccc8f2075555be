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

/** Money that is there. */
const received = async (fields: object = {}) =>
  await aDonation(campaignId, { ...donor, status: 'TRANSFERRED', ...fields })
const single = (donation: { id: string }) => ({ kind: 'single', donation: { campaignId, id: donation.id } })
const issued = async (body: object) => {
  const answer = await admin.post('/receipts', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const textOf = async (id: string) =>
  (await readPdfPages((await downloadFile(server, `/receipts/${id}.pdf`, adminKey)).bytes)).join(' ')

test('collective receipts of a donor do not overlap', async () => {
  const person = { ...donor, donorName: 'Carl Twice', email: 'carl@example.org' }
  const before = async (day: string) => await received({ ...person, receivedOn: day })
  const last = year - 1
  const march = await before(`${last}-03-03`)
  const asked = { kind: 'collective', donor: { donationId: march.id, year: last } }
  const first = await issued(asked)
  assert.deepEqual(first.period, { from: `${last}-01-01`, to: `${last}-12-31` })
  const late = await before(`${last}-05-05`)
  const again = await admin.post('/receipts', asked)
  assert.deepEqual([again.status, again.body.code, again.body.number], [409, 'receipt-period-taken', first.number])
  assert.ok(again.body.detail.includes(first.number))
  const german = await admin.post('/receipts', asked, { 'accept-language': 'de' })
  assert.match(german.body.detail, /Sammelbestätigung .* umfasst diesen Zeitraum bereits/)

  // As one that was issued in June, for the time until then: the next one begins on the day after.
  await store.run(sql`
    update fundraising.receipts set content = jsonb_set(content, '{period,to}', ${`"${last}-04-30"`}::jsonb)
    where id = ${first.id}`)
  const second = await issued({ kind: 'collective', donor: { donationId: late.id, year: last } })
  assert.deepEqual(second.period, { from: `${last}-05-01`, to: `${last}-12-31` })
  assert.equal(second.donations.length, 1)
  await admin.post(`/receipts/${first.id}/withdraw`, { reason: 'Lost' })
  const third = await issued(asked)
  assert.deepEqual([third.period, third.replaces], [{ from: `${last}-01-01`, to: `${last}-04-30` }, first.number])

  // What came within a period that is claimed can have a receipt of its own.
  const missed = await before(`${last}-02-02`)
  assert.equal((await issued(single(missed))).period.from, `${last}-02-02`)
  // Somebody else of the name, elsewhere, is not concerned.
  const other = {
    ...person,
    email: 'other@example.org',
    address: { ...donor.address, city: 'Bonn' },
    account: undefined
  }
  const stranger = await received({ ...other, receivedOn: `${last}-05-06` })
  assert.equal(
    (await issued({ kind: 'collective', donor: { donationId: stranger.id, year: last } })).donations.length,
    1
  )
})

test('two collective receipts asked for at once for one donor are one receipt', async () => {
  const person = { ...donor, donorName: 'Dora Atonce', email: 'dora@example.org' }
  const [one, two] = [await received(person), await received(person)]
  const answers = await Promise.all(
    [one, two, one, two].map(({ id }) =>
      admin.post('/receipts', { kind: 'collective', donor: { donationId: id, year } })
    )
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409])
})

test('a file whose number another process took is made again, and no number is lost', async () => {
  const made = await received()
  const issuing = { by: newSystemCaller('test'), settings, now: new Date() }
  let attempts = 0
  const row = await issueReceipt(
    store,
    issuing,
    { kind: 'single', donation: { campaignId, id: made.id } },
    async write =>
      store.transaction(async tx => {
        attempts += 1
        // As if somebody had been faster, the first time.
        if (attempts === 1)
          await tx.run(sql`update fundraising.receipt_numbers set last = last + 1 where year = ${year}`)
        return await write(tx)
      })
  )
  assert.equal(attempts, 2)
  assert.match(await textOf(row.id), new RegExp(`Nr. ${row.number}`))
  for (const check of fundraisingChecks.filter(({ name }) => name.includes('receipts'))) {
    assert.deepEqual(await check.run(store), [], check.name)
  }
})

test('doctor finds collective receipts that claim the same day, and receipts over more than their payments', async () => {
  const person = { ...donor, donorName: 'Dora Double', email: 'dora@example.org' }
  const last = year - 1
  const find = async () => {
    const found: string[] = []
    for (const check of fundraisingChecks) if ((await check.run(store)).length > 0) found.push(check.name)
    return found
  }
  const before = await find()
  const one = await received({ ...person, receivedOn: `${last}-03-03` })
  const first = await issued({ kind: 'collective', donor: { donationId: one.id, year: last } })
  const two = await received({ ...person, receivedOn: `${year}-01-01` })
  const second = await issued({ kind: 'collective', donor: { donationId: two.id, year } })
  assert.deepEqual(await find(), before)
  const period = JSON.stringify({ from: `${last}-12-31`, to: `${year}-01-01` })
  await store.run(sql`
    update fundraising.receipts set content = jsonb_set(content, '{period}', ${period}::jsonb) where id = ${second.id}`)
  assert.deepEqual(
    (await find()).filter(name => !before.includes(name)),
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
    (await find()).filter(name => !before.includes(name)),
    ['receipts certify received payments']
  )
})
