// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { findRows } from '#test/support/find-rows.ts'
import { startCampaigns } from '#test/support/services.ts'
import { linkDonors } from './linking/link-donors.ts'

const { admin, visitor, withRole, aCampaign, aDonation, store, settings } = await startCampaigns()
const treasurer = await withRole('treasurer')
const [roof, cats] = [await aCampaign({ name: 'Roof' }), await aCampaign({ name: 'Cats' })]
const address = { street: 'Am Anger 1', postalCode: '12345', city: 'Köln', country: 'DE' }
const year = new Date().getFullYear()

interface Listed {
  id: string
  name: string
}

/** No account unless it is given, so that only the other fields tell who it is. */
async function given(campaignId: number, fields: object) {
  return await aDonation(campaignId, { account: null, email: null, status: 'TRANSFERRED', ...fields })
}
const search = async (text: string): Promise<Listed[]> => {
  const { status, body } = await treasurer.get(`/donor-records?search=${encodeURIComponent(text)}`)
  assert.equal(status, 200)
  return body
}
const donorOf = async ({ id }: { id: string }): Promise<Listed> =>
  (await treasurer.get(`/donor-records?donationId=${id}`)).body[0]
const detailsOf = async ({ id }: { id: string }) => (await treasurer.get(`/donor-records/${id}`)).body

test('donations of the same name and email address, account or address have one donor; of a name alone they have not', async () => {
  const email = 'same@example.org'
  const account = { iban: 'DE75512108001245126199' }
  const byMail = await given(roof.id, { donorName: 'Ida Gleich', email, amount: 10 })
  const ofMail = await given(cats.id, { donorName: 'IDA gléich', email: 'SAME@example.org', account, amount: 20 })
  const ofAccount = await given(roof.id, { donorName: 'Ida Gleich', account, address, amount: 30 })
  const ofAddress = await given(roof.id, {
    donorName: 'Ida Gleich',
    address: { ...address, street: 'am  anger 1' },
    amount: 40
  })
  const nameOnly = await given(roof.id, { donorName: 'Ida Gleich', amount: 50 })
  const husband = await given(roof.id, { donorName: 'Otto Gleich', email, account, amount: 60 })
  const { id } = await donorOf(byMail)
  for (const one of [ofMail, ofAccount, ofAddress]) assert.equal((await donorOf(one)).id, id)
  for (const one of [nameOnly, husband]) assert.notEqual((await donorOf(one)).id, id)

  const { body } = await treasurer.get(`/donor-records?donationId=${byMail.id}`)
  assert.deepEqual(
    [body[0].donationCount, body[0].sums, body[0].email, body[0].address.street, body[0].name],
    [4, [{ currency: 'EUR', received: 100 }], 'SAME@example.org', 'am  anger 1', 'Ida Gleich']
  )
})

test('donations that were there before are linked in batches, and again only when they are new', async () => {
  await store.run(sql`delete from fundraising.donor_donations`)
  await store.run(sql`delete from fundraising.donors`)
  await store.run(sql`update fundraising.donor_linking set read_to = '-infinity', started_at = '-infinity'`)
  const { count } = await store.one<{ count: number }>(sql`
    select count(*)::int as count from fundraising.donations where deleted_at is null`)
  assert.equal(await linkDonors(store, settings), count)
  assert.equal(await linkDonors(store, settings), 0)
  await given(roof.id, { donorName: 'New Here' })
  assert.equal(await linkDonors(store, settings), 1)
  // Inserted late with an old date, as an import does: found when everything is read again.
  const old = await given(roof.id, { donorName: 'Old Stranger' })
  await store.run(sql`update fundraising.donations set created_at = '2020-01-01Z' where id = ${old.id}`)
  assert.equal(await linkDonors(store, settings), 0)
  assert.equal(await linkDonors(store, settings, { now: new Date(Date.now() + 2 * 86_400_000) }), 1)
})

test('a new donation writes nothing about donors', async () => {
  const before = await store.one(sql`select count(*) as links from fundraising.donor_donations`)
  const made = await visitor.post(`/campaigns/${roof.id}/donations`, { amount: 5, donorName: 'Quick Giver' })
  assert.equal(made.status, 201)
  assert.deepEqual(await store.one(sql`select count(*) as links from fundraising.donor_donations`), before)
})

test('a donor is found by name, email address, IBAN, part of a reference and amount', async () => {
  const account = { iban: 'BE68539007547034' }
  const one = await given(roof.id, { donorName: 'Çelik Such', email: 'celik@example.org', account, amount: 1234.5 })
  const { id } = await donorOf(one)
  const texts = [
    'celik such',
    'CELIK@example.org',
    'celik@',
    'BE68 5390 0754 7034',
    '7034',
    one.reference.slice(3),
    '1.234,50 €',
    '1234.5'
  ]
  for (const text of texts) {
    assert.deepEqual(
      (await search(text)).map(found => found.id),
      [id],
      text
    )
  }
  assert.deepEqual(await search('1234.51'), [])
})

test('the list of donors is paged and sorted, and a bad query is refused by name', async () => {
  for (const [donorName, amount] of [
    ['Sorted Anna', 300],
    ['Sorted Berta', 100],
    ['Sorted Clara', 200]
  ] as const) {
    await given(roof.id, { donorName, amount })
  }
  const names = async (query: string) =>
    (await treasurer.get(`/donor-records?search=sorted&${query}`)).body.map(({ name }: Listed) => name.slice(7))
  assert.deepEqual(await names('sort=name'), ['Anna', 'Berta', 'Clara'])
  assert.deepEqual(await names('sort=received'), ['Anna', 'Clara', 'Berta'])
  assert.deepEqual(await names(''), ['Clara', 'Berta', 'Anna'])
  assert.deepEqual(await names('sort=received&order=asc&limit=2&page=2'), ['Anna'])
  const page = await treasurer.get('/donor-records?search=sorted&limit=2&page=9')
  assert.deepEqual([page.body, page.headers['x-total-count']], [[], '3'])
  assert.match((await treasurer.get('/donor-records?search=sorted&limit=2')).headers.link ?? '', /page=2>; rel="next"/)
  for (const [query, pointer] of [
    ['sort=colour', '/sort'],
    ['limit=0', '/limit'],
    ['page=x', '/page'],
    [`search=${'x'.repeat(201)}`, '/search'],
    ['donationId=7', '/donationId']
  ]) {
    const { status, body } = await treasurer.get(`/donor-records?${query}`)
    assert.deepEqual([status, body.errors[0].pointer], [400, pointer], query)
  }
  const csv = await treasurer.get('/donor-records.csv?search=sorted', { 'accept-language': 'de' })
  assert.match(csv.text, /Kennung;Name;E-Mail/)
  assert.match(csv.text, /Sorted Berta;.*;1;EUR;100,00;/)
  assert.equal((await admin.get('/activity?action=donor.listed')).body.length, 1)
})

test('the page of a donor has donations, payments, receipts, mandates, notes and consents', async () => {
  const consent = { text: 'My name may be published.', version: '2' }
  const fields = { donorName: 'Page Person', email: 'page@example.org', address, language: 'de' }
  const first = await given(roof.id, { ...fields, amount: 25, showName: true, consent })
  await aDonation(cats.id, { ...fields, amount: 15 })
  const donor = await donorOf(first)
  const note = await treasurer.post(`/donor-records/${donor.id}/notes`, { text: 'Likes to be called.' })
  assert.equal(note.status, 201)
  const shown = await detailsOf(donor)
  assert.deepEqual(
    shown.donations.map((one: { amount: number; campaignName: string }) => [one.amount, one.campaignName]),
    [
      [15, 'Cats'],
      [25, 'Roof']
    ]
  )
  assert.deepEqual(
    [shown.payments.length, shown.payments[0].amount, shown.payments[0].donationId, shown.years],
    [1, 25, first.id, [{ year, currency: 'EUR', received: 25, payments: 1 }]]
  )
  assert.deepEqual([shown.consents[0].text, shown.consents[0].version, shown.language], [consent.text, '2', 'de'])
  assert.deepEqual(
    [shown.notes[0].text, shown.receipts, shown.mandates, shown.letters],
    ['Likes to be called.', [], [], []]
  )
  const path = `/donor-records/${donor.id}/notes/${note.body.id}`
  assert.deepEqual(
    [(await treasurer.delete(path)).status, (await treasurer.delete(path)).body.code],
    [204, 'note-not-found']
  )
  assert.deepEqual((await detailsOf(donor)).notes, [])
  const activity = await admin.get(`/activity?subject=donor&subjectId=${donor.id}`)
  assert.doesNotMatch(activity.text, /Likes|Person|page@/)
  const unknown = '/donor-records/01900000-0000-7000-8000-000000000000'
  assert.equal((await treasurer.get(unknown)).body.code, 'donor-not-found')
  assert.equal((await treasurer.post(`${unknown}/notes`, { text: 'x' })).body.code, 'donor-not-found')
  assert.equal((await treasurer.post(`/donor-records/${donor.id}/notes`, { text: '' })).status, 400)
})

test('duplicates are suggested with the reason and never merged by themselves, unless a treasurer tells them apart', async () => {
  const email = 'twice@example.org'
  const one = await donorOf(await given(roof.id, { donorName: 'Anna Doppelt', email }))
  const other = await donorOf(
    await given(roof.id, { donorName: 'A. Doppelt', email, account: { iban: 'NL91ABNA0417164300' } })
  )
  const third = await donorOf(await given(roof.id, { donorName: 'Anna Doppelt', address }))
  const suggested = async ({ id }: Listed) =>
    (await detailsOf({ id })).duplicates.map(({ donor, reasons }: { donor: Listed; reasons: string[] }) => [
      donor.id,
      reasons
    ])
  assert.deepEqual(
    new Map(await suggested(one)),
    new Map([
      [other.id, ['email']],
      [third.id, ['name']]
    ])
  )
  const pairs = async () => {
    const { body } = await treasurer.get('/donor-duplicates')
    return body
      .filter(({ donor }: { donor: Listed }) => donor.name.endsWith('Doppelt'))
      .map(({ donor, other: second }: { donor: Listed; other: Listed }) => [donor.id, second.id].sort())
  }
  assert.equal((await pairs()).length, 2)
  assert.equal((await treasurer.post(`/donor-records/${one.id}/distinctions`, { donorId: other.id })).status, 204)
  assert.deepEqual(await suggested(one), [[third.id, ['name']]])
  assert.deepEqual(await pairs(), [[one.id, third.id].sort()])
})

test('a merge shows two donors as one, changes no donation, and can be undone', async () => {
  const one = await given(roof.id, { donorName: 'Merge One', email: 'm1@example.org', amount: 10 })
  const two = await given(roof.id, { donorName: 'Merge Two', email: 'm2@example.org', amount: 20 })
  const [target, source] = [await donorOf(one), await donorOf(two)]
  await treasurer.post(`/donor-records/${source.id}/notes`, { text: 'Note of the second' })
  const before = (await treasurer.get(`/campaigns/${roof.id}/donations/${two.id}`)).text
  const path = `/donor-records/${target.id}/merges`
  const merged = await treasurer.post(path, { donorId: source.id })
  assert.deepEqual([merged.status, merged.body.mergedId, merged.body.targetId], [201, source.id, target.id])
  assert.equal((await donorOf(two)).id, target.id)
  const shown = await detailsOf(source)
  assert.deepEqual(
    [shown.id, shown.donationCount, shown.sums[0].received, shown.names, shown.notes.length],
    [target.id, 2, 30, ['Merge Two', 'Merge One'], 1]
  )
  assert.equal((await treasurer.get(`/campaigns/${roof.id}/donations/${two.id}`)).text, before)
  // Later donations with the identity of the second are found with the first.
  const later = await given(cats.id, { donorName: 'Merge Two', email: 'm2@example.org', amount: 5 })
  assert.equal((await donorOf(later)).id, target.id)
  assert.equal((await treasurer.post(path, { donorId: source.id })).body.code, 'same-donor')
  assert.equal((await treasurer.post(path, { donorId: target.id })).body.code, 'same-donor')

  assert.equal((await treasurer.delete(`${path}/${merged.body.id}`)).status, 204)
  assert.equal((await treasurer.delete(`${path}/${merged.body.id}`)).body.code, 'merge-is-undone')
  const [first, second] = [await detailsOf(target), await detailsOf(source)]
  assert.deepEqual([first.id, first.donationCount, first.notes], [target.id, 1, []])
  assert.deepEqual([second.id, second.donationCount, second.notes.length], [source.id, 2, 1])
  assert.notEqual(first.merges[0].undoneAt, null)
  const { body } = await admin.get(`/activity?subject=donor&subjectId=${target.id}`)
  assert.deepEqual(
    body.map(({ action }: { action: string }) => action),
    ['donor.merge_undone', 'donor.merged']
  )
  assert.equal(body[0].details.mergedId, source.id)
})

test('a merge that a later one builds on is undone after that one', async () => {
  const donors: Listed[] = []
  for (const name of ['A', 'B', 'C']) donors.push(await donorOf(await given(roof.id, { donorName: `Chain ${name}` })))
  const [a, b, c] = donors as [Listed, Listed, Listed]
  const merge = async (target: Listed, source: Listed) =>
    (await treasurer.post(`/donor-records/${target.id}/merges`, { donorId: source.id })).body.id
  const first = await merge(b, a)
  const second = await merge(c, b)
  assert.equal((await detailsOf(a)).id, c.id)
  const undo = async (id: string) => await treasurer.delete(`/donor-records/${c.id}/merges/${id}`)
  assert.equal((await undo(first)).body.code, 'merge-superseded')
  assert.equal((await undo(second)).status, 204)
  assert.deepEqual([(await detailsOf(a)).id, (await detailsOf(b)).id, (await detailsOf(c)).id], [b.id, b.id, c.id])
  assert.equal((await treasurer.delete(`/donor-records/${b.id}/merges/${first}`)).status, 204)
  assert.equal(
    (await treasurer.delete(`/donor-records/${a.id}/merges/01900000-0000-7000-8000-000000000000`)).status,
    404
  )
  const nobody = { donorId: '01900000-0000-7000-8000-000000000000' }
  const refused = await treasurer.post(`/donor-records/${a.id}/merges`, nobody)
  assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/donorId'])
  assert.equal((await treasurer.post(`/donor-records/${a.id}/merges`, { donorId: 7 })).status, 400)
})

test('the export of a person has the record of the donor, and an erasure removes it with the merged ones', async () => {
  const one = await given(roof.id, {
    donorName: 'Erase Wilhelmina',
    email: 'e1@verborgen.example',
    account: { iban: 'GB29NWBK60161331926819' }
  })
  const two = await given(cats.id, { donorName: 'Erase Mina', email: 'e2@verborgen.example' })
  const [target, source] = [await donorOf(one), await donorOf(two)]
  await treasurer.post(`/donor-records/${target.id}/merges`, { donorId: source.id })
  await treasurer.post(`/donor-records/${target.id}/notes`, { text: 'Note about Verborgenes' })
  const exported = (await treasurer.get(`/donors/${two.id}`)).body
  assert.equal(exported.donations.length, 2)
  assert.equal(exported.donorRecords.length, 2)
  assert.match(JSON.stringify(exported.donorRecords), /Verborgenes/)
  assert.equal((await treasurer.get(`/donors/${two.id}?scope=donation`)).body.donations.length, 1)

  assert.equal((await treasurer.post(`/donors/${two.id}/erase`, {})).body.donations, 2)
  assert.equal((await treasurer.get(`/donor-records/${target.id}`)).status, 404)
  assert.equal((await treasurer.get(`/donor-records/${source.id}`)).status, 404)
  for (const word of ['Verborgenes', 'verborgen.example', 'Erase Wilhelmina', target.id, source.id, '6819']) {
    const rows = (await findRows(store, word)).filter(row => !JSON.stringify(row).includes('platform.activity'))
    assert.deepEqual(rows, [], word)
  }
})

test('a merge cannot be undone once the merged donor is erased, and the donor that is left keeps its page', async () => {
  const one = await given(roof.id, { donorName: 'Left Behind', email: 'l1@example.org' })
  const two = await given(cats.id, { donorName: 'Left Gone', email: 'l2@example.org' })
  const [target, source] = [await donorOf(one), await donorOf(two)]
  const merge = await treasurer.post(`/donor-records/${target.id}/merges`, { donorId: source.id })
  assert.equal((await treasurer.post(`/donors/${one.id}/erase`, { scope: 'donation' })).status, 200)
  // The main donor is gone; the other one takes its place.
  assert.equal((await treasurer.get(`/donor-records/${target.id}`)).status, 404)
  assert.deepEqual([(await detailsOf(source)).id, (await detailsOf(source)).names], [source.id, ['Left Gone']])
  assert.equal((await treasurer.delete(`/donor-records/${source.id}/merges/${merge.body.id}`)).status, 404)
})

test('donors are for treasurers only', async () => {
  for (const path of [
    '/donor-records',
    '/donor-records.csv',
    '/donor-duplicates',
    '/donor-letters/summary?year=2026'
  ]) {
    assert.equal((await visitor.get(path)).status, 401, path)
    for (const role of ['viewer', 'contributor', 'author', 'editor'] as const) {
      assert.equal((await (await withRole(role)).get(path)).status, 403, `${role} ${path}`)
    }
  }
})
