// test: own process
// The calendar's images disable SVG in sharp for the whole process; these tests read SVG.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { decodeQR } from 'qr/decode.js'
import sharp from 'sharp'
import { type Client, startCampaigns } from '#test/support/services.ts'
import { findCampaignReference } from '../../money/reference.ts'
import { buildPayload } from './girocode.ts'
import { createImageCache, imageCache } from './qr-image.ts'

const { server, admin, visitor, withRole, aCampaign, aDonation } = await startCampaigns()

let treasurer: Client
let editor: Client
before(async () => {
  treasurer = await withRole('treasurer')
  editor = await withRole('editor')
})

const account = { iban: 'DE89370400440532013000', name: 'Förderverein Käfer & Co', nameOfBank: '' }

/** Decodes a QR code as a phone would. SVG and PNG are rendered on grey first, as on a page in dark mode. */
async function scan(readImage: Buffer): Promise<string[]> {
  const { data, info } = await sharp(readImage)
    .flatten({ background: '#555' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decodeQR({ width: info.width, height: info.height, data }).split('\n')
}

async function readImage(path: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const response = await server.app.inject({ method: 'GET', url: path, headers })
  assert.equal(response.statusCode, 200, response.body)
  return response.rawPayload
}

const createTreasurerKey = async () => {
  const { body } = await admin.post('/keys', { name: 'scanner', role: 'treasurer' })
  return { authorization: `Bearer ${body.key}` }
}

test('the QR code of a donation has its account, amount and reference, as SVG and PNG, for treasurer and donor', async () => {
  const { id } = await aCampaign({ account })
  const { id: donationId, reference, donorToken } = await aDonation(id, { amount: 1234.5 })
  const expected = [
    ...['BCD', '002', '1', 'SCT', 'COBADEFFXXX', account.name, account.iban],
    ...['EUR1234.50', 'CHAR', '', reference]
  ]
  const key = await createTreasurerKey()
  for (const format of ['svg', 'png']) {
    assert.deepEqual(
      await scan(await readImage(`/campaigns/${id}/donations/${donationId}/qr.${format}`, key)),
      expected
    )
    assert.deepEqual(await scan(await readImage(`/donations/by-token/${donorToken}/qr.${format}`)), expected)
  }
  const asDonor = await visitor.get(`/donations/by-token/${donorToken}`)
  assert.equal(asDonor.body.reference, reference)
})

test('the QR code of a campaign has no amount, and its reference and name as text', async () => {
  const { id, reference } = await aCampaign({ account, name: 'Neues Dach für die Musikschule' })
  for (const format of ['svg', 'png']) {
    assert.deepEqual(await scan(await readImage(`/campaigns/${id}/qr.${format}`)), [
      ...['BCD', '002', '1', 'SCT', 'COBADEFFXXX', account.name, account.iban],
      ...['', 'CHAR', '', `${reference} Neues Dach für die Musikschule`]
    ])
    const text = (await scan(await readImage(`/campaigns/${id}/qr.${format}`))).at(-1) ?? ''
    assert.equal(findCampaignReference(text, id), id)
  }
})

test('amounts have a decimal point and two decimals, from one cent to the largest amount', () => {
  const formatAmount = (amountCents: number) =>
    buildPayload({ iban: account.iban, holder: 'A', amountCents, text: 'x' }).split('\n')[7]
  assert.deepEqual([1, 100, 1010, 99_999_999_999].map(formatAmount), [
    'EUR0.01',
    'EUR1.00',
    'EUR10.10',
    'EUR999999999.99'
  ])
})

test('names and texts are shortened at whole characters to the maximum size of the QR code; references are never shortened', () => {
  const reference = 'ACDEF-7KXM-3PFT'
  const names: [string, string][] = [
    ['Kirche', 'Kirche'],
    ['Zeilen\numbruch\r\n  und Tab\t', 'Zeilen umbruch und Tab'],
    ['x'.repeat(140), 'x'.repeat(70)],
    ['ü'.repeat(140), 'ü'.repeat(70)],
    // Seven code points and 25 bytes each: an emoji is not split.
    ['👩‍👩‍👧‍👦'.repeat(20), '👩‍👩‍👧‍👦'.repeat(5)],
    ['e\u0301'.repeat(60), 'e\u0301'.repeat(35)],
    [`${'x'.repeat(69)} y`, 'x'.repeat(69)]
  ]
  for (const [holder, expected] of names) {
    const payload = buildPayload({ iban: account.iban, holder, amountCents: 99_999_999_999, text: reference })
    const lines = payload.split('\n')
    assert.equal(lines.length, 11)
    assert.equal(lines[5], expected)
    assert.equal(lines[10], reference)
    assert.ok(Buffer.byteLength(payload) <= 331)
  }
  const longest = buildPayload({
    iban: 'MT84MALT011000012345MTLCAST001S',
    holder: 'ü'.repeat(140),
    amountCents: null,
    text: 'Ω'.repeat(200)
  })
  assert.ok(Buffer.byteLength(longest) > 325 && Buffer.byteLength(longest) <= 331)
  assert.doesNotMatch(longest, /\ufffd/)
})

test('the largest QR code can be scanned', async () => {
  const { id, reference } = await aCampaign({
    account: { ...account, name: 'Ä'.repeat(140) },
    name: 'ß'.repeat(200)
  })
  for (const format of ['svg', 'png']) {
    const lines = await scan(await readImage(`/campaigns/${id}/qr.${format}`))
    assert.equal(lines[5], 'Ä'.repeat(70))
    assert.match(lines[10] ?? '', new RegExp(`^${reference} ß{50,}$`))
  }
})

test('there is no QR code for an account or campaign without a possible transfer, and the error gives the reason', async () => {
  const refused: [object, RegExp][] = [
    [{ account: { ...account, iban: 'DE00370400440532013000' } }, /IBAN of the campaign is not valid/],
    [{ account: { ...account, iban: 'BR1800360305000010009795493C1' } }, /outside the SEPA/],
    [{ account: { ...account, iban: 'CH9300762011623852957' } }, /the BIC is required/],
    [{ account: { ...account, iban: 'GB82WEST12345698765432' } }, /the BIC is required/],
    [{ status: 'closed' }, /the campaign is closed/],
    [{ endsAt: '2020-01-01T00:00:00Z' }, /the campaign is closed/]
  ]
  for (const [fields, reason] of refused) {
    const { id } = await aCampaign(fields)
    for (const format of ['svg', 'png']) {
      const { status, body } = await visitor.get(`/campaigns/${id}/qr.${format}`)
      assert.deepEqual([status, body.code], [409, 'no-qr-code'])
      assert.match(body.detail, reason)
    }
  }
  const german = await visitor.get(`/campaigns/${(await aCampaign(refused[0]?.[0])).id}/qr.svg`, {
    'accept-language': 'de'
  })
  assert.match(german.body.detail, /IBAN der Spendenaktion ist nicht gültig/)
})

test('within the European Economic Area a QR code needs no BIC', async () => {
  for (const iban of ['AT611904300234573201', 'LI21088100002324013AA', 'NO9386011117947']) {
    const { id } = await aCampaign({ account: { ...account, iban } })
    const lines = await scan(await readImage(`/campaigns/${id}/qr.png`))
    assert.deepEqual([lines[4], lines[6]], ['', iban])
  }
})

test('a donation to an account in Switzerland has no QR code, and the error gives the reason', async () => {
  const { id } = await aCampaign({ account: { ...account, iban: 'CH9300762011623852957' } })
  const { id: donationId, donorToken } = await aDonation(id)
  const asDonor = await visitor.get(`/donations/by-token/${donorToken}/qr.svg`, { 'accept-language': 'de' })
  assert.deepEqual([asDonor.status, asDonor.body.code], [409, 'no-qr-code'])
  assert.match(asDonor.body.detail, /ist die BIC nötig/)
  assert.equal((await treasurer.get(`/campaigns/${id}/donations/${donationId}/qr.png`)).status, 409)
})

test('there is no QR code in another currency than EUR', async () => {
  const otherCurrency = await startCampaigns({ env: { CURRENCY: 'USD' } })
  const { id } = await otherCurrency.aCampaign({ account })
  const { donorToken } = await otherCurrency.aDonation(id)
  for (const path of [`/campaigns/${id}/qr.svg`, `/donations/by-token/${donorToken}/qr.png`]) {
    const { status, body } = await otherCurrency.visitor.get(path)
    assert.deepEqual([status, body.code], [409, 'no-qr-code'])
    assert.match(body.detail, /USD/)
  }
})

test('a pending donation has a QR code, for its donor even if the campaign is closed or deleted; other donations have none', async () => {
  const { id } = await aCampaign({ account })
  const pending = await aDonation(id)
  const { version, ...fields } = (await admin.get(`/campaigns/${id}`)).body
  assert.equal((await admin.put(`/campaigns/${id}`, { ...fields, status: 'closed' })).status, 200)
  assert.equal((await visitor.get(`/donations/by-token/${pending.donorToken}/qr.svg`)).status, 200)
  assert.equal((await treasurer.get(`/campaigns/${id}/donations/${pending.id}/qr.svg`)).status, 200)
  await admin.delete(`/campaigns/${id}`)
  assert.equal((await visitor.get(`/donations/by-token/${pending.donorToken}/qr.svg`)).status, 200)
  assert.equal((await treasurer.get(`/campaigns/${id}/donations/${pending.id}/qr.svg`)).status, 404)
  assert.equal((await visitor.get(`/campaigns/${id}/qr.svg`)).status, 404)

  const other = (await aCampaign({ account })).id
  for (const status of ['TRANSFERRED', 'CANCELLED', 'FAILED']) {
    const created = await aDonation(other)
    const path = `/campaigns/${other}/donations/${created.id}`
    await treasurer.patch(path, { status })
    for (const one of [`${path}/qr.svg`, `/donations/by-token/${created.donorToken}/qr.png`]) {
      const response = await treasurer.get(one)
      assert.deepEqual([response.status, response.body.code], [409, 'no-qr-code'])
      assert.match(response.body.detail, new RegExp(status))
    }
  }
})

test('only treasurers and the donor get the QR code of a donation, and only editors that of a draft campaign', async () => {
  const { id } = await aCampaign({ account })
  const created = await aDonation(id)
  const path = `/campaigns/${id}/donations/${created.id}/qr.svg`
  assert.equal((await visitor.get(path)).status, 401)
  assert.equal((await editor.get(path)).status, 403)
  assert.equal((await treasurer.get(path)).status, 200)
  assert.equal((await visitor.get(`/donations/by-token/${created.donorToken}x/qr.svg`)).status, 404)
  const draft = await aCampaign({ account, status: 'draft' })
  assert.equal((await visitor.get(`/campaigns/${draft.id}/qr.svg`)).status, 404)
  assert.equal((await editor.get(`/campaigns/${draft.id}/qr.svg`)).status, 200)
})

test('a QR code is drawn once per content, format and language of the SVG title, until its content changes', async () => {
  const { id } = await aCampaign({ account, name: 'Drawn once' })
  const { donorToken } = await aDonation(id)
  const before = imageCache.count()
  const etags = new Set<string | undefined>()
  for (let time = 0; time < 5; time += 1) {
    etags.add((await visitor.get(`/campaigns/${id}/qr.png`)).headers.etag)
    await visitor.get(`/campaigns/${id}/qr.png`, { 'accept-language': 'de' })
    await visitor.get(`/campaigns/${id}/qr.svg`)
    await visitor.get(`/donations/by-token/${donorToken}/qr.png`)
  }
  assert.deepEqual([imageCache.count() - before, etags.size, etags.has(undefined)], [3, 1, false])
  await visitor.get(`/campaigns/${id}/qr.svg`, { 'accept-language': 'de' })
  assert.equal(imageCache.count() - before, 4)
  await admin.patch(`/campaigns/${id}`, { name: 'Drawn twice' })
  const lines = await scan(await readImage(`/campaigns/${id}/qr.png`))
  assert.match(lines.at(-1) ?? '', /Drawn twice$/)
  assert.equal(imageCache.count() - before, 5)
})

test('the cache of QR codes has a maximum size and evicts the least recently used', () => {
  const smallCache = createImageCache(2)
  for (const payload of ['a', 'b', 'a', 'c', 'a']) smallCache.draw('png', payload, '')
  assert.equal(smallCache.count(), 3)
  smallCache.draw('png', 'b', '')
  assert.equal(smallCache.count(), 4)
  assert.deepEqual(smallCache.draw('png', 'a', ''), createImageCache().draw('png', 'a', ''))
})

test('a QR code responds 304 until its content changes, and its title is in the language of the reader', async () => {
  const { id, reference } = await aCampaign({ account: { ...account, name: 'Käfer <b>&</b> Co' }, name: 'Dach' })
  const path = `/campaigns/${id}/qr.svg`
  const first = await visitor.get(path)
  assert.equal(first.headers['content-type'], 'image/svg+xml')
  const title = `GiroCode for a donation to Käfer &lt;b&gt;&amp;&lt;/b&gt; Co: ${reference} Dach`
  assert.ok(first.text.includes(`<title>${title}</title>`))
  const german = await visitor.get(path, { 'accept-language': 'de' })
  assert.match(german.text, /<title>GiroCode für eine Spende an Käfer/)
  const etag = first.headers.etag ?? ''
  assert.equal((await visitor.get(path, { 'if-none-match': etag })).status, 304)
  assert.equal((await visitor.get(path, { 'if-none-match': etag, 'accept-language': 'de' })).status, 200)

  const { version, ...fields } = (await admin.get(`/campaigns/${id}`)).body
  await admin.put(`/campaigns/${id}`, { ...fields, account: { ...account, iban: 'DE02120300000000202051' } })
  assert.equal((await visitor.get(path, { 'if-none-match': etag })).status, 200)
})
