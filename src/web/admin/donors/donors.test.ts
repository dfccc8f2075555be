import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '#test/support/admin-client.ts'
import { organisation } from '#test/support/fundraising/receipts.ts'
import { campaign } from '#test/support/services.ts'

const { admin, signIn } = await startAdmin({ env: { TIMEZONE: 'Europe/Berlin' } })
const [tess, theo, ed] = [await signIn('treasurer'), await signIn('treasurer', 'de'), await signIn('editor')]
const { id: campaignId } = (await admin.post('/campaigns', campaign)).body
const address = { street: 'Am Anger 1', postalCode: '12345', city: 'Köln', country: 'DE' }
const year = String(new Date().getFullYear())

async function createDonation(
  fields: object
): Promise<{ donationId: string; id: string; path: string; reference: string }> {
  const { body } = await admin.post(`/campaigns/${campaignId}/donations`, {
    amount: 40,
    status: 'TRANSFERRED',
    ...fields
  })
  const { id } = (await admin.get(`/donor-records?donationId=${body.id}`)).body[0]
  return { donationId: body.id, id, path: `/admin/donors/${id}`, reference: body.reference }
}

test('the list of donors has sums, a search and a CSV file; editors get 403 and no menu entry', async () => {
  const one = await createDonation({ donorName: 'Lina <b>Liste</b>', email: 'lina@example.org', address })
  const page = (await tess.get('/admin/donors?search=lina')).text
  assert.match(page, /Lina &lt;b>Liste|Lina &lt;b&gt;Liste/)
  assert.match(page, /€40\.00/)
  assert.ok(page.includes(`href="${one.path}"`))
  assert.match((await tess.get('/admin/donors?search=nobody-here')).text, /No matching donors/)
  assert.match((await theo.get('/admin/donors.csv?search=lina')).text, /12345;Köln;DE/)
  assert.equal((await tess.get('/admin/donors?sort=colour&order=up&page=0')).status, 200)
  for (const path of ['/admin/donors', one.path, '/admin/donors/duplicates', '/admin/donors/letters']) {
    assert.equal((await ed.get(path)).status, 403, path)
  }
  assert.doesNotMatch((await ed.get('/admin')).text, /admin\/donors/)
})

test('the search of the console finds donors and donations by amount and by part of a reference', async () => {
  const one = await createDonation({ donorName: 'Sucha Gefunden', amount: 77.25 })
  for (const typed of ['77,25', '77.25 EUR', one.reference.slice(-9, -1), 'sucha']) {
    const { text } = await tess.get(`/admin/search?q=${encodeURIComponent(typed)}`)
    assert.ok(text.includes(`href="${one.path}"`), typed)
    assert.ok(text.includes(`href="/admin/donations/${campaignId}/${one.donationId}"`), typed)
  }
})

test('the page of a donor shows contact, consent and donations, and notes are added and removed there', async () => {
  const consent = { text: 'Mein Name darf genannt werden.', version: '3' }
  const one = await createDonation({
    donorName: 'Paula Seite',
    email: 'paula@example.org',
    address,
    showName: true,
    consent
  })
  const page = (await theo.get(one.path)).text
  for (const word of [
    'Paula Seite',
    'paula@example.org',
    'Am Anger 1',
    consent.text,
    one.reference,
    '40,00\u00a0€',
    'Jahresbriefe'
  ]) {
    assert.ok(page.includes(word), word)
  }
  const donation = (await tess.get(`/admin/donations/${campaignId}/${one.donationId}`)).text
  assert.ok(donation.includes(`href="/admin/donors/of/${one.donationId}"`))
  const opened = await tess.get(`/admin/donors/of/${one.donationId}`)
  assert.deepEqual([opened.status, opened.headers.location], [303, one.path])
  for (const unknown of ['01900000-0000-7000-8000-000000000000', 'x', '.', '']) {
    assert.equal((await tess.get(`/admin/donors/of/${unknown}`)).status, 404, unknown)
  }
  assert.equal((await tess.get('/admin/donors/01900000-0000-7000-8000-000000000000')).status, 404)

  assert.equal((await tess.send(`${one.path}/notes`, { text: '' })).status, 422)
  const noted = await tess.sendAndFollow(`${one.path}/notes`, { text: 'Ruft gern an.' })
  assert.match(noted.text, /Ruft gern an\./)
  const remove = /action="([^"]*\/notes\/[^"]*\/remove)"/.exec(noted.text)?.[1] ?? ''
  assert.doesNotMatch((await tess.sendAndFollow(remove, {})).text, /Ruft gern an\./)
})

test('the page of a donor shows the consents to news by email, and the treasurer unsubscribes the donor there', async () => {
  const one = await createDonation({
    donorName: 'Nele Neugier',
    email: 'nele@example.org',
    news: { text: 'Neues <b>bitte' }
  })
  const page = (await tess.get(one.path)).text
  assert.match(page, /Neues &lt;b>bitte|Neues &lt;b&gt;bitte/)
  assert.ok(page.includes(`href="/admin/donations/${campaignId}/${one.donationId}"`))
  assert.match(page, /Agreed on /)
  const action = `${one.path}/news/${campaignId}/${one.donationId}/unsubscribe`
  assert.ok(page.includes(`action="${action}"`))
  assert.equal((await ed.send(action, {})).status, 403)
  const ended = await tess.sendAndFollow(action, {})
  assert.match(ended.text, /The donor is unsubscribed\./)
  assert.match(ended.text, /Unsubscribed by a treasurer on /)
  assert.ok(!ended.text.includes(action))
  const none = await createDonation({ donorName: 'Ohne Neuigkeiten', email: 'ohne@example.org' })
  assert.match((await theo.get(none.path)).text, /Nicht gewünscht\./)
  assert.equal((await tess.send(`${none.path}/news/${campaignId}/${none.donationId}/unsubscribe`, {})).status, 404)
})

test('the form of a new donation has name and address of the chosen donor filled in', async () => {
  const one = await createDonation({ donorName: 'Rita Wieder', email: 'rita@example.org', address })
  const form = (await tess.get(`/admin/donations/new?donor=${one.id}`)).text
  for (const value of ['Rita Wieder', 'rita@example.org', 'Am Anger 1', '12345', 'Köln']) {
    assert.ok(form.includes(`value="${value}"`), value)
  }
  assert.equal((await tess.get('/admin/donations/new?donor=x')).status, 200)
})

test('two donors are compared, merged and separated again, or marked as different', async () => {
  const one = await createDonation({ donorName: 'Mona Eins', email: 'mona@example.org' })
  const other = await createDonation({ donorName: 'M. Eins', email: 'mona@example.org' })
  const suggested = (await tess.get(one.path)).text
  assert.match(suggested, /same email address/)
  assert.ok(suggested.includes(`href="${one.path}/merge/${other.id}"`))
  assert.match((await tess.get('/admin/donors/duplicates')).text, /Mona Eins/)
  assert.match((await tess.get(`${one.path}/merge?search=m.+eins`)).text, /M\. Eins/)
  assert.match((await tess.get(`${one.path}/merge/${other.id}`)).text, /Are these one person\?/)
  const merged = await tess.sendAndFollow(`${one.path}/merge/${other.id}`, {})
  assert.match(merged.text, /Merged with M\. Eins\./)
  assert.match(merged.text, /€80\.00/)
  const undo = `${one.path}/merges/${/merges\/([0-9a-f-]{36})\/undo/.exec(merged.text)?.[1]}/undo`
  assert.equal((await tess.get(other.path)).headers.location, one.path)
  assert.equal((await tess.send(`${one.path}/merge/${other.id}`, {})).status, 409)
  assert.match((await tess.sendAndFollow(undo, {})).text, /Merge undone\./)
  assert.match((await tess.sendAndFollow(undo, {})).text, /already undone/)
  const markedDifferent = await tess.sendAndFollow(`${one.path}/distinct/${other.id}`, {})
  assert.doesNotMatch(markedDifferent.text, /same email address/)
})

test('letters are written and opened in the console, and their text is edited there', async () => {
  const one = await createDonation({ donorName: 'Brief Empfang', address })
  const refused = await tess.send(`${one.path}/letters`, { year, language: '' })
  assert.deepEqual([refused.status, /name and the address of the organisation/.test(refused.text)], [422, true])
  await admin.patch('/organisation', organisation)
  const written = await tess.sendAndFollow(`${one.path}/letters`, { year, language: 'de' })
  assert.match(written.text, new RegExp(`Letter for ${year} written\\.`))
  const file = /href="(\/admin\/donors\/letters\/[^"]*letter\.pdf)"/.exec(written.text)?.[1] ?? ''
  assert.equal((await tess.get(file)).headers['content-type'], 'application/pdf')
  assert.equal((await ed.get(file)).status, 403)
  assert.equal((await tess.send(`${one.path}/letters`, { year: 'x', language: '' })).status, 422)

  await createDonation({ donorName: 'Ohne Zuhause' })
  const page = (await theo.get(`/admin/donors/letters?year=${year}`)).text
  assert.match(page, /Geschrieben: 1/)
  assert.match(page, /weil die Anschrift fehlt: /)
  assert.match((await tess.sendAndFollow('/admin/donors/letters', { year })).text, /written in the background/)
  // The API reads a number with a line break as the number; a header must not contain it.
  for (const sent of [year, `${year}%0a`]) {
    const { headers } = await tess.get(`/admin/donors/letters/year.pdf?year=${sent}`)
    assert.equal(headers['content-type'], 'application/pdf')
    assert.match(headers['content-disposition'] ?? '', /^attachment; filename="letters-\d{4}-?\.pdf"$/)
  }
  const text = { language: 'de', version: '1', opening: 'vielen Dank für {year}.', closing: 'Bis bald' }
  assert.match((await tess.sendAndFollow('/admin/donors/letters/text', text)).text, /Text saved\./)
  const conflict = await tess.send('/admin/donors/letters/text', { ...text, opening: 'etwas anderes' })
  assert.deepEqual([conflict.status, conflict.text.includes('etwas anderes')], [422, true])
  const empty = await tess.send('/admin/donors/letters/text', { ...text, version: '2', opening: '' })
  assert.deepEqual([empty.status, /id="field-opening-de-error"/.test(empty.text)], [422, true])
})
