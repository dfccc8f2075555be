import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '#test/support/admin-client.ts'
import { donor, organisation, signature } from '#test/support/fundraising/receipts.ts'
import { campaign } from '#test/support/services.ts'

const { admin, signIn } = await startAdmin()
const treasurer = await signIn('treasurer')
const germanAdmin = await signIn('admin', 'de')
const { id: campaignId } = (await admin.post('/campaigns', campaign)).body
const year = String(new Date().getFullYear())

async function createDonation(fields: object = {}) {
  const body = { ...donor, amount: 25, receiptRequested: true, status: 'TRANSFERRED', ...fields }
  return (await admin.post(`/campaigns/${campaignId}/donations`, body)).body
}

const form = {
  legalName: organisation.legalName,
  ...organisation.address,
  taxOffice: organisation.taxOffice,
  taxNumber: organisation.taxNumber,
  exemptionKind: 'notice',
  exemptionDate: organisation.exemption.date,
  exemptionPeriod: organisation.exemption.period,
  purposes: organisation.purposes,
  signatory: organisation.signatory,
  signatoryRole: '',
  taxOfficeInformedOn: '',
  receiptPrefix: 'FMK',
  creditorId: '',
  preNotificationDays: '5',
  reviewAbove: '1.000,50',
  retentionYears: '10'
}

test('the form of the organisation has the fields that receipts need, with errors at the fields; treasurers change tax fields only', async () => {
  const empty = await treasurer.get('/admin/receipts')
  assert.match(empty.text, /Receipts cannot be issued yet/)
  assert.match(empty.text, /<li>the tax number<\/li>/)
  const forTreasurer = (await treasurer.get('/admin/organisation')).text
  assert.match(forTreasurer, /name="taxNumber"/)
  assert.doesNotMatch(forTreasurer, /name="(?:legalName|creditorId|retentionYears)"/)

  const wrong = await germanAdmin.send('/admin/organisation', {
    ...form,
    creditorId: 'DE97ZZZ09999999999',
    exemptionDate: ''
  })
  assert.equal(wrong.status, 422)
  assert.match(
    wrong.text,
    /Gläubiger-Identifikationsnummer muss eine Gläubiger-Identifikationsnummer mit richtigen Prüfziffern sein/
  )
  assert.match(wrong.text, /Datum des Bescheids muss ein Tag/)
  assert.match(wrong.text, /value="1\.000,50"/, 'the input is kept')
  assert.match((await germanAdmin.sendAndFollow('/admin/organisation', form)).text, /Gespeichert\./)
  const { body } = await admin.get('/organisation')
  assert.deepEqual(body.purposeForms, { genitive: 'der Jugendhilfe', accusative: 'die Jugendhilfe' })
  const chosen = await germanAdmin.sendAndFollow('/admin/organisation', {
    ...form,
    purposes: '',
    'purposeCodes[]': '52-21'
  })
  assert.match(chosen.text, /value="52-21" checked/)
  assert.match(chosen.text, /Wir fördern nach unserer Satzung\s+den Sport\./)
  await germanAdmin.sendAndFollow('/admin/organisation', form)
  assert.deepEqual([body.missingForReceipts, body.reviewAbove, body.confirmationMails], [[], 1000.5, false])
  assert.equal((await germanAdmin.send('/admin/organisation', { ...form, etag: '"1-old"' })).status, 412)
  assert.doesNotMatch((await treasurer.get('/admin/receipts')).text, /cannot be issued yet/)
  // Fields that are for admins are ignored, even if a form has them.
  await treasurer.sendAndFollow('/admin/organisation', { ...form, legalName: 'Another', taxNumber: '87001/99999' })
  const { body: after } = await admin.get('/organisation')
  assert.deepEqual(
    [after.taxNumber, after.legalName, after.reviewAbove, after.address.city],
    ['87001/99999', body.legalName, 1000.5, body.address.city]
  )
})

test('a receipt is issued from the page of its donation, opened, copied and withdrawn', async () => {
  const created = await createDonation()
  const page = `/admin/donations/${campaignId}/${created.id}`
  assert.match((await treasurer.get(page)).text, /Issue receipt/)
  const issued = await treasurer.sendAndFollow('/admin/receipts', {
    ...{ campaignId: String(campaignId), donationId: created.id, kind: 'single' }
  })
  assert.match(issued.text, /Receipt FMK-\d{4}-000001 issued\./)
  const path = /href="(\/admin\/receipts\/[0-9a-f-]{36})\/receipt\.pdf"/.exec(issued.text)?.[1] ?? ''
  for (const query of ['', '?copy=true']) {
    const file = await treasurer.get(`${path}/receipt.pdf${query}`)
    assert.equal(file.headers['content-type'], 'application/pdf')
    assert.match(file.headers['content-disposition'] ?? '', /^inline; filename="FMK-/)
    assert.ok(file.text.startsWith('%PDF-1.7'))
  }
  assert.match((await treasurer.get(page)).text, /FMK-\d{4}-000001<\/a> <span class="badge good">Issued/)

  const again = await treasurer.sendAndFollow('/admin/receipts', {
    ...{ campaignId: String(campaignId), donationId: created.id, kind: 'collective', year }
  })
  assert.match(again.text, /Receipt FMK-\d{4}-000001 was issued for this donation/)
  assert.equal((await treasurer.send(`${path}/withdraw`, { reason: '' })).status, 422)
  const withdrawn = await treasurer.sendAndFollow(`${path}/withdraw`, { reason: 'Wrong name' })
  assert.match(withdrawn.text, /Receipt withdrawn\./)
  assert.match(withdrawn.text, /Wrong name/)
  assert.match((await treasurer.get('/admin/receipts?state=withdrawn&search=zoe')).text, /FMK-\d{4}-000001/)
  assert.match((await treasurer.get('/admin/receipts?state=issued')).text, /No receipts here/)
})

test('a donation without an address gets no receipt, and its page says why', async () => {
  const withoutAddress = await createDonation({ address: null })
  const answer = await treasurer.sendAndFollow('/admin/receipts', {
    ...{ campaignId: String(campaignId), donationId: withoutAddress.id, kind: 'single' }
  })
  assert.match(answer.text, /has no address/)
  assert.match(answer.text, /<h1[^>]*>Donation/)
})

test('the kind of a donation is set on its page; a gift in kind without a description is refused', async () => {
  const created = await createDonation({ donorName: 'Thing Giver', email: 'thing@example.org', amount: 900 })
  const page = `/admin/donations/${campaignId}/${created.id}`
  assert.match((await treasurer.get(page)).text, /Kind of donation: Money/)
  const fields = { campaignId: String(campaignId), donationId: created.id, givenKind: 'in_kind' }
  const wrong = await treasurer.sendAndFollow('/admin/receipts/given', fields)
  assert.match(wrong.text, /Exact description/)
  assert.equal((await admin.get(`/campaigns/${campaignId}/donations/${created.id}`)).body.kind, 'money')
  const thing = { ...fields, description: 'Klavier', origin: 'private', documents: 'yes' }
  const saved = await treasurer.sendAndFollow('/admin/receipts/given', thing)
  assert.match(saved.text, /Kind of donation saved\./)
  assert.match(saved.text, /Kind of donation: Gift in kind/)
  const { body } = await admin.get(`/campaigns/${campaignId}/donations/${created.id}`)
  assert.deepEqual([body.kind, body.inKind.description, body.inKind.documents], ['in_kind', 'Klavier', true])
})

test('the preview of a receipt run lists the donors and warns if the year has not ended; one run at a time is started', async () => {
  await createDonation({ donorName: 'Somebody Nowhere', email: 'nowhere@example.org', address: null })
  const before = await treasurer.get(`/admin/receipts/preview?runYear=${year}&language=`)
  assert.equal(before.status, 200)
  assert.match(before.text, new RegExp(`${year} has not ended`))
  assert.match(before.text, /Sending by email requires/)
  assert.match(before.text, /Thing Giver/)
  assert.match(before.text, /no address known/)
  const german = await germanAdmin.get(`/admin/receipts/preview?runYear=${year}`)
  assert.match(german.text, /noch nicht zu Ende/)
  assert.match(german.text, /keine Anschrift bekannt/)
  assert.match(
    (await germanAdmin.get(`/admin/receipts/preview?runYear=${Number(year) - 1}`)).text,
    /Keine Bestätigungen auszustellen/
  )

  await admin.patch('/organisation', { signature, taxOfficeInformedOn: `${year}-01-02` })
  assert.match((await treasurer.get(`/admin/receipts/preview?runYear=${year}`)).text, /name="send"/)
  const early = await treasurer.send('/admin/receipts/runs', { runYear: year, language: '' })
  assert.equal(early.status, 422)
  assert.match(early.text, /please confirm that receipts are to be issued up to today/)
  const confirmedRun = { runYear: year, language: '', upToToday: 'yes' }
  const started = await treasurer.sendAndFollow('/admin/receipts/runs', confirmedRun)
  assert.match(started.text, new RegExp(`Receipts for ${year}`))
  assert.match(started.text, /<progress/)
  const second = await treasurer.send('/admin/receipts/runs', confirmedRun)
  assert.equal(second.status, 422)
  assert.match(second.text, /already in progress/)
  assert.match((await treasurer.get('/admin/receipts')).text, /Latest receipt runs/)
})

test('all receipts of a year can be downloaded as one PDF or ZIP file', async () => {
  const created = await createDonation({ donorName: 'Printed', email: 'printed@example.org' })
  await admin.post('/receipts', { kind: 'single', donation: { campaignId, id: created.id } })
  assert.match((await treasurer.get('/admin/receipts')).text, new RegExp(`year\\.zip\\?year=${year}`))
  const pdf = await treasurer.get(`/admin/receipts/year.pdf?year=${year}`)
  assert.deepEqual([pdf.status, pdf.headers['content-type']], [200, 'application/pdf'])
  assert.ok(pdf.text.startsWith('%PDF-1.7'))
  const zip = await treasurer.get(`/admin/receipts/year.zip?year=${year}`)
  assert.deepEqual([zip.status, zip.headers['content-type']], [200, 'application/zip'])
  assert.equal((await treasurer.get('/admin/receipts/year.pdf?year=1999')).status, 404)
  assert.equal((await treasurer.get('/admin/receipts/year.pdf')).status < 500, true)
})
