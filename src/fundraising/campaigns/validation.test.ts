import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, startCampaigns, type TestResponse } from '#test/support/services.ts'

const { admin, visitor, aCampaign } = await startCampaigns()

interface FieldError {
  in: string
  pointer: string
  code: string
  message: string
}

const found = ({ body }: TestResponse) =>
  (body.errors as FieldError[]).map(error => `${error.pointer} ${error.code}`).sort()

async function refuses(fields: object, expected: string[]): Promise<void> {
  const { id } = await aCampaign()
  for (const answer of [
    await admin.post('/campaigns', { ...campaign, ...fields }),
    await admin.put(`/campaigns/${id}`, { ...campaign, ...fields })
  ]) {
    assert.equal(answer.status, 400)
    assert.deepEqual(found(answer), expected.toSorted())
  }
  assert.equal((await visitor.get(`/campaigns/${id}`)).body.name, campaign.name)
}

async function takes(fields: object): Promise<TestResponse['body']> {
  const created = await admin.post('/campaigns', { ...campaign, ...fields })
  assert.equal(created.status, 201, created.text)
  const { id } = await aCampaign()
  const replaced = await admin.put(`/campaigns/${id}`, { ...campaign, ...fields })
  assert.equal(replaced.status, 200, replaced.text)
  return created.body
}

const account = (fields: object) => ({ account: { ...campaign.account, ...fields } })

test('lengths are those of the trimmed text, in characters', async () => {
  const name = '🎻'.repeat(200)
  const holder = 'ä'.repeat(140)
  const body = await takes({
    name: `\u200b  ${name} \u00a0\ufeff`,
    ...account({ name: ` ${holder} `, nameOfBank: ` ${holder}\t` })
  })
  assert.equal(body.name, name)
  assert.equal(body.account.name, holder)
  assert.equal(body.account.nameOfBank, holder)
})

test('the bank is optional: absent, null and blank are its name where it is known, and empty where it is not', async () => {
  for (const nameOfBank of [undefined, null, '', '  ']) {
    const known = await takes({ account: { iban: 'DE89370400440532013000', name: 'X', nameOfBank } })
    assert.match(known.account.nameOfBank, /^Commerzbank/)
    const unknown = await takes({ account: { iban: 'AT611904300234573201', name: 'X', nameOfBank } })
    assert.equal(unknown.account.nameOfBank, '')
  }
})

test('null and absent are the same for description, startsAt and endsAt', async () => {
  const body = await takes({ description: null, startsAt: null, endsAt: null })
  assert.deepEqual([body.description, body.startsAt, body.endsAt], ['', null, null])
})

test('each of the three statuses can be written', async () => {
  for (const status of ['draft', 'open', 'closed']) assert.equal((await takes({ status })).status, status)
})

for (const [given, moment] of [
  ['2026-12-24T18:00:00+01:00', '2026-12-24T17:00:00.000Z'],
  ['2026-12-24T18:00:00Z', '2026-12-24T18:00:00.000Z'],
  ['2026-12-24T18:00Z', '2026-12-24T18:00:00.000Z'],
  ['2026-12-24t18:00:00z', '2026-12-24T18:00:00.000Z'],
  ['2026-12-24T18:00:00.123456-11:30', '2026-12-25T05:30:00.123Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z']
] as const) {
  test(`the moment ${given} is ${moment}`, async () => {
    assert.equal((await takes({ startsAt: given })).startsAt, moment)
    assert.equal((await takes({ endsAt: given })).endsAt, moment)
  })
}

test('a campaign may have only a start, only an end, and both in the past', async () => {
  await takes({ startsAt: '2030-01-01T00:00:00Z' })
  await takes({ endsAt: '2030-01-01T00:00:00Z' })
  await takes({ startsAt: '2001-01-01T00:00:00Z', endsAt: '2001-01-01T00:00:00.001Z' })
})

for (const [field, pointer] of [
  ['name', '/name'],
  ['donationMinimum', '/donationMinimum'],
  ['targetAmount', '/targetAmount'],
  ['account', '/account']
] as const) {
  test(`${field} is required, by PUT too`, async () => {
    await refuses({ [field]: undefined }, [`${pointer} required`])
    const { status, body } = await admin.post('/campaigns', { ...campaign, [field]: null })
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map((error: FieldError) => [error.pointer, error.code]),
      [[pointer, 'type']]
    )
  })
}

for (const field of ['iban', 'name']) {
  test(`account.${field} is required, with the pointer of the missing field`, async () => {
    await refuses(account({ [field]: undefined }), [`/account/${field} required`])
    await refuses(account({ [field]: null }), [`/account/${field} type`])
  })
}

for (const [what, fields, expected] of [
  ['an empty name', { name: '' }, '/name empty'],
  ['a blank name', { name: ' \t\u00a0 ' }, '/name empty'],
  ['a name of 201 characters', { name: 'x'.repeat(201) }, '/name too-long'],
  ['a number as name', { name: 7 }, '/name type'],
  ['a name on two lines', { name: 'one\ntwo' }, '/name control-character'],
  ['a name that turns the direction of text', { name: 'good\u202etxt.exe' }, '/name control-character'],
  ['an empty holder', account({ name: '  ' }), '/account/name empty'],
  ['a holder of 141 characters', account({ name: 'x'.repeat(141) }), '/account/name too-long'],
  ['a bank of 141 characters', account({ nameOfBank: 'x'.repeat(141) }), '/account/nameOfBank too-long'],
  ['a list as bank', account({ nameOfBank: [] }), '/account/nameOfBank type'],
  ['a text as account', { account: 'DE89370400440532013000' }, '/account type'],
  ['a negative minimum', { donationMinimum: -0.01 }, '/donationMinimum too-small'],
  ['a minimum with a comma', { donationMinimum: '5,00' }, '/donationMinimum comma'],
  ['a minimum that is too large', { donationMinimum: 1_000_000_000 }, '/donationMinimum too-large'],
  ['a target of 0', { targetAmount: 0 }, '/targetAmount too-small'],
  ['a negative target', { targetAmount: '-1' }, '/targetAmount too-small'],
  ['a target with three decimals', { targetAmount: 0.001 }, '/targetAmount too-many-decimals'],
  ['a yes as target', { targetAmount: true }, '/targetAmount type'],
  ['an unknown status', { status: 'OPEN' }, '/status not-allowed'],
  ['null as status', { status: null }, '/status not-allowed'],
  ['a description of 20001 characters', { description: 'x'.repeat(20_001) }, '/description too-long'],
  ['a bell in the description', { description: 'ring\u0007' }, '/description control-character'],
  ['a day as startsAt', { startsAt: '2026-12-24' }, '/startsAt date-time'],
  ['a time without offset', { startsAt: '2026-12-24T18:00:00' }, '/startsAt date-time'],
  ['a day that is not', { endsAt: '2027-02-30T00:00:00Z' }, '/endsAt date-time'],
  ['a month that is not', { endsAt: '2027-13-01T00:00:00Z' }, '/endsAt date-time'],
  ['an hour that is not', { endsAt: '2027-01-01T25:00:00Z' }, '/endsAt date-time'],
  ['words as endsAt', { endsAt: 'tomorrow' }, '/endsAt date-time'],
  ['a number as endsAt', { endsAt: 1_800_000_000 }, '/endsAt type'],
  [
    'an end at the start',
    { startsAt: '2027-01-01T00:00:00Z', endsAt: '2027-01-01T01:00:00+01:00' },
    '/endsAt ends-before-start'
  ],
  [
    'an end before the start',
    { startsAt: '2027-01-02T00:00:00Z', endsAt: '2027-01-01T00:00:00Z' },
    '/endsAt ends-before-start'
  ]
] as const) {
  test(`${what} is refused, and nothing changes`, async () => await refuses(fields, [expected]))
}

for (const invisible of [
  '\u200b',
  '\u200c\u200d',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u200e\u200f',
  '\u2061\u2062\u2063\u2064',
  '\u180e',
  '\u061c',
  '\u034f',
  '\ufe0f',
  '\u3164',
  '\u115f\u1160',
  '\u{e0020}',
  '\u2800',
  ' \u200b \u2060 '
]) {
  const shown = [...invisible].map(character => character.codePointAt(0)?.toString(16)).join(' ')
  test(`a name of nothing visible (${shown}) is empty`, async () => {
    await refuses({ name: invisible, ...account({ name: invisible }) }, ['/name empty', '/account/name empty'])
  })
}

test('characters that take no room stay inside a name where a script or an emoji needs them', async () => {
  for (const name of ['نمی\u200cخواهم', '👩\u200d👩\u200d👧', 'heart ❤\ufe0f'])
    assert.equal((await takes({ name })).name, name)
})

// In quadratic time it would take many minutes.
test('a body full of blanks is refused like any other', { timeout: 60_000 }, async () => {
  const blanks = `x${' '.repeat(1_000_000)}x`
  const { status } = await admin.post('/campaigns', { ...campaign, name: blanks })
  assert.equal(status, 400)
})

test('all that is wrong is told at once', async () => {
  await refuses(
    {
      name: ' ',
      donationMinimum: undefined,
      targetAmount: '8.000',
      status: 'live',
      startsAt: 'now',
      account: { iban: 'X', nameOfBank: 7 }
    },
    [
      '/name empty',
      '/donationMinimum required',
      '/targetAmount too-many-decimals',
      '/status not-allowed',
      '/startsAt date-time',
      '/account/iban iban-form',
      '/account/name required',
      '/account/nameOfBank type'
    ]
  )
})

test('a refusal is problem+json that names itself and its request', async () => {
  const { headers, body } = await admin.post('/campaigns', { ...campaign, name: '' })
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json/)
  assert.deepEqual(Object.keys(body), ['type', 'title', 'status', 'detail', 'code', 'requestId', 'errors'])
  assert.equal(body.type, '/problems/invalid-input')
  assert.equal(body.title, 'Bad Request')
  assert.equal(body.status, 400)
  assert.equal(body.code, 'invalid-input')
  assert.equal(body.requestId, headers['x-request-id'])
  assert.deepEqual(body.errors, [{ in: 'body', pointer: '/name', code: 'empty', message: 'name must not be empty.' }])
})

test('the same errors are told in English or German, by Accept-Language', async () => {
  const bad = { ...campaign, name: undefined, targetAmount: '8,50', account: { iban: 'X', name: 7 } }
  const told = async (language: string) => {
    const { headers, body } = await admin.post('/campaigns', bad, { 'accept-language': language })
    const messages = body.errors.map((error: FieldError) => error.message)
    for (const message of messages) assert.ok(body.detail.includes(message))
    return { language: headers['content-language'], messages: messages.toSorted() }
  }
  const english = {
    language: 'en',
    messages: [
      'account.iban must be an IBAN: two letters, two digits and 11 to 30 letters or digits.',
      'account.name must be text.',
      'name is required.',
      'targetAmount must have a point before the decimals, as in 20.50.'
    ]
  }
  const german = {
    language: 'de',
    messages: [
      'account.iban muss eine IBAN sein: zwei Buchstaben, zwei Ziffern und 11 bis 30 Buchstaben oder Ziffern.',
      'account.name muss Text sein.',
      'name fehlt.',
      'targetAmount braucht einen Punkt vor den Dezimalen, etwa 20.50.'
    ]
  }
  for (const language of ['en', 'en-GB', 'fr', 'de;q=0.3, en;q=0.9', '']) {
    assert.deepEqual(await told(language), english, language)
  }
  for (const language of ['de', 'de-AT', 'fr, de;q=0.5', 'en;q=0.3, de;q=0.9']) {
    assert.deepEqual(await told(language), german, language)
  }
})
