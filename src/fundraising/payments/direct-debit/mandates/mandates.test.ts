import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { donation, removeIds, startCampaigns } from '#test/support/services.ts'

const lines: string[] = []
const write = (...args: unknown[]) => void lines.push(JSON.stringify(args))
const log = { debug: write, info: write, warn: write, error: write } as never
const { admin, visitor, withRole, aCampaign, store } = await startCampaigns({ log })
const treasurer = await withRole('treasurer')
const editor = await withRole('editor')

const organisation = {
  legalName: 'Förderverein der Musikschule e. V.',
  creditorId: 'DE98ZZZ09999999999',
  address: { street: 'Am Markt 1', postalCode: '50667', city: 'Köln', country: 'DE' },
  preNotificationDays: 5
}

test('there is no mandate text until the organisation has a name and a creditor identifier', async () => {
  const before = await visitor.get('/mandate')
  assert.deepEqual([before.status, before.body.code], [404, 'no-direct-debit'])
  const { id } = await aCampaign()
  const refused = await visitor.post(`/campaigns/${id}/donations`, { ...donation, mandate: { text: 'anything' } })
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.errors[0].pointer],
    [422, 'no-direct-debit', '/mandate']
  )
  assert.equal((await admin.patch('/organisation', { creditorId: 'DE99ZZZ09999999999' })).status, 400)
  assert.equal((await admin.patch('/organisation', { creditorId: organisation.creditorId })).status, 200)
  assert.equal((await visitor.get('/mandate')).status, 404)

  assert.equal((await admin.patch('/organisation', organisation)).status, 200)
  const { status, body } = await visitor.get('/mandate')
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), [
    'creditorId',
    'creditorName',
    'texts',
    'version',
    'preNotificationDays',
    'countries'
  ])
  for (const text of [body.texts.en, body.texts.de]) {
    for (const part of ['Förderverein der Musikschule e. V., Am Markt 1, 50667 Köln, DE', 'DE98ZZZ09999999999']) {
      assert.ok(text.includes(part), part)
    }
  }
  assert.match(body.texts.en, /^Type of payment: one-off payment$/m)
  assert.match(body.texts.de, /^Zahlungsart: einmalige Zahlung$/m)
  assert.doesNotMatch(
    `${body.texts.en}${body.texts.de}`,
    /recurr|wiederkehr|\.\./,
    'no recurring payment, and no two full stops after a name'
  )
  assert.match(body.texts.en, /instructions from Förderverein der Musikschule e\. V\. As part of your rights/)
  assert.match(body.texts.en, /within 8 weeks/)
  assert.match(body.texts.de, /innerhalb von acht Wochen/)
  assert.match(body.texts.de, /mindestens 5 Tage vorher/)
  await admin.patch('/organisation', { legalName: 'Musikschule' })
  assert.match((await visitor.get('/mandate')).body.texts.en, /instructions from Musikschule\. As part/)
  await admin.patch('/organisation', { legalName: organisation.legalName, preNotificationDays: 1 })
  const after = (await visitor.get('/mandate')).body
  assert.match(after.texts.de, /mindestens einen Tag vorher/)
  assert.notEqual(after.version, body.version)
})

async function readMandateTexts(): Promise<{ en: string; de: string }> {
  return (await visitor.get('/mandate')).body.texts
}

/** Donates with a mandate, and returns the donation with its path. */
async function donateWithMandate(campaignId: number, fields: object = {}) {
  const sent = { ...donation, email: 'ada@example.org', mandate: { text: (await readMandateTexts()).de }, ...fields }
  const created = await visitor.post(`/campaigns/${campaignId}/donations`, sent)
  assert.equal(created.status, 201, created.text)
  return { ...created.body, path: `/campaigns/${campaignId}/donations/${created.body.id}` }
}

test('a mandate is stored with the text the donor agreed to, its time and the request id', async () => {
  const { id } = await aCampaign()
  const shown = (await readMandateTexts()).de.replaceAll('\n', '\r\n')
  const created = await visitor.post(
    `/campaigns/${id}/donations`,
    { ...donation, mandate: { text: shown } },
    { 'x-request-id': 'the-request-of-ada' }
  )
  assert.equal(created.status, 201)
  assert.equal(created.body.paymentMethod, 'direct_debit')
  const { status, body } = await treasurer.get(`/mandates/${created.body.reference}`)
  assert.equal(status, 200)
  assert.deepEqual(body, {
    reference: created.body.reference,
    status: 'active',
    campaignId: id,
    donationId: created.body.id,
    donorName: 'Ada Lovelace',
    amount: 25,
    donationStatus: 'IN_PROCESS',
    creditorId: 'DE98ZZZ09999999999',
    sequenceType: 'OOFF',
    text: (await readMandateTexts()).de,
    language: 'de',
    signedAt: created.body.createdAt,
    requestId: 'the-request-of-ada',
    revokedAt: null,
    collection: null
  })
  assert.equal(
    (await treasurer.get(`/mandates/${created.body.reference.toLowerCase().replaceAll('-', '')}`)).status,
    200
  )
  const own = (await visitor.get(`/donations/by-token/${created.body.donorToken}`)).body
  assert.deepEqual(
    [own.paymentMethod, own.mandateReference, own.collectedOn],
    ['direct_debit', created.body.reference, null]
  )
  const withoutMandate = await visitor.post(`/campaigns/${id}/donations`, donation)
  assert.equal(withoutMandate.body.paymentMethod, 'transfer')
  assert.equal((await treasurer.get(`/mandates/${withoutMandate.body.reference}`)).body.code, 'mandate-not-found')
  assert.equal((await treasurer.get('/mandates/nonsense')).status, 404)
})

for (const [description, campaignFields, fields, pointer, code] of [
  ['another text', {}, { mandate: { text: 'I agree' } }, '/mandate/text', 'mandate-text-changed'],
  [
    'an IBAN with wrong check digits',
    {},
    { account: { iban: 'DE00120300000000202051' } },
    '/account/iban',
    'iban-not-for-direct-debit'
  ],
  [
    'an account in Switzerland',
    {},
    { account: { iban: 'CH9300762011623852957' } },
    '/account/iban',
    'iban-not-for-direct-debit'
  ],
  [
    'an account outside of SEPA',
    {},
    { account: { iban: 'TR330006100519786457841326' } },
    '/account/iban',
    'iban-not-for-direct-debit'
  ],
  [
    'a campaign whose own account is not valid',
    { account: { iban: 'DE00370400440532013000', name: 'Music School' } },
    {},
    '/mandate',
    'campaign-without-direct-debit'
  ]
] as const) {
  test(`a mandate with ${description} is refused, and no donation is created`, async () => {
    const { id } = await aCampaign(campaignFields)
    const sent = { ...donation, mandate: { text: (await readMandateTexts()).en }, ...fields }
    const { status, body, text } = await visitor.post(`/campaigns/${id}/donations`, sent)
    assert.deepEqual([status, body.code, body.errors[0].pointer], [422, code, pointer])
    assert.doesNotMatch(removeIds(text), /202051|2385|7841/)
    assert.deepEqual((await treasurer.get(`/campaigns/${id}/donations`)).body, [])
  })
}

test('a mandate for a received donation is refused, and a mandate has to be an object with a text', async () => {
  const { id } = await aCampaign()
  const cash = { ...donation, status: 'TRANSFERRED', mandate: { text: (await readMandateTexts()).en } }
  assert.equal((await treasurer.post(`/campaigns/${id}/donations`, cash)).body.code, 'mandate-for-received-money')
  for (const mandate of [true, 'yes', {}, { text: '' }, { text: 7 }, { text: 'x'.repeat(4001) }]) {
    const refused = await visitor.post(`/campaigns/${id}/donations`, { ...donation, mandate })
    assert.equal(refused.status, 400)
    assert.match(refused.body.errors[0].pointer, /^\/mandate/)
  }
  const none = await visitor.post(`/campaigns/${id}/donations`, { ...donation, mandate: null })
  assert.deepEqual([none.status, none.body.paymentMethod], [201, 'transfer'])
})

test('a mandate is refused for a campaign in another currency than the euro', async () => {
  const { id } = await aCampaign()
  await store.script(`update fundraising.campaigns set currency = 'CHF' where id = ${id}`)
  const sent = { ...donation, mandate: { text: (await readMandateTexts()).en } }
  const { body } = await visitor.post(`/campaigns/${id}/donations`, sent)
  assert.equal(body.code, 'campaign-without-direct-debit')
})

test('when a treasurer revokes a mandate, the donation is a pending transfer again', async () => {
  const { id } = await aCampaign()
  const created = await donateWithMandate(id)
  const path = `/mandates/${created.reference}/revoke`
  const first = await treasurer.post(path)
  assert.deepEqual([first.status, first.body.status], [200, 'revoked'])
  assert.deepEqual((await treasurer.post(path)).body, first.body)
  const read = (await treasurer.get(created.path)).body
  assert.deepEqual([read.paymentMethod, read.status], ['transfer', 'IN_PROCESS'])
  const own = (await visitor.get(`/donations/by-token/${created.donorToken}`)).body
  assert.deepEqual([own.paymentMethod, own.mandateReference], ['transfer', null])
  const { body } = await admin.get(`/activity?subject=mandate&subjectId=${created.reference}`)
  assert.equal(body.length, 1, 'a repeated request changes nothing')
  assert.deepEqual([body[0].action, body[0].details], ['mandate.revoked', { campaignId: id, donationId: created.id }])
})

test('donors revoke their own mandate with the donor token, and a wrong token is 404', async () => {
  const { id } = await aCampaign()
  const created = await donateWithMandate(id)
  const own = `/donations/by-token/${created.donorToken}/mandate/revoke`
  assert.equal((await visitor.post(`/donations/by-token/${'x'.repeat(22)}/mandate/revoke`)).status, 404)
  const response = await visitor.post(own)
  assert.deepEqual(
    [response.status, response.body.status, response.body.reference],
    [200, 'revoked', created.reference]
  )
  assert.equal((await treasurer.get(`/mandates/${created.reference}`)).body.status, 'revoked')
  const withoutMandate = (await visitor.post(`/campaigns/${id}/donations`, donation)).body
  const none = await visitor.post(`/donations/by-token/${withoutMandate.donorToken}/mandate/revoke`)
  assert.deepEqual([none.status, none.body.code], [404, 'mandate-not-found'])
})

test('mandates are listed newest first, in pages, filtered by campaign and status', async () => {
  const { id } = await aCampaign()
  const created = [await donateWithMandate(id), await donateWithMandate(id), await donateWithMandate(id)]
  await treasurer.post(`/mandates/${created[1].reference}/revoke`)
  const toReferences = (body: { reference: string }[]) => body.map(({ reference }) => reference)
  const all = await treasurer.get(`/mandates?campaignId=${id}`)
  assert.deepEqual(toReferences(all.body), created.map(({ reference }) => reference).reverse())
  assert.equal(all.headers['x-total-count'], '3')
  const active = await treasurer.get(`/mandates?campaignId=${id}&status=active`)
  assert.deepEqual(toReferences(active.body), [created[2].reference, created[0].reference])
  const revoked = await treasurer.get(`/mandates?campaignId=${id}&status=revoked`)
  assert.deepEqual(toReferences(revoked.body), [created[1].reference])
  const first = await treasurer.get(`/mandates?campaignId=${id}&limit=2`)
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.link ?? '')?.[1] ?? ''
  const second = await treasurer.get(new URL(next).pathname + new URL(next).search)
  assert.deepEqual(toReferences([...first.body, ...second.body]), toReferences(all.body))
  assert.equal((await treasurer.get('/mandates?status=old')).status, 400)
})

test('only treasurers read mandates, and no IBAN is in mandates, activity or logs', async () => {
  const { id } = await aCampaign()
  const created = await donateWithMandate(id)
  for (const [client, status] of [
    [visitor, 401],
    [editor, 403]
  ] as const) {
    assert.equal((await client.get('/mandates')).status, status)
    assert.equal((await client.get(`/mandates/${created.reference}`)).status, status)
    assert.equal((await client.post(`/mandates/${created.reference}/revoke`)).status, status)
  }
  const shown = [
    await treasurer.get('/mandates'),
    await admin.get('/activity?limit=200'),
    await visitor.get(created.path)
  ]
  for (const { text } of shown) assert.doesNotMatch(text, /DE02120300000000202051|ada@example/)
  assert.doesNotMatch(shown[2]?.text ?? '', /paymentMethod|mandate/)
  assert.doesNotMatch(lines.join('\n'), /202051|ada@example/)
})

test('a mandate is part of the export of its donor, and is kept without donor data after an erasure', async () => {
  const { id } = await aCampaign()
  const created = await donateWithMandate(id, {
    email: 'erased@example.org',
    account: { iban: 'DE91100000000123456789' }
  })
  const exported = await treasurer.get(`/donors/${created.id}`)
  assert.ok(exported.text.includes(created.reference) && exported.text.includes('SEPA-Lastschriftmandat'))
  const erased = await treasurer.post(`/donors/${created.id}/erase`, {})
  assert.ok(erased.status < 300, erased.text)
  const kept = (await treasurer.get(`/mandates/${created.reference}`)).body
  assert.deepEqual([kept.donorName, kept.language, kept.status], [null, 'de', 'active'])
  const { encrypted } = await store.one<{ encrypted: Buffer | null }>(
    sql`select iban_encrypted as encrypted from fundraising.donations where id = ${created.id}`
  )
  assert.equal(encrypted, null)
})
