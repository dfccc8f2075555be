// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newWebhookSender } from '#platform/webhooks/sender.ts'
import { silent } from '#test/support/database.ts'
import { findRows } from '#test/support/find-rows.ts'
import { campaign, startCampaigns } from '#test/support/services.ts'
import { startWebhookReceiver } from '#test/support/webhook-receiver.ts'
import { createFundraisingActivityTypes } from '../activity-types.ts'
import { eraseExpiredDonors } from './retention.ts'

const {
  store,
  settings,
  admin,
  visitor,
  withRole,
  aCampaign,
  databaseUrl: _
} = await startCampaigns({
  env: { ALLOW_PRIVATE_ADDRESSES: 'true' }
})
const treasurer = await withRole('treasurer')

/** Builds a donor whose texts all contain a unique mark, by which every stored value is found. */
let number = 0
function buildDonor() {
  number += 1
  const mark = `Q${String(number).padStart(3, '0')}X`
  return {
    mark,
    donorName: `Wilhelmina ${mark}`,
    email: `wilhelmina.${mark}@verborgen.example`,
    account: { iban: number % 2 ? 'DE02120300000000202051' : 'DE75512108001245126199', name: `Wilhelmina ${mark}` },
    address: { street: `Geheimgasse ${mark}`, postalCode: '12345', city: `Verborgen ${mark}`, country: 'DE' },
    message: `Greetings of ${mark}`,
    showName: true,
    consent: { text: `I, ${mark}, agree` },
    amount: 25
  }
}

async function donate(
  campaignId: number,
  { mark: _mark, ...fields }: ReturnType<typeof buildDonor>,
  changes: object = {}
) {
  const created = await visitor.post(`/campaigns/${campaignId}/donations`, { ...fields, ...changes })
  assert.equal(created.status, 201, created.text)
  return { ...created.body, path: `/campaigns/${campaignId}/donations/${created.body.id}` }
}

test('a treasurer exports all donations of a donor: those with the same email address or account, not those with the same name', async () => {
  const [{ id }, other] = [await aCampaign(), await aCampaign({ name: 'Another campaign' })]
  const person = { ...buildDonor(), account: { iban: 'FR1420041010050500013M02606', name: 'Wilhelmina' } }
  const first = await donate(id, person)
  const sameMail = await donate(other.id, person, {
    email: person.email.toUpperCase(),
    account: { iban: 'BE68539007547034' }
  })
  const sameAccount = await donate(id, person, { email: null, donorName: 'W. Somebody' })
  const deleted = await donate(id, person, { email: null })
  assert.equal((await treasurer.delete(deleted.path)).status, 204)
  await donate(id, buildDonor(), { donorName: person.donorName })
  await treasurer.post(`${first.path}/notes`, { text: 'Has called' })
  await treasurer.patch(first.path, { status: 'TRANSFERRED' })

  const response = await treasurer.get(`/donors/${first.id}`)
  assert.equal(response.status, 200)
  assert.match(response.headers['content-disposition'] ?? '', /^attachment; filename="donor-/)
  assert.equal(response.headers['cache-control'], 'no-store')
  assert.deepEqual(
    response.body.donations.map((one: { id: string }) => one.id),
    [deleted.id, sameAccount.id, sameMail.id, first.id]
  )
  const exported = response.body.donations.at(-1)
  assert.deepEqual(
    [
      exported.account.iban,
      exported.email,
      exported.address.street,
      exported.consent.text,
      exported.notes[0].text,
      exported.campaignName
    ],
    [person.account.iban, person.email, person.address.street, person.consent.text, 'Has called', campaign.name]
  )
  assert.deepEqual(
    exported.history.map(({ status }: { status: string }) => status),
    ['IN_PROCESS', 'TRANSFERRED']
  )
  assert.deepEqual(Object.keys(response.body), [
    'exportedAt',
    'foundBy',
    'donations',
    'mandates',
    'receipts',
    'payments',
    'payerRules',
    'donorRecords',
    'news'
  ])
  const onlyDonation = await treasurer.get(`/donors/${first.id}?scope=donation`)
  assert.deepEqual(
    onlyDonation.body.donations.map((one: { id: string }) => one.id),
    [first.id]
  )

  const activity = await admin.get(`/activity?subject=donor&subjectId=${first.id}`)
  assert.deepEqual(
    activity.body.map(({ action, details }: { action: string; details: object }) => [action, details]),
    [
      ['donor.exported', { campaignId: id, donations: 1 }],
      ['donor.exported', { campaignId: id, donations: 4 }]
    ]
  )
  assert.ok(!activity.text.includes(person.mark))
})

test('only treasurers can export and erase donors, and only of donations that exist', async () => {
  const { id } = await aCampaign()
  const one = await donate(id, buildDonor())
  for (const [client, status] of [
    [visitor, 401],
    [await withRole('editor'), 403]
  ] as const) {
    assert.equal((await client.get(`/donors/${one.id}`)).status, status)
    assert.equal((await client.get(`/donors/${one.id}/summary`)).status, status)
    assert.equal((await client.post(`/donors/${one.id}/erase`, {})).status, status)
  }
  for (const unknown of ['01900000-0000-7000-8000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
    assert.equal((await treasurer.get(`/donors/${unknown}`)).body.code, 'donation-not-found')
    assert.equal((await treasurer.post(`/donors/${unknown}/erase`, {})).body.code, 'donation-not-found')
  }
  assert.equal((await treasurer.post(`/donors/${one.id}/erase`, { reason: 'whatever they say' })).status, 400)
  assert.equal((await treasurer.get(one.path)).body.erasedAt, null)
})

test('erasing a donor deletes all personal data and keeps amounts, statuses and references', async () => {
  const { id } = await aCampaign()
  const person = { ...buildDonor(), account: { iban: 'NL91ABNA0417164300', name: 'Wilhelmina' } }
  const receiver = await startWebhookReceiver()
  await admin.post('/webhooks', { url: receiver.url, actions: ['*'] })
  const subjects = createFundraisingActivityTypes(settings)
  const origin = 'http://kalends.example'
  const now = () => new Date(Date.now() + 60_000)
  const sender = newWebhookSender({
    db: store,
    keys: settings,
    activityTypes: subjects,
    origin,
    allowPrivate: true,
    log: silent,
    now
  })
  async function deliver() {
    while ((await sender.deliverDue()) > 0) await sender.drain()
  }

  const [first, waiting] = [await donate(id, person), await donate(id, person, { email: null })]
  await treasurer.post(`${first.path}/notes`, { text: `${person.mark} has called` })
  await treasurer.patch(first.path, { status: 'TRANSFERRED' })
  await deliver()
  assert.ok(
    receiver.received.some(({ body }) => body.includes(person.donorName)),
    'webhooks contain a public name'
  )
  const before = (await treasurer.get(first.path)).headers.etag
  const [totals, list] = [(await visitor.get(`/campaigns/${id}`)).body, `/campaigns/${id}/donations`]
  const length = (await visitor.get(list)).body.length

  assert.deepEqual((await treasurer.get(`/donors/${first.id}/summary`)).body, {
    donations: 2,
    names: [person.donorName],
    kept: []
  })
  const response = await treasurer.post(`/donors/${first.id}/erase`, { reason: 'request' })
  assert.deepEqual([response.status, response.body], [200, { donations: 2, kept: [] }])
  assert.deepEqual(await findRows(store, person.mark), [])
  assert.deepEqual(await findRows(store, person.account.iban), [])

  for (const [{ path, reference, amount }, status] of [
    [first, 'TRANSFERRED'],
    [waiting, 'IN_PROCESS']
  ] as const) {
    const { body } = await treasurer.get(path)
    assert.deepEqual([body.reference, body.amount, body.status], [reference, amount, status])
    assert.deepEqual(
      [body.donorName, body.email, body.address, body.account, body.message, body.consent, body.notes],
      [null, null, null, null, null, null, []]
    )
    assert.ok(body.erasedAt !== null)
  }
  assert.notEqual((await treasurer.get(first.path)).headers.etag, before)
  const after = (await visitor.get(`/campaigns/${id}`)).body
  assert.deepEqual([after.amountDonatedSoFar, after.donationCount], [totals.amountDonatedSoFar, totals.donationCount])
  const shown = await visitor.get(list)
  assert.deepEqual([shown.body.length, shown.text.includes(person.mark)], [length, false])
  assert.equal((await visitor.get(`/donations/by-token/${first.donorToken}`)).status, 404)
  assert.deepEqual((await treasurer.get(`/donations?search=${person.mark}`)).body, [])

  // Webhook receivers are notified, so that they can delete the name as well.
  receiver.received.length = 0
  await deliver()
  const webhookMessages = receiver.received.map(({ body }) => JSON.parse(body))
  assert.ok(
    webhookMessages.some(
      ({ type, data }) => type === 'donation.erased' && data.id === first.id && data.donorName === null
    )
  )

  // An erasure is permanent and happens once.
  assert.equal((await treasurer.patch(first.path, { donorName: 'Wilhelmina' })).body.code, 'donor-is-erased')
  assert.equal((await treasurer.post(`/donors/${first.id}/erase`, {})).body.donations, 0)
  // A later payment can still be booked.
  assert.equal((await treasurer.patch(waiting.path, { status: 'TRANSFERRED' })).status, 200)
  const activity = await admin.get('/activity?subject=donor')
  assert.ok(!activity.text.includes(person.mark))
})

test('with scope donation only one donation is erased, and others with the same account are kept', async () => {
  const { id } = await aCampaign()
  const account = { iban: 'GB29NWBK60161331926819' }
  const [one, other] = [
    await donate(id, { ...buildDonor(), account } as never),
    await donate(id, { ...buildDonor(), account } as never)
  ]
  const response = await treasurer.post(`/donors/${one.id}/erase`, { scope: 'donation', reason: 'mistake' })
  assert.equal(response.body.donations, 1)
  assert.equal((await treasurer.get(other.path)).body.account.iban, account.iban)
})

test('retention erases donors of cancelled donations after 90 days, and all donors after the retention years', async () => {
  const { id } = await aCampaign()
  const [kept, cancelled, returned, waiting] = [
    await donate(id, buildDonor()),
    await donate(id, buildDonor()),
    await donate(id, buildDonor()),
    await donate(id, buildDonor())
  ]
  await treasurer.patch(kept.path, { status: 'TRANSFERRED' })
  await treasurer.patch(cancelled.path, { status: 'CANCELLED' })
  await treasurer.patch(returned.path, { status: 'TRANSFERRED' })
  await treasurer.patch(returned.path, { status: 'FAILED' })
  const readErased = async () => {
    const rows = await Promise.all([kept, cancelled, returned, waiting].map(one => treasurer.get(one.path)))
    return rows.map(({ body }) => body.erasedAt !== null)
  }
  const afterDays = (days: number) => ({ now: new Date(Date.now() + days * 86_400_000) })
  await eraseExpiredDonors(store, settings, afterDays(89))
  assert.deepEqual(await readErased(), [false, false, false, false])
  assert.ok((await eraseExpiredDonors(store, settings, afterDays(91))) >= 1)
  assert.deepEqual(await readErased(), [false, true, false, false])

  const year = new Date().getUTCFullYear()
  const { retentionYears } = (await admin.get('/organisation')).body
  await eraseExpiredDonors(store, settings, { now: new Date(Date.UTC(year + retentionYears, 11, 31, 12)) })
  assert.deepEqual(await readErased(), [false, true, false, false])
  await eraseExpiredDonors(store, settings, { now: new Date(Date.UTC(year + retentionYears + 1, 0, 1, 12)) })
  assert.deepEqual(await readErased(), [true, true, true, true])
  assert.equal(await eraseExpiredDonors(store, settings, afterDays(10_000)), 0)
  const [last] = (await admin.get('/activity?action=donation.erased&limit=1')).body
  assert.equal(last.actor, 'retention')
})
