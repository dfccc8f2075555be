import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'
import { toCampaignReference } from '../money/reference.ts'

const { admin, visitor, withRole, aCampaign, aDonation } = await startCampaigns()

const fields = [
  'id',
  'name',
  'donationMinimum',
  'targetAmount',
  'amountDonatedSoFar',
  'account',
  'amountTransferred',
  'donationCount',
  'progressPercent',
  'currency',
  'status',
  'description',
  'startsAt',
  'endsAt',
  'createdAt',
  'updatedAt',
  'presetAmounts',
  'imageUrl',
  'imageAlt',
  'language',
  'translations',
  'reference',
  'amountOffline'
]
/** The defaults of the fields for the campaign page. */
const pageDefaults = { presetAmounts: [], imageUrl: null, imageAlt: '', language: 'en', translations: {} }
const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test('a campaign with the fields of the specification is created and returned in full', async () => {
  const before = Date.now()
  const { status, headers, body } = await admin.post('/campaigns', campaign)
  assert.equal(status, 201)
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  assert.deepEqual(Object.keys(body), fields)
  const { id, createdAt, updatedAt, ...rest } = body
  assert.ok(Number.isSafeInteger(id) && id > 0)
  assert.match(createdAt, isoInstant)
  assert.equal(updatedAt, createdAt)
  assert.ok(Math.abs(Date.parse(createdAt) - before) < 60_000)
  assert.deepEqual(rest, {
    name: campaign.name,
    donationMinimum: 5,
    targetAmount: 8000,
    amountDonatedSoFar: 0,
    account: { ...campaign.account, ibanValid: true },
    amountTransferred: 0,
    donationCount: 0,
    progressPercent: 0,
    currency: 'EUR',
    status: 'open',
    description: '',
    startsAt: null,
    endsAt: null,
    ...pageDefaults,
    reference: toCampaignReference(body.id),
    amountOffline: 0
  })
})

test('Location is the URL of the new campaign, where visitors read the same campaign', async () => {
  const created = await admin.post('/campaigns', campaign)
  const location = new URL(created.headers.location ?? '')
  assert.equal(location.pathname, `/campaigns/${created.body.id}`)
  const read = await visitor.get(location.pathname)
  assert.equal(read.status, 200)
  assert.deepEqual(read.body, created.body)
})

test('the fields beyond the specification are stored: status, description, startsAt, endsAt', async () => {
  const ownFields = {
    status: 'closed',
    description: 'First line\n\nSecond <b>line</b>',
    startsAt: '2026-01-01T00:00:00+01:00',
    endsAt: '2026-12-31T23:59:59.5Z'
  }
  const { body } = await admin.post('/campaigns', { ...campaign, ...ownFields })
  assert.equal(body.status, 'closed')
  assert.equal(body.description, ownFields.description)
  assert.equal(body.startsAt, '2025-12-31T23:00:00.000Z')
  assert.equal(body.endsAt, '2026-12-31T23:59:59.500Z')
  assert.deepEqual((await visitor.get(`/campaigns/${body.id}`)).body, body)
})

test('unknown and read-only fields are ignored', async () => {
  const { status, body } = await admin.post('/campaigns', {
    ...campaign,
    id: 999_999,
    amountDonatedSoFar: 500,
    amountTransferred: 500,
    donationCount: 7,
    progressPercent: 50,
    currency: 'XXX',
    createdAt: '2000-01-01T00:00:00Z',
    updatedAt: 'nonsense',
    donations: [donation],
    colour: 'green',
    account: { ...campaign.account, ibanValid: false, bic: 'X' }
  })
  assert.equal(status, 201)
  assert.notEqual(body.id, 999_999)
  assert.deepEqual(Object.keys(body), fields)
  assert.deepEqual(
    [body.amountDonatedSoFar, body.amountTransferred, body.donationCount, body.progressPercent, body.currency],
    [0, 0, 0, 0, 'EUR']
  )
  assert.notEqual(body.createdAt, '2000-01-01T00:00:00.000Z')
  assert.deepEqual(body.account, { ...campaign.account, ibanValid: true })
})

test('PUT replaces the fields of the specification and returns the campaign in full with its current totals', async () => {
  const before = await aCampaign({ description: 'Old words', endsAt: '2099-01-01T00:00:00Z' })
  await aDonation(before.id, { amount: 30 })
  await aDonation(before.id, { amount: 12.5, status: 'TRANSFERRED' })
  const replacement = {
    name: 'A roof and a door',
    donationMinimum: 1,
    targetAmount: 100,
    account: { iban: 'GB82WEST12345698765432', name: 'Roof Fund', nameOfBank: 'Other Bank' }
  }
  const { status, body } = await admin.put(`/campaigns/${before.id}`, replacement)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), fields)
  const { updatedAt, ...rest } = body
  assert.ok(updatedAt >= before.updatedAt)
  assert.deepEqual(rest, {
    ...replacement,
    id: before.id,
    account: { ...replacement.account, ibanValid: true },
    amountDonatedSoFar: 42.5,
    amountTransferred: 12.5,
    donationCount: 2,
    progressPercent: 42.5,
    currency: 'EUR',
    status: 'open',
    description: 'Old words',
    startsAt: null,
    endsAt: '2099-01-01T00:00:00.000Z',
    createdAt: before.createdAt,
    ...pageDefaults,
    reference: before.reference,
    amountOffline: 0
  })
  assert.deepEqual((await visitor.get(`/campaigns/${before.id}`)).body, body)
  assert.equal((await visitor.get(`/campaigns/${before.id}/donations`)).body.length, 2)
})

test('PUT of the campaign as it was read changes only updatedAt', async () => {
  const { id } = await aCampaign({
    status: 'closed',
    description: 'Words',
    startsAt: '2026-01-01T00:00:00Z',
    endsAt: '2026-02-01T00:00:00Z',
    account: { iban: 'DE00370400440532013000', name: 'Music School' }
  })
  const read = await visitor.get(`/campaigns/${id}`)
  const { status, body } = await admin.put(`/campaigns/${id}`, read.body)
  assert.equal(status, 200)
  assert.deepEqual({ ...body, updatedAt: null }, { ...read.body, updatedAt: null })
})

test('PUT ignores the id in the body', async () => {
  const [one, other] = [await aCampaign({ name: 'One' }), await aCampaign({ name: 'Other' })]
  const { body } = await admin.put(`/campaigns/${one.id}`, { ...campaign, id: other.id, name: 'Changed' })
  assert.equal(body.id, one.id)
  assert.equal((await visitor.get(`/campaigns/${other.id}`)).body.name, 'Other')
})

test('deleting a campaign responds 204 without a body; then every request for it is 404', async () => {
  const { id } = await aCampaign()
  const deleted = await admin.delete(`/campaigns/${id}`)
  assert.equal(deleted.status, 204)
  assert.equal(deleted.text, '')
  assert.equal((await admin.get(`/campaigns/${id}`)).status, 404)
  assert.equal((await admin.put(`/campaigns/${id}`, campaign)).status, 404)
  assert.equal((await admin.delete(`/campaigns/${id}`)).status, 404)
  assert.equal((await visitor.post(`/campaigns/${id}/donations`, donation)).status, 404)
  const all = (await admin.get('/campaigns')).body as { id: number }[]
  assert.ok(!all.some(one => one.id === id))
})

test('every URL accepts a trailing slash', async () => {
  const created = await admin.post('/campaigns/', campaign)
  assert.equal(created.status, 201)
  const path = new URL(created.headers.location ?? '').pathname
  assert.equal(path, `/campaigns/${created.body.id}`)
  const donated = await visitor.post(`${path}/donations/`, donation)
  assert.equal(donated.status, 201)
  assert.equal((await visitor.get(`${path}/`)).status, 200)
  assert.equal((await visitor.get('/campaigns/')).status, 200)
  assert.equal((await visitor.get(`${path}/donations/`)).body.length, 1)
  assert.equal((await visitor.get(`${path}/donations/${donated.body.id}/`)).status, 200)
  assert.equal((await admin.get(`${path}/donations.csv/`)).status, 200)
  assert.equal((await admin.put(`${path}/`, campaign)).status, 200)
  assert.equal((await admin.patch(`${path}/donations/${donated.body.id}/`, { status: 'TRANSFERRED' })).status, 200)
  assert.equal((await admin.delete(`${path}/`)).status, 204)
  assert.equal((await admin.post(`${path}/restore/`)).status, 200)
})

for (const [role, status] of [
  ['admin', 201],
  ['treasurer', 201],
  ['editor', 201],
  ['author', 403],
  ['contributor', 403],
  ['viewer', 403]
] as const) {
  test(`writing campaigns responds ${status} to the role ${role}`, async () => {
    const client = await withRole(role)
    const { id } = await aCampaign()
    const toExpectedStatus = (code: number) => (status === 201 ? code : 403)
    assert.equal((await client.post('/campaigns', campaign)).status, status)
    assert.equal((await client.put(`/campaigns/${id}`, campaign)).status, toExpectedStatus(200))
    assert.equal((await client.delete(`/campaigns/${id}`)).status, toExpectedStatus(204))
    if (status === 403) assert.equal((await client.post('/campaigns', { name: 7 })).status, 403)
  })
}

test('a visitor gets 401 for writing campaigns, with a valid or an invalid body', async () => {
  const { id } = await aCampaign()
  for (const body of [campaign, { name: 7 }]) {
    assert.equal((await visitor.post('/campaigns', body)).status, 401)
    assert.equal((await visitor.put(`/campaigns/${id}`, body)).status, 401)
    assert.equal((await visitor.put('/campaigns/999999999', body)).status, 401)
  }
  assert.equal((await visitor.delete(`/campaigns/${id}`)).status, 401)
  assert.equal((await visitor.get(`/campaigns/${id}`)).status, 200)
})

for (const id of [
  '999999999',
  '0',
  '-1',
  '1.5',
  '1e2',
  'abc',
  '01',
  '%00',
  '1%202',
  '9'.repeat(30),
  '9007199254740993'
]) {
  test(`the id ${id} is not the id of a campaign: every request is 404`, async () => {
    const responses = [
      await visitor.get(`/campaigns/${id}`),
      await admin.put(`/campaigns/${id}`, campaign),
      await admin.delete(`/campaigns/${id}`),
      await admin.post(`/campaigns/${id}/restore`),
      await visitor.post(`/campaigns/${id}/donations`, donation),
      await visitor.get(`/campaigns/${id}/donations`),
      await admin.get(`/campaigns/${id}/donations.csv`)
    ]
    for (const { status, headers, body } of responses) {
      assert.equal(status, 404)
      assert.match(headers['content-type'] ?? '', /^application\/problem\+json/)
      assert.equal(body.status, 404)
      assert.equal(body.code, 'campaign-not-found')
    }
  })
}

test('an id of 3000 digits is 404', async () => {
  assert.equal((await visitor.get(`/campaigns/${'9'.repeat(3000)}`)).status, 404)
})

test('PUT does not create a campaign: an unknown id is 404, also afterwards', async () => {
  const { id } = await aCampaign()
  const unknown = id + 1000
  assert.equal((await admin.put(`/campaigns/${unknown}`, campaign)).status, 404)
  assert.equal((await visitor.get(`/campaigns/${unknown}`)).status, 404)
})

test('validation is checked before existence', async () => {
  assert.equal((await admin.put('/campaigns/999999999', { name: '' })).status, 400)
  assert.equal((await visitor.post('/campaigns/999999999/donations', { amount: 0 })).status, 400)
})

test('a body has to be a JSON object with Content-Type: application/json', async () => {
  const send = async (type: string | undefined, payload: string) =>
    await admin.send({
      method: 'POST',
      url: '/campaigns',
      headers: type === undefined ? {} : { 'content-type': type },
      payload
    })
  const good = JSON.stringify(campaign)
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
    assert.equal((await send(type, good)).status, 201, type)
  }
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data',
    undefined
  ]) {
    const { status, body } = await send(type, good)
    assert.equal(status, 415, type)
    assert.equal(body.code, 'unsupported-media-type')
  }
  for (const payload of ['', '{"name":', 'null', '[]', '"text"', '7', 'true']) {
    assert.equal((await send('application/json', payload)).status, 400, payload)
  }
  assert.equal((await admin.post('/campaigns')).status, 400)
  assert.equal((await send('application/json', JSON.stringify({ ...campaign, x: 'x'.repeat(1_100_000) }))).status, 413)
})

test('GET /health responds that the service is alive', async () => {
  const { status, text } = await visitor.get('/health')
  assert.equal(status, 200)
  assert.equal(text, '{"alive": true}')
})
