import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, donation, startSite } from '#test/support/services.ts'

const { visitor, admin } = await startSite()

async function aDonor(fields: object = {}, campaignFields: object = {}) {
  const created = (await admin.post('/campaigns', { ...campaign, ...campaignFields })).body
  const path = `/campaigns/${created.id}/donations`
  const donated = (await visitor.post(path, { ...donation, donorName: 'Familie K.', amount: 50, ...fields })).body
  return { campaign: created, donated, path: `${path}/${donated.id}`, page: `/en/donate/thanks/${donated.donorToken}` }
}

test('the page asks for one transfer, with payee, IBAN, amount and reference to copy', async () => {
  const { donated, page } = await aDonor({ receiptRequested: true })
  const { status, text, headers } = await visitor.get(page)
  assert.equal(status, 200)
  assert.match(text, /<h1>Thank you, Familie K\.!<\/h1>/)
  assert.match(text, /Please transfer €50\.00 now/)
  assert.ok(text.includes(`<span id="transfer-reference">${donated.reference}</span>`))
  assert.match(text, /<span id="transfer-amount">50\.00<\/span>/)
  assert.match(text, /<span id="transfer-payee">Music School<\/span>/)
  const iban = /<span id="transfer-iban"[^>]*>(.*?)<\/span><button/s.exec(text)?.[1] ?? ''
  assert.equal(iban.replace(/<[^>]*>/g, ''), 'DE89370400440532013000')
  assert.equal([...text.matchAll(/data-copy="#transfer-/g)].length, 4)
  assert.match(text, /You can download it here when we have received the money/)
  assert.doesNotMatch(text, /DE02120300000000202051|DE02/)

  assert.match(text, /<meta name="robots" content="noindex"/)
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['cache-control'], 'no-store')
})

test('the page links to its German version', async () => {
  const { donated, page } = await aDonor({ amount: 1250.5 })
  const german = `/de/spenden/danke/${donated.donorToken}`
  assert.ok((await visitor.get(page)).text.includes(`href="${german}"`))
  const { text } = await visitor.get(german)
  assert.match(text, /Vielen Dank, Familie K\.!/)
  assert.match(text, /Bitte überweisen Sie jetzt 1\.250,50\u00a0€/)
  assert.match(text, /<span id="transfer-amount">1\.250,50<\/span>/)
})

test('the page shows the status of a donation, and asks for no transfer after it was received, cancelled, failed or refunded', async () => {
  const table: [string[], RegExp][] = [
    [['TRANSFERRED'], /We’ve received your donation of €50\.00\./],
    [['CANCELLED'], /This donation was cancelled/],
    [['FAILED'], /did not reach us/],
    [['TRANSFERRED', 'REFUNDED'], /We refunded this donation/]
  ]
  for (const [statuses, sentence] of table) {
    const { page, path } = await aDonor()
    for (const status of statuses) assert.equal((await admin.patch(path, { status })).status, 200)
    const { status, text } = await visitor.get(page)
    assert.equal(status, 200)
    assert.match(text, sentence)
    assert.doesNotMatch(text, /Please transfer|id="transfer-|Received<\/strong> <span|qr\.svg/)
    assert.equal([...text.matchAll(/class="step done"/g)].length, statuses.length + 1)
  }
})

test('the page shows the received amount, and asks only for the outstanding one', async () => {
  const { page, path, donated } = await aDonor({ amount: 100 })
  await admin.patch(path, { amountReceived: 40.1, receivedOn: '2026-03-02' })
  const partlyPaid = (await visitor.get(page)).text
  assert.match(partlyPaid, /We have received €40\.10 of the pledged €100\.00\. Thank you! €59\.90 is missing\./)
  assert.match(partlyPaid, /To transfer the remaining €59\.90/)
  assert.match(partlyPaid, /<span id="transfer-amount">59\.90<\/span>/)
  assert.match(partlyPaid, /Received<\/strong> <time[^>]*>€40\.10, 2 March 2026/)
  assert.doesNotMatch(partlyPaid, /Please transfer €100|We confirm it here as soon as/)
  const german = (await visitor.get(`/de/spenden/danke/${donated.donorToken}`)).text
  assert.match(german, /Von zugesagten 100,00\s€ sind 40,10\s€ bei uns eingegangen/)
  await admin.patch(path, { status: 'TRANSFERRED', amountReceived: 40.1 })
  const accepted = (await visitor.get(page)).text
  assert.match(accepted, /We’ve received your donation of €40\.10\./)
  assert.match(
    accepted,
    /Received<\/strong> <time[^>]*>€40\.10, 2 March 2026/,
    'the day of the payment, not of the booking'
  )
})

test('a status change that was undone is not shown on the page', async () => {
  const { page, path } = await aDonor()
  await admin.patch(path, { status: 'TRANSFERRED' })
  await admin.post(`${path}/undo`)
  const { text } = await visitor.get(page)
  assert.equal([...text.matchAll(/class="step done"/g)].length, 1)
  assert.match(text, /Please transfer €50\.00 now/)
})

test('the page is available after the campaign is deleted', async () => {
  const { campaign: created, page } = await aDonor()
  await admin.delete(`/campaigns/${created.id}`)
  const { status, text } = await visitor.get(page)
  assert.equal(status, 200)
  assert.match(text, /New roof for the music school/)
  assert.doesNotMatch(text, new RegExp(`/en/donate/${created.id}-`))
})

test('a wrong token is refused, and shows no donor', async () => {
  const { donated } = await aDonor()
  const token: string = donated.donorToken
  for (const wrong of [token.slice(1), `${token}x`, 'x'.repeat(22), '..%2F..%2Fcampaigns', '%00', 'a'.repeat(90)]) {
    const { status, text } = await visitor.get(`/en/donate/thanks/${wrong}`)
    assert.ok(status === 404 || status === 400, `${wrong}: ${status}`)
    assert.doesNotMatch(text, /Familie K\./)
  }
})

test('HTML in a name is escaped', async () => {
  const { page } = await aDonor({ donorName: '<script>alert(1)</script>' }, { name: 'A <b>roof</b>' })
  const { text } = await visitor.get(page)
  assert.match(text, /Thank you, &lt;script>alert\(1\)&lt;\/script>!/)
  assert.doesNotMatch(text, /<script>alert|<b>roof/)
})

test('the page has a QR code with the data of the transfer, if the IBAN is valid', async () => {
  const { donated, page } = await aDonor({ amount: 12.5 })
  const address = `/donations/by-token/${donated.donorToken}/qr.svg`
  const { text } = await visitor.get(page)
  assert.ok(text.includes(`<img src="${address}" alt="GiroCode for a transfer of €12.50 to Music School`))
  assert.match(text, /Scan with your banking app/)
  const code = await visitor.get(address)
  assert.deepEqual([code.status, code.headers['content-type']], [200, 'image/svg+xml'])

  const wrong = { ...campaign.account, iban: 'DE00370400440532013000' }
  const other = await aDonor({}, { account: wrong })
  const shown = (await visitor.get(other.page)).text
  assert.match(shown, /id="transfer-reference"/)
  assert.doesNotMatch(shown, /qr\.svg|Scan with/)
})

const sendDetails = async (page: string, fields: Record<string, string>) =>
  await visitor.send({
    method: 'POST',
    url: page,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString()
  })

test('a donor who requested a receipt adds the address on the page, which does not show it afterwards', async () => {
  const { page, path } = await aDonor({ receiptRequested: true })
  assert.match((await visitor.get(page)).text, /We still need your postal address/)
  const wrong = await sendDetails(page, { street: 'Geheimgasse 7', postalCode: '', city: '', email: 'nobody' })
  assert.equal(wrong.status, 422)
  assert.equal(wrong.headers['cache-control'], 'no-store')
  const summary = /<div class="notice bad".*?<\/div>/s.exec(wrong.text)?.[0] ?? ''
  assert.deepEqual(
    [...summary.matchAll(/href="#field-(\w+)"/g)].map(([, name]) => name),
    ['postalCode', 'city', 'email']
  )
  assert.match(wrong.text, /value="Geheimgasse 7"/)
  assert.equal((await admin.get(path)).body.address, null)

  const fields = { street: 'Geheimgasse 7', postalCode: '50667', city: 'Köln', email: 'geheim@example.org' }
  const sent = await sendDetails(page, fields)
  assert.equal(sent.status, 303)
  assert.equal(sent.headers.location, `${page}?saved=yes#receipt`)
  const { email, address } = (await admin.get(path)).body
  assert.deepEqual(
    [email, address],
    ['geheim@example.org', { street: 'Geheimgasse 7', postalCode: '50667', city: 'Köln', country: 'DE' }]
  )
  const { text } = await visitor.get(`${page}?saved=yes`)
  assert.match(text, /Thank you\. Saved\./)
  assert.match(text, /<details><summary>Change my address/)
  assert.doesNotMatch(text, /Geheimgasse|50667|geheim@|name="email"/)
})

test('a donor can request a receipt later, until the donation is cancelled', async () => {
  const { page, path } = await aDonor({ receiptRequested: false })
  assert.match((await visitor.get(page)).text, /<summary>I would like a donation receipt/)
  const fields = { street: 'Am Anger 1', postalCode: '12345', city: 'Köln' }
  assert.equal((await sendDetails(page, fields)).status, 303)
  assert.equal((await admin.get(path)).body.receiptRequested, true)
  await admin.patch(path, { status: 'CANCELLED' })
  assert.doesNotMatch((await visitor.get(page)).text, /I would like a donation receipt|name="street"/)
  const late = await sendDetails(page, fields)
  assert.equal(late.status, 409)
  assert.match(late.text, /can no longer be changed/)
  const forged = await visitor.send({
    method: 'POST',
    url: page,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    payload: 'street=x'
  })
  assert.equal(forged.status, 403)
})

const organisation = {
  legalName: 'Musikschule Lindenhof e. V.',
  address: { street: 'Lindenweg 1', postalCode: '50667', city: 'Köln' },
  taxOffice: 'Köln-Mitte',
  taxNumber: '214/5842/1234',
  exemption: { kind: 'notice', date: new Date().toISOString().slice(0, 10), period: '2024' },
  purposes: 'von Kunst und Kultur',
  signatory: 'Käthe Bürkle'
}
const address = { street: 'Geheimgasse 7', postalCode: '50667', city: 'Köln' }

test('the receipt and the simplified proof can be downloaded with the token', async () => {
  assert.equal((await admin.patch('/organisation', organisation)).status, 200)
  const { page, path, donated } = await aDonor({ receiptRequested: true, address })
  assert.match((await visitor.get(page)).text, /Donation receipt<\/strong> <span class="muted">still to come/)
  await admin.patch(path, { status: 'TRANSFERRED' })
  const before = (await visitor.get(page)).text
  assert.match(before, /We are preparing it/)
  const proof = /href="([^"]+simplified-proof\.pdf)"/.exec(before)?.[1] ?? 'none'
  assert.deepEqual([(await visitor.get(proof)).status, proof.includes(donated.donorToken)], [200, true])

  const donation = { campaignId: donated.campaignId, id: donated.id }
  const issued = await admin.post('/receipts', { kind: 'single', donation })
  assert.equal(issued.status, 201)
  const { text } = await visitor.get(page)
  assert.ok(text.includes(`Donation receipt ${issued.body.number}`))
  assert.match(text, /<strong>Donation receipt<\/strong> <time/)
  assert.doesNotMatch(text, /Geheimgasse|name="street"|Change my address|preparing/)
  const file = /href="([^"]+\/receipts\/[^"]+\.pdf)"/.exec(text)?.[1] ?? 'none'
  const { status, headers } = await visitor.get(file)
  assert.deepEqual([status, headers['content-type']], [200, 'application/pdf'])

  const late = await sendDetails(page, { ...address, street: 'Neue Gasse 8' })
  assert.equal(late.status, 409)
  assert.match(late.text, /The receipt has already been issued/)
  assert.equal((await admin.get(path)).body.address.street, 'Geheimgasse 7')
})

test('a donation held for review says so, and asks for the transfer already', async () => {
  assert.equal((await admin.patch('/organisation', { reviewAbove: 1000 })).status, 200)
  const { page, path } = await aDonor({ amount: 1000.01 })
  const { text } = await visitor.get(page)
  assert.match(text, /We review large donations/)
  assert.match(text, /Please transfer €1,000\.01 now/)
  assert.equal((await admin.patch(path, { review: 'released' })).status, 200)
  assert.doesNotMatch((await visitor.get(page)).text, /We review large donations/)
})
