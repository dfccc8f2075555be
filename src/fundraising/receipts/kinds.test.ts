import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { donor, downloadFile, organisation, readPdfPages, signature } from '#test/support/fundraising/receipts.ts'
import { adminKey, startCampaigns } from '#test/support/services.ts'

const { admin, aCampaign, aDonation, server, visitor } = await startCampaigns({
  env: { TIMEZONE: 'Europe/Berlin', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'give@example.org' }
})
const year = new Date().getFullYear()
const { id: campaignId } = await aCampaign()
// Receipts are signed by machine where this is allowed.
await admin.patch('/organisation', { ...organisation, signature, taxOfficeInformedOn: `${year}-01-02` })

const piano = {
  description: 'Klavier, Marke Beispiel',
  condition: '12 Jahre alt, Kaufpreis 4.800 €',
  origin: 'private',
  basis: 'Gutachten vom 3. März',
  documents: true
}
const createReceived = async (fields: object = {}) =>
  await aDonation(campaignId, { ...donor, status: 'TRANSFERRED', amount: 900, ...fields })
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
const readPages = async (id: string) =>
  await readPdfPages((await downloadFile(server, `/receipts/${id}.pdf`, adminKey)).bytes)

function assertInOrder(text: string, parts: string[]): void {
  let rest = text
  for (const words of parts) {
    const index = rest.indexOf(words)
    assert.ok(index >= 0, `${words}\n not in \n${rest}`)
    rest = rest.slice(index + words.length)
  }
}

test('the receipt of a gift in kind has the text of its own official form, in order, and is signed by hand', {
  skip: skipUnlessFull
}, async () => {
  const receipt = await issue(toSingleRequest(await createReceived({ kind: 'in_kind', inKind: piano })))
  assert.equal(receipt.sent, false)
  assert.deepEqual([receipt.donations[0].kind, receipt.donations[0].inKind], ['in_kind', piano])
  const [page = '', ...others] = await readPages(receipt.id)
  assert.deepEqual(others, [])
  assertInOrder(page, [
    'Aussteller (Bezeichnung und Anschrift der steuerbegünstigten Einrichtung)',
    'Bestätigung über Sachzuwendungen im Sinne des § 10b des Einkommensteuergesetzes',
    'Name und Anschrift des Zuwendenden:',
    'Wert der Zuwendung - in Ziffern - - in Buchstaben - Tag der Zuwendung:',
    '900,00 € neunhundert Euro',
    'Genaue Bezeichnung der Sachzuwendung mit Alter, Zustand, Kaufpreis usw.',
    'Klavier, Marke Beispiel 12 Jahre alt, Kaufpreis 4.800 €',
    '☑ Die Sachzuwendung stammt nach den Angaben des Zuwendenden aus dem Privatvermögen.',
    '☑ Geeignete Unterlagen, die zur Wertermittlung gedient haben, z. B. Rechnung, Gutachten, liegen vor.',
    '☑ Wir sind wegen Förderung der Jugendhilfe',
    'Es wird bestätigt, dass die Zuwendung nur zur Förderung der Jugendhilfe verwendet wird.',
    '(Ort, Datum und Unterschrift des Zuwendungsempfängers)'
  ])
  assert.doesNotMatch(page, /maschinell|Verzicht|Mitgliedsbeitrag/)

  const business = await createReceived({ kind: 'in_kind', inKind: { ...piano, origin: 'business', documents: false } })
  const [other = ''] = await readPages((await issue(toSingleRequest(business))).id)
  assert.match(
    other,
    /aus dem Betriebsvermögen\. Die Zuwendung wurde nach dem Wert der Entnahme \(ggf\. mit dem niedrigeren/
  )
  assert.doesNotMatch(other, /Geeignete Unterlagen/)

  const donated = await createReceived({ kind: 'in_kind', inKind: piano })
  const sent = await admin.post('/receipts', toSingleRequest(donated, { send: true }))
  assert.deepEqual([sent.status, sent.body.code], [409, 'must-be-signed-by-hand'])
  const english = await issue(toSingleRequest(donated, { language: 'en' }))
  assert.equal(english.sent, false)
  assert.match((await readPages(english.id)).join(' '), /this gift in kind.*Klavier.*private property/)
})

test('the receipt of waived expenses says Ja to the waiver and is signed by hand', async () => {
  const receipt = await issue(toSingleRequest(await createReceived({ kind: 'waived_expenses' })))
  const [page = ''] = await readPages(receipt.id)
  assert.match(page, /Verzicht auf Erstattung von Aufwendungen Ja ☑ Nein ☐/)
  assert.doesNotMatch(page, /maschinell/)
  assert.equal(receipt.sent, false)
  const [money = ''] = await readPages((await issue(toSingleRequest(await createReceived()))).id)
  assert.match(money, /Ja ☐ Nein ☑.*maschinell erstellt/)
})

test('membership fees get a receipt only if they are deductible', async () => {
  const fee = await createReceived({ kind: 'membership_fee' })
  const refused = await admin.post('/receipts', toSingleRequest(fee))
  assert.deepEqual([refused.status, refused.body.code], [422, 'fee-not-deductible'])
  await admin.patch('/organisation', { membershipFeesDeductible: true })
  const [page = ''] = await readPages((await issue(toSingleRequest(fee))).id)
  assert.match(page, /Art der Zuwendung: Mitgliedsbeitrag/)
  assert.doesNotMatch(page, /Nur für steuerbegünstigte Einrichtungen/)
  await admin.patch('/organisation', { membershipFeesDeductible: false })
})

test('a collective receipt lists money, fees and waived expenses; a gift in kind needs its own receipt', async () => {
  await admin.patch('/organisation', { membershipFeesDeductible: true })
  const person = { ...donor, donorName: 'Berta Mixed', email: 'berta@example.org' }
  const first = await createReceived({ ...person, amount: 10 })
  await createReceived({ ...person, amount: 20, kind: 'membership_fee' })
  await createReceived({ ...person, amount: 30, kind: 'waived_expenses' })
  const pianoDonation = await createReceived({ ...person, kind: 'in_kind', inKind: piano })
  const request = { kind: 'collective', donor: { donationId: first.id, year } }
  const receipt = await issue(request)
  assert.equal(receipt.amount, 60)
  const [front = '', annex = ''] = await readPages(receipt.id)
  assert.doesNotMatch(front, /maschinell/, 'a receipt with waived expenses is signed by hand')
  for (const line of ['Geldzuwendung nein 10,00', 'Mitgliedsbeitrag nein 20,00', 'Geldzuwendung ja 30,00']) {
    assert.ok(annex.includes(line), annex)
  }
  assert.equal((await admin.post('/receipts', request)).body.code, 'gift-in-kind-needs-own-receipt')
  assert.equal((await issue(toSingleRequest(pianoDonation))).amount, 900)
  await admin.patch('/organisation', { membershipFeesDeductible: false })
})

test('the kind of a donation with a receipt cannot be changed, and waived expenses have no simplified proof', async () => {
  const donated = await createReceived({ kind: 'in_kind', inKind: piano })
  await issue(toSingleRequest(donated))
  const change = await admin.patch(`/campaigns/${campaignId}/donations/${donated.id}`, { kind: 'money' })
  assert.deepEqual([change.status, change.body.code], [409, 'donation-has-receipt'])
  const small = await createReceived({ amount: 20, kind: 'waived_expenses' })
  assert.equal((await visitor.get(`/donations/by-token/${small.donorToken}`)).body.canHaveSimplifiedProof, false)
})
