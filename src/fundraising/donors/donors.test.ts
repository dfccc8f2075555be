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

/** Donates without account and email address unless they are in `fields`, so that only the other fields identify the donor. */
async function donate(campaignId: number, fields: object) {
  return await aDonation(campaignId, { account: null, email: null, status: 'TRANSFERRED', ...fields })
}
const search = async (text: string): Promise<Listed[]> => {
  const { status, body } = await treasurer.get(`/donor-records?search=${encodeURIComponent(text)}`)
  assert.equal(status, 200)
  return body
}
const findDonor = async ({ id }: { id: string }): Promise<Listed> =>
  (await treasurer.get(`/donor-records?donationId=${id}`)).body[0]
const readDetails = async ({ id }: { id: string }) => (await treasurer.get(`/donor-records/${id}`)).body

test('donations with the same name and email address, account or address belong to one donor; the same name alone is not enough', async () => {
  const email = 'same@example.org'
  const account = { iban: 'DE75512108001245126199' }
  const withEmail = await donate(roof.id, { donorName: 'Ida Gleich', email, amount: 10 })
  const sameEmail = await donate(cats.id, { donorName: 'IDA gléich', email: 'SAME@example.org', account, amount: 20 })
  const sameAccount = await donate(roof.id, { donorName: 'Ida Gleich', account, address, amount: 30 })
  const sameAddress = await donate(roof.id, {
    donorName: 'Ida Gleich',
    address: { ...address, street: 'am  anger 1' },
    amount: 40
  })
  const nameOnly = await donate(roof.id, { donorName: 'Ida Gleich', amount: 50 })
  const otherName = await donate(roof.id, { donorName: 'Otto Gleich', email, account, amount: 60 })
  const { id } = await findDonor(withEmail)
  for (const one of [sameEmail, sameAccount, sameAddress]) assert.equal((await findDonor(one)).id, id)
  for (const one of [nameOnly, otherName]) assert.notEqual((await findDonor(one)).id, id)

  const { body } = await treasurer.get(`/donor-records?donationId=${withEmail.id}`)
  assert.deepEqual(
    [body[0].donationCount, body[0].sums, body[0].email, body[0].address.street, body[0].name],
    [4, [{ currency: 'EUR', received: 100 }], 'SAME@example.org', 'am  anger 1', 'Ida Gleich']
  )
})

test('existing donations are linked to donors once, and later runs link only new donations', async () => {
  await store.run(sql`delete from fundraising.donor_donations`)
  await store.run(sql`delete from fundraising.donors`)
  await store.run(sql`update fundraising.donor_linking set read_to = '-infinity', started_at = '-infinity'`)
  const { count } = await store.one<{ count: number }>(sql`
    select count(*)::int as count from fundraising.donations where deleted_at is null`)
  assert.equal(await linkDonors(store, settings), count)
  assert.equal(await linkDonors(store, settings), 0)
  await donate(roof.id, { donorName: 'New Here' })
  assert.equal(await linkDonors(store, settings), 1)
  // Inserted later with an old date, as by an import: found when all donations are read again.
  const old = await donate(roof.id, { donorName: 'Old Stranger' })
  await store.run(sql`update fundraising.donations set created_at = '2020-01-01Z' where id = ${old.id}`)
  assert.equal(await linkDonors(store, settings), 0)
  assert.equal(await linkDonors(store, settings, { now: new Date(Date.now() + 2 * 86_400_000) }), 1)
})

test('one run links all of more than a thousand donations of the same moment', async () => {
  const { id } = await aCampaign()
  await store.run(sql`
    insert into fundraising.donations (
      campaign_id, id, amount_cents, donor_name, receipt_requested, show_name, status, reference, created_at, updated_at
    )
    select ${id}, gen_random_uuid(), 2500, 'Giver ' || n, false, false, 'IN_PROCESS', 'many-' || n, now(), now()
    from generate_series(1, 1200) as n`)
  assert.equal(await linkDonors(store, settings), 1200)
  await store.run(sql`
    delete from fundraising.donors where id in (
      select donor_id from fundraising.donor_donations where campaign_id = ${id}
    )`)
  await store.run(sql`delete from fundraising.donor_donations where campaign_id = ${id}`)
  await store.run(sql`delete from fundraising.donations where campaign_id = ${id}`)
})

test('a list of donors without new donations writes nothing', async () => {
  await treasurer.get('/donor-records')
  // The id of the transaction that wrote the row.
  const progress = sql`select xmin::text as written, read_to from fundraising.donor_linking`
  const before = await store.one(progress)
  assert.equal((await treasurer.get('/donor-records')).status, 200)
  assert.deepEqual(await store.one(progress), before)
})

test('creating a donation does not write to the table of donors', async () => {
  const before = await store.one(sql`select count(*) as links from fundraising.donor_donations`)
  const created = await visitor.post(`/campaigns/${roof.id}/donations`, { amount: 5, donorName: 'Quick Giver' })
  assert.equal(created.status, 201)
  assert.deepEqual(await store.one(sql`select count(*) as links from fundraising.donor_donations`), before)
})

test('a donor is found by name, email address, IBAN, part of a reference and amount', async () => {
  const account = { iban: 'BE68539007547034' }
  const one = await donate(roof.id, { donorName: 'Çelik Such', email: 'celik@example.org', account, amount: 1234.5 })
  const { id } = await findDonor(one)
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

test('the list of donors is paged and sorted, and an invalid parameter is refused with its name', async () => {
  for (const [donorName, amount] of [
    ['Sorted Anna', 300],
    ['Sorted Berta', 100],
    ['Sorted Clara', 200]
  ] as const) {
    await donate(roof.id, { donorName, amount })
  }
  const listNames = async (query: string) =>
    (await treasurer.get(`/donor-records?search=sorted&${query}`)).body.map(({ name }: Listed) => name.slice(7))
  assert.deepEqual(await listNames('sort=name'), ['Anna', 'Berta', 'Clara'])
  assert.deepEqual(await listNames('sort=received'), ['Anna', 'Clara', 'Berta'])
  assert.deepEqual(await listNames(''), ['Clara', 'Berta', 'Anna'])
  assert.deepEqual(await listNames('sort=received&order=asc&limit=2&page=2'), ['Anna'])
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

test('a donor has the consents to news of all campaigns, the newest first, and when they ended', async () => {
  const donor = { donorName: 'Nora Nachricht', email: 'nora@example.org' }
  const first = await donate(roof.id, { ...donor, news: { text: 'News about the roof' } })
  const second = await donate(cats.id, { ...donor, news: { text: 'News about the cats' } })
  await donate(cats.id, donor)
  await treasurer.post(`/campaigns/${roof.id}/donations/${first.id}/news/unsubscribe`)
  const { news } = await readDetails(await findDonor(first))
  assert.deepEqual(
    news.map(({ campaignId, donationId, text, endedBy }: Record<string, unknown>) => [
      ...[campaignId, donationId, text, endedBy]
    ]),
    [
      [cats.id, second.id, 'News about the cats', null],
      [roof.id, first.id, 'News about the roof', 'treasurer']
    ]
  )
  assert.deepEqual([news[0].endedAt, news[1].endedAt > news[1].agreedAt], [null, true])
})

test('the record of a donor contains donations, payments, receipts, mandates, notes and consents', async () => {
  const consent = { text: 'My name may be published.', version: '2' }
  const fields = { donorName: 'Page Person', email: 'page@example.org', address, language: 'de' }
  const first = await donate(roof.id, { ...fields, amount: 25, showName: true, consent })
  await aDonation(cats.id, { ...fields, amount: 15 })
  const donor = await findDonor(first)
  const note = await treasurer.post(`/donor-records/${donor.id}/notes`, { text: 'Likes to be called.' })
  assert.equal(note.status, 201)
  const details = await readDetails(donor)
  assert.deepEqual(
    details.donations.map((one: { amount: number; campaignName: string }) => [one.amount, one.campaignName]),
    [
      [15, 'Cats'],
      [25, 'Roof']
    ]
  )
  assert.deepEqual(
    [details.payments.length, details.payments[0].amount, details.payments[0].donationId, details.years],
    [1, 25, first.id, [{ year, currency: 'EUR', received: 25, payments: 1 }]]
  )
  assert.deepEqual([details.consents[0].text, details.consents[0].version, details.language], [consent.text, '2', 'de'])
  assert.deepEqual(
    [details.notes[0].text, details.receipts, details.mandates, details.letters],
    ['Likes to be called.', [], [], []]
  )
  const path = `/donor-records/${donor.id}/notes/${note.body.id}`
  assert.deepEqual(
    [(await treasurer.delete(path)).status, (await treasurer.delete(path)).body.code],
    [204, 'note-not-found']
  )
  assert.deepEqual((await readDetails(donor)).notes, [])
  const activity = await admin.get(`/activity?subject=donor&subjectId=${donor.id}`)
  assert.doesNotMatch(activity.text, /Likes|Person|page@/)
  const unknown = '/donor-records/01900000-0000-7000-8000-000000000000'
  assert.equal((await treasurer.get(unknown)).body.code, 'donor-not-found')
  assert.equal((await treasurer.post(`${unknown}/notes`, { text: 'x' })).body.code, 'donor-not-found')
  assert.equal((await treasurer.post(`/donor-records/${donor.id}/notes`, { text: '' })).status, 400)
})

test('duplicates are suggested with the reason, and no longer after a treasurer marks them as different donors', async () => {
  const email = 'twice@example.org'
  const one = await findDonor(await donate(roof.id, { donorName: 'Anna Doppelt', email }))
  const other = await findDonor(
    await donate(roof.id, { donorName: 'A. Doppelt', email, account: { iban: 'NL91ABNA0417164300' } })
  )
  const third = await findDonor(await donate(roof.id, { donorName: 'Anna Doppelt', address }))
  const listSuggestions = async ({ id }: Listed) =>
    (await readDetails({ id })).duplicates.map(({ donor, reasons }: { donor: Listed; reasons: string[] }) => [
      donor.id,
      reasons
    ])
  assert.deepEqual(
    new Map(await listSuggestions(one)),
    new Map([
      [other.id, ['email']],
      [third.id, ['name']]
    ])
  )
  const listPairs = async () => {
    const { body } = await treasurer.get('/donor-duplicates')
    return body
      .filter(({ donor }: { donor: Listed }) => donor.name.endsWith('Doppelt'))
      .map(({ donor, other: second }: { donor: Listed; other: Listed }) => [donor.id, second.id].sort())
  }
  assert.equal((await listPairs()).length, 2)
  assert.equal((await treasurer.post(`/donor-records/${one.id}/distinctions`, { donorId: other.id })).status, 204)
  assert.deepEqual(await listSuggestions(one), [[third.id, ['name']]])
  assert.deepEqual(await listPairs(), [[one.id, third.id].sort()])
})

test('a merge shows two donors as one, changes no donation, and can be undone', async () => {
  const one = await donate(roof.id, { donorName: 'Merge One', email: 'm1@example.org', amount: 10 })
  const two = await donate(roof.id, { donorName: 'Merge Two', email: 'm2@example.org', amount: 20 })
  const [target, source] = [await findDonor(one), await findDonor(two)]
  await treasurer.post(`/donor-records/${source.id}/notes`, { text: 'Note of the second' })
  const before = (await treasurer.get(`/campaigns/${roof.id}/donations/${two.id}`)).text
  const path = `/donor-records/${target.id}/merges`
  const merged = await treasurer.post(path, { donorId: source.id })
  assert.deepEqual([merged.status, merged.body.mergedId, merged.body.targetId], [201, source.id, target.id])
  assert.equal((await findDonor(two)).id, target.id)
  const details = await readDetails(source)
  assert.deepEqual(
    [details.id, details.donationCount, details.sums[0].received, details.names, details.notes.length],
    [target.id, 2, 30, ['Merge Two', 'Merge One'], 1]
  )
  assert.equal((await treasurer.get(`/campaigns/${roof.id}/donations/${two.id}`)).text, before)
  // Later donations that match the second donor belong to the first.
  const later = await donate(cats.id, { donorName: 'Merge Two', email: 'm2@example.org', amount: 5 })
  assert.equal((await findDonor(later)).id, target.id)
  assert.equal((await treasurer.post(path, { donorId: source.id })).body.code, 'same-donor')
  assert.equal((await treasurer.post(path, { donorId: target.id })).body.code, 'same-donor')

  assert.equal((await treasurer.delete(`${path}/${merged.body.id}`)).status, 204)
  assert.equal((await treasurer.delete(`${path}/${merged.body.id}`)).body.code, 'merge-is-undone')
  const [first, second] = [await readDetails(target), await readDetails(source)]
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

test('a merge can only be undone after later merges that depend on it', async () => {
  const donors: Listed[] = []
  for (const name of ['A', 'B', 'C'])
    donors.push(await findDonor(await donate(roof.id, { donorName: `Chain ${name}` })))
  const [a, b, c] = donors as [Listed, Listed, Listed]
  const merge = async (target: Listed, source: Listed) =>
    (await treasurer.post(`/donor-records/${target.id}/merges`, { donorId: source.id })).body.id
  const first = await merge(b, a)
  const second = await merge(c, b)
  assert.equal((await readDetails(a)).id, c.id)
  const undo = async (id: string) => await treasurer.delete(`/donor-records/${c.id}/merges/${id}`)
  assert.equal((await undo(first)).body.code, 'merge-superseded')
  assert.equal((await undo(second)).status, 204)
  assert.deepEqual(
    [(await readDetails(a)).id, (await readDetails(b)).id, (await readDetails(c)).id],
    [b.id, b.id, c.id]
  )
  assert.equal((await treasurer.delete(`/donor-records/${b.id}/merges/${first}`)).status, 204)
  assert.equal(
    (await treasurer.delete(`/donor-records/${a.id}/merges/01900000-0000-7000-8000-000000000000`)).status,
    404
  )
  const unknownDonor = { donorId: '01900000-0000-7000-8000-000000000000' }
  const refused = await treasurer.post(`/donor-records/${a.id}/merges`, unknownDonor)
  assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/donorId'])
  assert.equal((await treasurer.post(`/donor-records/${a.id}/merges`, { donorId: 7 })).status, 400)
})

test('the export of a donor contains the donor record, and an erasure deletes it with the merged records', async () => {
  const one = await donate(roof.id, {
    donorName: 'Erase Wilhelmina',
    email: 'e1@verborgen.example',
    account: { iban: 'GB29NWBK60161331926819' }
  })
  const two = await donate(cats.id, { donorName: 'Erase Mina', email: 'e2@verborgen.example' })
  const [target, source] = [await findDonor(one), await findDonor(two)]
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
  // The end of the account, and not four such digits of a UUID or a hash.
  assert.deepEqual(
    (await findRows(store, '6819')).filter(row => /(?<![0-9a-f])6819(?![0-9a-f])/.test(row)),
    []
  )
  for (const word of ['Verborgenes', 'verborgen.example', 'Erase Wilhelmina', target.id, source.id]) {
    const rows = (await findRows(store, word)).filter(row => !row.includes('platform.activity'))
    assert.deepEqual(rows, [], word)
  }
})

test('after one of two merged donors is erased, the other keeps its record and the merge cannot be undone', async () => {
  const one = await donate(roof.id, { donorName: 'Left Behind', email: 'l1@example.org' })
  const two = await donate(cats.id, { donorName: 'Left Gone', email: 'l2@example.org' })
  const [target, source] = [await findDonor(one), await findDonor(two)]
  const merge = await treasurer.post(`/donor-records/${target.id}/merges`, { donorId: source.id })
  assert.equal((await treasurer.post(`/donors/${one.id}/erase`, { scope: 'donation' })).status, 200)
  // The main donor is erased; the record of the other one is shown again.
  assert.equal((await treasurer.get(`/donor-records/${target.id}`)).status, 404)
  assert.deepEqual([(await readDetails(source)).id, (await readDetails(source)).names], [source.id, ['Left Gone']])
  assert.equal((await treasurer.delete(`/donor-records/${source.id}/merges/${merge.body.id}`)).status, 404)
})

test('only treasurers can read donor records', async () => {
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
