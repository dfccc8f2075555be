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

/** Of a donor that nobody else is like: whatever is found of them is found by these words. */
let number = 0
function aPerson() {
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

async function given(campaignId: number, { mark: _mark, ...fields }: ReturnType<typeof aPerson>, more: object = {}) {
  const made = await visitor.post(`/campaigns/${campaignId}/donations`, { ...fields, ...more })
  assert.equal(made.status, 201, made.text)
  return { ...made.body, path: `/campaigns/${campaignId}/donations/${made.body.id}` }
}

test('a treasurer takes out all that is known of a person: the same e-mail address or account, not the same name', async () => {
  const [{ id }, other] = [await aCampaign(), await aCampaign({ name: 'Another campaign' })]
  const person = { ...aPerson(), account: { iban: 'FR1420041010050500013M02606', name: 'Wilhelmina' } }
  const first = await given(id, person)
  const sameMail = await given(other.id, person, {
    email: person.email.toUpperCase(),
    account: { iban: 'BE68539007547034' }
  })
  const sameAccount = await given(id, person, { email: null, donorName: 'W. Somebody' })
  const deleted = await given(id, person, { email: null })
  assert.equal((await treasurer.delete(deleted.path)).status, 204)
  await given(id, aPerson(), { donorName: person.donorName })
  await treasurer.post(`${first.path}/notes`, { text: 'Has called' })
  await treasurer.patch(first.path, { status: 'TRANSFERRED' })

  const answer = await treasurer.get(`/donors/${first.id}`)
  assert.equal(answer.status, 200)
  assert.match(answer.headers['content-disposition'] ?? '', /^attachment; filename="donor-/)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.deepEqual(
    answer.body.donations.map((one: { id: string }) => one.id),
    [deleted.id, sameAccount.id, sameMail.id, first.id]
  )
  const found = answer.body.donations.at(-1)
  assert.deepEqual(
    [
      found.account.iban,
      found.email,
      found.address.street,
      found.consent.text,
      found.notes[0].text,
      found.campaignName
    ],
    [person.account.iban, person.email, person.address.street, person.consent.text, 'Has called', campaign.name]
  )
  assert.deepEqual(
    found.history.map(({ status }: { status: string }) => status),
    ['IN_PROCESS', 'TRANSFERRED']
  )
  assert.deepEqual(Object.keys(answer.body), [
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
  const alone = await treasurer.get(`/donors/${first.id}?scope=donation`)
  assert.deepEqual(
    alone.body.donations.map((one: { id: string }) => one.id),
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

test('what is known of a person is for treasurers, and only of donations that there are', async () => {
  const { id } = await aCampaign()
  const one = await given(id, aPerson())
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

test('an erased donor is found nowhere any more, while amounts, states and references stay', async () => {
  const { id } = await aCampaign()
  const person = { ...aPerson(), account: { iban: 'NL91ABNA0417164300', name: 'Wilhelmina' } }
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

  const [first, waiting] = [await given(id, person), await given(id, person, { email: null })]
  await treasurer.post(`${first.path}/notes`, { text: `${person.mark} has called` })
  await treasurer.patch(first.path, { status: 'TRANSFERRED' })
  await deliver()
  assert.ok(
    receiver.received.some(({ body }) => body.includes(person.donorName)),
    'Whose name is shown is told of.'
  )
  const before = (await treasurer.get(first.path)).headers.etag
  const [totals, list] = [(await visitor.get(`/campaigns/${id}`)).body, `/campaigns/${id}/donations`]
  const length = (await visitor.get(list)).body.length

  assert.deepEqual((await treasurer.get(`/donors/${first.id}/summary`)).body, {
    donations: 2,
    names: [person.donorName],
    kept: []
  })
  const answer = await treasurer.post(`/donors/${first.id}/erase`, { reason: 'request' })
  assert.deepEqual([answer.status, answer.body], [200, { donations: 2, kept: [] }])
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

  // Receivers hear that it changed, so that they can forget the name as well.
  receiver.received.length = 0
  await deliver()
  const told = receiver.received.map(({ body }) => JSON.parse(body))
  assert.ok(
    told.some(({ type, data }) => type === 'donation.erased' && data.id === first.id && data.donorName === null)
  )

  // For good, and once.
  assert.equal((await treasurer.patch(first.path, { donorName: 'Wilhelmina' })).body.code, 'donor-is-erased')
  assert.equal((await treasurer.post(`/donors/${first.id}/erase`, {})).body.donations, 0)
  // Money that comes now is booked all the same.
  assert.equal((await treasurer.patch(waiting.path, { status: 'TRANSFERRED' })).status, 200)
  const activity = await admin.get('/activity?subject=donor')
  assert.ok(!activity.text.includes(person.mark))
})

test('only the one donation is erased where several people share an account', async () => {
  const { id } = await aCampaign()
  const account = { iban: 'GB29NWBK60161331926819' }
  const [one, other] = [
    await given(id, { ...aPerson(), account } as never),
    await given(id, { ...aPerson(), account } as never)
  ]
  const answer = await treasurer.post(`/donors/${one.id}/erase`, { scope: 'donation', reason: 'mistake' })
  assert.equal(answer.body.donations, 1)
  assert.equal((await treasurer.get(other.path)).body.account.iban, account.iban)
})

test('by itself the program forgets whose money never came after 90 days, and everybody when the books were kept long enough', async () => {
  const { id } = await aCampaign()
  const [kept, cancelled, returned, waiting] = [
    await given(id, aPerson()),
    await given(id, aPerson()),
    await given(id, aPerson()),
    await given(id, aPerson())
  ]
  await treasurer.patch(kept.path, { status: 'TRANSFERRED' })
  await treasurer.patch(cancelled.path, { status: 'CANCELLED' })
  await treasurer.patch(returned.path, { status: 'TRANSFERRED' })
  await treasurer.patch(returned.path, { status: 'FAILED' })
  const erased = async () => {
    const rows = await Promise.all([kept, cancelled, returned, waiting].map(one => treasurer.get(one.path)))
    return rows.map(({ body }) => body.erasedAt !== null)
  }
  const inDays = (days: number) => ({ now: new Date(Date.now() + days * 86_400_000) })
  await eraseExpiredDonors(store, settings, inDays(89))
  assert.deepEqual(await erased(), [false, false, false, false])
  assert.ok((await eraseExpiredDonors(store, settings, inDays(91))) >= 1)
  assert.deepEqual(await erased(), [false, true, false, false])

  const year = new Date().getUTCFullYear()
  const { retentionYears } = (await admin.get('/organisation')).body
  await eraseExpiredDonors(store, settings, { now: new Date(Date.UTC(year + retentionYears, 11, 31, 12)) })
  assert.deepEqual(await erased(), [false, true, false, false])
  await eraseExpiredDonors(store, settings, { now: new Date(Date.UTC(year + retentionYears + 1, 0, 1, 12)) })
  assert.deepEqual(await erased(), [true, true, true, true])
  assert.equal(await eraseExpiredDonors(store, settings, inDays(10_000)), 0)
  const [last] = (await admin.get('/activity?action=donation.erased&limit=1')).body
  assert.equal(last.actor, 'retention')
})
