import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign } = await startCampaigns()
const english = { 'accept-language': 'en' }

/** Exactly the fields of the specification. */
const specified = {
  name: 'A new name',
  donationMinimum: 2,
  targetAmount: 9000,
  account: { iban: 'GB82WEST12345698765432', name: 'Choir', nameOfBank: 'West Bank' }
}

const otherFields = {
  status: 'draft',
  description: 'Rain comes in.\nSince autumn.',
  startsAt: '2026-01-01T00:00:00.000Z',
  endsAt: '2100-01-01T00:00:00.000Z',
  presetAmounts: [5, 12.5, 100],
  imageUrl: 'https://example.org/roof.jpg',
  imageAlt: 'A roof with a hole',
  language: 'en',
  translations: { de: { name: 'Neues Dach', description: 'Es regnet herein.' } }
}

type Fields = Record<string, unknown>
const pick = (from: Fields, names: object): Fields =>
  Object.fromEntries(Object.keys(names).map(name => [name, from[name]]))
const readCampaign = async (id: number): Promise<Fields> => (await admin.get(`/campaigns/${id}`)).body
const omitUpdatedAt = ({ updatedAt: _, ...rest }: Fields) => rest

test('a PUT with exactly the four fields of the specification keeps all other fields, also the status draft', async () => {
  const { id } = await aCampaign(otherFields)
  const { status, body } = await admin.put(`/campaigns/${id}`, specified)
  assert.equal(status, 200)
  assert.deepEqual(pick(body, otherFields), otherFields)
  assert.deepEqual(pick(body, specified), { ...specified, account: { ...specified.account, ibanValid: true } })
  assert.deepEqual(await readCampaign(id), body)
  assert.equal((await visitor.get(`/campaigns/${id}`)).status, 404)
})

test('a PUT without a field of the specification is 400 and names the field, even with all other fields', async () => {
  const { id } = await aCampaign(otherFields)
  const before = await readCampaign(id)
  for (const name of Object.keys(specified)) {
    const { [name]: _, ...rest } = { ...specified, ...otherFields } as Fields
    const { status, body } = await admin.put(`/campaigns/${id}`, rest)
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]),
      [[`/${name}`, 'required']]
    )
  }
  assert.deepEqual(await readCampaign(id), before)
})

test('a PUT changes the other fields that it contains, and null or empty text clears them', async () => {
  const { id } = await aCampaign(otherFields)
  const changes = { status: 'closed', language: 'de', translations: { en: { name: 'New roof', description: '' } } }
  const changed = await admin.put(`/campaigns/${id}`, { ...specified, ...changes })
  assert.deepEqual(pick(changed.body, otherFields), { ...otherFields, ...changes })

  const emptied = await admin.put(`/campaigns/${id}`, {
    ...specified,
    ...{ description: null, startsAt: null, endsAt: null, presetAmounts: null, imageUrl: null, imageAlt: '' },
    translations: null
  })
  const empty = { description: '', startsAt: null, endsAt: null, presetAmounts: [], imageUrl: null, imageAlt: '' }
  assert.deepEqual(pick(emptied.body, otherFields), { ...empty, status: 'closed', language: 'de', translations: {} })
})

test('a PATCH changes only the fields that it contains, with both content types', async () => {
  for (const type of ['application/json', 'application/merge-patch+json']) {
    const { id } = await aCampaign(otherFields)
    let expected = await readCampaign(id)
    for (const [name, value] of Object.entries({
      ...pick(specified, { name: 0, targetAmount: 0 }),
      ...otherFields,
      status: 'open'
    })) {
      const { status, body } = await admin.patch(`/campaigns/${id}`, { [name]: value }, { 'content-type': type })
      assert.equal(status, 200, name)
      expected = { ...expected, [name]: value, progressPercent: 0 }
      assert.deepEqual(omitUpdatedAt(body), omitUpdatedAt(expected), name)
    }
    assert.deepEqual(omitUpdatedAt(await readCampaign(id)), omitUpdatedAt(expected))
  }
})

test('a PATCH merges into the account, and a new IBAN sets the name of the bank', async () => {
  const { id } = await aCampaign({ account: { ...campaign.account, nameOfBank: 'Our bank' } })
  const patchAccount = async (change: object) =>
    (await admin.patch(`/campaigns/${id}`, { account: change })).body.account
  const { iban } = campaign.account
  assert.deepEqual(await patchAccount({ name: 'Choir' }), {
    iban,
    name: 'Choir',
    nameOfBank: 'Our bank',
    ibanValid: true
  })
  assert.equal((await patchAccount({ nameOfBank: null })).nameOfBank, 'Commerzbank')
  await patchAccount({ nameOfBank: 'Our bank' })
  const withNewIban = await patchAccount({ iban: 'gb82 west 1234 5698 7654 32' })
  assert.deepEqual(withNewIban, { iban: 'GB82WEST12345698765432', name: 'Choir', nameOfBank: '', ibanValid: true })
  assert.equal((await patchAccount({ iban: 'GB82WEST12345698765431' })).ibanValid, false)
  assert.deepEqual(await patchAccount({}), { ...withNewIban, iban: 'GB82WEST12345698765431', ibanValid: false })
})

test('a PATCH merges into the translations: null removes one language or all languages', async () => {
  const { id } = await aCampaign(otherFields)
  const patchTranslations = async (change: object | null) => {
    const { status, body } = await admin.patch(`/campaigns/${id}`, { translations: change })
    assert.equal(status, 200)
    return body.translations
  }
  assert.deepEqual(await patchTranslations({ de: { name: 'Dach' } }), {
    de: { name: 'Dach', description: 'Es regnet herein.' }
  })
  assert.deepEqual(await patchTranslations({ de: { description: null } }), { de: { name: 'Dach', description: '' } })
  assert.deepEqual(await patchTranslations({}), { de: { name: 'Dach', description: '' } })
  assert.deepEqual(await patchTranslations({ de: null }), {})
  assert.deepEqual(await patchTranslations({ de: { name: 'Neu' } }), { de: { name: 'Neu', description: '' } })
  assert.deepEqual(await patchTranslations(null), {})
})

test('a PATCH ignores unknown and read-only fields', async () => {
  const { id } = await aCampaign(otherFields)
  const before = await readCampaign(id)
  const readOnly = { id: 7, amountDonatedSoFar: 5, donationCount: 3, currency: 'USD', createdAt: 'x', colour: 'green' }
  const { status, body } = await admin.patch(`/campaigns/${id}`, { ...readOnly, account: { ibanValid: false } })
  assert.equal(status, 200)
  assert.deepEqual(omitUpdatedAt(body), omitUpdatedAt(before))
  assert.deepEqual(omitUpdatedAt((await admin.patch(`/campaigns/${id}`, before)).body), omitUpdatedAt(before))
})

const refused: [fields: object, status: number, pointer: string, code: string][] = [
  [{ name: null }, 400, '/name', 'type'],
  [{ name: ' ' }, 400, '/name', 'empty'],
  [{ donationMinimum: null }, 400, '/donationMinimum', 'type'],
  [{ donationMinimum: -1 }, 400, '/donationMinimum', 'too-small'],
  [{ donationMinimum: 5.01 }, 422, '/donationMinimum', 'preset-too-small'],
  [{ targetAmount: null }, 400, '/targetAmount', 'type'],
  [{ account: null }, 400, '/account', 'type'],
  [{ account: { iban: null } }, 400, '/account/iban', 'type'],
  [{ account: { iban: 'DE' } }, 400, '/account/iban', 'iban-form'],
  [{ account: { name: '' } }, 400, '/account/name', 'empty'],
  [{ status: null }, 400, '/status', 'not-allowed'],
  [{ status: 'gone' }, 400, '/status', 'not-allowed'],
  [{ language: null }, 400, '/language', 'not-allowed'],
  [{ endsAt: '2025-12-31T00:00:00Z' }, 400, '/endsAt', 'ends-before-start'],
  [{ startsAt: '2100-01-01T00:00:00Z' }, 400, '/endsAt', 'ends-before-start'],
  [{ presetAmounts: [4, 3] }, 400, '/presetAmounts/1', 'not-ascending'],
  [{ translations: { de: { name: null } } }, 400, '/translations/de/name', 'type'],
  [{ translations: { en: { description: 'x' } } }, 422, '/translations/en/name', 'translation-without-name']
]

for (const [fields, status, pointer, code] of refused) {
  test(`PATCH ${JSON.stringify(fields)} is refused at ${pointer}, and nothing changes`, async () => {
    const { id } = await aCampaign(otherFields)
    const before = await readCampaign(id)
    const response = await admin.patch(`/campaigns/${id}`, fields, english)
    assert.equal(response.status, status)
    const errors = response.body.errors as { pointer: string; code: string }[]
    assert.ok(errors.every(error => error.pointer === pointer))
    assert.ok(
      errors.some(error => error.code === code),
      JSON.stringify(errors)
    )
    assert.deepEqual(await readCampaign(id), before)
  })
}

test('a donationMinimum above the preset amounts needs other preset amounts, or none', async () => {
  const { id } = await aCampaign(otherFields)
  const german = await admin.put(`/campaigns/${id}`, { ...specified, donationMinimum: 50 }, { 'accept-language': 'de' })
  assert.deepEqual([german.status, german.body.errors[0].pointer], [422, '/donationMinimum'])
  assert.match(german.body.detail, /höchstens 5\b/)
  assert.equal((await admin.patch(`/campaigns/${id}`, { donationMinimum: 50, presetAmounts: [50] })).status, 200)
  assert.equal(
    (await admin.put(`/campaigns/${id}`, { ...specified, donationMinimum: 60, presetAmounts: null })).status,
    200
  )
})

test('a PATCH with a stale If-Match is 412 and changes nothing', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}`
  const { etag = '' } = (await admin.get(path)).headers
  const patched = await admin.patch(path, { name: 'First' }, { 'if-match': etag })
  assert.equal(patched.status, 200)
  assert.equal(patched.headers.etag, (await visitor.get(path)).headers.etag)
  const stale = await admin.patch(path, { name: 'Second' }, { 'if-match': etag })
  assert.deepEqual([stale.status, stale.body.code], [412, 'changed-meanwhile'])
  assert.equal((await visitor.get(path)).body.name, 'First')
  assert.equal((await admin.patch('/campaigns/999999999', { name: 'x' }, { 'if-match': etag })).status, 404)
})

test('a PATCH is recorded in the activity log, and a new IBAN in the account changes', async () => {
  const editor = await withRole('editor')
  const { id } = await aCampaign()
  await editor.patch(`/campaigns/${id}`, { account: { name: 'Choir' } })
  assert.deepEqual((await admin.get(`/account-changes?campaignId=${id}`)).body, [])
  await editor.patch(`/campaigns/${id}`, { account: { iban: specified.account.iban } })
  const [change, ...others] = (await admin.get(`/account-changes?campaignId=${id}`)).body
  assert.deepEqual([change.before, change.after, others.length], ['DE89…3000', 'GB82…5432', 0])
  assert.match(change.actor, /editor/)
  const { body: log } = await admin.get(`/activity?subject=campaign&subjectId=${id}`)
  assert.deepEqual(log.map(({ action }: { action: string }) => action).sort(), [
    'campaign.account_changed',
    'campaign.created',
    'campaign.updated',
    'campaign.updated'
  ])
})

test('the content type of a merge patch is 415 for PUT, and PATCH refuses other content types', async () => {
  const { id } = await aCampaign()
  const headers = { 'content-type': 'application/merge-patch+json' }
  assert.equal((await admin.put(`/campaigns/${id}`, specified, headers)).status, 415)
  const refusal = await admin.patch(`/campaigns/${id}`, specified, { 'content-type': 'text/csv' })
  assert.equal(refusal.status, 415)
  assert.match(refusal.body.detail, /application\/json or application\/merge-patch\+json/)
})

test('Content-Language lists the languages of the campaigns in the response', async () => {
  const german = await admin.post('/campaigns', { ...campaign, language: 'de' })
  assert.equal(german.headers['content-language'], 'de')
  const path = `/campaigns/${german.body.id}`
  for (const language of ['en', 'de']) {
    assert.equal((await visitor.get(path, { 'accept-language': language })).headers['content-language'], 'de')
  }
  assert.equal((await admin.put(path, specified)).headers['content-language'], 'de')
  assert.equal((await admin.patch(path, { language: 'en' })).headers['content-language'], 'en')
  assert.equal((await admin.patch(path, { language: 'de' })).headers['content-language'], 'de')
  await aCampaign({ language: 'en' })
  assert.equal((await visitor.get('/campaigns')).headers['content-language'], 'en, de')
  for (const { id, language } of (await visitor.get('/campaigns')).body) {
    const cursor = Buffer.from(String(id - 1)).toString('base64url')
    const { headers } = await visitor.get(`/campaigns?limit=1&cursor=${cursor}`)
    assert.equal(headers['content-language'], language)
  }
})
