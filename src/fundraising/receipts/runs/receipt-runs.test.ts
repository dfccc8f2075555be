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
const received = async (fields: object) => await aDonation(campaignId, { ...donor, status: 'TRANSFERRED', ...fields })
const runFor = async (fields: object = {}) => {
  const started = await admin.post('/receipt-runs', { year, upToToday: true, ...fields })
  assert.equal(started.status, 202, started.text)
  return started.body
}
const receiptsOf = async (search: string) => (await admin.get(`/receipts?search=${search}&limit=200`)).body

test('a run issues what is missing, once for each donor, and says whom it could not', async () => {
  for (const amount of [10, 20]) await received({ donorName: 'Runa Many', email: 'runa@example.org', amount })
  await received({ donorName: 'Runa Single', email: 'one@example.org' })
  await received({ donorName: 'Runa Nowhere', email: null, address: null, account: undefined })
  await received({ donorName: 'Runa Shy', receiptRequested: false })
  await aDonation(campaignId, { ...donor, donorName: 'Runa Promised' })
  const certified = await received({ donorName: 'Runa Certified', email: 'has@example.org' })
  await admin.post('/receipts', { kind: 'single', donation: { campaignId, id: certified.id } })

  const run = await runFor()
  assert.deepEqual([run.status, run.progress], ['waiting', { done: 0, total: 3 }])
  assert.equal((await admin.post('/receipt-runs', { year, upToToday: true })).body.code, 'receipt-run-goes-on')
  await processRuns(store, settings)
  const { body: ended } = await admin.get(`/receipt-runs/${run.id}`)
  assert.deepEqual([ended.status, ended.issued, ended.progress], ['done', 2, { done: 3, total: 3 }])
  assert.deepEqual(ended.skipped, [{ reason: 'no-address', count: 1 }])
  assert.deepEqual(ended.problems, [])
  const [many] = await receiptsOf('many')
  assert.deepEqual([many.kind, many.amount, many.runId, many.sent], ['collective', 30, run.id, false])
  assert.deepEqual(
    (await receiptsOf('single')).map(({ kind }: { kind: string }) => kind),
    ['single']
  )
  assert.deepEqual([...(await receiptsOf('shy')), ...(await receiptsOf('promised'))], [])

  const again = await runFor()
  await processRuns(store, settings)
  const { body: second } = await admin.get(`/receipt-runs/${again.id}`)
  assert.deepEqual([second.status, second.issued], ['done', 0])
  assert.deepEqual((await admin.get('/receipt-runs')).body[0], second)
})

test('a run for a year that is not over is refused, unless it is asked for up to today', async () => {
  const refused = await admin.post('/receipt-runs', { year })
  assert.deepEqual([refused.status, refused.body.code], [422, 'year-not-over'])
  const german = await admin.post('/receipt-runs', { year }, { 'accept-language': 'de' })
  assert.match(german.body.detail, /noch nicht zu Ende/)
  const before = await admin.post('/receipt-runs', { year: year - 1 })
  assert.equal(before.status, 202)
  await processRuns(store, settings)
})

test('a preview says who gets what, and who is left out and why, and the run does just that', async () => {
  const named = (name: string) => ({ donorName: `Preview ${name}`, email: `${name.toLowerCase()}@example.org` })
  for (const amount of [10, 20]) await received({ ...named('Many'), amount })
  const thing = { description: 'Klavier', origin: 'private' }
  await received({ ...named('Thing'), amount: 900, kind: 'in_kind', inKind: thing })
  await received({ ...named('Homeless'), address: null })
  await received({ ...named('Small'), amount: 300, receiptRequested: false })
  await received({ ...named('Large'), amount: 301, receiptRequested: false })
  await received({ ...named('Member'), kind: 'membership_fee' })
  const certified = await received(named('Certified'))
  const { body: has } = await admin.post('/receipts', { kind: 'single', donation: { campaignId, id: certified.id } })
  const claimed = await received(named('Claimed'))
  const { body: claim } = await admin.post('/receipts', { kind: 'collective', donor: { donationId: claimed.id, year } })
  await received(named('Claimed'))
  const erased = await received({ ...named('Erased'), receiptRequested: false })
  await store.run(sql`
    update fundraising.donations set donor_name = null, erased_at = now() where id = ${erased.id}`)

  const { status, body, headers } = await admin.get(`/receipt-runs/preview?year=${year}&limit=100`)
  assert.equal(status, 200)
  assert.deepEqual([body.isOver, body.upTo.slice(0, 4)], [false, String(year)])
  assert.doesNotMatch(headers.link ?? '', /rel="next"/)
  const isOurs = (name: string | null) => name?.startsWith('Preview') === true
  const gets = body.receipts.filter(({ donor: { name } }: { donor: { name: string } }) => isOurs(name))
  assert.deepEqual(
    gets.map((one: Record<string, unknown>) => [one.kind, one.amount, (one.donations as object[]).length]),
    [
      ['collective', 30, 2],
      ['single', 900, 1]
    ]
  )
  const left = body.leftOut
    .filter(({ donor: name }: { donor: string | null }) => isOurs(name))
    .map((one: Record<string, string>) => [one.donor?.slice(8), one.reason, one.receiptNumber])
  assert.deepEqual(left, [
    ['Certified', 'has-receipt', has.number],
    ['Claimed', 'has-receipt', claim.number],
    ['Claimed', 'period-taken', claim.number],
    ['Homeless', 'no-address', null],
    ['Large', 'not-requested', null],
    ['Member', 'fee-not-deductible', null],
    ['Small', 'small-amount', null]
  ])
  const nameless = body.leftOut.find((one: { reason: string }) => one.reason === 'no-name')
  assert.deepEqual([nameless.donor, nameless.donations[0].id], [null, erased.id])

  const first = await admin.get(`/receipt-runs/preview?year=${year}&limit=3`)
  assert.match(first.headers.link ?? '', /cursor=/)
  assert.equal(first.headers['x-total-count'], headers['x-total-count'])
  const run = await runFor()
  await processRuns(store, settings)
  const { body: ended } = await admin.get(`/receipt-runs/${run.id}`)
  assert.equal(ended.issued, body.receipts.length)
  const skipped = Object.fromEntries(
    ended.skipped.map((one: { reason: string; count: number }) => [one.reason, one.count])
  )
  assert.deepEqual([skipped['period-taken'], skipped['fee-not-deductible']], [1, 1])
  assert.equal((await admin.get(`/receipt-runs/preview?year=${year}`)).body.receipts.length, 0)
})

test('a run that a process left behind goes on where it stopped, and nobody gets two receipts', {
  skip: skipUnlessFull
}, async () => {
  for (let index = 0; index < 6; index += 1) {
    await received({ donorName: `Resumed ${index}`, email: `r${index}@example.org` })
  }
  const run = await runFor()
  // Stopped after some names, as by a process that is told to end.
  const stopping = new AbortController()
  const slow = new Proxy(store, {
    get: (target, name) => {
      if (name === 'transaction' && target === store) stopping.signal.aborted || setImmediate(() => stopping.abort())
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    }
  })
  await processRuns(slow, settings, stopping.signal)
  const { body: half } = await admin.get(`/receipt-runs/${run.id}`)
  assert.equal(half.status, 'running')
  assert.ok(half.issued < 6, String(half.issued))
  // Killed while it held the run: nobody touches it before its time is over, and then somebody does.
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
  const names = (await receiptsOf('resumed')).map(({ donor: { name } }: { donor: { name: string } }) => name)
  assert.deepEqual(
    names.sort(),
    [0, 1, 2, 3, 4, 5].map(index => `Resumed ${index}`)
  )
})

test('a run that cannot go on says why', async () => {
  await received({ donorName: 'Late', email: 'late@example.org' })
  const run = await runFor()
  await admin.patch('/organisation', { taxNumber: '' })
  await processRuns(store, settings)
  const { body } = await admin.get(`/receipt-runs/${run.id}`, { 'accept-language': 'de' })
  assert.deepEqual([body.status, body.problems[0].code], ['failed', 'organisation-incomplete'])
  assert.match(body.problems[0].message, /taxNumber/)
  assert.equal((await admin.post('/receipt-runs', { year, upToToday: true })).status, 409)
  await admin.patch('/organisation', organisation)
})

test('receipts are sent only where they are signed by a machine, with the file and to nobody else', async () => {
  assert.equal(
    (await admin.post('/receipt-runs', { year, send: true, upToToday: true })).body.code,
    'not-signed-by-machine'
  )
  await admin.patch('/organisation', { signature, taxOfficeInformedOn: `${year}-01-15` })
  await received({ donorName: 'Posted Person', email: 'posted@example.org', language: 'en' })
  await runFor({ send: true })
  await processRuns(store, settings)
  const [receipt] = await receiptsOf('posted')
  assert.equal(receipt.sent, true)
  const letters = await store.all<{ about: string }>(sql`select about from platform.outbox where kind = 'receipt'`)
  assert.ok(letters.some(({ about }) => about === receipt.id))
  const letter = await fundraisingEmails.receipt?.(store, settings, receipt.id)
  assert.deepEqual(letter?.to, { name: 'Posted Person', address: 'posted@example.org' })
  assert.match(letter?.text ?? '', /Please find attached your donation receipt/)
  assert.equal(letter?.attachments?.[0]?.name, `${receipt.number}.pdf`)
  assert.equal(letter?.attachments?.[0]?.content.subarray(0, 5).toString(), '%PDF-')
  await admin.post(`/receipts/${receipt.id}/withdraw`, { reason: 'Mistake' })
  assert.equal(await fundraisingEmails.receipt?.(store, settings, receipt.id), undefined)
})

test('receipts are kept for as long as the law wants; then the donor and the file go, and the number stays', async () => {
  const made = await received({ donorName: 'Forgettable', email: 'f@example.org' })
  const { body: receipt } = await admin.post('/receipts', { kind: 'single', donation: { campaignId, id: made.id } })
  const key = [{ campaignId, id: made.id }]
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
