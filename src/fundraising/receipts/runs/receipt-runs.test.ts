// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { donor, organisation, signature } from '#test/support/fundraising/receipts.ts'
import { startCampaigns } from '#test/support/services.ts'
import { fundraisingEmails } from '../../emails/templates.ts'
import * as personal from '../../gdpr/sources/receipts.ts'
import { processRuns } from './receipt-run.ts'

const { admin, aCampaign, aDonation, settings, store } = await startCampaigns({
  env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'give@example.org', PUBLIC_URL: 'https://give.example.org' }
})
const year = new Date().getFullYear()
await admin.patch('/organisation', organisation)
const { id: campaignId } = await aCampaign()
const createReceived = async (fields: object) =>
  await aDonation(campaignId, { ...donor, status: 'TRANSFERRED', ...fields })
const startRun = async (fields: object = {}) => {
  const started = await admin.post('/receipt-runs', { year, upToToday: true, ...fields })
  assert.equal(started.status, 202, started.text)
  return started.body
}
const findReceipts = async (search: string) => (await admin.get(`/receipts?search=${search}&limit=200`)).body

test('a receipt run issues the missing receipts, one per donor, and reports the skipped donors', async () => {
  for (const amount of [10, 20]) await createReceived({ donorName: 'Runa Many', email: 'runa@example.org', amount })
  await createReceived({ donorName: 'Runa Single', email: 'one@example.org' })
  await createReceived({ donorName: 'Runa Nowhere', email: null, address: null, account: undefined })
  await createReceived({ donorName: 'Runa Shy', receiptRequested: false })
  await aDonation(campaignId, { ...donor, donorName: 'Runa Promised' })
  const certified = await createReceived({ donorName: 'Runa Certified', email: 'has@example.org' })
  await admin.post('/receipts', { kind: 'single', donation: { campaignId, id: certified.id } })

  const run = await startRun()
  assert.deepEqual([run.status, run.progress], ['waiting', { done: 0, total: 3 }])
  assert.equal((await admin.post('/receipt-runs', { year, upToToday: true })).body.code, 'receipt-run-goes-on')
  await processRuns(store, settings)
  const { body: ended } = await admin.get(`/receipt-runs/${run.id}`)
  assert.deepEqual([ended.status, ended.issued, ended.progress], ['done', 2, { done: 3, total: 3 }])
  assert.deepEqual(ended.skipped, [{ reason: 'no-address', count: 1 }])
  assert.deepEqual(ended.problems, [])
  const [collective] = await findReceipts('many')
  assert.deepEqual(
    [collective.kind, collective.amount, collective.runId, collective.sent],
    ['collective', 30, run.id, false]
  )
  assert.deepEqual(
    (await findReceipts('single')).map(({ kind }: { kind: string }) => kind),
    ['single']
  )
  assert.deepEqual([...(await findReceipts('shy')), ...(await findReceipts('promised'))], [])

  const again = await startRun()
  await processRuns(store, settings)
  const { body: second } = await admin.get(`/receipt-runs/${again.id}`)
  assert.deepEqual([second.status, second.issued], ['done', 0])
  assert.deepEqual((await admin.get('/receipt-runs')).body[0], second)
})

test('a receipt run for a year that is not over is refused, unless it is requested up to today', async () => {
  const refused = await admin.post('/receipt-runs', { year })
  assert.deepEqual([refused.status, refused.body.code], [422, 'year-not-over'])
  const german = await admin.post('/receipt-runs', { year }, { 'accept-language': 'de' })
  assert.match(german.body.detail, /noch nicht zu Ende/)
  const before = await admin.post('/receipt-runs', { year: year - 1 })
  assert.equal(before.status, 202)
  await processRuns(store, settings)
})

test('the preview lists the receipts of a run and the omitted donors with reasons, and the run does the same', async () => {
  const buildDonor = (name: string) => ({ donorName: `Preview ${name}`, email: `${name.toLowerCase()}@example.org` })
  for (const amount of [10, 20]) await createReceived({ ...buildDonor('Many'), amount })
  const piano = { description: 'Klavier', origin: 'private' }
  await createReceived({ ...buildDonor('Thing'), amount: 900, kind: 'in_kind', inKind: piano })
  await createReceived({ ...buildDonor('Homeless'), address: null })
  await createReceived({ ...buildDonor('Small'), amount: 300, receiptRequested: false })
  await createReceived({ ...buildDonor('Large'), amount: 301, receiptRequested: false })
  await createReceived({ ...buildDonor('Member'), kind: 'membership_fee' })
  const certified = await createReceived(buildDonor('Certified'))
  const { body: existingReceipt } = await admin.post('/receipts', {
    kind: 'single',
    donation: { campaignId, id: certified.id }
  })
  const claimed = await createReceived(buildDonor('Claimed'))
  const { body: collectiveReceipt } = await admin.post('/receipts', {
    kind: 'collective',
    donor: { donationId: claimed.id, year }
  })
  await createReceived(buildDonor('Claimed'))
  const erased = await createReceived({ ...buildDonor('Erased'), receiptRequested: false })
  await store.run(sql`
    update fundraising.donations set donor_name = null, erased_at = now() where id = ${erased.id}`)

  const { status, body, headers } = await admin.get(`/receipt-runs/preview?year=${year}&limit=100`)
  assert.equal(status, 200)
  assert.deepEqual([body.isOver, body.upTo.slice(0, 4)], [false, String(year)])
  assert.doesNotMatch(headers.link ?? '', /rel="next"/)
  const isOfThisTest = (name: string | null) => name?.startsWith('Preview') === true
  const planned = body.receipts.filter(({ donor: { name } }: { donor: { name: string } }) => isOfThisTest(name))
  assert.deepEqual(
    planned.map((one: Record<string, unknown>) => [one.kind, one.amount, (one.donations as object[]).length]),
    [
      ['collective', 30, 2],
      ['single', 900, 1]
    ]
  )
  const leftOut = body.leftOut
    .filter(({ donor: name }: { donor: string | null }) => isOfThisTest(name))
    .map((one: Record<string, string>) => [one.donor?.slice(8), one.reason, one.receiptNumber])
  assert.deepEqual(leftOut, [
    ['Certified', 'has-receipt', existingReceipt.number],
    ['Claimed', 'has-receipt', collectiveReceipt.number],
    ['Claimed', 'period-taken', collectiveReceipt.number],
    ['Homeless', 'no-address', null],
    ['Large', 'not-requested', null],
    ['Member', 'fee-not-deductible', null],
    ['Small', 'small-amount', null]
  ])
  const withoutName = body.leftOut.find((one: { reason: string }) => one.reason === 'no-name')
  assert.deepEqual([withoutName.donor, withoutName.donations[0].id], [null, erased.id])

  const first = await admin.get(`/receipt-runs/preview?year=${year}&limit=3`)
  assert.match(first.headers.link ?? '', /cursor=/)
  assert.equal(first.headers['x-total-count'], headers['x-total-count'])
  const run = await startRun()
  await processRuns(store, settings)
  const { body: ended } = await admin.get(`/receipt-runs/${run.id}`)
  assert.equal(ended.issued, body.receipts.length)
  const skipped = Object.fromEntries(
    ended.skipped.map((one: { reason: string; count: number }) => [one.reason, one.count])
  )
  assert.deepEqual([skipped['period-taken'], skipped['fee-not-deductible']], [1, 1])
  assert.equal((await admin.get(`/receipt-runs/preview?year=${year}`)).body.receipts.length, 0)
})

test('an interrupted receipt run continues where it stopped, and no donor gets two receipts', {
  skip: skipUnlessFull
}, async () => {
  for (let index = 0; index < 6; index += 1) {
    await createReceived({ donorName: `Resumed ${index}`, email: `r${index}@example.org` })
  }
  const run = await startRun()
  // Aborted after some donors, as when the process is stopped.
  const abortController = new AbortController()
  const abortingStore = new Proxy(store, {
    get: (target, name) => {
      if (name === 'transaction' && target === store)
        abortController.signal.aborted || setImmediate(() => abortController.abort())
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    }
  })
  await processRuns(abortingStore, settings, abortController.signal)
  const { body: interrupted } = await admin.get(`/receipt-runs/${run.id}`)
  assert.equal(interrupted.status, 'running')
  assert.ok(interrupted.issued < 6, String(interrupted.issued))
  // As after a killed process: the run is not processed before its lease expires, and is processed after it.
  await store.run(
    sql`update fundraising.receipt_runs set leased_until = now() + interval '1 hour' where id = ${run.id}`
  )
  await processRuns(store, settings)
  assert.equal((await admin.get(`/receipt-runs/${run.id}`)).body.status, 'running')
  await store.run(
    sql`update fundraising.receipt_runs set leased_until = now() - interval '1 second' where id = ${run.id}`
  )
  await Promise.all([processRuns(store, settings), processRuns(store, settings)])
  const { body: ended } = await admin.get(`/receipt-runs/${run.id}`)
  assert.deepEqual([ended.status, ended.issued], ['done', 6])
  const names = (await findReceipts('resumed')).map(({ donor: { name } }: { donor: { name: string } }) => name)
  assert.deepEqual(
    names.sort(),
    [0, 1, 2, 3, 4, 5].map(index => `Resumed ${index}`)
  )
})

test('a receipt run that cannot continue fails with a reason', async () => {
  await createReceived({ donorName: 'Late', email: 'late@example.org' })
  const run = await startRun()
  await admin.patch('/organisation', { taxNumber: '' })
  await processRuns(store, settings)
  const { body } = await admin.get(`/receipt-runs/${run.id}`, { 'accept-language': 'de' })
  assert.deepEqual([body.status, body.problems[0].code], ['failed', 'organisation-incomplete'])
  assert.match(body.problems[0].message, /taxNumber/)
  assert.equal((await admin.post('/receipt-runs', { year, upToToday: true })).status, 409)
  await admin.patch('/organisation', organisation)
})

test('receipts are emailed only if they are signed by machine, with the file, and not after they are withdrawn', async () => {
  assert.equal(
    (await admin.post('/receipt-runs', { year, send: true, upToToday: true })).body.code,
    'not-signed-by-machine'
  )
  await admin.patch('/organisation', { signature, taxOfficeInformedOn: `${year}-01-15` })
  await createReceived({ donorName: 'Posted Person', email: 'posted@example.org', language: 'en' })
  await startRun({ send: true })
  await processRuns(store, settings)
  const [receipt] = await findReceipts('posted')
  assert.equal(receipt.sent, true)
  const emails = await store.all<{ about: string }>(sql`select about from platform.outbox where kind = 'receipt'`)
  assert.ok(emails.some(({ about }) => about === receipt.id))
  const email = await fundraisingEmails.receipt?.(store, settings, receipt.id)
  assert.deepEqual(email?.to, { name: 'Posted Person', address: 'posted@example.org' })
  assert.match(email?.text ?? '', /Please find attached your donation receipt/)
  assert.equal(email?.attachments?.[0]?.name, `${receipt.number}.pdf`)
  assert.equal(email?.attachments?.[0]?.content.subarray(0, 5).toString(), '%PDF-')
  await admin.post(`/receipts/${receipt.id}/withdraw`, { reason: 'Mistake' })
  assert.equal(await fundraisingEmails.receipt?.(store, settings, receipt.id), undefined)
})

test('receipts are kept for the legal period; then donor data and file are erased, and the number is kept', async () => {
  const donated = await createReceived({ donorName: 'Forgettable', email: 'f@example.org' })
  const { body: receipt } = await admin.post('/receipts', { kind: 'single', donation: { campaignId, id: donated.id } })
  const key = [{ campaignId, id: donated.id }]
  assert.equal(await personal.erase(store, key, new Date()), 0)
  assert.match(JSON.stringify(await personal.list(store, key)), /Forgettable/)
  const later = new Date(Date.UTC(year + 11, 5, 1))
  assert.equal(await personal.erase(store, key, later), 1)
  assert.doesNotMatch(JSON.stringify(await personal.list(store, key)), /Forgettable|Übergasse/)
  assert.equal((await admin.get(`/receipts/${receipt.id}.pdf`)).status, 410)
  assert.equal((await admin.get(`/receipts/${receipt.id}.pdf?copy=true`)).status, 410)
  const { body } = await admin.get(`/receipts/${receipt.id}`)
  assert.deepEqual([body.number, body.donor.name], [receipt.number, ''])
  await personal.eraseOldReceipts(store, { now: later })
  const { left } = await store.one<{ left: number }>(sql`
    select count(*) as left from fundraising.receipts where erased_at is null`)
  assert.equal(left, 0)
})
