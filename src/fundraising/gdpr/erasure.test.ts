// test: both stores
// One donor with data in every part: which of it is stored or sent unencrypted, and what is left after an erasure.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { writeArchive } from '#platform/backup/archive.ts'
import { openArchive } from '#platform/backup/restore.ts'
import type { Log } from '#platform/log.ts'
import { newWebhookSender } from '#platform/webhooks/sender.ts'
import { migrations, silent } from '#test/support/database.ts'
import { findRows } from '#test/support/find-rows.ts'
import { buildBooking, startBankImports } from '#test/support/fundraising/bank-import.ts'
import { organisation } from '#test/support/fundraising/receipts.ts'
import { startWebhookReceiver } from '#test/support/webhook-receiver.ts'
import { createFundraisingActivityTypes } from '../activity-types.ts'
import { eraseExpiredDonors } from './retention.ts'
import { eraseOldReceipts } from './sources/receipts.ts'

const lines: string[] = []
const write = (...parts: unknown[]) => void lines.push(JSON.stringify(parts))
const log: Log = { debug: write, info: write, warn: write, error: write }
const bank = await startBankImports({ log, env: { ALLOW_PRIVATE_ADDRESSES: 'true', LOG_LEVEL: 'trace' } })
const { admin, aCampaign, databaseUrl, importBookings, settings, store, treasurer, visitor, withRole } = bank

const person = {
  donorName: 'Wilhelmina Verborgen',
  email: 'wilhelmina@verborgen.example',
  account: { iban: 'NL91ABNA0417164300', name: 'Wilhelmina Verborgen' },
  address: { street: 'Geheimgasse 7', postalCode: '12345', city: 'Verborgenstadt', country: 'DE' },
  consent: { text: 'I agree to this' },
  amount: 25
}
const { iban } = person.account

const receiver = await startWebhookReceiver()
const webhook = await admin.post(
  '/webhooks',
  { url: receiver.url, actions: ['*'] },
  { 'idempotency-key': 'everywhere-0' }
)
const now = () => new Date(Date.now() + 60_000)
const subjects = createFundraisingActivityTypes(settings)
const sender = newWebhookSender({
  db: store,
  keys: settings,
  activityTypes: subjects,
  origin: 'http://a.example',
  allowPrivate: true,
  log: silent,
  now
})

assert.equal((await admin.patch('/organisation', { ...organisation, creditorId: 'DE98ZZZ09999999999' })).status, 200)
const { id: campaignId } = await aCampaign()
const path = `/campaigns/${campaignId}/donations`
const donate = async (fields: object = {}, headers: Record<string, string> = {}) => {
  const created = await visitor.post(path, { ...person, ...fields }, headers)
  assert.equal(created.status, 201, created.text)
  return created.body
}

// A transfer, booked from a statement and with a receipt; a direct debit in a batch; and a payment that is not matched.
const transferred = await donate(
  { message: 'Geheimnis', showName: false, news: { text: 'Neues an Verborgen' } },
  { 'idempotency-key': 'everywhere-1' }
)
const { entries } = await importBookings([
  buildBooking({ amount: '25.00', text: transferred.reference, name: person.donorName, iban }),
  buildBooking({ amount: '7.77', text: `Grüße von ${person.donorName}`, name: person.donorName, iban })
])
await treasurer.post('/payer-rules', { iban, payerName: person.donorName, action: 'campaign', campaignId })
const receipt = await treasurer.post('/receipts', { kind: 'single', donation: { campaignId, id: transferred.id } })
const debited = await donate({ mandate: { text: (await visitor.get('/mandate')).body.texts.de } })
const collection = await treasurer.post('/collections', { campaignId })
await treasurer.post(`${path}/${transferred.id}/notes`, { text: `${person.donorName} has called` })

test('the setup created a booked and an unmatched entry, a receipt and a direct debit batch', () => {
  assert.deepEqual(
    entries.map(({ result }: { result: string }) => result),
    ['booked', 'unmatched']
  )
  assert.deepEqual([receipt.status, collection.status, collection.body.count], [201, 201, 1], receipt.text)
})

test('no IBAN of a donor or payer is in plain text in any table, log, webhook, activity or response to other callers', async () => {
  while ((await sender.deliverDue()) > 0) await sender.drain()
  assert.ok(receiver.received.length > 5)
  assert.deepEqual(await findRows(store, iban), [])
  assert.deepEqual(await findRows(store, iban.slice(4)), [])
  assert.ok((await findRows(store, person.donorName)).length > 3, 'the search finds stored values')

  const editor = await withRole('editor')
  const responses = await Promise.all(
    [visitor, editor].flatMap(client =>
      [
        `${path}`,
        `${path}/${transferred.id}`,
        `/campaigns/${campaignId}`,
        '/donations',
        '/donations.csv',
        '/donations.jsonl',
        `/donors/${transferred.id}`,
        '/bank-statements',
        `/bank-statements/${entries[0].statementId}/entries`,
        '/payer-rules',
        '/mandates',
        '/collections',
        `/receipts/${receipt.body.id}`,
        '/activity',
        `/donations/by-token/${debited.donorToken}`
      ].map(async address => await client.get(address))
    )
  )
  const output = [...lines, ...receiver.received.map(({ body }) => body), ...responses.map(({ text }) => text)].join(
    '\n'
  )
  const activity = (await admin.get('/activity?limit=200')).text
  for (const text of [output, activity]) {
    assert.doesNotMatch(text, /NL91|ABNA|0417164300|wilhelmina@|Geheimgasse/)
  }
  for (const text of [receiver.received.map(({ body }) => body).join(), lines.join(), activity]) {
    assert.doesNotMatch(text, /Verborgen/)
  }
})

test('no donor token, webhook secret or API key is in plain text in any table, log, webhook, activity or backup', async () => {
  const key = (await admin.post('/keys', { name: 'one', role: 'viewer' }, { 'idempotency-key': '1' })).body.key
  const renewed = (await admin.post(`/webhooks/${webhook.body.id}/secret`)).body.secret
  assert.ok([transferred.donorToken, debited.donorToken, webhook.body.secret, renewed, key].every(Boolean))
  while ((await sender.deliverDue()) > 0) await sender.drain()
  const activity = (await admin.get('/activity?limit=200')).text
  const pieces: Buffer[] = []
  await writeArchive({ connectionString: databaseUrl }, migrations, async piece => void pieces.push(piece), 'backup')
  const file = join(await mkdtemp(join(tmpdir(), 'kalends-secrets-')), 'backup')
  await writeFile(file, Buffer.concat(pieces))
  const archive = await openArchive(file)
  const stored: string[] = []
  for (const table of archive.manifest.tables) {
    for await (const rows of archive.readRows(table)) stored.push(rows.toString())
  }
  await archive.close()
  await rm(dirname(file), { recursive: true })
  assert.match(stored.join('\n'), /Wilhelmina Verborgen/, 'the backup was read')

  const tokens = [transferred.donorToken, debited.donorToken, key]
  const secrets = [webhook.body.secret, renewed].flatMap((secret: string) => {
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return [bytes.toString('base64'), bytes.toString('hex')]
  })
  for (const word of [...tokens, ...secrets]) {
    assert.deepEqual(await findRows(store, word), [], word)
    const hex = Buffer.from(word).toString('hex')
    for (const [where, text] of Object.entries({
      log: lines.join('\n'),
      messages: receiver.received.map(({ body }) => body).join('\n'),
      activity,
      backup: stored.join('\n')
    })) {
      assert.ok(!text.includes(word) && !text.includes(hex), `${where}: ${word}`)
    }
  }
})

test('the export of a donor contains donations, mandates, receipts, payments, payer rules and consents to news', async () => {
  const { body } = await treasurer.get(`/donors/${transferred.id}`)
  assert.deepEqual(
    [body.donations, body.mandates, body.receipts, body.payments, body.payerRules, body.news].map(part => part.length),
    [2, 1, 1, 2, 1, 1]
  )
  assert.equal(body.receipts[0].number, receipt.body.number)
  assert.equal(body.payments[0].counterpartName, person.donorName)
})

test('after an erasure only the receipt and the mandate are kept, until their retention period ends', async () => {
  const summary = (await treasurer.get(`/donors/${transferred.id}/summary`, { 'accept-language': 'de' })).body
  const erased = await treasurer.post(`/donors/${transferred.id}/erase`, {}, { 'accept-language': 'de' })
  assert.equal(erased.status, 200, erased.text)
  assert.deepEqual({ ...erased.body, names: [person.donorName] }, summary)
  const year = new Date().getUTCFullYear()
  assert.deepEqual(
    erased.body.kept.map(({ what, count, until }: { what: string; count: number; until: string }) => [
      what,
      count,
      until
    ]),
    [
      ['receipts', 1, `${year + 10}-12-31`],
      ['mandates', 1, `${year + 10}-12-31`]
    ]
  )
  const findTables = async () => {
    const words = ['Verborgen', person.email, iban, 'Geheimgasse', 'Geheimnis']
    const rows = (await Promise.all(words.map(async word => await findRows(store, word)))).flat()
    return [...new Set(rows.map(row => row.split(':', 1)[0]))]
  }
  assert.deepEqual(await findTables(), ['fundraising.receipts'])
  const after = await treasurer.get(`/bank-statements/${entries[0].statementId}/entries`)
  assert.deepEqual([after.body[0].result, after.body[0].match?.donationId], ['booked', transferred.id])
  assert.deepEqual([after.body[0].counterpart.name, after.body[1].counterpart.iban], [null, null])

  const later = { now: new Date(Date.UTC(year + 11, 0, 2)) }
  await eraseExpiredDonors(store, settings, later)
  await eraseOldReceipts(store, later)
  assert.deepEqual(await findTables(), [])
  assert.deepEqual(
    await findRows(store, debited.reference).then(rows => rows.some(row => row.includes('mandates'))),
    false
  )
  assert.equal((await treasurer.get(`${path}/${transferred.id}`)).body.amount, 25)
})
