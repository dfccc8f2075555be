// test: both stores
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { donor, downloadFile, organisation, readPdfPages, signature } from '#test/support/fundraising/receipts.ts'
import { adminKey, startCampaigns } from '#test/support/services.ts'
import { toLocalDay } from '../dates.ts'
import { fundraisingChecks } from '../doctor.ts'

const { admin, aCampaign, aDonation, server, store, visitor, withRole } = await startCampaigns({
  env: { TIMEZONE: 'Europe/Berlin' }
})
const year = new Date().getFullYear()
const { id: campaignId } = await aCampaign()

/** Creates a received donation. */
const createReceived = async (fields: object = {}) =>
  await aDonation(campaignId, { ...donor, status: 'TRANSFERRED', ...fields })
const toSingleRequest = (donation: { id: string }, fields: object = {}) => ({
  kind: 'single',
  donation: { campaignId, id: donation.id },
  ...fields
})
const issue = async (body: object) => {
  const response = await admin.post('/receipts', body)
  assert.equal(response.status, 201, response.text)
  return response.body
}
const readText = async (id: string, query = '') =>
  (await readPdfPages((await downloadFile(server, `/receipts/${id}.pdf${query}`, adminKey)).bytes)).join(' ')
const toPath = ({ id }: { id: string }) => `/campaigns/${campaignId}/donations/${id}`

test('without the data of the organisation a receipt is refused, and the error lists the missing fields', async () => {
  const response = await admin.post('/receipts', toSingleRequest(await createReceived()))
  assert.deepEqual([response.status, response.body.code], [409, 'organisation-incomplete'])
  assert.deepEqual(response.body.missing, [
    ...['legalName', 'address', 'taxOffice', 'taxNumber', 'exemption', 'purposes', 'signatory']
  ])
  assert.equal((await admin.patch('/organisation', organisation)).status, 200)
})

test('a receipt has the text of the official form in order, on one page', async () => {
  const donated = await createReceived({ amount: '250.10' })
  const response = await admin.post('/receipts', toSingleRequest(donated))
  assert.equal(response.status, 201, response.text)
  assert.ok(response.headers.location?.endsWith(`/receipts/${response.body.id}`))
  const { body } = response
  assert.match(body.number, new RegExp(`^FMK-${year}-0000\\d\\d$`))
  assert.deepEqual([body.kind, body.language, body.state, body.amount], ['single', 'de', 'issued', 250.1])
  assert.deepEqual(body.donor, { name: donor.donorName, address: donor.address })
  assert.deepEqual(
    body.donations.map(({ id }: { id: string }) => id),
    [donated.id]
  )

  const { bytes, headers } = await downloadFile(server, `/receipts/${body.id}.pdf`, adminKey)
  assert.equal(headers['content-type'], 'application/pdf')
  assert.equal(createHash('sha256').update(bytes).digest('hex'), body.sha256)
  const pages = await readPdfPages(bytes)
  assert.equal(pages.length, 1)
  let rest = pages[0] ?? ''
  for (const words of [
    'Aussteller (Bezeichnung und Anschrift der steuerbegünstigten Einrichtung) Förderverein der Musikschule Köln-Süd e. V. Große Straße 5 50678 Köln',
    'Bestätigung über Geldzuwendungen/Mitgliedsbeitrag im Sinne des § 10b des Einkommensteuergesetzes an eine der in § 5 Abs. 1 Nr. 9 des Körperschaftsteuergesetzes bezeichneten Körperschaften, Personenvereinigungen oder Vermögensmassen',
    'Name und Anschrift des Zuwendenden: Zoë Ångström-Müller Übergasse 7 10115 Berlin',
    'Betrag der Zuwendung - in Ziffern - - in Buchstaben - Tag der Zuwendung:',
    '250,10 € zweihundertfünfzig Euro und zehn Cent',
    'Es handelt sich um den Verzicht auf Erstattung von Aufwendungen Ja ☐ Nein ☑',
    '☑ Wir sind wegen Förderung der Jugendhilfe nach dem Freistellungsbescheid bzw. nach der Anlage zum Körperschaftsteuerbescheid des Finanzamtes Köln-Süd, StNr. 219/5880/1234, vom',
    'für den letzten Veranlagungszeitraum 2021 bis 2023 nach § 5 Abs. 1 Nr. 9 des Körperschaftsteuergesetzes von der Körperschaftsteuer und nach § 3 Nr. 6 des Gewerbesteuergesetzes von der Gewerbesteuer befreit.',
    'Es wird bestätigt, dass die Zuwendung nur zur Förderung der Jugendhilfe verwendet wird.',
    'Nur für steuerbegünstigte Einrichtungen, bei denen die Mitgliedsbeiträge steuerlich nicht abziehbar sind: ☑ Es wird bestätigt, dass es sich nicht um einen Mitgliedsbeitrag handelt, dessen Abzug nach § 10b Abs. 1 des Einkommensteuergesetzes ausgeschlossen ist.',
    'Jürgen Weiß, Schatzmeister',
    '(Ort, Datum und Unterschrift des Zuwendungsempfängers)',
    'Hinweis: Wer vorsätzlich oder grob fahrlässig eine unrichtige Zuwendungsbestätigung erstellt oder veranlasst, dass Zuwendungen nicht zu den in der Zuwendungsbestätigung angegebenen steuerbegünstigten Zwecken verwendet werden, haftet für die entgangene Steuer (§ 10b Abs. 4 EStG, § 9 Abs. 3 KStG, § 9 Nr. 5 GewStG).',
    'Diese Bestätigung wird nicht als Nachweis für die steuerliche Berücksichtigung der Zuwendung anerkannt, wenn das Datum des Freistellungsbescheides länger als 5 Jahre bzw. das Datum der Feststellung der Einhaltung der satzungsmäßigen Voraussetzungen nach § 60a Abs. 1 AO länger als 3 Jahre seit Ausstellung des Bescheides zurückliegt (§ 63 Abs. 5 AO).'
  ]) {
    const index = rest.indexOf(words)
    assert.ok(index >= 0, `${words}\n not in \n${rest}`)
    rest = rest.slice(index + words.length)
  }
  assert.ok(!pages[0]?.includes('maschinell'), 'the tax office is not informed, so the receipt is signed by hand')
})

test('a receipt does not change with the organisation, and a copy is marked as a copy', async () => {
  const { id, number } = await issue(toSingleRequest(await createReceived()))
  const { bytes } = await downloadFile(server, `/receipts/${id}.pdf`, adminKey)
  await admin.patch('/organisation', { legalName: 'Another name', signature, taxOfficeInformedOn: '2026-01-15' })
  assert.ok((await downloadFile(server, `/receipts/${id}.pdf`, adminKey)).bytes.equals(bytes))
  const copy = await readText(id, '?copy=true')
  assert.match(copy, new RegExp(`Nr. ${number} Zweitschrift`))
  assert.match(copy, /Förderverein der Musikschule/)
  assert.doesNotMatch(copy, /maschinell/)

  const signedByMachine = await readText((await issue(toSingleRequest(await createReceived()))).id)
  assert.match(
    signedByMachine,
    /maschinell erstellt und ist ohne eigenhändige Unterschrift gültig\. Die Nutzung des maschinellen Verfahrens wurde dem Finanzamt Köln-Süd am 15\.01\.2026 angezeigt\./
  )
  await admin.patch('/organisation', { ...organisation, signature: null, taxOfficeInformedOn: null })
})

test('only received donations get a receipt, once, and only with a printable name and an address of the donor', async () => {
  const pledged = await aDonation(campaignId, donor)
  assert.equal((await admin.post('/receipts', toSingleRequest(pledged))).body.code, 'donation-not-received')
  const withoutAddress = await createReceived({ address: null })
  const unknown = await admin.post('/receipts', toSingleRequest(withoutAddress))
  assert.deepEqual([unknown.status, unknown.body.code, unknown.body.missing], [422, 'donor-not-known', ['address']])
  assert.ok(unknown.body.detail.includes(withoutAddress.reference))
  const unprintable = await admin.post('/receipts', toSingleRequest(await createReceived({ donorName: '王 秀英' })))
  assert.deepEqual([unprintable.status, unprintable.body.code], [422, 'donor-not-printable'])

  const donated = await createReceived()
  const { number } = await issue(toSingleRequest(donated))
  const again = await admin.post('/receipts', toSingleRequest(donated))
  assert.deepEqual([again.status, again.body.code], [409, 'donation-has-receipt'])
  assert.ok(again.body.detail.includes(number))
  assert.equal((await admin.post('/receipts', { kind: 'single' })).status, 400)
  assert.equal(
    (await admin.post('/receipts', { kind: 'collective', donation: { campaignId, id: donated.id } })).status,
    400
  )
  const unknownDonation = { id: '00000000-0000-7000-8000-000000000000' }
  assert.equal((await admin.post('/receipts', toSingleRequest(unknownDonation))).status, 404)
})

test('a donation with a receipt cannot be refunded, failed or renamed until the receipt is withdrawn', async () => {
  const donated = await createReceived()
  const { id, number, version } = await issue(toSingleRequest(donated))
  for (const change of [{ status: 'REFUNDED' }, { status: 'FAILED' }, { donorName: 'Somebody Else' }]) {
    const { status, body } = await admin.patch(toPath(donated), change)
    assert.deepEqual([status, body.code], [409, 'donation-has-receipt'], JSON.stringify(change))
    assert.ok(body.detail.includes(number))
  }
  assert.equal((await admin.patch(toPath(donated), { email: 'new@example.org' })).status, 200)

  assert.equal((await admin.post(`/receipts/${id}/withdraw`, {})).status, 400)
  const stale = await admin.post(
    `/receipts/${id}/withdraw`,
    { reason: 'Wrong name' },
    { 'if-match': `"${version + 1}"` }
  )
  assert.equal(stale.status, 412)
  const withdrawn = await admin.post(`/receipts/${id}/withdraw`, { reason: 'Wrong name' })
  assert.deepEqual(
    [withdrawn.status, withdrawn.body.state, withdrawn.body.withdrawn.reason],
    [200, 'withdrawn', 'Wrong name']
  )
  assert.equal((await admin.post(`/receipts/${id}/withdraw`, { reason: 'Again' })).body.code, 'receipt-is-withdrawn')

  assert.equal((await admin.patch(toPath(donated), { donorName: 'Zoe Angstrom' })).status, 200)
  const next = await issue(toSingleRequest(donated))
  assert.notEqual(next.number, number)
  assert.equal(next.replaces, number)
  assert.match(await readText(next.id), new RegExp(`Ersetzt Nr. ${number}`))
})

test('a collective receipt has the sum of a year of one donor, with each donation in the annex', async () => {
  const { id: other } = await aCampaign()
  const person = { ...donor, donorName: 'Ada Byron', email: 'ada@example.org' }
  const amounts = ['10', '20.50', '0.01']
  const first = await createReceived({ ...person, amount: '10' })
  await aDonation(other, { ...person, status: 'TRANSFERRED', amount: '20.50', email: null, donorName: 'ADA BYRON' })
  await createReceived({ ...person, amount: '5.01', address: null })
  // A different donor with the same name, and one with the same email address.
  const otherAddress = { ...donor.address, city: 'Bonn' }
  await createReceived({
    donorName: 'Ada Byron',
    email: 'other@example.org',
    account: undefined,
    address: otherAddress
  })
  await createReceived({ ...person, donorName: 'William King' })

  const response = await issue({ kind: 'collective', donor: { donationId: first.id, year } })
  assert.equal(response.amount, 35.51)
  assert.equal(response.donations.length, amounts.length)
  const today = toLocalDay(new Date(), 'Europe/Berlin')
  assert.deepEqual(response.period, { from: `${year}-01-01`, to: today }, 'the period ends today at the latest')
  const pages = await readPdfPages((await downloadFile(server, `/receipts/${response.id}.pdf`, adminKey)).bytes)
  assert.equal(pages.length, 2)
  let rest = pages[0] ?? ''
  for (const words of [
    'Sammelbestätigung über Geldzuwendungen/Mitgliedsbeiträge im Sinne des § 10b',
    'Gesamtbetrag der Zuwendung - in Ziffern - - in Buchstaben - Zeitraum der Sammelbestätigung:',
    `35,51 € fünfunddreißig Euro und einundfünfzig Cent 01.01.${year} bis ${today.split('-').reverse().join('.')}`,
    'verwendet wird.',
    'Es wird bestätigt, dass über die in der Gesamtsumme enthaltenen Zuwendungen keine weiteren Bestätigungen, weder formelle Zuwendungsbestätigungen noch Beitragsquittungen oder Ähnliches ausgestellt wurden und werden.',
    'Ob es sich um den Verzicht auf Erstattung von Aufwendungen handelt, ist der Anlage zur Sammelbestätigung zu entnehmen.'
  ]) {
    const index = rest.indexOf(words)
    assert.ok(index >= 0, `${words}\n not in \n${rest}`)
    rest = rest.slice(index + words.length)
  }
  assert.match(pages[1] ?? '', /^Anlage zur Sammelbestätigung vom [\d.]{10}, Nr\. /)
  assert.match(pages[1] ?? '', /Geldzuwendung nein 20,50 €.*Gesamtsumme 35,51 €/)

  const again = await admin.post('/receipts', { kind: 'collective', donor: { donationId: first.id, year } })
  assert.deepEqual([again.status, again.body.code], [409, 'donation-has-receipt'])
  const before = await admin.post('/receipts', { kind: 'collective', donor: { donationId: first.id, year: year - 1 } })
  assert.deepEqual([before.status, before.body.code], [422, 'no-donations-in-year'])
})

test('the date on a receipt is the date on which the money was received', async () => {
  const donated = await createReceived({ receivedOn: `${year - 1}-12-31` })
  const { body } = await admin.post('/receipts', {
    kind: 'collective',
    donor: { donationId: donated.id, year: year - 1 }
  })
  assert.deepEqual(
    body.donations.map(({ receivedOn }: { receivedOn: string }) => receivedOn),
    [`${year - 1}-12-31`]
  )
  assert.deepEqual(body.period, { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` })
})

test('English-speaking donors abroad get an English receipt, donors in Germany the German form', async () => {
  const addressAbroad = { ...donor.address, city: 'London', country: 'GB' }
  const english = await issue(
    toSingleRequest(await createReceived({ address: addressAbroad, language: 'en', amount: 21.05 }))
  )
  assert.equal(english.language, 'en')
  const text = await readText(english.id)
  assert.match(text, /Donation receipt/)
  assert.match(text, /€21\.05 twenty-one euro and five cents/)
  assert.match(text, /not the official form for a deduction in Germany/)
  assert.equal((await issue(toSingleRequest(await createReceived({ language: 'en' })))).language, 'de')
  assert.equal(
    (await issue(toSingleRequest(await createReceived({ language: 'de' }), { language: 'en' }))).language,
    'en'
  )

  const { id: pounds } = await aCampaign()
  await store.run(sql`update fundraising.campaigns set currency = 'GBP' where id = ${pounds}`)
  const inPounds = await aDonation(pounds, { ...donor, status: 'TRANSFERRED', amount: 100 })
  const one = { kind: 'single', donation: { campaignId: pounds, id: inPounds.id } }
  assert.equal((await admin.post('/receipts', one)).body.code, 'receipt-needs-euro')
  assert.match(await readText((await issue({ ...one, language: 'en' })).id), /£100\.00 one hundred GBP/)
})

test('receipts are found by year, state, number and name, in pages', async () => {
  const person = { donorName: 'Mäx Findling' }
  const [one, two, three] = [await createReceived(person), await createReceived(person), await createReceived(person)]
  const numbers = []
  for (const donated of [one, two, three]) numbers.push((await issue(toSingleRequest(donated))).number)
  const first = await admin.get(`/receipts?search=max%20find&limit=2&year=${year}`)
  assert.deepEqual(
    first.body.map(({ number }: { number: string }) => number),
    numbers.toReversed().slice(0, 2)
  )
  assert.equal(first.headers['x-total-count'], '3')
  const cursor = /cursor=([^&>]+)/.exec(first.headers.link ?? '')?.[1]
  const second = await admin.get(`/receipts?search=max%20find&limit=2&year=${year}&cursor=${cursor}`)
  assert.deepEqual(
    second.body.map(({ number }: { number: string }) => number),
    numbers.slice(0, 1)
  )
  assert.equal((await admin.get(`/receipts?search=${numbers[1]}`)).body.length, 1)
  assert.equal((await admin.get(`/receipts?search=findling&year=${year - 1}`)).body.length, 0)
  assert.equal((await admin.get('/receipts?search=findling&state=withdrawn')).body.length, 0)
  assert.equal((await admin.get('/receipts?cursor=nonsense')).status, 400)
})

test('only treasurers read receipts, and the activity log contains no donor data', async () => {
  const { id } = await issue(toSingleRequest(await createReceived()))
  const editor = await withRole('editor')
  for (const path of ['/receipts', `/receipts/${id}`, `/receipts/${id}.pdf`]) {
    assert.equal((await visitor.get(path)).status, 401, path)
    assert.equal((await editor.get(path)).status, 403, path)
  }
  const treasurer = await withRole('treasurer')
  assert.equal((await treasurer.get(`/receipts/${id}`)).status, 200)
  const rows = await store.all<{ details: object }>(sql`
    select details from platform.activity where subject in ('receipt', 'organisation')`)
  assert.ok(rows.length > 5)
  for (const { details } of rows) assert.doesNotMatch(JSON.stringify(details), /Zoë|Übergasse|example\.org/)
})

test('with the donor token a donor reads the own receipts, or a simplified proof for a small donation without a receipt', async () => {
  const donated = await createReceived({ amount: 300 })
  const ownPath = `/donations/by-token/${donated.donorToken}`
  assert.deepEqual(
    [(await visitor.get(ownPath)).body.receipts, (await visitor.get(ownPath)).body.canHaveSimplifiedProof],
    [[], true]
  )
  const leaflet = await downloadFile(server, `${ownPath}/simplified-proof.pdf`, undefined)
  assert.equal(leaflet.status, 200)
  const [text = ''] = await readPdfPages(leaflet.bytes)
  for (const words of [
    'bis 300,00 €',
    '§ 50 Abs. 4 EStDV',
    'kein Mitgliedsbeitrag',
    donated.reference,
    'StNr. 219/5880/1234'
  ]) {
    assert.ok(text.includes(words), words)
  }

  const { id, number, kind, issuedOn } = await issue(toSingleRequest(donated))
  const { body } = await visitor.get(ownPath)
  assert.deepEqual(body.receipts, [{ id, number, kind, issuedOn }])
  assert.equal(body.canHaveSimplifiedProof, false)
  assert.equal((await visitor.get(`${ownPath}/simplified-proof.pdf`)).body.code, 'no-simplified-proof')
  const file = await downloadFile(server, `${ownPath}/receipts/${id}.pdf`, undefined)
  assert.ok(file.bytes.equals((await downloadFile(server, `/receipts/${id}.pdf`, adminKey)).bytes))
  assert.equal(file.headers['cache-control'], 'private, no-store')

  const otherDonation = await createReceived()
  assert.equal((await visitor.get(`/donations/by-token/${otherDonation.donorToken}/receipts/${id}.pdf`)).status, 404)
  await admin.post(`/receipts/${id}/withdraw`, { reason: 'Mistake' })
  assert.equal((await visitor.get(`${ownPath}/receipts/${id}.pdf`)).status, 404)
  const large = await createReceived({ amount: '300.01' })
  assert.equal((await visitor.get(`/donations/by-token/${large.donorToken}`)).body.canHaveSimplifiedProof, false)
  const pledged = await aDonation(campaignId, donor)
  assert.equal((await visitor.get(`/donations/by-token/${pledged.donorToken}`)).body.canHaveSimplifiedProof, false)
})

test('fifty concurrent receipts have numbers without gaps, with refused requests in between', {
  skip: skipUnlessFull
}, async () => {
  const { body: before } = await admin.get(`/receipts?year=${year}&limit=1`)
  const last = Number(before[0].number.slice(-6))
  const donations = await Promise.all(Array.from({ length: 50 }, async () => await createReceived()))
  const responses = await Promise.all(
    donations.flatMap((donated, index) => [
      admin.post('/receipts', toSingleRequest(donated)),
      ...(index % 5 === 0
        ? [
            admin.post('/receipts', toSingleRequest(donated)),
            admin.post('/receipts', toSingleRequest({ id: campaignId }))
          ]
        : [])
    ])
  )
  const numbers = responses.filter(({ status }) => status === 201).map(({ body }) => Number(body.number.slice(-6)))
  assert.deepEqual(
    numbers.sort((one, other) => one - other),
    Array.from({ length: 50 }, (_, index) => last + 1 + index)
  )
  assert.ok(responses.every(({ status }) => [201, 400, 409].includes(status)))
  for (const check of fundraisingChecks.filter(({ name }) => name.includes('receipts'))) {
    assert.deepEqual(await check.run(store), [], check.name)
  }
})

test('one Idempotency-Key issues one receipt', async () => {
  const body = toSingleRequest(await createReceived())
  const key = { 'idempotency-key': 'receipt-once' }
  const [one, two] = [await admin.post('/receipts', body, key), await admin.post('/receipts', body, key)]
  assert.deepEqual([one.status, two.status, two.body.number], [201, 201, one.body.number])
})
