// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import {
  type DonationWithMandate,
  findSchemaErrors,
  listValues,
  startDirectDebits,
  sumTransactions
} from '#test/support/fundraising/direct-debit.ts'
import { donation } from '#test/support/services.ts'
import { addDays, getEarliestCollectionDay, isBankDay, toBankDay } from '../bank-days.ts'

const {
  admin,
  visitor,
  treasurer,
  editor,
  aCampaign,
  donateWithMandate,
  createCollection,
  moveCollectionDateToPast,
  store,
  readLog
} = await startDirectDebits()
const today = new Date().toISOString().slice(0, 10)
const earliest = getEarliestCollectionDay(today, 5)

test('a collection contains all collectable donations, has the earliest possible date, and notifies the donors', async () => {
  const { id: campaignId } = await aCampaign()
  const first = await donateWithMandate(campaignId, { amount: 10.5 })
  const second = await donateWithMandate(campaignId, { amount: '7.25', email: null })
  await visitor.post(`/campaigns/${campaignId}/donations`, donation)
  const preview = await treasurer.get(`/collections/preview?campaignId=${campaignId}`)
  assert.deepEqual(
    [preview.body.count, preview.body.amount, preview.body.earliestOn, preview.body.warnings[0].code],
    [2, 17.75, earliest, 'not-told']
  )

  const created = await treasurer.post('/collections', { campaignId }, { 'idempotency-key': 'first' })
  assert.equal(created.status, 201)
  const { id, messageId, createdAt, updatedAt, by, warnings, ...rest } = created.body
  assert.equal(created.headers.location, `http://localhost:80/collections/${id}`)
  assert.deepEqual(rest, {
    status: 'made',
    nextStatuses: ['submitted', 'cancelled'],
    collectOn: earliest,
    count: 2,
    amount: 17.75,
    currency: 'EUR',
    batchBooking: true,
    blocks: [{ account: 'DE89370400440532013000', sequenceType: 'OOFF', count: 2, amount: 17.75 }]
  })
  assert.match(messageId, /^KALENDS-\d{8}-\d{6}-[0-9A-F]{6}$/)
  assert.match(by, /^key \d+/)
  assert.deepEqual([warnings.length, warnings[0].code, warnings[0].count], [1, 'not-told', 1])
  assert.ok(createdAt === updatedAt)
  const again = await treasurer.post('/collections', { campaignId }, { 'idempotency-key': 'first' })
  assert.deepEqual([again.headers['idempotent-replayed'], again.body], ['true', created.body])

  const items = await treasurer.get(`/collections/${id}/donations`)
  assert.deepEqual(
    items.body.map((item: { reference: string; amount: number; status: string }) => [
      item.reference,
      item.amount,
      item.status
    ]),
    [
      [first.reference, 10.5, 'IN_PROCESS'],
      [second.reference, 7.25, 'IN_PROCESS']
    ]
  )
  const emails = await store.all<{ about: string }>(
    sql`select about from platform.outbox where kind = 'pre-notification' and about like ${`${id} %`}`
  )
  assert.deepEqual(emails, [{ about: `${id} ${campaignId} ${first.id}` }])
  const asDonor = (await visitor.get(`/donations/by-token/${second.donorToken}`)).body
  assert.deepEqual([asDonor.collectedOn, asDonor.mandateReference], [earliest, second.reference])
  assert.equal((await treasurer.get(`/mandates/${first.reference}`)).body.collection.id, id)
  const { body } = await admin.get(`/activity?subject=collection&subjectId=${id}`)
  assert.deepEqual(
    [body[0].action, body[0].details],
    ['collection.made', { status: 'made', collectOn: earliest, count: 2, amount: 17.75 }]
  )
})

test('a collection of 1,000 donations with all kinds of names has a valid file with exact sums', {
  skip: skipUnlessFull
}, async () => {
  const { id: campaignId } = await aCampaign({ donationMinimum: 0 })
  const { id: otherCampaignId } = await aCampaign({ account: { iban: 'AT611904300234573201', name: 'Vienna' } })
  const first = await donateWithMandate(campaignId, { donorName: 'Jürgen Groß' })
  // Inserted with SQL for speed: copies of the first donation with other names and amounts.
  await store.script(`
    insert into fundraising.donations (
      campaign_id, id, amount_cents, donor_name, receipt_requested, show_name, email, status, reference, iban_encrypted,
      iban_fingerprint, account_iban_valid, account_name, account_bank, created_at, updated_at, payment_method
    )
    select case number % 3 when 0 then ${otherCampaignId} else campaign_id end,
      gen_random_uuid(), 1 + (number * 7919) % 100000, 'Name ' || number, false, false,
      email, status, 'AC-' || (70000000 + number), iban_encrypted, iban_fingerprint, true,
      (array['Zoë Müßig & Söhne', 'Łukasz Żółć', '<script>alert(1)</script>', 'Дмитрий', '李小龍', '/', repeat('Ö', 130)])[1 + number % 7]
        || case when number % 7 = 5 then '' else ' ' || number end,
      '', created_at, updated_at, payment_method
    from fundraising.donations cross join generate_series(1, 999) as number where id = '${first.id}';
    insert into fundraising.mandates (
      campaign_id, donation_id, reference, creditor_id, sequence_type, text, language, signed_at, signed_on
    )
    select campaign_id, id, reference, 'DE98ABC09999999999', 'OOFF', 'text', 'de', created_at, created_at::date
    from fundraising.donations where donor_name like 'Name %' and campaign_id in (${campaignId}, ${otherCampaignId})`)
  const created = await treasurer.post('/collections', { batchBooking: false })
  assert.equal(created.status, 201, created.text)
  const { id, count, amount, blocks } = created.body
  assert.ok(count >= 1000)
  const response = await treasurer.get(`/collections/${id}/pain.008.xml`)
  assert.equal(response.status, 200)
  assert.match(
    response.headers['content-disposition'] ?? '',
    /^attachment; filename="direct-debits-\d{4}-\d\d-\d\d-\d+\.xml"$/
  )
  assert.deepEqual(await findSchemaErrors(response.text), [[]])
  const { cents } = await store.one<{ cents: number }>(sql`
    select sum(donation.amount_cents)::bigint as cents
    from fundraising.collection_items as item
    join fundraising.donations as donation on donation.campaign_id = item.campaign_id and donation.id = item.donation_id
    where item.collection_id = ${id}`)
  assert.deepEqual(sumTransactions(response.text), { count, cents })
  assert.equal(Math.round(amount * 100), cents)
  assert.deepEqual(blocks.map(({ account }: { account: string }) => account).sort(), [
    'AT611904300234573201',
    'DE89370400440532013000'
  ])
  assert.deepEqual(listValues(response.text, 'BtchBookg'), ['false', 'false'])
  assert.ok(listValues(response.text, 'Nm').includes('Foerderverein Uebermut'))
  assert.ok(listValues(response.text, 'ReqdColltnDt').every(day => day === earliest))
  assert.equal((await treasurer.get(`/collections/${id}/pain.008.xml`)).text, response.text)
  assert.equal((await treasurer.patch(`/collections/${id}`, { status: 'submitted' })).status, 200)
  assert.equal((await treasurer.get(`/collections/${id}/pain.008.xml`)).text, response.text)

  await moveCollectionDateToPast(id)
  const done = await treasurer.patch(`/collections/${id}`, { status: 'done' })
  assert.deepEqual([done.status, done.body.status, done.body.nextStatuses], [200, 'done', []])
  const { booked } = await store.one<{ booked: number }>(sql`
    select count(*) as booked
    from fundraising.collection_items as item
    join fundraising.donations as donation on donation.campaign_id = item.campaign_id and donation.id = item.donation_id
    where item.collection_id = ${id} and donation.status = 'TRANSFERRED'`)
  assert.equal(booked, count)
  const campaign = (await visitor.get(`/campaigns/${otherCampaignId}`)).body
  assert.equal(
    campaign.amountTransferred,
    blocks.find(({ account }: { account: string }) => account.startsWith('AT')).amount
  )
})

test('one-off mandates are collected as OOFF and recurrent mandates of earlier releases as RCUR, in separate blocks', async () => {
  const { id: campaignId } = await aCampaign()
  const { id: otherCampaignId } = await aCampaign({ account: { iban: 'AT611904300234573201', name: 'Music School' } })
  const [first, recurrent, last, other] = [
    await donateWithMandate(campaignId, { amount: 10 }),
    await donateWithMandate(campaignId, { amount: 20 }),
    await donateWithMandate(campaignId, { amount: 30 }),
    await donateWithMandate(otherCampaignId, { amount: 40 })
  ]
  await store.run(sql`
    update fundraising.mandates set sequence_type = 'RCUR', text = 'Zahlungsart: wiederkehrende Zahlung'
    where reference = ${recurrent.reference}`)
  const donations = [first, recurrent, last, other].map(({ campaignId, id }) => ({ campaignId, id }))
  const preview = (await treasurer.get(`/collections/preview?campaignId=${campaignId}`)).body
  const german = 'DE89370400440532013000'
  const expected = [
    { account: german, sequenceType: 'OOFF', count: 2, amount: 40 },
    { account: german, sequenceType: 'RCUR', count: 1, amount: 20 }
  ]
  assert.deepEqual(preview.blocks, expected)
  const { body: created } = await treasurer.post('/collections', { donations })
  assert.deepEqual(created.blocks, [
    ...expected,
    { account: 'AT611904300234573201', sequenceType: 'OOFF', count: 1, amount: 40 }
  ])

  const { text } = await treasurer.get(`/collections/${created.id}/pain.008.xml`)
  assert.deepEqual(await findSchemaErrors(text), [[]])
  assert.deepEqual(sumTransactions(text), { count: 4, cents: 10_000 })
  const blocks = text.split('<PmtInf>').slice(1)
  assert.deepEqual(
    blocks.map(block => [listValues(block, 'SeqTp'), listValues(block, 'MndtId')]),
    [
      [['OOFF'], [first.reference, last.reference]],
      [['RCUR'], [recurrent.reference]],
      [['OOFF'], [other.reference]]
    ]
  )
  const mandate = (await treasurer.get(`/mandates/${recurrent.reference}`)).body
  assert.deepEqual([mandate.sequenceType, mandate.text], ['RCUR', 'Zahlungsart: wiederkehrende Zahlung'])
})

test('a collection of a release without one-off mandates is shown as RCUR', async () => {
  const { collection, path } = await createCollection(1)
  await store.run(sql`
    update fundraising.collections set blocks = '[{"account": "DE89370400440532013000", "count": 1, "amountCents": 2500}]'
    where id = ${collection.id}`)
  assert.deepEqual((await treasurer.get(path)).body.blocks, [
    { account: 'DE89370400440532013000', sequenceType: 'RCUR', count: 1, amount: 25 }
  ])
})

test('a one-off mandate is collected once, even if its donation is pending again', async () => {
  const { campaignId, donations, collection, path } = await createCollection(1)
  await treasurer.patch(path, { status: 'submitted' })
  await moveCollectionDateToPast(collection.id)
  assert.equal((await treasurer.patch(path, { status: 'done' })).status, 200)
  const [created] = donations as [DonationWithMandate]
  await store.run(sql`
    update fundraising.donations set status = 'IN_PROCESS' where campaign_id = ${campaignId} and id = ${created.id}`)
  assert.equal((await treasurer.get(`/collections/preview?campaignId=${campaignId}`)).body.count, 0)
  const again = await treasurer.post('/collections', { donations: [{ campaignId, id: created.id }] })
  assert.deepEqual([again.status, again.body.code], [422, 'nothing-to-collect'])
  await store.run(sql`
    update fundraising.donations set status = 'TRANSFERRED' where campaign_id = ${campaignId} and id = ${created.id}`)
})

test('concurrent collections never contain the same donation', async () => {
  const { id: campaignId } = await aCampaign()
  for (let index = 0; index < 5; index += 1) await donateWithMandate(campaignId)
  const responses = await Promise.all([1, 2, 3].map(async () => await treasurer.post('/collections', { campaignId })))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 422, 422])
  const refused = responses.find(({ status }) => status === 422)
  assert.equal(refused?.body.code, 'nothing-to-collect')
  const { id: other } = await aCampaign()
  const created = await donateWithMandate(other)
  const first = await treasurer.post('/collections', { campaignId: other })
  await assert.rejects(
    store.run(sql`
      insert into fundraising.collection_items (
        campaign_id, donation_id, collection_id, position, reference, amount_cents, account_iban, remittance, signed_on
      ) values (${other}, ${created.id}, ${first.body.id + 1000}, 1, 'x', 1, 'x', 'x', current_date)`),
    /collected_once/
  )
})

test('donations that cannot be collected are left out, with a warning that names them', async () => {
  const { id: campaignId } = await aCampaign()
  const good = await donateWithMandate(campaignId)
  const cases: [string, DonationWithMandate][] = []
  for (const [code, change] of [
    ['account-erased', sql`update fundraising.donations set iban_encrypted = null where id = `],
    ['account-invalid', sql`update fundraising.donations set account_iban_valid = false where id = `],
    ['waiting-for-review', sql`update fundraising.donations set review = 'waiting' where id = `],
    [
      'mandate-expired',
      sql`update fundraising.mandates set signed_on = signed_on - interval '37 months' where donation_id = `
    ],
    ['creditor-changed', sql`update fundraising.mandates set creditor_id = 'DE51ZZZ12345678901' where donation_id = `]
  ] as const) {
    const created = await donateWithMandate(campaignId)
    await store.run(sql`${change}${created.id}`)
    cases.push([code, created])
  }
  const created = await treasurer.post('/collections', { campaignId }, { 'accept-language': 'de' })
  assert.equal(created.body.count, 1)
  for (const [code, { reference }] of cases) {
    const warning = created.body.warnings.find((one: { code: string }) => one.code === code)
    assert.deepEqual([warning?.count, warning?.references], [1, [reference]], code)
    assert.match(warning.message, /^Ausgelassen: /)
  }

  const { id: deletedCampaignId } = await aCampaign()
  const ofDeletedCampaign = await donateWithMandate(deletedCampaignId)
  await admin.delete(`/campaigns/${deletedCampaignId}`)
  const revoked = await donateWithMandate(campaignId)
  await treasurer.post(`/mandates/${revoked.reference}/revoke`)
  const withoutMandate = (await visitor.post(`/campaigns/${campaignId}/donations`, donation)).body
  const unknown = { campaignId, id: '01900000-0000-7000-8000-000000000000' }
  const requested = [ofDeletedCampaign, good, revoked, withoutMandate].map(one => ({
    campaignId: one.campaignId,
    id: one.id
  }))
  const refused = await treasurer.post('/collections', { donations: [...requested, unknown] })
  assert.equal(refused.status, 422)
  for (const part of [
    `campaign-deleted (${ofDeletedCampaign.reference})`,
    `in-collection (${good.reference})`,
    `mandate-revoked (${revoked.reference})`,
    `no-mandate (${withoutMandate.reference})`,
    `not-found (${unknown.id})`
  ]) {
    assert.ok(refused.body.detail.includes(part), part)
  }
})

test('only the requested donations are collected', async () => {
  const { id: campaignId } = await aCampaign()
  const [one, two] = [await donateWithMandate(campaignId), await donateWithMandate(campaignId)]
  const created = await treasurer.post('/collections', { donations: [{ campaignId, id: two.id }] })
  assert.equal(created.body.count, 1)
  const rest = await treasurer.post('/collections', { campaignId })
  const [item] = (await treasurer.get(`/collections/${rest.body.id}/donations`)).body
  assert.deepEqual([rest.body.count, item.reference], [1, one.reference])
})

test('the collection date has to be a bank day within the allowed period, and other invalid fields are refused too', async () => {
  const { id: campaignId } = await aCampaign()
  await donateWithMandate(campaignId)
  const saturday = Array.from({ length: 7 }, (_, day) => addDays(earliest, day + 1)).find(day => !isBankDay(day))
  for (const [body, status, pointer] of [
    [{ collectOn: saturday }, 422, '/collectOn'],
    [{ collectOn: today }, 422, '/collectOn'],
    [{ collectOn: addDays(earliest, -1) }, 422, '/collectOn'],
    [{ collectOn: toBankDay(addDays(today, 91)) }, 422, '/collectOn'],
    [{ collectOn: '2027-02-30' }, 400, '/collectOn'],
    [{ collectOn: 'soon' }, 400, '/collectOn'],
    [{ donations: [] }, 400, '/donations'],
    [{ donations: [{ campaignId }] }, 400, '/donations/0/id'],
    [{ donations: [{ campaignId, id: 'x' }] }, 400, '/donations/0/id'],
    [{ campaignId: 'one' }, 400, '/campaignId'],
    [{ batchBooking: 'yes' }, 400, '/batchBooking']
  ] as const) {
    const refused = await treasurer.post('/collections', { campaignId, ...body })
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [status, pointer], JSON.stringify(body))
  }
  const later = toBankDay(addDays(earliest, 10))
  const created = await treasurer.post('/collections', { campaignId, collectOn: later })
  assert.deepEqual([created.status, created.body.collectOn], [201, later])
  for (const [body, status] of [
    [{}, 400],
    [{ status: 'gone' }, 400],
    [{ status: 'submitted', recalled: 'yes' }, 400]
  ] as const) {
    assert.equal((await treasurer.patch(`/collections/${created.body.id}`, body)).status, status)
  }
})

test('collections are listed newest first, in pages, and an unknown collection is 404', async () => {
  await createCollection(1)
  await createCollection(1)
  const all = (await treasurer.get('/collections?limit=200')).body.map(({ id }: { id: number }) => id)
  assert.deepEqual(
    all,
    all.toSorted((one: number, other: number) => other - one)
  )
  const first = await treasurer.get('/collections?limit=1')
  const next = new URL(/<([^>]+)>; rel="next"/.exec(first.headers.link ?? '')?.[1] ?? '')
  const second = await treasurer.get(next.pathname + next.search)
  assert.deepEqual([first.body[0].id, second.body[0].id], all.slice(0, 2))
  for (const path of ['/collections/999999', '/collections/x', '/collections/999999/donations']) {
    assert.equal((await treasurer.get(path)).body.code, 'collection-not-found')
  }
  assert.equal((await treasurer.get('/collections/999999/pain.008.xml')).status, 404)
  assert.equal((await treasurer.patch('/collections/999999', { status: 'submitted' })).status, 404)
})

test('only treasurers read collections; IBANs of donors are only in the file, and its download is recorded', async () => {
  const { path, collection } = await createCollection(1)
  for (const [client, status] of [
    [visitor, 401],
    [editor, 403]
  ] as const) {
    for (const read of ['/collections', '/collections/preview', path, `${path}/donations`, `${path}/pain.008.xml`]) {
      assert.equal((await client.get(read)).status, status, read)
    }
    assert.equal((await client.post('/collections', {})).status, status)
    assert.equal((await client.patch(path, { status: 'submitted' })).status, status)
  }
  const file = await treasurer.get(`${path}/pain.008.xml`)
  assert.match(file.text, /DE02120300000000202051/)
  assert.equal(file.headers['cache-control'], 'no-store')
  const ifNoneMatch = { 'if-none-match': file.headers.etag ?? '' }
  assert.equal((await treasurer.get(`${path}/pain.008.xml`, ifNoneMatch)).status, 304)
  const { body } = await admin.get(`/activity?subject=collection&subjectId=${collection.id}`)
  assert.deepEqual(
    body.map(({ action }: { action: string }) => action),
    ['collection.downloaded', 'collection.made']
  )
  for (const read of [path, `${path}/donations`, '/collections', '/collections/preview', '/activity?limit=200']) {
    assert.doesNotMatch((await admin.get(read)).text, /DE02120300000000202051|ada@example/, read)
  }
  assert.doesNotMatch(readLog(), /202051|ada@example/)
})

test('without a creditor identifier nothing is collected', async () => {
  await admin.patch('/organisation', { creditorId: null })
  for (const refused of [await treasurer.post('/collections', {}), await treasurer.get('/collections/preview')]) {
    assert.deepEqual([refused.status, refused.body.code], [409, 'no-direct-debit'])
  }
})
