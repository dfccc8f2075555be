// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, donation, startCampaigns, type TestResponse } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign, aDonation } = await startCampaigns()
const treasurer = await withRole('treasurer')

interface FieldError {
  pointer: string
  code: string
  message: string
}
const toErrorLines = ({ body }: TestResponse) =>
  (body.errors as FieldError[]).map(error => `${error.pointer} ${error.code}`).sort()
const withAccount = (fields: object) => ({ account: { ...donation.account, ...fields } })

async function donate(fields: object): Promise<TestResponse> {
  const { id } = await aCampaign()
  const response = await visitor.post(`/campaigns/${id}/donations`, { ...donation, ...fields })
  const { donationCount } = (await visitor.get(`/campaigns/${id}`)).body
  assert.equal(donationCount, response.status === 201 ? 1 : 0)
  return response
}

test('the length of a text of a donation is counted after trimming', async () => {
  const { id } = await aCampaign()
  const name = 'ü'.repeat(140)
  const { status, body } = await treasurer.post(`/campaigns/${id}/donations`, {
    ...donation,
    donorName: `\u200b ${name} `,
    message: ` ${'x'.repeat(1000)}\n `,
    email: ' ada@example.org ',
    ...withAccount({ name: `  ${name}`, nameOfBank: `${name}\t` })
  })
  assert.equal(status, 201)
  assert.equal(body.donorName, name)
  assert.equal(body.message, 'x'.repeat(1000))
  assert.equal(body.email, 'ada@example.org')
  assert.deepEqual([body.account.name, body.account.nameOfBank], [name, name])
})

test('a blank message is stored as null', async () => {
  for (const message of ['', ' \n ', '\u200b', null]) assert.equal((await donate({ message })).body.message, null)
})

for (const email of ['ada@example.org', 'a.b+c@mail.example.co.uk', "o'hara@example.org", 'ada@xn--mller-kva.de']) {
  test(`${email} is accepted as an email address`, async () => assert.equal((await donate({ email })).status, 201))
}

test('null as email address is accepted', async () => {
  const { id } = await aCampaign()
  const { status, body } = await treasurer.post(`/campaigns/${id}/donations`, { ...donation, email: null })
  assert.equal(status, 201)
  assert.equal(body.email, null)
})

for (const [description, fields, expected] of [
  ['no amount', { amount: undefined }, ['/amount required']],
  ['null as amount', { amount: null }, ['/amount type']],
  ['an amount of 0', { amount: 0 }, ['/amount too-small']],
  ['a negative amount', { amount: '-5' }, ['/amount too-small']],
  ['an amount of more than 999999999.99', { amount: 1_000_000_000 }, ['/amount too-large']],
  ['an amount with a comma', { amount: '25,00' }, ['/amount comma']],
  ['no donorName', { donorName: undefined }, ['/donorName required']],
  ['null as donorName', { donorName: null }, ['/donorName type']],
  ['a blank donorName', { donorName: ' \u2060 ' }, ['/donorName empty']],
  ['a donorName of 141 characters', { donorName: 'x'.repeat(141) }, ['/donorName too-long']],
  ['a donorName with a line break', { donorName: 'Ada\nLovelace' }, ['/donorName control-character']],
  ['a word as receiptRequested', { receiptRequested: 'yes' }, ['/receiptRequested type']],
  ['null as receiptRequested', { receiptRequested: null }, ['/receiptRequested type']],
  ['a number as showName', { showName: 1 }, ['/showName type']],
  ['a message of 1001 characters', { message: 'x'.repeat(1001) }, ['/message too-long']],
  ['a message with a control character', { message: 'ring \u0007' }, ['/message control-character']],
  ['a list as message', { message: [] }, ['/message type']],
  ['an email address without a domain', { email: 'ada' }, ['/email email']],
  ['two email addresses', { email: 'a@example.org,b@example.org' }, ['/email email']],
  [
    'an email address with a line break',
    { email: 'a@example.org\nBcc: b@example.org' },
    ['/email control-character', '/email email']
  ],
  ['a mandate and no account', { mandate: { text: 'I agree' }, account: undefined }, ['/account required']],
  ['a mandate and null as account', { mandate: { text: 'I agree' }, account: null }, ['/account type']],
  ['a text as account', { account: 'DE89370400440532013000' }, ['/account type']],
  ['an empty account', { account: {} }, ['/account/iban required']],
  ['an account without IBAN', withAccount({ iban: undefined }), ['/account/iban required']],
  ['a malformed IBAN', withAccount({ iban: '12345' }), ['/account/iban iban-form']],
  ['a blank account holder', withAccount({ name: ' ' }), ['/account/name empty']],
  ['an account holder of 141 characters', withAccount({ name: 'x'.repeat(141) }), ['/account/name too-long']],
  ['a bank of 141 characters', withAccount({ nameOfBank: 'x'.repeat(141) }), ['/account/nameOfBank too-long']],
  ['CANCELLED as first status', { status: 'CANCELLED' }, ['/status not-allowed']],
  ['FAILED as first status', { status: 'FAILED' }, ['/status not-allowed']],
  ['REFUNDED as first status', { status: 'REFUNDED' }, ['/status not-allowed']],
  ['a status in small letters', { status: 'in_process' }, ['/status not-allowed']],
  ['null as status', { status: null }, ['/status not-allowed']]
] as const) {
  test(`a donation with ${description} is refused`, async () => {
    const response = await donate(fields)
    assert.equal(response.status, 400)
    assert.match(response.headers['content-type'] ?? '', /^application\/problem\+json/)
    assert.deepEqual(toErrorLines(response), expected)
  })
}

test('a donation by transfer needs no account of the donor; it may be missing or null', async () => {
  for (const fields of [{ account: undefined }, { account: null }, { account: null, mandate: null }]) {
    const { status, body } = await donate(fields)
    assert.equal(status, 201)
    const { body: read } = await treasurer.get(`/campaigns/${body.campaignId}/donations/${body.id}`)
    assert.deepEqual([read.account, read.paymentMethod], [null, 'transfer'])
  }
})

test('all errors of a donation are reported at once, also missing fields, in both languages', async () => {
  const { id } = await aCampaign()
  const bad = { amount: '1e3', receiptRequested: 'no', email: 'x', account: { iban: 'X', name: '' } }
  const responses = await Promise.all(
    ['en', 'de'].map(
      async language => await visitor.post(`/campaigns/${id}/donations`, bad, { 'accept-language': language })
    )
  )
  for (const response of responses) {
    assert.equal(response.status, 400)
    assert.deepEqual(toErrorLines(response), [
      '/account/iban iban-form',
      '/account/name empty',
      '/amount not-a-number',
      '/donorName required',
      '/email email',
      '/receiptRequested type'
    ])
  }
  const messages = responses.map(({ body }) => body.errors.map((error: FieldError) => error.message))
  assert.ok(messages[0].includes('donorName is required.'))
  assert.ok(messages[1].includes('donorName fehlt.'))
  assert.ok(messages[0].every((message: string) => !messages[1].includes(message)))
})

test('a donation below the minimum of its campaign is 422, and one of exactly the minimum is accepted', async () => {
  const { id } = await aCampaign({ donationMinimum: 19.99 })
  const path = `/campaigns/${id}/donations`
  const { status, body } = await visitor.post(path, { ...donation, amount: 19.98 })
  assert.equal(status, 422)
  assert.equal(body.code, 'donation-too-small')
  assert.deepEqual(body.errors, [
    {
      in: 'body',
      pointer: '/amount',
      code: 'donation-too-small',
      message: 'amount must be at least €19.99, the minimum donation of this campaign.'
    }
  ])
  const german = await visitor.post(path, { ...donation, amount: 19.98 }, { 'accept-language': 'de' })
  assert.match(german.body.errors[0].message, /mindestens 19,99\s€/)
  assert.equal((await visitor.post(path, { ...donation, amount: 19.99 })).status, 201)
  assert.equal((await treasurer.post(path, { amount: 1, donorName: 'Box', status: 'TRANSFERRED' })).status, 422)
  assert.equal((await visitor.get(`/campaigns/${id}`)).body.donationCount, 1)
})

test('the minimum at the time of the donation applies', async () => {
  const { id } = await aCampaign({ donationMinimum: 5 })
  await admin.put(`/campaigns/${id}`, { ...campaign, donationMinimum: 100 })
  assert.equal((await visitor.post(`/campaigns/${id}/donations`, donation)).status, 422)
  await admin.put(`/campaigns/${id}`, { ...campaign, donationMinimum: 0 })
  assert.equal((await visitor.post(`/campaigns/${id}/donations`, { ...donation, amount: 0.01 })).status, 201)
})

const [past, future] = [new Date(Date.now() - 3_600_000).toISOString(), new Date(Date.now() + 3_600_000).toISOString()]

for (const [description, fields, code] of [
  ['a draft', { status: 'draft' }, 'campaign-is-draft'],
  ['a closed campaign', { status: 'closed' }, 'campaign-is-closed'],
  ['a campaign that has not started', { startsAt: future }, 'campaign-not-started'],
  ['a campaign that has ended', { endsAt: past }, 'campaign-has-ended'],
  ['a draft whose start is in the past', { status: 'draft', startsAt: past }, 'campaign-is-draft']
] as const) {
  test(`${description} accepts no donation from any caller: 409`, async () => {
    const { id } = await aCampaign(fields)
    const cash = { amount: 10, donorName: 'Box', status: 'TRANSFERRED' }
    for (const refused of [
      await visitor.post(`/campaigns/${id}/donations`, donation),
      await treasurer.post(`/campaigns/${id}/donations`, donation),
      await admin.post(`/campaigns/${id}/donations`, cash)
    ]) {
      assert.equal(refused.status, 409)
      assert.equal(refused.body.code, code)
    }
    assert.equal((await admin.get(`/campaigns/${id}`)).body.donationCount, 0)
  })
}

test('a campaign between its start and end accepts donations, and so does a reopened one', async () => {
  const { id } = await aCampaign({ startsAt: past, endsAt: future })
  assert.equal((await visitor.post(`/campaigns/${id}/donations`, donation)).status, 201)
  await admin.put(`/campaigns/${id}`, { ...campaign, status: 'closed' })
  assert.equal((await visitor.post(`/campaigns/${id}/donations`, donation)).status, 409)
  await admin.put(`/campaigns/${id}`, { ...campaign, status: 'open' })
  assert.equal((await visitor.post(`/campaigns/${id}/donations`, donation)).status, 201)
})

for (const [description, change, expected] of [
  ['an unknown status', { status: 'PAID' }, '/status not-allowed'],
  ['null as status', { status: null }, '/status not-allowed'],
  ['an empty donorName', { donorName: '' }, '/donorName empty'],
  ['null as donorName', { donorName: null }, '/donorName type'],
  ['a word as receiptRequested', { receiptRequested: 'no' }, '/receiptRequested type'],
  ['null as showName', { showName: null }, '/showName type'],
  ['a message of 1001 characters', { message: 'x'.repeat(1001) }, '/message too-long'],
  ['an invalid email address', { email: 'x@' }, '/email email']
] as const) {
  test(`changing a donation to ${description} is refused`, async () => {
    const { id } = await aCampaign()
    const created = await aDonation(id)
    const path = `/campaigns/${id}/donations/${created.id}`
    const response = await treasurer.patch(path, { ...change, message: 'Changed', ...change })
    assert.equal(response.status, 400)
    assert.deepEqual(toErrorLines(response), [expected])
    assert.equal((await treasurer.get(path)).body.updatedAt, created.updatedAt)
  })
}
