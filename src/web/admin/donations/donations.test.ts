import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '#test/support/admin-client.ts'
import { campaign, donation } from '#test/support/services.ts'

const { admin, visitor, signIn } = await startAdmin({ env: { TIMEZONE: 'Europe/Berlin' } })
const [tess, theo, ed] = [await signIn('treasurer'), await signIn('treasurer', 'de'), await signIn('editor')]

const aCampaign = async (fields: object = {}) => (await admin.post('/campaigns', { ...campaign, ...fields })).body
const donate = async (id: number, fields: object = {}) =>
  (await visitor.post(`/campaigns/${id}/donations`, { ...donation, ...fields })).body
const read = async ({ campaignId, id }: { campaignId: number; id: string }) =>
  (await admin.get(`/campaigns/${campaignId}/donations/${id}`)).body
const toCheckboxValue = ({ campaignId, id }: { campaignId: number; id: string }) => `${campaignId} ${id}`
/** The hidden fields of the last form of the page that has an etag, as a browser sends them. */
const readHiddenFields = (html: string) =>
  Object.fromEntries(
    ['etag', 'idempotencyKey', 'back'].map(name => [
      name,
      (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '').replaceAll('&quot;', '"')
    ])
  )
const readEtag = (html: string) => /name="etag" value="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? ''

test('the button of a row opens a form with amount and day, which returns to the same list', async () => {
  const { id } = await aCampaign()
  const [one, other] = [await donate(id), await donate(id)]
  const { text } = await tess.get(`/admin/donations?campaign=${id}`)
  const step = `/admin/donations/${id}/${one.id}/payment?back=${encodeURIComponent(`?campaign=${id}`)}`
  assert.ok(text.includes(`href="${step}"`), text)
  assert.match(text, /aria-label="Mark as received: €25\.00 from Ada Lovelace, [A-Z0-9-]+"/)
  assert.match(text, /Select [A-Z0-9-]+, Ada Lovelace, €25\.00/, 'the label of a checkbox names its row')
  const form = (await tess.get(step)).text
  assert.match(form, /name="amount"[^>]* value="25"|value="25"[^>]* name="amount"/)
  const after = await tess.sendAndFollow(`/admin/donations/${id}/${one.id}/payment`, {
    ...readHiddenFields(form),
    amount: '25',
    receivedOn: '2026-01-02',
    how: 'manual'
  })
  assert.match(after.text, /Received: €25\.00 from Ada Lovelace/)
  assert.match(after.text, new RegExp(`name="back" value="\\?campaign=${id}"`), 'back in the same list')
  const received = await read(one)
  assert.deepEqual([received.status, received.receivedOn], ['TRANSFERRED', '2026-01-02'])
  assert.equal((await read(other)).status, 'IN_PROCESS')
})

test('several donations are marked as received with one day; those that cannot are counted by status', async () => {
  const { id } = await aCampaign()
  const created = [await donate(id), await donate(id), await donate(id), await donate(id), await donate(id)]
  await admin.patch(`/campaigns/${id}/donations/${created[3].id}`, { status: 'CANCELLED' })
  await admin.patch(`/campaigns/${id}/donations/${created[4].id}`, { status: 'TRANSFERRED', receivedOn: '2026-01-01' })
  const all = { all: 'TRANSFERRED', 'donations[]': created.map(toCheckboxValue), receivedOn: '2026-01-02' }
  for (const receivedOn of ['2999-01-01', '2026-02-30', '']) {
    const refused = await tess.sendAndFollow('/admin/donations/status', { ...all, receivedOn })
    assert.match(refused.text, /Nothing was changed/, receivedOn)
  }
  const after = await tess.sendAndFollow('/admin/donations/status', all)
  assert.match(after.text, /3 received, 1 was already cancelled, 1 was already received\./)
  assert.deepEqual(await Promise.all(created.map(async one => (await read(one)).status)), [
    'TRANSFERRED',
    'TRANSFERRED',
    'TRANSFERRED',
    'CANCELLED',
    'TRANSFERRED'
  ])
  assert.deepEqual(
    await Promise.all(created.map(async one => (await read(one)).receivedOn)),
    ['2026-01-02', '2026-01-02', '2026-01-02', null, '2026-01-01'],
    'the day is set for all except for donations that were received before'
  )
  const german = await theo.sendAndFollow('/admin/donations/status', all)
  assert.match(german.text, /4 waren schon eingegangen, 1 war schon storniert\./)
  assert.match(
    (await tess.sendAndFollow('/admin/donations/status', { all: 'TRANSFERRED' })).text,
    /no donation was selected/
  )
})

test('the list is filtered by its query string, and so are its sums and its CSV file', async () => {
  const { id } = await aCampaign({ name: 'Narrow' })
  const rich = await donate(id, { amount: 1234.5, donorName: 'Jürgen <b>Groß</b>', receiptRequested: false })
  await donate(id, { amount: 20 })
  const cancelled = await donate(id, { amount: 40, donorName: 'Carla' })
  await admin.patch(`/campaigns/${id}/donations/${cancelled.id}`, { status: 'CANCELLED' })
  const list = async (query: string) => (await tess.get(`/admin/donations?campaign=${id}&${query}`)).text
  const references = (text: string) =>
    [...text.matchAll(/class="reference" href="[^"]*">([^<]+)</g)].map(([, one]) => one)

  const all = await list('')
  assert.equal(references(all).length, 3)
  assert.match(all, /€1,254\.50/, 'the sum excludes the cancelled donation')
  assert.match(all, /Jürgen &lt;b>/)
  assert.match((await theo.get(`/admin/donations?campaign=${id}`)).text, /1\.254,50\s€/)
  for (const query of [
    'search=jurgen',
    'min=1,000',
    'receipt=no',
    `search=${rich.reference}`,
    'status=IN_PROCESS&min=21'
  ]) {
    assert.deepEqual(references(await list(query)), [rich.reference], query)
  }
  assert.deepEqual(references((await theo.get(`/admin/donations?campaign=${id}&min=1.000,00`)).text), [rich.reference])
  assert.equal(references(await list('from=2020-01-01&to=2020-12-31')).length, 0)
  assert.equal(references(await list('sort=amount&order=desc'))[0], rich.reference)
  assert.match(await list('page=7'), /This page is empty/)
  const wrong = await list('min=abc&from=2027-02-30&to=0001-01-01&receipt=__proto__')
  assert.equal(references(wrong).length, 3, 'invalid filters are ignored')
  assert.match(wrong, /id="field-to-error"/)
  assert.match(wrong, /id="field-min-error"/)
  assert.match(wrong, /id="field-from-error"/)

  const csv = await theo.get(`/admin/donations.csv?campaign=${id}&status=CANCELLED`)
  assert.ok(csv.text.startsWith('\ufeff'))
  assert.match(csv.text, /Carla/)
  assert.doesNotMatch(csv.text, /Jürgen/)
  const { body } = await admin.get('/activity?action=donation.exported')
  assert.match(JSON.stringify(body), /"count":1/, 'the export is recorded')
})

test('the IBAN is masked in the list and complete on the page of the donation; the donor token is on neither', async () => {
  const { id } = await aCampaign()
  const created = await donate(id, { email: 'ada@example.org', message: '<script>alert(1)</script>' })
  const list = (await tess.get(`/admin/donations?campaign=${id}`)).text
  assert.match(list, /DE02 … 2051/)
  assert.doesNotMatch(list, /DE021203|DE02 1203/)
  const { text } = await tess.get(`/admin/donations/${id}/${created.id}`)
  assert.match(text, /DE02 1203 0000 0000 2020 51/)
  assert.match(text, /ada@example\.org/)
  assert.doesNotMatch(text, /<script>alert/)
  assert.ok(created.donorToken.length > 10)
  assert.ok(!(text + list).includes(created.donorToken))
  for (const path of [
    '/admin/donations',
    '/admin/donations.csv',
    `/admin/donations/${id}/${created.id}`,
    '/admin/donations/new'
  ]) {
    assert.equal((await ed.get(path)).status, 403, path)
  }
})

test('a donation can be corrected, and a concurrent correction is a conflict that shows both versions', async () => {
  const { id } = await aCampaign()
  const created = await donate(id)
  const path = `/admin/donations/${id}/${created.id}`
  const opened = (await tess.get(path)).text
  const ownInput = { name: 'Ada King', email: 'ada@example.org', receipt: 'yes', etag: readEtag(opened) }
  const incomplete = await tess.send(path, { ...ownInput, street: 'Hill 1' })
  assert.equal(incomplete.status, 422)
  assert.match(incomplete.text, /id="field-postalCode-error"/)
  assert.match(incomplete.text, /value="Ada King"/)
  assert.match((await tess.send(path, { ...ownInput, email: 'nobody' })).text, /id="field-email-error"/)

  const address = { street: 'Hill 1', postalCode: 'SW1', city: 'London', country: 'gb' }
  const saved = await tess.sendAndFollow(path, { ...ownInput, ...address })
  assert.match(saved.text, /Donation updated\./)
  const after = await read(created)
  assert.deepEqual(
    [after.donorName, after.email, after.address],
    ['Ada King', 'ada@example.org', { ...address, country: 'GB' }]
  )

  const conflict = await theo.send(path, { ...ownInput, ...address, name: 'Ada Byron' })
  assert.equal(conflict.status, 412)
  assert.match(conflict.text, /<form[^>]* id="editor-form"/, 'the button of the comparison sends this form')
  assert.match(conflict.text, /<td>Ada King<\/td><td>Ada Byron<\/td>/)
  assert.equal((await read(created)).donorName, 'Ada King')
})

test('a note is added once although sent twice, shown with its author, removed, and added again', async () => {
  const { id } = await aCampaign()
  const created = await donate(id)
  const path = `/admin/donations/${id}/${created.id}`
  const idempotencyKey = /name="idempotencyKey" value="([^"]+)"/.exec((await tess.get(path)).text)?.[1] ?? ''
  await tess.sendAndFollow(`${path}/notes`, { text: 'Called her <b>', idempotencyKey })
  const added = await tess.sendAndFollow(`${path}/notes`, { text: 'Called her <b>', idempotencyKey })
  assert.equal((await read(created)).notes.length, 1, 'a second click adds nothing')
  assert.match(added.text, /Called her &lt;b>/)
  assert.match(added.text, /The treasurer of the tests, <time/)
  const [{ id: note }] = (await read(created)).notes
  const removed = await tess.sendAndFollow(`${path}/notes/${note}/remove`, {})
  assert.deepEqual((await read(created)).notes, [])
  assert.ok(removed.text.includes(`action="${path}/notes"`))
  await tess.sendAndFollow(`${path}/notes`, { text: 'Called her <b>' })
  assert.equal((await read(created)).notes[0].text, 'Called her <b>')
  assert.equal((await tess.send(`${path}/notes`, { text: ' ' })).status, 422)
})

test('the page of a donation offers the possible changes of status, and shows who changed it', async () => {
  const { id } = await aCampaign()
  const created = await donate(id)
  const path = `/admin/donations/${id}/${created.id}`
  const form = (await tess.get(path)).text
  assert.ok(form.includes(`href="${path}/cancel"`) && form.includes(`href="${path}/fail"`))
  const moved = await tess.sendAndFollow(`${path}/payment`, {
    ...readHiddenFields(form),
    amount: '25',
    receivedOn: '2026-01-02'
  })
  assert.match(moved.text, new RegExp(`<h1>Donation ${created.reference}</h1>`))
  assert.match(moved.text, /by The treasurer of the tests/)
  assert.ok(moved.text.includes(`href="${path}/went-back"`))
  assert.ok(!moved.text.includes(`href="${path}/cancel"`))
  assert.equal((await tess.get(`/admin/donations/${id}/01900000-0000-7000-8000-000000000000`)).status, 404)
  assert.equal((await tess.get('/admin/donations/x/y')).status, 404)
})

test('a cash donation is recorded once although sent twice, with its day and the address for the receipt', async () => {
  const { id } = await aCampaign({ donationMinimum: 2 })
  const opened = (await theo.get(`/admin/donations/new?campaign=${id}`)).text
  assert.match(opened, new RegExp(`<option value="${id}" selected|<option selected value="${id}"`))
  const idempotencyKey = /name="idempotencyKey" value="([^"]+)"/.exec(opened)?.[1] ?? ''
  const cash = {
    campaign: String(id),
    amount: '1.234,50',
    name: 'Dose',
    how: 'cash',
    date: '2025-12-30',
    note: 'Fest',
    receipt: 'yes',
    email: 'ada@example.org',
    ...{ street: 'Hill 1', postalCode: 'SW1', city: 'London', country: 'gb' },
    idempotencyKey
  }
  const done = await theo.sendAndFollow('/admin/donations/new', cash)
  assert.match(done.text, /Eingetragen: 1\.234,50\s€ von Dose\./)
  await theo.sendAndFollow('/admin/donations/new', cash)
  const { body } = await admin.get(`/donations?campaignId=${id}`)
  assert.equal(body.length, 1, 'a second click records nothing')
  const [first] = body
  assert.deepEqual([first.status, first.amount, first.account], ['TRANSFERRED', 1234.5, null])
  assert.deepEqual([first.receivedOn, first.receiptRequested, first.email], ['2025-12-30', true, 'ada@example.org'])
  assert.deepEqual(first.address, { street: 'Hill 1', postalCode: 'SW1', city: 'London', country: 'GB' })
  const complete = await read(first)
  assert.deepEqual(
    complete.notes.map(({ text }: { text: string }) => text),
    ['Fest']
  )
  assert.deepEqual(
    complete.payments.map((one: { source: string; receivedOn: string }) => [one.source, one.receivedOn]),
    [['cash', '2025-12-30']]
  )
  await theo.sendAndFollow('/admin/donations/new', { ...cash, how: 'transfer', name: 'Konto', idempotencyKey: '' })
  const [transfer] = (await admin.get(`/donations?campaignId=${id}&search=Konto`)).body
  assert.equal((await read(transfer)).payments[0].source, 'manual')

  const refused = await tess.send('/admin/donations/new', {
    ...cash,
    amount: '1',
    name: '',
    date: '2999-01-01',
    campaign: '',
    city: ''
  })
  for (const name of ['campaign', 'name', 'date', 'city'])
    assert.match(refused.text, new RegExp(`id="field-${name}-error"`), name)
  const small = await tess.send('/admin/donations/new', { ...cash, amount: '1', idempotencyKey: '' })
  assert.equal(small.status, 422)
  assert.match(small.text, /id="field-amount-error"[^>]*>Amount must be at least €2\.00/)
  const email = await tess.send('/admin/donations/new', { ...cash, amount: '5', email: 'nobody', idempotencyKey: '' })
  assert.match(email.text, /id="field-email-error"/)
})

test('donations to a deleted campaign stay in the list and cannot be changed', async () => {
  const { id } = await aCampaign({ name: 'Short-lived' })
  const created = await donate(id, { donorName: 'Faithful' })
  await admin.delete(`/campaigns/${id}`)
  const { text } = await tess.get(`/admin/donations?campaign=${id}`)
  assert.match(text, /Faithful/)
  assert.match(text, /Campaign deleted/)
  assert.ok(!text.includes(`${created.id}/payment`))
  const moved = await tess.sendAndFollow('/admin/donations/status', {
    all: 'TRANSFERRED',
    receivedOn: '2026-01-02',
    'donations[]': toCheckboxValue(created)
  })
  assert.match(moved.text, /1 cannot be changed\./)
})

test('a treasurer downloads the data of a donor, and erases it after a confirmation page that names the affected donations', async () => {
  const { id } = await aCampaign()
  const account = { iban: 'NL91ABNA0417164300' }
  const first = await donate(id, { donorName: 'Grete Gestern', email: 'grete@example.org', account })
  const second = await donate(id, { donorName: 'G. Gestern', account })
  const page = `/admin/donations/${id}/${first.id}`
  const shown = await theo.get(page)
  assert.match(shown.text, /Personendaten/)
  const file = await theo.get(`${page}/donor.json`)
  assert.match(file.headers['content-disposition'] ?? '', /donor-.*\.json/)
  assert.deepEqual(
    JSON.parse(file.text).donations.map((one: { id: string }) => one.id),
    [second.id, first.id]
  )
  assert.equal((await ed.get(`${page}/donor.json`)).status, 403)
  assert.equal((await ed.get(`${page}/erase`)).status, 403)

  const question = await theo.get(`${page}/erase`)
  assert.match(question.text, /Alle 2 Spenden mit derselben E-Mail-Adresse/)
  assert.match(question.text, /verschiedene Namen[^<]*G\. Gestern, Grete Gestern/)
  const done = await theo.sendAndFollow(`${page}/erase`, { scope: 'person', reason: 'request' })
  assert.match(done.text, /Personendaten in 2 Spenden gelöscht\./)
  assert.match(done.text, /Die Personendaten wurden am .* gelöscht/)
  assert.doesNotMatch(done.text, /Gestern|id="correct"|Alle Daten herunterladen/)
  assert.equal((await read(second)).donorName, null)
})
