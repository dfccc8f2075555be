import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeQR } from 'qr/decode.js'
import sharp from 'sharp'
import { sql } from '#platform/database/sql.ts'
import { sendDueEmails } from '#platform/email/send.ts'
import type { Log } from '#platform/log.ts'
import { startMailbox } from '#test/support/mailbox.ts'
import { donation, startCampaigns } from '#test/support/services.ts'
import { fundraisingEmails } from './templates.ts'

const lines: string[] = []
const write = (...parts: unknown[]) => {
  lines.push(JSON.stringify(parts))
}
const log: Log = { debug: write, info: write, warn: write, error: write }
const mailbox = await startMailbox()
const env = {
  RATE_LIMIT_DONATIONS: '0',
  RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0',
  SMTP_URL: mailbox.url,
  MAIL_FROM: 'Musikschule <give@example.org>',
  PUBLIC_URL: 'https://give.example.org'
}
const { admin, visitor, store, settings, withRole, aCampaign } = await startCampaigns({ env, log })
const treasurer = await withRole('treasurer')
await admin.patch('/site', { name: 'Musikschule Köln e. V.' })

const account = { iban: 'DE89370400440532013000', name: 'Förderverein Käfer', nameOfBank: '' }

async function donate(fields: object = {}, campaignFields: object = {}) {
  const { id } = await aCampaign({ account, name: 'New roof', ...campaignFields })
  const { status, body } = await visitor.post(`/campaigns/${id}/donations`, { ...donation, ...fields })
  assert.equal(status, 201)
  return { ...body, path: `/campaigns/${id}/donations/${body.id}` }
}

/** Sends the due emails and returns them. */
async function sendAndCollectEmails() {
  const before = mailbox.received.length
  await sendDueEmails(store, settings, fundraisingEmails)
  return mailbox.received.slice(before)
}

const countWaitingEmails = async () =>
  (await store.one<{ count: number }>(sql`select count(*) as count from platform.outbox where state = 'waiting'`)).count

test('a donor with an email address gets an email in the own language on how to pay, with the same reference in text and QR code', async () => {
  const created = await donate(
    { email: 'ada@example.org', language: 'de', amount: 1234.5 },
    { translations: { de: { name: 'Neues Dach' } } }
  )
  const [email, ...others] = await sendAndCollectEmails()
  assert.ok(email !== undefined && others.length === 0)
  assert.deepEqual(email.to, ['ada@example.org'])
  assert.equal(email.headers.subject, 'Ihre Spende von 1.234,50\u00a0€ für „Neues Dach“: So überweisen Sie')
  for (const body of [email.text, email.html.replace(/<[^>]+>/g, ' ')]) {
    assert.ok(body.includes(created.reference))
    assert.ok(body.includes('DE89 3704 0044 0532 0130 00'))
    assert.match(body, /Förderverein Käfer/)
    assert.match(body, /Commerzbank/)
    assert.match(body, /1\.234,50\s€/)
    assert.match(body, /Mit freundlichen Grüßen\s+Musikschule Köln e\. V\./)
  }
  const link = `https://give.example.org/de/spenden/danke/${created.donorToken}`
  assert.ok(email.text.includes(link) && email.html.includes(`href="${link}"`))

  const [picture] = email.attachments
  assert.deepEqual([picture?.name, picture?.type, picture?.disposition], ['girocode.png', 'image/png', 'inline'])
  const { data, info } = await sharp(picture?.content).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const code = decodeQR({ width: info.width, height: info.height, data }).split('\n')
  assert.deepEqual(code.slice(5, 8).concat(code[10] ?? ''), [
    account.name,
    account.iban,
    'EUR1234.50',
    created.reference
  ])
})

test('an email to an unverified address contains no text of the donor, and an address gets at most 5 emails', async () => {
  const spam = { donorName: 'Buy at evil.example', message: 'Buy at evil.example', email: 'victim@example.org' }
  for (let count = 0; count < 5; count += 1) await donate(spam)
  const emails = await sendAndCollectEmails()
  assert.equal(emails.length, 5)
  for (const { raw, text, html, headers } of emails) {
    assert.doesNotMatch(raw + text + html + headers.to, /evil/)
  }
  await donate({ ...spam, email: 'Victim@example.org' })
  assert.equal((await sendAndCollectEmails()).length, 0)
})

test('the donor gets one email when the donation is received, whether it was booked alone or with others', async () => {
  const bookedAlone = await donate({ email: 'grace@example.org', donorName: 'Grace Höpper', language: 'en' })
  const bookedWithOthers = await donate({ email: 'many@example.org', language: 'de' })
  await sendAndCollectEmails()
  assert.equal((await treasurer.patch(bookedAlone.path, { status: 'TRANSFERRED' })).status, 200)
  const bulkChange = {
    status: 'TRANSFERRED',
    donations: [{ campaignId: bookedWithOthers.campaignId, id: bookedWithOthers.id }]
  }
  assert.equal((await treasurer.post('/donations/status', bulkChange)).body.changed, 1)
  const emails = await sendAndCollectEmails()
  assert.deepEqual(emails.map(({ headers }) => headers.subject).sort(), [
    'Ihre Spende von 25,00\u00a0€ für „New roof“ ist eingegangen',
    'We have received your donation of €25.00 for “New roof”'
  ])
  const english = emails.find(({ to }) => to[0] === 'grace@example.org')
  assert.match(english?.text ?? '', /^Dear Grace Höpper,/)
  assert.equal(english?.headers.to, 'Grace Höpper <grace@example.org>')
  assert.equal(english?.attachments.length, 0)

  await treasurer.patch(bookedAlone.path, { donorName: 'Grace Hopper' })
  await treasurer.patch(bookedAlone.path, { status: 'REFUNDED' })
  assert.deepEqual(await sendAndCollectEmails(), [])
})

test('a donor without an email address gets no email until an address is added', async () => {
  const created = await donate({ email: null })
  assert.equal(await countWaitingEmails(), 0)
  await treasurer.patch(created.path, { message: 'x' })
  assert.equal(await countWaitingEmails(), 0)
  await visitor.patch(`/donations/by-token/${created.donorToken}`, { email: 'late@example.org' })
  assert.deepEqual(
    (await sendAndCollectEmails()).map(({ to }) => to[0]),
    ['late@example.org']
  )
})

test('an email address that is added together with the payment gets the email about the receipt of the money', async () => {
  const created = await donate({ email: null })
  await treasurer.patch(created.path, { status: 'TRANSFERRED', email: 'here@example.org' })
  const emails = await sendAndCollectEmails()
  assert.deepEqual(
    emails.map(({ to, headers }) => [to[0], /received/.test(headers.subject ?? '')]),
    [['here@example.org', true]]
  )
})

test('the email on how to pay is not sent if the donation is received or deleted before, or confirmations are off', async () => {
  const paid = await donate({ email: 'paid@example.org' })
  await treasurer.patch(paid.path, { status: 'TRANSFERRED' })
  assert.deepEqual(
    (await sendAndCollectEmails()).map(({ headers }) => /received/.test(headers.subject ?? '')),
    [true]
  )
  const cancelled = await donate({ email: 'cancelled@example.org' })
  await treasurer.delete(cancelled.path)
  assert.equal((await sendAndCollectEmails()).length, 0)

  assert.equal((await admin.patch('/organisation', { confirmationMails: false })).status, 200)
  await donate({ email: 'off@example.org' })
  assert.equal((await sendAndCollectEmails()).length, 0)
  await admin.patch('/organisation', { confirmationMails: true })
})

test('the email for a donation that is held for review is sent when it is approved', async () => {
  await admin.patch('/organisation', { reviewAbove: 100 })
  const held = await donate({ email: 'held@example.org', amount: 500 })
  assert.deepEqual(await sendAndCollectEmails(), [])
  assert.equal((await treasurer.patch(held.path, { review: 'released' })).status, 200)
  await admin.patch('/organisation', { reviewAbove: null })
  assert.deepEqual(
    (await sendAndCollectEmails()).map(({ to }) => to[0]),
    ['held@example.org']
  )
})

test('a donor who pays by direct debit is not asked to transfer the money', async () => {
  const { id } = await donate({ email: 'debit@example.org', language: 'de' })
  await store.run(sql`update fundraising.donations set payment_method = 'direct_debit' where id = ${id}`)
  const [email] = await sendAndCollectEmails()
  assert.match(email?.text ?? '', /ziehen wir 25,00\s€ per Lastschrift/)
  assert.doesNotMatch(email?.text ?? '', /überweisen|IBAN/)
  assert.doesNotMatch(email?.headers.subject ?? '', /überweisen/)
  assert.equal(email?.attachments.length, 0)
})

test('the email says how to pay even if no QR code is possible', async () => {
  await donate({ email: 'wrong@example.org' }, { account: { ...account, iban: 'DE00370400440532013000' } })
  const [email] = await sendAndCollectEmails()
  assert.equal(email?.attachments.length, 0)
  assert.match(email?.text ?? '', /DE00 3704/)
  assert.doesNotMatch(email?.text ?? '', /GiroCode/)
})

test('outbox, log and activity log do not contain the address of the recipient', async () => {
  await donate({ email: 'unheard@example.org' })
  mailbox.refusals.set('unheard@example.org', { code: 550, text: 'unheard@example.org is unknown' })
  await sendAndCollectEmails()
  const outbox = await store.one<{ all: string }>(sql`
    select json_agg(letter)::text as all from platform.outbox as letter`)
  const activity = await admin.get('/activity?limit=200')
  assert.doesNotMatch(outbox.all + activity.text + lines.join('\n'), /unheard|ada@|example\.org/)
})
