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

async function donate(fields: object = {}, headers: Record<string, string> = {}, campaignFields: object = {}) {
  const { id } = await aCampaign(campaignFields)
  const { status, body } = await visitor.post(`/campaigns/${id}/donations`, { ...donation, ...fields }, headers)
  assert.equal(status, 201)
  const path = `/campaigns/${id}/donations/${body.id}`
  return { id, body, path, ownPath: `/donations/by-token/${body.donorToken}` }
}

test('only treasurers read the address and consent of a donor; no other response contains them, not even the one to the donor', async () => {
  const { id, body, path, ownPath } = await donate({ address, consent })
  const read = (await treasurer.get(path)).body
  assert.deepEqual(read.address, { ...address, country: 'DE' })
  assert.deepEqual(read.consent, { ...consent, at: body.createdAt })
  const others = [visitor, await withRole('editor')]
  const texts = [JSON.stringify(body), (await visitor.get(ownPath)).text]
  for (const client of others) {
    for (const url of [path, `/campaigns/${id}/donations`, `/campaigns/${id}`]) texts.push((await client.get(url)).text)
  }
  for (const text of texts) assert.doesNotMatch(text, /Geheimgasse|50667|write to me/)
})

test('an address can be corrected and removed; consent cannot be changed afterwards', async () => {
  const { path, body } = await donate({ address, consent })
  const newAddress = { street: 'Rue Neuve 1', postalCode: '1000', city: 'Bruxelles', country: 'be' }
  const { body: changed } = await treasurer.patch(path, {
    address: newAddress,
    language: 'de',
    consent: { text: 'Other' }
  })
  assert.deepEqual(changed.address, { ...newAddress, country: 'BE' })
  assert.deepEqual([changed.language, changed.consent.text], ['de', consent.text])
  assert.deepEqual((await treasurer.patch(path, { receiptRequested: false })).body.address, changed.address)
  assert.equal((await treasurer.patch(path, { address: null })).body.address, null)
  assert.equal(changed.consent.at, body.createdAt)
  const none = await donate({ address: null, consent: null })
  const withoutBoth = (await treasurer.get(none.path)).body
  assert.deepEqual([withoutBoth.address, withoutBoth.consent], [null, null])
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

test('the language of a donor is that of the request body, otherwise of Accept-Language, otherwise of the site', async () => {
  const cases: [sent: object, header: string, language: string][] = [
    [{ language: 'en' }, 'de', 'en'],
    [{}, 'de-AT,de;q=0.9,en;q=0.5', 'de'],
    [{}, 'fr', 'en']
  ]
  for (const [sent, header, language] of cases) {
    const { path } = await donate(sent, { 'accept-language': header })
    assert.equal((await treasurer.get(path)).body.language, language)
  }
})

test('a treasurer reads the possible next statuses of a donation', async () => {
  const { path } = await donate()
  assert.deepEqual((await treasurer.get(path)).body.nextStatuses, ['TRANSFERRED', 'CANCELLED', 'FAILED'])
  assert.deepEqual((await treasurer.patch(path, { status: 'TRANSFERRED' })).body.nextStatuses, ['REFUNDED', 'FAILED'])
  assert.deepEqual((await treasurer.patch(path, { status: 'REFUNDED' })).body.nextStatuses, [])
  assert.equal('nextStatuses' in (await visitor.get(path)).body, false)
})

test('with the donor token a donor reads the own donation and the account to transfer to', async () => {
  const translations = { de: { name: 'Dach', description: '' } }
  const { id, body, path, ownPath } = await donate({ email: 'ada@example.org' }, {}, { translations })
  assert.match(body.donorToken, /^[0-9A-Za-z]{22}$/)
  await treasurer.patch(path, { status: 'TRANSFERRED', receivedOn: '2026-03-02' })
  const { status, headers, body: ownDonation, text } = await visitor.get(ownPath)
  assert.equal(status, 200)
  assert.equal(headers['cache-control'], 'private, no-store')
  const { donorToken, ...created } = body
  const { campaign: campaignFields, history } = ownDonation
  const { updatedAt, ...expected } = {
    ...created,
    status: 'TRANSFERRED',
    amountReceived: 25,
    receivedOn: '2026-03-02',
    language: 'en'
  }
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map(name => [name, ownDonation[name]])), expected)
  assert.deepEqual(campaignFields, {
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

test('a donor can still read a deleted donation, and one whose campaign is closed or deleted', async () => {
  const { id, path, ownPath } = await donate()
  await admin.put(`/campaigns/${id}`, { ...campaign, status: 'closed' })
  assert.equal((await visitor.get(ownPath)).body.campaign.status, 'closed')
  await treasurer.delete(path)
  assert.equal((await visitor.get(path)).status, 404)
  assert.deepEqual((await visitor.get(ownPath)).body.status, 'CANCELLED')
  await admin.delete(`/campaigns/${id}`)
  const { status, body } = await visitor.get(ownPath)
  assert.deepEqual([status, body.status, body.campaign.name], [200, 'CANCELLED', campaign.name])
})

test('a wrong donor token is 404, and every donation has its own token', async () => {
  const [one, other] = [await donate(), await donate()]
  assert.notEqual(one.body.donorToken, other.body.donorToken)
  const token: string = one.body.donorToken
  const swapped = token === token.toLowerCase() ? token.toUpperCase() : token.toLowerCase()
  for (const wrong of [swapped, token.slice(1), `${token}x`, 'a'.repeat(22), '%00', one.body.id, one.body.reference]) {
    const { status, body } = await visitor.get(`/donations/by-token/${wrong}`)
    assert.deepEqual([status, body.code], [404, 'donation-not-found'], wrong)
  }
  // A row from a release that did not encrypt tokens.
  const unencryptedToken = 'f'.repeat(32)
  await store.run(sql`
    update fundraising.donations set donor_token = ${unencryptedToken}, donor_token_encrypted = null, donor_token_hash = null
    where campaign_id = ${one.id}`)
  assert.equal((await visitor.get(one.ownPath)).status, 404)
  assert.equal((await visitor.get(`/donations/by-token/${unencryptedToken}`)).body.id, one.body.id)
})

test('a repeated request with the same Idempotency-Key gets the same donor token', async () => {
  const { id } = await aCampaign()
  const post = async () => await visitor.post(`/campaigns/${id}/donations`, donation, { 'idempotency-key': `k${id}` })
  const [first, again] = [await post(), await post()]
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal(again.body.donorToken, first.body.donorToken)
})

test('the donor token is only in the response to the new donation, and in no list, CSV file, activity or log', async () => {
  const { id, body, path, ownPath } = await donate({ showName: true })
  const { donorToken: token } = body
  const list = `/campaigns/${id}/donations`
  const responses = [
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
    await visitor.get(ownPath),
    await visitor.get(ownPath, { 'accept-language': 'de', 'if-none-match': '"x"' }),
    await visitor.get(`${ownPath}x`),
    await visitor.get(`${ownPath}/?token=${token}`),
    await visitor.post(ownPath, {}),
    await withKey(`kal_${'a'.repeat(10)}_${'b'.repeat(32)}`).get(ownPath),
    await treasurer.get(`/donations?search=${token}`)
  ]
  for (const { text, headers } of responses) assert.ok(!(text + JSON.stringify(headers)).includes(token))
  assert.ok(lines.some(line => line.includes('/donations/by-token/')))
  assert.ok(!lines.join('\n').includes(token))
})

test('with the donor token donors add email and address, which the response does not repeat', async () => {
  const { path, ownPath } = await donate({ email: null, receiptRequested: false })
  const before = (await visitor.get(ownPath)).body
  assert.deepEqual([before.hasEmail, before.hasAddress, before.receiptRequested], [false, false, false])
  const sent = { email: 'geheim@example.org', address, receiptRequested: true, language: 'de' }
  const response = await visitor.patch(ownPath, sent)
  assert.equal(response.status, 200)
  assert.deepEqual(
    [response.body.hasEmail, response.body.hasAddress, response.body.receiptRequested],
    [true, true, true]
  )
  assert.deepEqual(response.body, (await visitor.get(ownPath)).body)
  assert.doesNotMatch(response.text, /Geheimgasse|50667|geheim@/)
  assert.equal(response.headers['cache-control'], 'private, no-store')
  const read = (await treasurer.get(path)).body
  assert.deepEqual([read.email, read.address, read.language], [sent.email, { ...address, country: 'DE' }, 'de'])

  const activities = (await admin.get('/activity?limit=5')).body
  assert.equal(activities[0].action, 'donation.updated')
  assert.doesNotMatch(JSON.stringify(activities), /Geheimgasse|geheim@/)
  assert.equal((await visitor.patch(ownPath, sent)).status, 200)
  assert.equal(
    (await treasurer.get(path)).body.updatedAt,
    read.updatedAt,
    'a PATCH without a change does not set updatedAt'
  )
  assert.ok(!lines.join('\n').includes('Geheimgasse'))
})

test('donors cannot change amount, name or status, nor a cancelled donation, and a wrong token or stale If-Match is refused', async () => {
  const { path, ownPath, body } = await donate()
  const sent = { amount: 9999, donorName: 'Somebody else', status: 'TRANSFERRED', showName: true, message: 'x' }
  assert.equal((await visitor.patch(ownPath, { ...sent, receiptRequested: true })).status, 200)
  const read = (await treasurer.get(path)).body
  assert.deepEqual(
    [read.amount, read.donorName, read.status, read.showName, read.message, read.receiptRequested],
    [body.amount, body.donorName, 'IN_PROCESS', body.showName, body.message, true]
  )
  const wrong = await visitor.patch(ownPath, { email: 'nobody', address: { street: 'x' } })
  assert.equal(wrong.status, 400)
  assert.deepEqual(
    wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/email', '/address/postalCode', '/address/city']
  )
  assert.equal((await visitor.patch(`${ownPath}x`, { receiptRequested: false })).status, 404)
  const { etag = '' } = (await visitor.get(ownPath)).headers
  assert.equal((await visitor.patch(ownPath, { language: 'de' }, { 'if-match': etag })).headers.etag === etag, false)
  assert.equal((await visitor.patch(ownPath, { language: 'en' }, { 'if-match': etag })).status, 412)
  assert.equal((await treasurer.patch(path, { status: 'CANCELLED' })).status, 200)
  const afterCancelling = await visitor.patch(ownPath, { email: 'late@example.org' })
  assert.deepEqual([afterCancelling.status, afterCancelling.body.code], [409, 'donation-is-over'])
  assert.equal((await treasurer.delete(path)).status, 204)
  assert.equal((await visitor.patch(ownPath, { email: 'late@example.org' })).status, 409)
})
