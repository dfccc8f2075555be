import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, donation, startSite } from '#test/support/services.ts'

const { visitor, admin } = await startSite()

const aCampaign = async (fields: object = {}) => (await admin.post('/campaigns', { ...campaign, ...fields })).body
const aDonation = async (id: number, fields: object = {}) =>
  (await admin.post(`/campaigns/${id}/donations`, { ...donation, ...fields })).body
const inHours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()
const hostile = '<script>alert(1)</script>"><img src=x onerror=alert(2)>'

test('a campaign is found by its id, and redirected to its canonical URL in each language', async () => {
  const { id } = await aCampaign({
    name: 'Neues Dach für die Mühle',
    language: 'de',
    translations: { en: { name: 'New roof', description: 'It rains in.' } }
  })
  for (const [wrong, right] of [
    [`/en/donate/${id}`, `/en/donate/${id}-new-roof`],
    [`/en/donate/${id}-neues-dach-fuer-die-muehle`, `/en/donate/${id}-new-roof`],
    [`/de/spenden/${id}-anything`, `/de/spenden/${id}-neues-dach-fuer-die-muehle`]
  ] as const) {
    const { status, headers } = await visitor.get(wrong)
    assert.deepEqual([status, headers.location, headers['cache-control']], [301, right, 'no-cache'], wrong)
    assert.equal((await visitor.get(right)).status, 200)
  }
  const { text } = await visitor.get(`/en/donate/${id}-new-roof`)
  assert.match(text, /<h1>New roof<\/h1>/)
  assert.match(text, new RegExp(`hreflang="de" href="[^"]*/de/spenden/${id}-neues-dach-fuer-die-muehle"`))
})

test('a text in another language than the page has a lang attribute', async () => {
  const { id } = await aCampaign({ name: 'Neues Dach', description: 'Es regnet herein.', language: 'de' })
  const { text } = await visitor.get(`/en/donate/${id}-neues-dach`)
  assert.match(text, /<h1 lang="de">Neues Dach<\/h1>/)
  assert.match(text, /<div class="story prose" lang="de"><p>Es regnet herein\.<\/p>/)
  assert.doesNotMatch((await visitor.get(`/de/spenden/${id}-neues-dach`)).text, /<h1 lang/)
})

test('drafts, deleted and unknown campaigns are 404', async () => {
  const draft = await aCampaign({ status: 'draft' })
  const deleted = await aCampaign()
  await admin.delete(`/campaigns/${deleted.id}`)
  for (const part of [draft.id, deleted.id, 987_654, '0', 'roof', '7x', '99999999999999999999', '%3Cb%3E', '-1']) {
    const { status, text } = await visitor.get(`/en/donate/${part}`)
    assert.equal(status, 404, String(part))
    assert.match(text, /Page not found/)
  }
  assert.doesNotMatch((await visitor.get('/en/donate')).text, new RegExp(`/en/donate/(${draft.id}|${deleted.id})-`))
})

test('a campaign that accepts no donations shows the reason and no form', async () => {
  const table: [object, RegExp][] = [
    [{ status: 'closed' }, /This campaign is closed/],
    [{ endsAt: '2024-05-01T12:00:00Z' }, /This campaign ended on 1 May 2024/],
    [{ startsAt: '2100-03-01T12:00:00Z' }, /accepts donations from 1 March 2100\./]
  ]
  for (const [fields, sentence] of table) {
    const { id } = await aCampaign({ name: 'Roof', ...fields })
    const { status, text } = await visitor.get(`/en/donate/${id}-roof`)
    assert.equal(status, 200)
    assert.match(text, sentence)
    assert.doesNotMatch(text, /<form class="donate-form"|class="campaign-jump/)
  }
})

const toText = (html: string) =>
  html
    .replaceAll(/<\/?(?:p|div|li|h\d)\b[^>]*>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/ +/g, ' ')

test('received and pledged amounts are shown separately in bar, text and list, received ones first', async () => {
  const { id } = await aCampaign({ name: 'Apart', targetAmount: 1000 })
  const path = `/en/donate/${id}-apart`
  const empty = (await visitor.get(path)).text
  assert.match(empty, /bar-promised" width="0".*bar-received" width="0"/)
  assert.match(empty, /aria-valuenow="0" aria-valuetext="0%: €0 of €1,000 received"/)
  assert.match(empty, /<span class="progress-promised" hidden>/)
  await aDonation(id, { amount: 400, status: 'TRANSFERRED', donorName: 'Gave', showName: true })
  for (let count = 0; count < 6; count += 1) await aDonation(id, { amount: 150, donorName: 'Promised', showName: true })
  const { text } = await visitor.get(path)
  assert.match(text, /bar-promised" width="100".*bar-received" width="40"/)
  assert.match(toText(text), /€400 received, €900 pledged/)
  assert.match(toText(text), /40% of €1,000 received/)
  const list = text.slice(text.indexOf('campaign-recent'))
  assert.match(toText(list), /Received Gave€400 .*Pledged, not received yet Promised€150/s)
  assert.equal(list.match(/>Promised<\/strong>/g)?.length, 4, 'at most four pledges are listed')
  const german = await visitor.get(`/de/spenden/${id}-apart`)
  assert.match(toText(german.text), /400\u00a0€ eingegangen, 900\u00a0€ zugesagt/)
  assert.match(toText(german.text), /Zugesagt, noch nicht eingegangen/)
})

test('the list shows open campaigns first, then closed ones with their results', async () => {
  const running = await aCampaign({ name: 'Runs for a while', targetAmount: 12_000, endsAt: inHours(47) })
  await aDonation(running.id, { amount: 7340, status: 'TRANSFERRED' })
  await aDonation(running.id, { amount: 1100.5 })
  const over = await aCampaign({ name: 'Was a success' })
  await aDonation(over.id, { amount: 12_480, status: 'TRANSFERRED' })
  await aDonation(over.id, { amount: 20 })
  await admin.put(`/campaigns/${over.id}`, { ...campaign, name: 'Was a success', status: 'closed' })
  const { text } = await visitor.get('/en/donate')
  const findCard = (name: string) => text.split('<article').find(card => card.includes(name)) ?? ''
  assert.match(toText(findCard('Runs for a while')), /€7,340 received, €1,100\.50 pledged 61% of €12,000 received/)
  assert.match(findCard('Runs for a while'), /bar-promised" width="70.3".*bar-received" width="61.2"/)
  assert.match(findCard('Runs for a while'), /2 days left/)
  assert.match(findCard('Runs for a while'), /aria-valuetext="61%: €7,340 of €12,000 received, €1,100.50 pledged"/)
  assert.match(findCard('Was a success'), /Thank you: €12,480 received, €20 pledged/)
  assert.ok(text.indexOf('Runs for a while') < text.indexOf('What we achieved together'))
  assert.ok(text.indexOf('Was a success') > text.indexOf('What we achieved together'))
  const german = await visitor.get('/de/spenden')
  assert.match(german.text, /Danke: 12\.480\u00a0€ eingegangen, 20\u00a0€ zugesagt/)
  assert.match(german.text, /Noch 2 Tage/)
  assert.match(toText(german.text), /7\.340\u00a0€ eingegangen, 1\.100,50\u00a0€ zugesagt/)
})

test('HTML in names, descriptions, messages and form input is escaped', async () => {
  const { id } = await aCampaign({
    name: `Roof ${hostile}`,
    description: `${hostile}\n\n- ${hostile}\n\nSee https://example.org/"onclick=alert(3) and javascript:alert(4)`,
    account: { ...campaign.account, name: hostile },
    imageAlt: hostile,
    imageUrl: 'https://example.org/roof.jpg',
    language: 'en'
  })
  await aDonation(id, { donorName: hostile, showName: true, message: hostile })
  const { headers } = await visitor.get(`/en/donate/${id}`)
  for (const path of [headers.location ?? '', '/en/donate']) {
    const { status, text } = await visitor.get(path)
    assert.equal(status, 200)
    assert.match(text, /&lt;script>/)
    assert.doesNotMatch(text, /<script>alert|<img src=x|href="javascript:|<[^>]+\sonclick=/)
  }
  const sent = await visitor.send({
    method: 'POST',
    url: headers.location ?? '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      own: hostile,
      name: hostile,
      message: `</textarea>${hostile}`,
      key: hostile
    }).toString()
  })
  assert.equal(sent.status, 422)
  assert.doesNotMatch(sent.text, /<script>alert|<img src=x|<\/textarea>\s*&lt;script|<\/textarea><script/)
})

test('visitors see only the data that donors chose to publish', async () => {
  const { id } = await aCampaign({ name: 'Privacy' })
  const secret = {
    email: 'hidden@example.org',
    account: { iban: 'GB29NWBK60161331926819', name: 'Holder Hidden', nameOfBank: 'Hidden Bank' },
    address: { street: 'Hidden Street 1', postalCode: '99999', city: 'Hiddentown' },
    consent: { text: 'Hidden consent' }
  }
  await aDonation(id, { ...secret, donorName: 'Nora Hidden', showName: false, message: 'From a friend' })
  await aDonation(id, { ...secret, donorName: 'Vera Visible', showName: true })
  const { text } = await visitor.get(`/en/donate/${id}-privacy`)
  assert.match(text, /Vera Visible/)
  assert.match(text, /Anonymous/)
  assert.match(text, /From a friend/)
  assert.doesNotMatch(text, /Nora|hidden@|Holder Hidden|Hidden (Bank|Street|consent)|NWBK|Hiddentown/)
})

test('a campaign page loads nothing from other origins and sets no cookie', async () => {
  const { id } = await aCampaign({ name: 'Quiet' })
  const { text, headers } = await visitor.get(`/en/donate/${id}-quiet`)
  assert.equal(headers['set-cookie'], undefined)
  for (const [, address = ''] of text.matchAll(
    /<(?:script|img|iframe|link rel="(?:stylesheet|preload)")[^>]* (?:src|href)="([^"]*)"/g
  )) {
    assert.match(address, /^\/(?!\/)/)
  }
  assert.match(text, /href="mailto:\?subject=/)
})

test('the page has the data for a transfer without the form, with a QR code if the account allows one', async () => {
  const account = { ...campaign.account, name: 'Förderverein Mühle e. V.' }
  const { id, reference } = await aCampaign({ name: 'Neues Rad', language: 'de', account })
  const path = `/de/spenden/${id}-neues-rad`
  const details = /<details class="self-transfer">.*?<\/details>/s.exec((await visitor.get(path)).text)?.[0] ?? ''
  assert.match(details, /<summary>Lieber selbst überweisen\?<\/summary>/)
  assert.match(details, /<span id="transfer-payee">Förderverein Mühle e\. V\.<\/span>/)
  assert.ok(details.includes(`<span id="transfer-reference">${reference} Neues Rad</span>`))
  assert.match(details, /Banken prüfen den Namen/)
  assert.ok(
    details.includes(`<img src="/campaigns/${id}/qr.svg" alt="GiroCode für eine Überweisung an Förderverein Mühle`)
  )
  assert.equal((await visitor.get(`/campaigns/${id}/qr.svg`)).status, 200)

  const swiss = await aCampaign({ name: 'Rad', account: { ...account, iban: 'CH9300762011623852957' } })
  const swissPage = (await visitor.get(`/de/spenden/${swiss.id}-rad`)).text
  assert.match(swissPage, /self-transfer/)
  assert.doesNotMatch(swissPage, /qr\.svg/, 'without a BIC there is no QR code')

  const wrong = { ...campaign.account, iban: 'DE00370400440532013000' }
  for (const fields of [{ account: wrong }, { status: 'closed' }, { endsAt: inHours(-1) }]) {
    const other = await aCampaign({ name: 'Rad', ...fields })
    const { status, text } = await visitor.get(`/en/donate/${other.id}-rad`)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /self-transfer|qr\.svg/, JSON.stringify(fields))
  }
})
