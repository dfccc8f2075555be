import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, donation, startSite } from '#test/support.ts'

const { visitor, admin } = await startSite()

async function aDonor(fields: object = {}, ofCampaign: object = {}) {
  const made = (await admin.post('/campaigns', { ...campaign, ...ofCampaign })).body
  const path = `/campaigns/${made.id}/donations`
  const given = (await visitor.post(path, { ...donation, donorName: 'Familie K.', amount: 50, ...fields })).body
  return { campaign: made, given, path: `${path}/${given.id}`, page: `/en/donate/thanks/${given.donorToken}` }
}

test('C10 the donor is asked for one transfer, with payee, account, amount and reference to copy', async () => {
  const { given, page } = await aDonor({ receiptRequested: true })
  const { status, text, headers } = await visitor.get(page)
  assert.equal(status, 200)
  assert.match(text, /<h1>Thank you, Familie K\.!<\/h1>/)
  assert.match(text, /Please transfer €50\.00 now/)
  assert.ok(text.includes(`<span id="transfer-reference">${given.reference}</span>`))
  assert.match(text, /<span id="transfer-amount">50\.00<\/span>/)
  assert.match(text, /<span id="transfer-payee">Music School<\/span>/)
  const iban = /<span id="transfer-iban"[^>]*>(.*?)<\/span><button/s.exec(text)?.[1] ?? ''
  assert.equal(iban.replace(/<[^>]*>/g, ''), 'DE89370400440532013000')
  assert.equal([...text.matchAll(/data-copy="#transfer-/g)].length, 4)
  assert.match(text, /We send it when the money has arrived/)
  assert.doesNotMatch(text, /DE02120300000000202051|DE02/)

  assert.match(text, /<meta name="robots" content="noindex"/)
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['cache-control'], 'no-store')
})

test('the page speaks the other language at its own address', async () => {
  const { given, page } = await aDonor({ amount: 1250.5 })
  const german = `/de/spenden/danke/${given.donorToken}`
  assert.ok((await visitor.get(page)).text.includes(`href="${german}"`))
  const { text } = await visitor.get(german)
  assert.match(text, /Vielen Dank, Familie K\.!/)
  assert.match(text, /Bitte überweisen Sie jetzt 1\.250,50\u00a0€/)
  assert.match(text, /<span id="transfer-amount">1\.250,50<\/span>/)
})

test('whatever became of a donation is said kindly, and nobody is asked for money twice', async () => {
  const table: [string[], RegExp][] = [
    [['TRANSFERRED'], /Your €50\.00 have arrived/],
    [['CANCELLED'], /This donation was cancelled/],
    [['FAILED'], /did not reach us/],
    [['TRANSFERRED', 'REFUNDED'], /We paid this donation back/]
  ]
  for (const [statuses, sentence] of table) {
    const { page, path } = await aDonor()
    for (const status of statuses) assert.equal((await admin.patch(path, { status })).status, 200)
    const { status, text } = await visitor.get(page)
    assert.equal(status, 200)
    assert.match(text, sentence)
    assert.doesNotMatch(text, /Please transfer|id="transfer-|still to come/)
    assert.equal([...text.matchAll(/class="step done"/g)].length, statuses.length + 1)
  }
})

test('the page stays when the campaign is closed or taken down', async () => {
  const { campaign: made, page } = await aDonor()
  await admin.delete(`/campaigns/${made.id}`)
  const { status, text } = await visitor.get(page)
  assert.equal(status, 200)
  assert.match(text, /New roof for the music school/)
  assert.doesNotMatch(text, new RegExp(`/en/donate/${made.id}-`))
})

test('a wrong token finds nothing', async () => {
  const { given } = await aDonor()
  const token: string = given.donorToken
  for (const wrong of [token.slice(1), `${token}x`, 'x'.repeat(22), '..%2F..%2Fcampaigns', '%00', 'a'.repeat(90)]) {
    const { status, text } = await visitor.get(`/en/donate/thanks/${wrong}`)
    assert.ok(status === 404 || status === 400, `${wrong}: ${status}`)
    assert.doesNotMatch(text, /Familie K\./)
  }
})

test('markup in a name is shown as text', async () => {
  const { page } = await aDonor({ donorName: '<script>alert(1)</script>' }, { name: 'A <b>roof</b>' })
  const { text } = await visitor.get(page)
  assert.match(text, /Thank you, &lt;script>alert\(1\)&lt;\/script>!/)
  assert.doesNotMatch(text, /<script>alert|<b>roof/)
})
