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

async function donated(fields: object = {}, of: object = {}) {
  const { id } = await aCampaign({ account, name: 'New roof', ...of })
  const { status, body } = await visitor.post(`/campaigns/${id}/donations`, { ...donation, ...fields })
  assert.equal(status, 201)
  return { ...body, path: `/campaigns/${id}/donations/${body.id}` }
}

/** What goes out now. */
async function sent() {
  const before = mailbox.received.length
  await sendDueEmails(store, settings, fundraisingEmails)
  return mailbox.received.slice(before)
}

const waiting = async () =>
  (await store.one<{ count: number }>(sql`select count(*) as count from platform.outbox where state = 'waiting'`)).count

test('a donor who gives an address is told in the own language how to pay, with the same reference in text and code', async () => {
  const made = await donated(
    { email: 'ada@example.org', language: 'de', amount: 1234.5 },
    { translations: { de: { name: 'Neues Dach' } } }
  )
  const [letter, ...others] = await sent()
  assert.ok(letter !== undefined && others.length === 0)
  assert.deepEqual(letter.to, ['ada@example.org'])
  assert.equal(letter.headers.subject, 'Ihre Spende von 1.234,50\u00a0€ für „Neues Dach“: So überweisen Sie')
  for (const form of [letter.text, letter.html.replace(/<[^>]+>/g, ' ')]) {
    assert.ok(form.includes(made.reference))
    assert.ok(form.includes('DE89 3704 0044 0532 0130 00'))
    assert.match(form, /Förderverein Käfer/)
    assert.match(form, /Commerzbank/)
    assert.match(form, /1\.234,50\s€/)
    assert.match(form, /Mit freundlichen Grüßen\s+Musikschule Köln e\. V\./)
  }
  const link = `https://give.example.org/de/spenden/danke/${made.donorToken}`
  assert.ok(letter.text.includes(link) && letter.html.includes(`href="${link}"`))

  const [picture] = letter.attachments
  assert.deepEqual([picture?.name, picture?.type, picture?.disposition], ['girocode.png', 'image/png', 'inline'])
  const { data, info } = await sharp(picture?.content).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const code = decodeQR({ width: info.width, height: info.height, data }).split('\n')
  assert.deepEqual(code.slice(5, 8).concat(code[10] ?? ''), [account.name, account.iban, 'EUR1234.50', made.reference])
})

test('nothing that somebody typed goes to an address that may be a stranger’s, and not many letters a day', async () => {
  const rude = { donorName: 'Buy at evil.example', message: 'Buy at evil.example', email: 'victim@example.org' }
  for (let count = 0; count < 5; count += 1) await donated(rude)
  const letters = await sent()
  assert.equal(letters.length, 5)
  for (const { raw, text, html, headers } of letters) {
    assert.doesNotMatch(raw + text + html + headers.to, /evil/)
  }
  await donated({ ...rude, email: 'Victim@example.org' })
  assert.equal((await sent()).length, 0)
})

test('when the money has come the donor hears of it once, by whichever way it was booked', async () => {
  const byHand = await donated({ email: 'grace@example.org', donorName: 'Grace Höpper', language: 'en' })
  const byMany = await donated({ email: 'many@example.org', language: 'de' })
  await sent()
  assert.equal((await treasurer.patch(byHand.path, { status: 'TRANSFERRED' })).status, 200)
  const move = { status: 'TRANSFERRED', donations: [{ campaignId: byMany.campaignId, id: byMany.id }] }
  assert.equal((await treasurer.post('/donations/status', move)).body.changed, 1)
  const letters = await sent()
  assert.deepEqual(letters.map(({ headers }) => headers.subject).sort(), [
    'Ihre Spende von 25,00\u00a0€ für „New roof“ ist eingegangen',
    'We have received your donation of €25.00 for “New roof”'
  ])
  const english = letters.find(({ to }) => to[0] === 'grace@example.org')
  assert.match(english?.text ?? '', /^Dear Grace Höpper,/)
  assert.equal(english?.headers.to, 'Grace Höpper <grace@example.org>')
  assert.equal(english?.attachments.length, 0)

  await treasurer.patch(byHand.path, { donorName: 'Grace Hopper' })
  await treasurer.patch(byHand.path, { status: 'REFUNDED' })
  assert.deepEqual(await sent(), [])
})

test('who gave no address gets no letter, and gets it later when adding one', async () => {
  const made = await donated({ email: null })
  assert.equal(await waiting(), 0)
  await treasurer.patch(made.path, { message: 'x' })
  assert.equal(await waiting(), 0)
  await visitor.patch(`/donations/by-token/${made.donorToken}`, { email: 'late@example.org' })
  assert.deepEqual(
    (await sent()).map(({ to }) => to[0]),
    ['late@example.org']
  )
})

test('an address that comes together with the money is written to', async () => {
  const made = await donated({ email: null })
  await treasurer.patch(made.path, { status: 'TRANSFERRED', email: 'here@example.org' })
  const letters = await sent()
  assert.deepEqual(
    letters.map(({ to, headers }) => [to[0], /received/.test(headers.subject ?? '')]),
    [['here@example.org', true]]
  )
})

test('a letter that is not wanted any more does not go: paid meanwhile, cancelled, or switched off', async () => {
  const paid = await donated({ email: 'paid@example.org' })
  await treasurer.patch(paid.path, { status: 'TRANSFERRED' })
  assert.deepEqual(
    (await sent()).map(({ headers }) => /received/.test(headers.subject ?? '')),
    [true]
  )
  const cancelled = await donated({ email: 'cancelled@example.org' })
  await treasurer.delete(cancelled.path)
  assert.equal((await sent()).length, 0)

  assert.equal((await admin.patch('/organisation', { confirmationMails: false })).status, 200)
  await donated({ email: 'off@example.org' })
  assert.equal((await sent()).length, 0)
  await admin.patch('/organisation', { confirmationMails: true })
})

test('a donation that waits for a treasurer is confirmed when it is released', async () => {
  await admin.patch('/organisation', { reviewAbove: 100 })
  const held = await donated({ email: 'held@example.org', amount: 500 })
  assert.deepEqual(await sent(), [])
  assert.equal((await treasurer.patch(held.path, { review: 'released' })).status, 200)
  await admin.patch('/organisation', { reviewAbove: null })
  assert.deepEqual(
    (await sent()).map(({ to }) => to[0]),
    ['held@example.org']
  )
})

test('whoever agreed to a direct debit is not told to transfer the money as well', async () => {
  const { id } = await donated({ email: 'debit@example.org', language: 'de' })
  await store.run(sql`update fundraising.donations set payment_method = 'direct_debit' where id = ${id}`)
  const [letter] = await sent()
  assert.match(letter?.text ?? '', /ziehen wir 25,00\s€ per Lastschrift/)
  assert.doesNotMatch(letter?.text ?? '', /überweisen|IBAN/)
  assert.doesNotMatch(letter?.headers.subject ?? '', /überweisen/)
  assert.equal(letter?.attachments.length, 0)
})

test('where there is no code the letter says how to pay all the same', async () => {
  await donated({ email: 'wrong@example.org' }, { account: { ...account, iban: 'DE00370400440532013000' } })
  const [letter] = await sent()
  assert.equal(letter?.attachments.length, 0)
  assert.match(letter?.text ?? '', /DE00 3704/)
  assert.doesNotMatch(letter?.text ?? '', /GiroCode/)
})

test('neither the outbox nor the log nor the record knows to whom a letter went', async () => {
  await donated({ email: 'unheard@example.org' })
  mailbox.refusals.set('unheard@example.org', { code: 550, text: 'unheard@example.org is unknown' })
  await sent()
  const outbox = await store.one<{ all: string }>(sql`
    select json_agg(letter)::text as all from platform.outbox as letter`)
  const record = await admin.get('/activity?limit=200')
  assert.doesNotMatch(outbox.all + record.text + lines.join('\n'), /unheard|ada@|example\.org/)
})
