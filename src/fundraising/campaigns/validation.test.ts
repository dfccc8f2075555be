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

const toErrorLines = ({ body }: TestResponse) =>
  (body.errors as FieldError[]).map(error => `${error.pointer} ${error.code}`).sort()

async function assertRefused(fields: object, expected: string[]): Promise<void> {
  const { id } = await aCampaign()
  for (const response of [
    await admin.post('/campaigns', { ...campaign, ...fields }),
    await admin.put(`/campaigns/${id}`, { ...campaign, ...fields })
  ]) {
    assert.equal(response.status, 400)
    assert.deepEqual(toErrorLines(response), expected.toSorted())
  }
  assert.equal((await visitor.get(`/campaigns/${id}`)).body.name, campaign.name)
}

async function assertAccepted(fields: object): Promise<TestResponse['body']> {
  const created = await admin.post('/campaigns', { ...campaign, ...fields })
  assert.equal(created.status, 201, created.text)
  const { id } = await aCampaign()
  const replaced = await admin.put(`/campaigns/${id}`, { ...campaign, ...fields })
  assert.equal(replaced.status, 200, replaced.text)
  return created.body
}

const withAccount = (fields: object) => ({ account: { ...campaign.account, ...fields } })

test('the length of a text is counted after trimming, in characters', async () => {
  const name = '🎻'.repeat(200)
  const holder = 'ä'.repeat(140)
  const body = await assertAccepted({
    name: `\u200b  ${name} \u00a0\ufeff`,
    ...withAccount({ name: ` ${holder} `, nameOfBank: ` ${holder}\t` })
  })
  assert.equal(body.name, name)
  assert.equal(body.account.name, holder)
  assert.equal(body.account.nameOfBank, holder)
})

test('without nameOfBank (absent, null or blank) a known bank gets its name, and an unknown bank an empty one', async () => {
  for (const nameOfBank of [undefined, null, '', '  ']) {
    const known = await assertAccepted({ account: { iban: 'DE89370400440532013000', name: 'X', nameOfBank } })
    assert.match(known.account.nameOfBank, /^Commerzbank/)
    const unknown = await assertAccepted({ account: { iban: 'AT611904300234573201', name: 'X', nameOfBank } })
    assert.equal(unknown.account.nameOfBank, '')
  }
})

test('description, startsAt and endsAt can be null', async () => {
  const body = await assertAccepted({ description: null, startsAt: null, endsAt: null })
  assert.deepEqual([body.description, body.startsAt, body.endsAt], ['', null, null])
})

test('the statuses draft, open and closed are accepted', async () => {
  for (const status of ['draft', 'open', 'closed']) assert.equal((await assertAccepted({ status })).status, status)
})

for (const [input, stored] of [
  ['2026-12-24T18:00:00+01:00', '2026-12-24T17:00:00.000Z'],
  ['2026-12-24T18:00:00Z', '2026-12-24T18:00:00.000Z'],
  ['2026-12-24T18:00Z', '2026-12-24T18:00:00.000Z'],
  ['2026-12-24t18:00:00z', '2026-12-24T18:00:00.000Z'],
  ['2026-12-24T18:00:00.123456-11:30', '2026-12-25T05:30:00.123Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z']
] as const) {
  test(`the time ${input} is stored as ${stored}`, async () => {
    assert.equal((await assertAccepted({ startsAt: input })).startsAt, stored)
    assert.equal((await assertAccepted({ endsAt: input })).endsAt, stored)
  })
}

test('a campaign may have only a start, only an end, or both in the past', async () => {
  await assertAccepted({ startsAt: '2030-01-01T00:00:00Z' })
  await assertAccepted({ endsAt: '2030-01-01T00:00:00Z' })
  await assertAccepted({ startsAt: '2001-01-01T00:00:00Z', endsAt: '2001-01-01T00:00:00.001Z' })
})

for (const [field, pointer] of [
  ['name', '/name'],
  ['donationMinimum', '/donationMinimum'],
  ['targetAmount', '/targetAmount'],
  ['account', '/account']
] as const) {
  test(`${field} is required, for POST and PUT`, async () => {
    await assertRefused({ [field]: undefined }, [`${pointer} required`])
    const { status, body } = await admin.post('/campaigns', { ...campaign, [field]: null })
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map((error: FieldError) => [error.pointer, error.code]),
      [[pointer, 'type']]
    )
  })
}

for (const field of ['iban', 'name']) {
  test(`account.${field} is required, and the error points to it`, async () => {
    await assertRefused(withAccount({ [field]: undefined }), [`/account/${field} required`])
    await assertRefused(withAccount({ [field]: null }), [`/account/${field} type`])
  })
}

for (const [description, fields, expected] of [
  ['an empty name', { name: '' }, '/name empty'],
  ['a blank name', { name: ' \t\u00a0 ' }, '/name empty'],
  ['a name of 201 characters', { name: 'x'.repeat(201) }, '/name too-long'],
  ['a number as name', { name: 7 }, '/name type'],
  ['a name on two lines', { name: 'one\ntwo' }, '/name control-character'],
  [
    'a name with a character that reverses the text direction',
    { name: 'good\u202etxt.exe' },
    '/name control-character'
  ],
  ['an empty account holder', withAccount({ name: '  ' }), '/account/name empty'],
  ['an account holder of 141 characters', withAccount({ name: 'x'.repeat(141) }), '/account/name too-long'],
  ['a bank of 141 characters', withAccount({ nameOfBank: 'x'.repeat(141) }), '/account/nameOfBank too-long'],
  ['a list as bank', withAccount({ nameOfBank: [] }), '/account/nameOfBank type'],
  ['a text as account', { account: 'DE89370400440532013000' }, '/account type'],
  ['a negative minimum', { donationMinimum: -0.01 }, '/donationMinimum too-small'],
  ['a minimum with a comma', { donationMinimum: '5,00' }, '/donationMinimum comma'],
  ['a minimum that is too large', { donationMinimum: 1_000_000_000 }, '/donationMinimum too-large'],
  ['a target of 0', { targetAmount: 0 }, '/targetAmount too-small'],
  ['a negative target', { targetAmount: '-1' }, '/targetAmount too-small'],
  ['a target with three decimals', { targetAmount: 0.001 }, '/targetAmount too-many-decimals'],
  ['a boolean as target', { targetAmount: true }, '/targetAmount type'],
  ['an unknown status', { status: 'OPEN' }, '/status not-allowed'],
  ['null as status', { status: null }, '/status not-allowed'],
  ['a description of 20001 characters', { description: 'x'.repeat(20_001) }, '/description too-long'],
  ['a control character in the description', { description: 'ring\u0007' }, '/description control-character'],
  ['a date without time as startsAt', { startsAt: '2026-12-24' }, '/startsAt date-time'],
  ['a time without offset', { startsAt: '2026-12-24T18:00:00' }, '/startsAt date-time'],
  ['a day that does not exist', { endsAt: '2027-02-30T00:00:00Z' }, '/endsAt date-time'],
  ['a month that does not exist', { endsAt: '2027-13-01T00:00:00Z' }, '/endsAt date-time'],
  ['an hour that does not exist', { endsAt: '2027-01-01T25:00:00Z' }, '/endsAt date-time'],
  ['a word as endsAt', { endsAt: 'tomorrow' }, '/endsAt date-time'],
  ['a number as endsAt', { endsAt: 1_800_000_000 }, '/endsAt type'],
  [
    'an end equal to the start',
    { startsAt: '2027-01-01T00:00:00Z', endsAt: '2027-01-01T01:00:00+01:00' },
    '/endsAt ends-before-start'
  ],
  [
    'an end before the start',
    { startsAt: '2027-01-02T00:00:00Z', endsAt: '2027-01-01T00:00:00Z' },
    '/endsAt ends-before-start'
  ]
] as const) {
  test(`${description} is refused, and nothing changes`, async () => await assertRefused(fields, [expected]))
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
  const codePoints = [...invisible].map(character => character.codePointAt(0)?.toString(16)).join(' ')
  test(`a name of invisible characters only (${codePoints}) is refused as empty`, async () => {
    await assertRefused({ name: invisible, ...withAccount({ name: invisible }) }, [
      '/name empty',
      '/account/name empty'
    ])
  })
}

test('invisible characters that a script or an emoji needs are kept inside a name', async () => {
  for (const name of ['نمی\u200cخواهم', '👩\u200d👩\u200d👧', 'heart ❤\ufe0f'])
    assert.equal((await assertAccepted({ name })).name, name)
})

// The timeout fails if trimming takes quadratic time, which would be many minutes.
test('a name with a million blanks is refused, in linear time', { timeout: 60_000 }, async () => {
  const blanks = `x${' '.repeat(1_000_000)}x`
  const { status } = await admin.post('/campaigns', { ...campaign, name: blanks })
  assert.equal(status, 400)
})

test('all errors of a campaign are reported at once', async () => {
  await assertRefused(
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

test('a refusal is problem+json with its type, its code and the request id', async () => {
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

test('errors are in English or German, according to Accept-Language', async () => {
  const bad = { ...campaign, name: undefined, targetAmount: '8,50', account: { iban: 'X', name: 7 } }
  const readErrors = async (language: string) => {
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
    assert.deepEqual(await readErrors(language), english, language)
  }
  for (const language of ['de', 'de-AT', 'fr, de;q=0.5', 'en;q=0.3, de;q=0.9']) {
    assert.deepEqual(await readErrors(language), german, language)
  }
})
