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
// Signed by a machine wherever that is allowed.
await admin.patch('/organisation', { ...organisation, signature, taxOfficeInformedOn: `${year}-01-02` })

const thing = {
  description: 'Klavier, Marke Beispiel',
  condition: '12 Jahre alt, Kaufpreis 4.800 €',
  origin: 'private',
  basis: 'Gutachten vom 3. März',
  documents: true
}
const received = async (fields: object = {}) =>
  await aDonation(campaignId, { ...donor, status: 'TRANSFERRED', amount: 900, ...fields })
const single = (donation: { id: string }, fields: object = {}) => ({
  kind: 'single',
  donation: { campaignId, id: donation.id },
  ...fields
})
const issued = async (body: object) => {
  const answer = await admin.post('/receipts', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const pagesAt = async (id: string) =>
  await readPdfPages((await downloadFile(server, `/receipts/${id}.pdf`, adminKey)).bytes)

function inOrder(text: string, parts: string[]): void {
  let rest = text
  for (const words of parts) {
    const at = rest.indexOf(words)
    assert.ok(at >= 0, `${words}\n not in \n${rest}`)
    rest = rest.slice(at + words.length)
  }
}

test('a gift in kind has the form of its own, in its words and order, and is signed by hand', {
  skip: skipUnlessFull
}, async () => {
  const receipt = await issued(single(await received({ kind: 'in_kind', inKind: thing })))
  assert.equal(receipt.sent, false)
  assert.deepEqual([receipt.donations[0].kind, receipt.donations[0].inKind], ['in_kind', thing])
  const [page = '', ...others] = await pagesAt(receipt.id)
  assert.deepEqual(others, [])
  inOrder(page, [
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

  const business = await received({ kind: 'in_kind', inKind: { ...thing, origin: 'business', documents: false } })
  const [other = ''] = await pagesAt((await issued(single(business))).id)
  assert.match(
    other,
    /aus dem Betriebsvermögen\. Die Zuwendung wurde nach dem Wert der Entnahme \(ggf\. mit dem niedrigeren/
  )
  assert.doesNotMatch(other, /Geeignete Unterlagen/)

  const made = await received({ kind: 'in_kind', inKind: thing })
  const sent = await admin.post('/receipts', single(made, { send: true }))
  assert.deepEqual([sent.status, sent.body.code], [409, 'must-be-signed-by-hand'])
  const english = await issued(single(made, { language: 'en' }))
  assert.equal(english.sent, false)
  assert.match((await pagesAt(english.id)).join(' '), /this gift in kind.*Klavier.*private property/)
})

test('expenses that were waived say Ja, and are signed by hand too', async () => {
  const receipt = await issued(single(await received({ kind: 'waived_expenses' })))
  const [page = ''] = await pagesAt(receipt.id)
  assert.match(page, /Verzicht auf Erstattung von Aufwendungen Ja ☑ Nein ☐/)
  assert.doesNotMatch(page, /maschinell/)
  assert.equal(receipt.sent, false)
  const [money = ''] = await pagesAt((await issued(single(await received()))).id)
  assert.match(money, /Ja ☐ Nein ☑.*maschinell erstellt/)
})

test('membership fees are certified where they can be deducted, and nowhere else', async () => {
  const fee = await received({ kind: 'membership_fee' })
  const refused = await admin.post('/receipts', single(fee))
  assert.deepEqual([refused.status, refused.body.code], [422, 'fee-not-deductible'])
  await admin.patch('/organisation', { membershipFeesDeductible: true })
  const [page = ''] = await pagesAt((await issued(single(fee))).id)
  assert.match(page, /Art der Zuwendung: Mitgliedsbeitrag/)
  assert.doesNotMatch(page, /Nur für steuerbegünstigte Einrichtungen/)
  await admin.patch('/organisation', { membershipFeesDeductible: false })
})

test('a collective receipt lists money, fees and waived expenses, and leaves things to receipts of their own', async () => {
  await admin.patch('/organisation', { membershipFeesDeductible: true })
  const person = { ...donor, donorName: 'Berta Mixed', email: 'berta@example.org' }
  const first = await received({ ...person, amount: 10 })
  await received({ ...person, amount: 20, kind: 'membership_fee' })
  await received({ ...person, amount: 30, kind: 'waived_expenses' })
  const piano = await received({ ...person, kind: 'in_kind', inKind: thing })
  const asked = { kind: 'collective', donor: { donationId: first.id, year } }
  const receipt = await issued(asked)
  assert.equal(receipt.amount, 60)
  const [front = '', annex = ''] = await pagesAt(receipt.id)
  assert.doesNotMatch(front, /maschinell/, 'one that waives expenses is signed by hand')
  for (const line of ['Geldzuwendung nein 10,00', 'Mitgliedsbeitrag nein 20,00', 'Geldzuwendung ja 30,00']) {
    assert.ok(annex.includes(line), annex)
  }
  assert.equal((await admin.post('/receipts', asked)).body.code, 'gift-in-kind-needs-own-receipt')
  assert.equal((await issued(single(piano))).amount, 900)
  await admin.patch('/organisation', { membershipFeesDeductible: false })
})

test('a receipt holds what was given, and only small gifts of money have the simplified proof', async () => {
  const made = await received({ kind: 'in_kind', inKind: thing })
  await issued(single(made))
  const change = await admin.patch(`/campaigns/${campaignId}/donations/${made.id}`, { kind: 'money' })
  assert.deepEqual([change.status, change.body.code], [409, 'donation-has-receipt'])
  const small = await received({ amount: 20, kind: 'waived_expenses' })
  assert.equal((await visitor.get(`/donations/by-token/${small.donorToken}`)).body.canHaveSimplifiedProof, false)
})
