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
  assert.doesNotMatch(`${body.texts.en}${body.texts.de}`, /recurr|wiederkehr|\.\./, 'nor two full stops behind a name')
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

async function texts(): Promise<{ en: string; de: string }> {
  return (await visitor.get('/mandate')).body.texts
}

/** A donation with a mandate, and where it is. */
async function agreed(campaignId: number, fields: object = {}) {
  const sent = { ...donation, email: 'ada@example.org', mandate: { text: (await texts()).de }, ...fields }
  const made = await visitor.post(`/campaigns/${campaignId}/donations`, sent)
  assert.equal(made.status, 201, made.text)
  return { ...made.body, path: `/campaigns/${campaignId}/donations/${made.body.id}` }
}

test('a donor agrees to the text that was shown, and it is kept with its time and the request', async () => {
  const { id } = await aCampaign()
  const shown = (await texts()).de.replaceAll('\n', '\r\n')
  const made = await visitor.post(
    `/campaigns/${id}/donations`,
    { ...donation, mandate: { text: shown } },
    { 'x-request-id': 'the-request-of-ada' }
  )
  assert.equal(made.status, 201)
  assert.equal(made.body.paymentMethod, 'direct_debit')
  const { status, body } = await treasurer.get(`/mandates/${made.body.reference}`)
  assert.equal(status, 200)
  assert.deepEqual(body, {
    reference: made.body.reference,
    status: 'active',
    campaignId: id,
    donationId: made.body.id,
    donorName: 'Ada Lovelace',
    amount: 25,
    donationStatus: 'IN_PROCESS',
    creditorId: 'DE98ZZZ09999999999',
    sequenceType: 'OOFF',
    text: (await texts()).de,
    language: 'de',
    signedAt: made.body.createdAt,
    requestId: 'the-request-of-ada',
    revokedAt: null,
    collection: null
  })
  assert.equal((await treasurer.get(`/mandates/${made.body.reference.toLowerCase().replaceAll('-', '')}`)).status, 200)
  const own = (await visitor.get(`/donations/by-token/${made.body.donorToken}`)).body
  assert.deepEqual(
    [own.paymentMethod, own.mandateReference, own.collectedOn],
    ['direct_debit', made.body.reference, null]
  )
  const plain = await visitor.post(`/campaigns/${id}/donations`, donation)
  assert.equal(plain.body.paymentMethod, 'transfer')
  assert.equal((await treasurer.get(`/mandates/${plain.body.reference}`)).body.code, 'mandate-not-found')
  assert.equal((await treasurer.get('/mandates/nonsense')).status, 404)
})

for (const [what, campaignFields, fields, pointer, code] of [
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
  test(`a mandate with ${what} is refused, and no donation is made`, async () => {
    const { id } = await aCampaign(campaignFields)
    const sent = { ...donation, mandate: { text: (await texts()).en }, ...fields }
    const { status, body, text } = await visitor.post(`/campaigns/${id}/donations`, sent)
    assert.deepEqual([status, body.code, body.errors[0].pointer], [422, code, pointer])
    assert.doesNotMatch(removeIds(text), /202051|2385|7841/)
    assert.deepEqual((await treasurer.get(`/campaigns/${id}/donations`)).body, [])
  })
}

test('money that is there needs no mandate, and a mandate is an object with a text', async () => {
  const { id } = await aCampaign()
  const cash = { ...donation, status: 'TRANSFERRED', mandate: { text: (await texts()).en } }
  assert.equal((await treasurer.post(`/campaigns/${id}/donations`, cash)).body.code, 'mandate-for-received-money')
  for (const mandate of [true, 'yes', {}, { text: '' }, { text: 7 }, { text: 'x'.repeat(4001) }]) {
    const refused = await visitor.post(`/campaigns/${id}/donations`, { ...donation, mandate })
    assert.equal(refused.status, 400)
    assert.match(refused.body.errors[0].pointer, /^\/mandate/)
  }
  const none = await visitor.post(`/campaigns/${id}/donations`, { ...donation, mandate: null })
  assert.deepEqual([none.status, none.body.paymentMethod], [201, 'transfer'])
})

test('direct debits are in euros only', async () => {
  const { id } = await aCampaign()
  await store.script(`update fundraising.campaigns set currency = 'CHF' where id = ${id}`)
  const sent = { ...donation, mandate: { text: (await texts()).en } }
  const { body } = await visitor.post(`/campaigns/${id}/donations`, sent)
  assert.equal(body.code, 'campaign-without-direct-debit')
})

test('a treasurer writes down that a donor took the mandate back: the donation waits for a transfer again', async () => {
  const { id } = await aCampaign()
  const made = await agreed(id)
  const path = `/mandates/${made.reference}/revoke`
  const first = await treasurer.post(path)
  assert.deepEqual([first.status, first.body.status], [200, 'revoked'])
  assert.deepEqual((await treasurer.post(path)).body, first.body)
  const read = (await treasurer.get(made.path)).body
  assert.deepEqual([read.paymentMethod, read.status], ['transfer', 'IN_PROCESS'])
  const own = (await visitor.get(`/donations/by-token/${made.donorToken}`)).body
  assert.deepEqual([own.paymentMethod, own.mandateReference], ['transfer', null])
  const { body } = await admin.get(`/activity?subject=mandate&subjectId=${made.reference}`)
  assert.equal(body.length, 1, 'Twice is the same as once.')
  assert.deepEqual([body[0].action, body[0].details], ['mandate.revoked', { campaignId: id, donationId: made.id }])
})

test('donors take their own mandate back with the token, and nobody else does', async () => {
  const { id } = await aCampaign()
  const made = await agreed(id)
  const own = `/donations/by-token/${made.donorToken}/mandate/revoke`
  assert.equal((await visitor.post(`/donations/by-token/${'x'.repeat(22)}/mandate/revoke`)).status, 404)
  const answer = await visitor.post(own)
  assert.deepEqual([answer.status, answer.body.status, answer.body.reference], [200, 'revoked', made.reference])
  assert.equal((await treasurer.get(`/mandates/${made.reference}`)).body.status, 'revoked')
  const plain = (await visitor.post(`/campaigns/${id}/donations`, donation)).body
  const none = await visitor.post(`/donations/by-token/${plain.donorToken}/mandate/revoke`)
  assert.deepEqual([none.status, none.body.code], [404, 'mandate-not-found'])
})

test('the list of mandates is newest first, in pages, by campaign and by status', async () => {
  const { id } = await aCampaign()
  const made = [await agreed(id), await agreed(id), await agreed(id)]
  await treasurer.post(`/mandates/${made[1].reference}/revoke`)
  const references = (body: { reference: string }[]) => body.map(({ reference }) => reference)
  const all = await treasurer.get(`/mandates?campaignId=${id}`)
  assert.deepEqual(references(all.body), made.map(({ reference }) => reference).reverse())
  assert.equal(all.headers['x-total-count'], '3')
  const active = await treasurer.get(`/mandates?campaignId=${id}&status=active`)
  assert.deepEqual(references(active.body), [made[2].reference, made[0].reference])
  const revoked = await treasurer.get(`/mandates?campaignId=${id}&status=revoked`)
  assert.deepEqual(references(revoked.body), [made[1].reference])
  const first = await treasurer.get(`/mandates?campaignId=${id}&limit=2`)
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.link ?? '')?.[1] ?? ''
  const second = await treasurer.get(new URL(next).pathname + new URL(next).search)
  assert.deepEqual(references([...first.body, ...second.body]), references(all.body))
  assert.equal((await treasurer.get('/mandates?status=old')).status, 400)
})

test('mandates are for treasurers, and no account number stands in them, in activity or in logs', async () => {
  const { id } = await aCampaign()
  const made = await agreed(id)
  for (const [client, status] of [
    [visitor, 401],
    [editor, 403]
  ] as const) {
    assert.equal((await client.get('/mandates')).status, status)
    assert.equal((await client.get(`/mandates/${made.reference}`)).status, status)
    assert.equal((await client.post(`/mandates/${made.reference}/revoke`)).status, status)
  }
  const shown = [await treasurer.get('/mandates'), await admin.get('/activity?limit=200'), await visitor.get(made.path)]
  for (const { text } of shown) assert.doesNotMatch(text, /DE02120300000000202051|ada@example/)
  assert.doesNotMatch(shown[2]?.text ?? '', /paymentMethod|mandate/)
  assert.doesNotMatch(lines.join('\n'), /202051|ada@example/)
})

test('what was agreed is handed out to the person, and kept for the legal period when the donor is erased', async () => {
  const { id } = await aCampaign()
  const made = await agreed(id, { email: 'erased@example.org', account: { iban: 'DE91100000000123456789' } })
  const known = await treasurer.get(`/donors/${made.id}`)
  assert.ok(known.text.includes(made.reference) && known.text.includes('SEPA-Lastschriftmandat'))
  const erased = await treasurer.post(`/donors/${made.id}/erase`, {})
  assert.ok(erased.status < 300, erased.text)
  const kept = (await treasurer.get(`/mandates/${made.reference}`)).body
  assert.deepEqual([kept.donorName, kept.language, kept.status], [null, 'de', 'active'])
  const { encrypted } = await store.one<{ encrypted: Buffer | null }>(
    sql`select iban_encrypted as encrypted from fundraising.donations where id = ${made.id}`
  )
  assert.equal(encrypted, null)
})
