// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import {
  type CreatedCollection,
  findSchemaErrors,
  listValues,
  startDirectDebits,
  sumTransactions
} from '#test/support/fundraising/direct-debit.ts'
import { donation } from '#test/support/services.ts'
import { addDays, getEarliestCollectionDay, isBankDay, toBankDay } from '../bank-days.ts'

const { admin, visitor, treasurer, editor, aCampaign, promised, collected, onTheDay, store, logged } =
  await startDirectDebits()
const today = new Date().toISOString().slice(0, 10)
const earliest = getEarliestCollectionDay(today, 5)

test('a collection takes what can be collected, on the first possible day, and its donors are told', async () => {
  const { id: campaignId } = await aCampaign()
  const first = await promised(campaignId, { amount: 10.5 })
  const second = await promised(campaignId, { amount: '7.25', email: null })
  await visitor.post(`/campaigns/${campaignId}/donations`, donation)
  const preview = await treasurer.get(`/collections/preview?campaignId=${campaignId}`)
  assert.deepEqual(
    [preview.body.count, preview.body.amount, preview.body.earliestOn, preview.body.warnings[0].code],
    [2, 17.75, earliest, 'not-told']
  )

  const made = await treasurer.post('/collections', { campaignId }, { 'idempotency-key': 'first' })
  assert.equal(made.status, 201)
  const { id, messageId, createdAt, updatedAt, by, warnings, ...rest } = made.body
  assert.equal(made.headers.location, `http://localhost:80/collections/${id}`)
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
  assert.deepEqual([again.headers['idempotent-replayed'], again.body], ['true', made.body])

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
  const letters = await store.all<{ about: string }>(
    sql`select about from platform.outbox where kind = 'pre-notification' and about like ${`${id} %`}`
  )
  assert.deepEqual(letters, [{ about: `${id} ${campaignId} ${first.id}` }])
  const own = (await visitor.get(`/donations/by-token/${second.donorToken}`)).body
  assert.deepEqual([own.collectedOn, own.mandateReference], [earliest, second.reference])
  assert.equal((await treasurer.get(`/mandates/${first.reference}`)).body.collection.id, id)
  const { body } = await admin.get(`/activity?subject=collection&subjectId=${id}`)
  assert.deepEqual(
    [body[0].action, body[0].details],
    ['collection.made', { status: 'made', collectOn: earliest, count: 2, amount: 17.75 }]
  )
})

test('1,000 donations with all kinds of names make a file that validates, and the sums are equal to the cent', {
  skip: skipUnlessFull
}, async () => {
  const { id: campaignId } = await aCampaign({ donationMinimum: 0 })
  const { id: elsewhere } = await aCampaign({ account: { iban: 'AT611904300234573201', name: 'Vienna' } })
  const first = await promised(campaignId, { donorName: 'Jürgen Groß' })
  // As many as nobody wants to send one by one: the same donation again, with other names and amounts.
  await store.script(`
    insert into fundraising.donations (
      campaign_id, id, amount_cents, donor_name, receipt_requested, show_name, email, status, reference, iban_encrypted,
      iban_fingerprint, account_iban_valid, account_name, account_bank, created_at, updated_at, payment_method
    )
    select case number % 3 when 0 then ${elsewhere} else campaign_id end,
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
    from fundraising.donations where donor_name like 'Name %' and campaign_id in (${campaignId}, ${elsewhere})`)
  const made = await treasurer.post('/collections', { batchBooking: false })
  assert.equal(made.status, 201, made.text)
  const { id, count, amount, blocks } = made.body
  assert.ok(count >= 1000)
  const answer = await treasurer.get(`/collections/${id}/pain.008.xml`)
  assert.equal(answer.status, 200)
  assert.match(
    answer.headers['content-disposition'] ?? '',
    /^attachment; filename="direct-debits-\d{4}-\d\d-\d\d-\d+\.xml"$/
  )
  assert.deepEqual(await findSchemaErrors(answer.text), [[]])
  const { cents } = await store.one<{ cents: number }>(sql`
    select sum(donation.amount_cents)::bigint as cents
    from fundraising.collection_items as item
    join fundraising.donations as donation on donation.campaign_id = item.campaign_id and donation.id = item.donation_id
    where item.collection_id = ${id}`)
  assert.deepEqual(sumTransactions(answer.text), { count, cents })
  assert.equal(Math.round(amount * 100), cents)
  assert.deepEqual(blocks.map(({ account }: { account: string }) => account).sort(), [
    'AT611904300234573201',
    'DE89370400440532013000'
  ])
  assert.deepEqual(listValues(answer.text, 'BtchBookg'), ['false', 'false'])
  assert.ok(listValues(answer.text, 'Nm').includes('Foerderverein Uebermut'))
  assert.ok(listValues(answer.text, 'ReqdColltnDt').every(day => day === earliest))
  assert.equal((await treasurer.get(`/collections/${id}/pain.008.xml`)).text, answer.text)
  assert.equal((await treasurer.patch(`/collections/${id}`, { status: 'submitted' })).status, 200)
  assert.equal((await treasurer.get(`/collections/${id}/pain.008.xml`)).text, answer.text)

  await onTheDay(id)
  const done = await treasurer.patch(`/collections/${id}`, { status: 'done' })
  assert.deepEqual([done.status, done.body.status, done.body.nextStatuses], [200, 'done', []])
  const { booked } = await store.one<{ booked: number }>(sql`
    select count(*) as booked
    from fundraising.collection_items as item
    join fundraising.donations as donation on donation.campaign_id = item.campaign_id and donation.id = item.donation_id
    where item.collection_id = ${id} and donation.status = 'TRANSFERRED'`)
  assert.equal(booked, count)
  const campaign = (await visitor.get(`/campaigns/${elsewhere}`)).body
  assert.equal(
    campaign.amountTransferred,
    blocks.find(({ account }: { account: string }) => account.startsWith('AT')).amount
  )
})

test('one-off mandates are collected as OOFF and recurrent ones of earlier releases as RCUR, in blocks of their own', async () => {
  const { id: campaignId } = await aCampaign()
  const { id: elsewhere } = await aCampaign({ account: { iban: 'AT611904300234573201', name: 'Music School' } })
  const [first, recurrent, last, other] = [
    await promised(campaignId, { amount: 10 }),
    await promised(campaignId, { amount: 20 }),
    await promised(campaignId, { amount: 30 }),
    await promised(elsewhere, { amount: 40 })
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
  const { body: made } = await treasurer.post('/collections', { donations })
  assert.deepEqual(made.blocks, [
    ...expected,
    { account: 'AT611904300234573201', sequenceType: 'OOFF', count: 1, amount: 40 }
  ])

  const { text } = await treasurer.get(`/collections/${made.id}/pain.008.xml`)
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

test('a collection of a release before one-off mandates reads as RCUR', async () => {
  const { collection, path } = await collected(1)
  await store.run(sql`
    update fundraising.collections set blocks = '[{"account": "DE89370400440532013000", "count": 1, "amountCents": 2500}]'
    where id = ${collection.id}`)
  assert.deepEqual((await treasurer.get(path)).body.blocks, [
    { account: 'DE89370400440532013000', sequenceType: 'RCUR', count: 1, amount: 25 }
  ])
})

test('a one-off mandate is collected once, also if its donation were in process again', async () => {
  const { campaignId, donations, collection, path } = await collected(1)
  await treasurer.patch(path, { status: 'submitted' })
  await onTheDay(collection.id)
  assert.equal((await treasurer.patch(path, { status: 'done' })).status, 200)
  const [made] = donations as [CreatedCollection]
  await store.run(sql`
    update fundraising.donations set status = 'IN_PROCESS' where campaign_id = ${campaignId} and id = ${made.id}`)
  assert.equal((await treasurer.get(`/collections/preview?campaignId=${campaignId}`)).body.count, 0)
  const again = await treasurer.post('/collections', { donations: [{ campaignId, id: made.id }] })
  assert.deepEqual([again.status, again.body.code], [422, 'nothing-to-collect'])
  await store.run(sql`
    update fundraising.donations set status = 'TRANSFERRED' where campaign_id = ${campaignId} and id = ${made.id}`)
})

test('two that are made at the same time never take the same donation', async () => {
  const { id: campaignId } = await aCampaign()
  for (let index = 0; index < 5; index += 1) await promised(campaignId)
  const answers = await Promise.all([1, 2, 3].map(async () => await treasurer.post('/collections', { campaignId })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422])
  const refused = answers.find(({ status }) => status === 422)
  assert.equal(refused?.body.code, 'nothing-to-collect')
  const { id: other } = await aCampaign()
  const made = await promised(other)
  const first = await treasurer.post('/collections', { campaignId: other })
  await assert.rejects(
    store.run(sql`
      insert into fundraising.collection_items (
        campaign_id, donation_id, collection_id, position, reference, amount_cents, account_iban, remittance, signed_on
      ) values (${other}, ${made.id}, ${first.body.id + 1000}, 1, 'x', 1, 'x', 'x', current_date)`),
    /collected_once/
  )
})

test('what cannot be collected is left out, with a warning that names it', async () => {
  const { id: campaignId } = await aCampaign()
  const good = await promised(campaignId)
  const cases: [string, CreatedCollection][] = []
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
    const made = await promised(campaignId)
    await store.run(sql`${change}${made.id}`)
    cases.push([code, made])
  }
  const made = await treasurer.post('/collections', { campaignId }, { 'accept-language': 'de' })
  assert.equal(made.body.count, 1)
  for (const [code, { reference }] of cases) {
    const warning = made.body.warnings.find((one: { code: string }) => one.code === code)
    assert.deepEqual([warning?.count, warning?.references], [1, [reference]], code)
    assert.match(warning.message, /^Ausgelassen: /)
  }

  const { id: closed } = await aCampaign()
  const late = await promised(closed)
  await admin.delete(`/campaigns/${closed}`)
  const revoked = await promised(campaignId)
  await treasurer.post(`/mandates/${revoked.reference}/revoke`)
  const plain = (await visitor.post(`/campaigns/${campaignId}/donations`, donation)).body
  const nobody = { campaignId, id: '01900000-0000-7000-8000-000000000000' }
  const asked = [late, good, revoked, plain].map(one => ({ campaignId: one.campaignId, id: one.id }))
  const named = await treasurer.post('/collections', { donations: [...asked, nobody] })
  assert.equal(named.status, 422)
  for (const part of [
    `campaign-deleted (${late.reference})`,
    `in-collection (${good.reference})`,
    `mandate-revoked (${revoked.reference})`,
    `no-mandate (${plain.reference})`,
    `not-found (${nobody.id})`
  ]) {
    assert.ok(named.body.detail.includes(part), part)
  }
})

test('only those are collected that were asked for', async () => {
  const { id: campaignId } = await aCampaign()
  const [one, two] = [await promised(campaignId), await promised(campaignId)]
  const made = await treasurer.post('/collections', { donations: [{ campaignId, id: two.id }] })
  assert.equal(made.body.count, 1)
  const rest = await treasurer.post('/collections', { campaignId })
  const [item] = (await treasurer.get(`/collections/${rest.body.id}/donations`)).body
  assert.deepEqual([rest.body.count, item.reference], [1, one.reference])
})

test('a collection day is a bank day far enough ahead, and other nonsense is refused too', async () => {
  const { id: campaignId } = await aCampaign()
  await promised(campaignId)
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
  const made = await treasurer.post('/collections', { campaignId, collectOn: later })
  assert.deepEqual([made.status, made.body.collectOn], [201, later])
  for (const [body, status] of [
    [{}, 400],
    [{ status: 'gone' }, 400],
    [{ status: 'submitted', recalled: 'yes' }, 400]
  ] as const) {
    assert.equal((await treasurer.patch(`/collections/${made.body.id}`, body)).status, status)
  }
})

test('the list is newest first, in pages; a collection that is not there is not found', async () => {
  await collected(1)
  await collected(1)
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

test('collections are for treasurers; account numbers of donors stand in the file only, and who took it is known', async () => {
  const { path, collection } = await collected(1)
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
  const tag = { 'if-none-match': file.headers.etag ?? '' }
  assert.equal((await treasurer.get(`${path}/pain.008.xml`, tag)).status, 304)
  const { body } = await admin.get(`/activity?subject=collection&subjectId=${collection.id}`)
  assert.deepEqual(
    body.map(({ action }: { action: string }) => action),
    ['collection.downloaded', 'collection.made']
  )
  for (const read of [path, `${path}/donations`, '/collections', '/collections/preview', '/activity?limit=200']) {
    assert.doesNotMatch((await admin.get(read)).text, /DE02120300000000202051|ada@example/, read)
  }
  assert.doesNotMatch(logged(), /202051|ada@example/)
})

test('without a creditor identifier nothing is collected', async () => {
  await admin.patch('/organisation', { creditorId: null })
  for (const refused of [await treasurer.post('/collections', {}), await treasurer.get('/collections/preview')]) {
    assert.deepEqual([refused.status, refused.body.code], [409, 'no-direct-debit'])
  }
})
