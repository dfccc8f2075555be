import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import type { Log } from '#platform/log.ts'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'

const lines: string[] = []
const write = (...parts: unknown[]) => {
  lines.push(JSON.stringify(parts))
}
const log: Log = { debug: write, info: write, warn: write, error: write }
const { admin, visitor, withRole, withKey, aCampaign, store } = await startCampaigns({ log })
const treasurer = await withRole('treasurer')

const address = { street: 'Geheimgasse 7', postalCode: '50667', city: 'Köln' }
const consent = { text: 'You may write to me.\nOnce.', version: '2026-10' }

async function donated(fields: object = {}, headers: Record<string, string> = {}, of: object = {}) {
  const { id } = await aCampaign(of)
  const { status, body } = await visitor.post(`/campaigns/${id}/donations`, { ...donation, ...fields }, headers)
  assert.equal(status, 201)
  const path = `/campaigns/${id}/donations/${body.id}`
  return { id, body, path, own: `/donations/by-token/${body.donorToken}` }
}

test('address and consent of a donor are for treasurers: nobody else reads them, not even in the answer to the donor', async () => {
  const { id, body, path, own } = await donated({ address, consent })
  const read = (await treasurer.get(path)).body
  assert.deepEqual(read.address, { ...address, country: 'DE' })
  assert.deepEqual(read.consent, { ...consent, at: body.createdAt })
  const others = [visitor, await withRole('editor')]
  const texts = [JSON.stringify(body), (await visitor.get(own)).text]
  for (const client of others) {
    for (const url of [path, `/campaigns/${id}/donations`, `/campaigns/${id}`]) texts.push((await client.get(url)).text)
  }
  for (const text of texts) assert.doesNotMatch(text, /Geheimgasse|50667|write to me/)
})

test('an address can be corrected and taken away; consent cannot be changed afterwards', async () => {
  const { path, body } = await donated({ address, consent })
  const moved = { street: 'Rue Neuve 1', postalCode: '1000', city: 'Bruxelles', country: 'be' }
  const { body: changed } = await treasurer.patch(path, { address: moved, language: 'de', consent: { text: 'Other' } })
  assert.deepEqual(changed.address, { ...moved, country: 'BE' })
  assert.deepEqual([changed.language, changed.consent.text], ['de', consent.text])
  assert.deepEqual((await treasurer.patch(path, { receiptRequested: false })).body.address, changed.address)
  assert.equal((await treasurer.patch(path, { address: null })).body.address, null)
  assert.equal(changed.consent.at, body.createdAt)
  const none = await donated({ address: null, consent: null })
  const plain = (await treasurer.get(none.path)).body
  assert.deepEqual([plain.address, plain.consent], [null, null])
})

for (const [fields, pointer, code] of [
  [{ address: { ...address, city: ' ' } }, '/address/city', 'empty'],
  [{ address: { street: 'x', city: 'y' } }, '/address/postalCode', 'required'],
  [{ address: { ...address, country: 'Germany' } }, '/address/country', 'country'],
  [{ address: 'Köln' }, '/address', 'type'],
  [{ consent: { version: '1' } }, '/consent/text', 'required'],
  [{ consent: { text: '' } }, '/consent/text', 'empty'],
  [{ language: 'fr' }, '/language', 'not-allowed']
] as const) {
  test(`a donation with ${JSON.stringify(fields).slice(0, 50)} is refused at ${pointer}`, async () => {
    const { id } = await aCampaign()
    const { status, body } = await visitor.post(`/campaigns/${id}/donations`, { ...donation, ...fields })
    assert.equal(status, 400)
    assert.deepEqual([body.errors.length, body.errors[0].pointer, body.errors[0].code], [1, pointer, code])
    assert.equal((await visitor.get(`/campaigns/${id}`)).body.donationCount, 0)
  })
}

test('the language of a donor is the one that is sent, else the one that the browser asks for, else that of the site', async () => {
  const cases: [sent: object, header: string, language: string][] = [
    [{ language: 'en' }, 'de', 'en'],
    [{}, 'de-AT,de;q=0.9,en;q=0.5', 'de'],
    [{}, 'fr', 'en']
  ]
  for (const [sent, header, language] of cases) {
    const { path } = await donated(sent, { 'accept-language': header })
    assert.equal((await treasurer.get(path)).body.language, language)
  }
})

test('a treasurer reads where a donation can go from where it is', async () => {
  const { path } = await donated()
  assert.deepEqual((await treasurer.get(path)).body.nextStatuses, ['TRANSFERRED', 'CANCELLED', 'FAILED'])
  assert.deepEqual((await treasurer.patch(path, { status: 'TRANSFERRED' })).body.nextStatuses, ['REFUNDED', 'FAILED'])
  assert.deepEqual((await treasurer.patch(path, { status: 'REFUNDED' })).body.nextStatuses, [])
  assert.equal('nextStatuses' in (await visitor.get(path)).body, false)
})

test('with the token of the answer a donor sees the own donation, and the account to transfer to', async () => {
  const translations = { de: { name: 'Dach', description: '' } }
  const { id, body, path, own } = await donated({ email: 'ada@example.org' }, {}, { translations })
  assert.match(body.donorToken, /^[0-9A-Za-z]{22}$/)
  await treasurer.patch(path, { status: 'TRANSFERRED', receivedOn: '2026-03-02' })
  const { status, headers, body: seen, text } = await visitor.get(own)
  assert.equal(status, 200)
  assert.equal(headers['cache-control'], 'private, no-store')
  const { donorToken, ...given } = body
  const { campaign: of, history } = seen
  const { updatedAt, ...expected } = {
    ...given,
    status: 'TRANSFERRED',
    amountReceived: 25,
    receivedOn: '2026-03-02',
    language: 'en'
  }
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map(name => [name, seen[name]])), expected)
  assert.deepEqual(of, {
    id,
    name: campaign.name,
    language: 'en',
    translations,
    currency: 'EUR',
    status: 'open',
    account: { ...campaign.account, ibanValid: true }
  })
  assert.deepEqual(
    history.map((step: object) => Object.keys(step)),
    [
      ['status', 'at'],
      ['status', 'at']
    ]
  )
  assert.equal(history[1].status, 'TRANSFERRED')
  assert.doesNotMatch(text, /DE02120300|ada@|treasurer|donorToken/)
})

test('a donor still sees it when it was taken back, and when the campaign is closed or gone', async () => {
  const { id, path, own } = await donated()
  await admin.put(`/campaigns/${id}`, { ...campaign, status: 'closed' })
  assert.equal((await visitor.get(own)).body.campaign.status, 'closed')
  await treasurer.delete(path)
  assert.equal((await visitor.get(path)).status, 404)
  assert.deepEqual((await visitor.get(own)).body.status, 'CANCELLED')
  await admin.delete(`/campaigns/${id}`)
  const { status, body } = await visitor.get(own)
  assert.deepEqual([status, body.status, body.campaign.name], [200, 'CANCELLED', campaign.name])
})

test('a wrong token finds nothing, and every donation has one of its own', async () => {
  const [one, other] = [await donated(), await donated()]
  assert.notEqual(one.body.donorToken, other.body.donorToken)
  const token: string = one.body.donorToken
  const swapped = token === token.toLowerCase() ? token.toUpperCase() : token.toLowerCase()
  for (const wrong of [swapped, token.slice(1), `${token}x`, 'a'.repeat(22), '%00', one.body.id, one.body.reference]) {
    const { status, body } = await visitor.get(`/donations/by-token/${wrong}`)
    assert.deepEqual([status, body.code], [404, 'donation-not-found'], wrong)
  }
  // As from before tokens were encrypted.
  const old = 'f'.repeat(32)
  await store.run(sql`
    update fundraising.donations set donor_token = ${old}, donor_token_encrypted = null, donor_token_hash = null
    where campaign_id = ${one.id}`)
  assert.equal((await visitor.get(one.own)).status, 404)
  assert.equal((await visitor.get(`/donations/by-token/${old}`)).body.id, one.body.id)
})

test('the same request again answers the same token', async () => {
  const { id } = await aCampaign()
  const post = async () => await visitor.post(`/campaigns/${id}/donations`, donation, { 'idempotency-key': `k${id}` })
  const [first, again] = [await post(), await post()]
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal(again.body.donorToken, first.body.donorToken)
})

test('the token stands in the answer to the donation and nowhere else: no list, no table, no record, no log', async () => {
  const { id, body, path, own } = await donated({ showName: true })
  const { donorToken: token } = body
  const list = `/campaigns/${id}/donations`
  const answers = [
    await treasurer.get(path),
    await treasurer.patch(path, { status: 'TRANSFERRED' }),
    await treasurer.post(`${path}/notes`, { text: 'Has called' }),
    await treasurer.get(list),
    await treasurer.get(`${list}.csv`),
    await treasurer.get('/donations?limit=200'),
    await treasurer.get('/donations.csv'),
    await admin.get('/activity?limit=200'),
    await visitor.get(path),
    await visitor.get(list),
    await visitor.get(own),
    await visitor.get(own, { 'accept-language': 'de', 'if-none-match': '"x"' }),
    await visitor.get(`${own}x`),
    await visitor.get(`${own}/?token=${token}`),
    await visitor.post(own, {}),
    await withKey(`kal_${'a'.repeat(10)}_${'b'.repeat(32)}`).get(own),
    await treasurer.get(`/donations?search=${token}`)
  ]
  for (const { text, headers } of answers) assert.ok(!(text + JSON.stringify(headers)).includes(token))
  assert.ok(lines.some(line => line.includes('/donations/by-token/')))
  assert.ok(!lines.join('\n').includes(token))
})

test('donors add with their token where they can be reached and where the receipt goes, and nobody reads it back there', async () => {
  const { path, own } = await donated({ email: null, receiptRequested: false })
  const before = (await visitor.get(own)).body
  assert.deepEqual([before.hasEmail, before.hasAddress, before.receiptRequested], [false, false, false])
  const sent = { email: 'geheim@example.org', address, receiptRequested: true, language: 'de' }
  const answer = await visitor.patch(own, sent)
  assert.equal(answer.status, 200)
  assert.deepEqual([answer.body.hasEmail, answer.body.hasAddress, answer.body.receiptRequested], [true, true, true])
  assert.deepEqual(answer.body, (await visitor.get(own)).body)
  assert.doesNotMatch(answer.text, /Geheimgasse|50667|geheim@/)
  assert.equal(answer.headers['cache-control'], 'private, no-store')
  const read = (await treasurer.get(path)).body
  assert.deepEqual([read.email, read.address, read.language], [sent.email, { ...address, country: 'DE' }, 'de'])

  const activities = (await admin.get('/activity?limit=5')).body
  assert.equal(activities[0].action, 'donation.updated')
  assert.doesNotMatch(JSON.stringify(activities), /Geheimgasse|geheim@/)
  assert.equal((await visitor.patch(own, sent)).status, 200)
  assert.equal((await treasurer.get(path)).body.updatedAt, read.updatedAt, 'What changes nothing leaves no trace.')
  assert.ok(!lines.join('\n').includes('Geheimgasse'))
})

test('donors cannot change what they gave, nor a donation that is over, nor one of somebody else', async () => {
  const { path, own, body } = await donated()
  const sent = { amount: 9999, donorName: 'Somebody else', status: 'TRANSFERRED', showName: true, message: 'x' }
  assert.equal((await visitor.patch(own, { ...sent, receiptRequested: true })).status, 200)
  const read = (await treasurer.get(path)).body
  assert.deepEqual(
    [read.amount, read.donorName, read.status, read.showName, read.message, read.receiptRequested],
    [body.amount, body.donorName, 'IN_PROCESS', body.showName, body.message, true]
  )
  const wrong = await visitor.patch(own, { email: 'nobody', address: { street: 'x' } })
  assert.equal(wrong.status, 400)
  assert.deepEqual(
    wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/email', '/address/postalCode', '/address/city']
  )
  assert.equal((await visitor.patch(`${own}x`, { receiptRequested: false })).status, 404)
  const { etag = '' } = (await visitor.get(own)).headers
  assert.equal((await visitor.patch(own, { language: 'de' }, { 'if-match': etag })).headers.etag === etag, false)
  assert.equal((await visitor.patch(own, { language: 'en' }, { 'if-match': etag })).status, 412)
  assert.equal((await treasurer.patch(path, { status: 'CANCELLED' })).status, 200)
  const late = await visitor.patch(own, { email: 'late@example.org' })
  assert.deepEqual([late.status, late.body.code], [409, 'donation-is-over'])
  assert.equal((await treasurer.delete(path)).status, 204)
  assert.equal((await visitor.patch(own, { email: 'late@example.org' })).status, 409)
})
