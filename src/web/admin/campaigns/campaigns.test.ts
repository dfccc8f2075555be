import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { startAdmin } from '#test/support/admin-client.ts'
import { calendar, campaign, donation } from '#test/support/services.ts'

const { admin, visitor, signIn } = await startAdmin({ env: { TIMEZONE: 'Europe/Berlin' } })
const [anna, ed, greta, tess, vera] = [
  await signIn('admin'),
  await signIn('editor'),
  await signIn('editor', 'de'),
  await signIn('treasurer'),
  await signIn('viewer')
]

/** The fields of the form as a browser sends them. */
const form = {
  name: 'New roof',
  story: 'It rains in.\r\n\r\n- 85 euro a square metre',
  target: '8000',
  minimum: '5',
  presets: '20, 50, 100',
  holder: 'Music School',
  iban: 'DE89 3704 0044 0532 0130 00',
  bank: 'Example Bank',
  startDate: '',
  startTime: '',
  endDate: '',
  endTime: '',
  status: 'open',
  image: '',
  imageUrl: '',
  imageAlt: '',
  etag: ''
}
const readEtag = (html: string) => /name="etag" value="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? ''
const readId = (html: string) => Number(/action="\/admin\/campaigns\/(\d+)\?lang=/.exec(html)?.[1])
const read = async (id: number) => (await admin.get(`/campaigns/${id}`)).body

test('a campaign is created and translated, with amounts and times in the notation of each language', async () => {
  const created = await ed.sendAndFollow('/admin/campaigns/new?lang=en', {
    ...form,
    target: '1,250,000',
    presets: '100; 12.50; 50; 50',
    startDate: '2027-06-01',
    endDate: '2027-12-24',
    endTime: '18:00'
  })
  assert.match(created.text, /Campaign created\./)
  const id = readId(created.text)
  const first = await read(id)
  assert.equal(first.targetAmount, 1_250_000)
  assert.deepEqual(first.presetAmounts, [12.5, 50, 100])
  assert.equal(first.account.iban, 'DE89370400440532013000')
  assert.equal(Date.parse(first.startsAt), Date.parse('2027-05-31T22:00:00Z'), 'midnight in Berlin, in summer')
  assert.equal(Date.parse(first.endsAt), Date.parse('2027-12-24T17:00:00Z'), 'six in Berlin, in winter')
  assert.equal(first.description, 'It rains in.\n\n- 85 euro a square metre')

  const german = {
    ...form,
    name: 'Neues Dach',
    story: 'Es regnet herein.',
    target: '1.250.000',
    presets: '12,50; 50; 100',
    endDate: '2027-12-24',
    endTime: '18:00',
    etag: readEtag(created.text)
  }
  const translated = await greta.sendAndFollow(`/admin/campaigns/${id}?lang=de`, german)
  assert.match(translated.text, /Spendenaktion gespeichert\./)
  assert.match(translated.text, /name="presets"[^>]*value="12,50; 50; 100"|value="12,50; 50; 100"[^>]*name="presets"/)
  const both = await read(id)
  assert.equal(both.name, 'New roof')
  assert.equal(both.translations.de.name, 'Neues Dach')
  assert.equal(both.targetAmount, 1_250_000)
  assert.equal(both.startsAt, null, 'an empty date is stored as null')

  const emptied = { ...form, name: '', story: '', etag: readEtag(translated.text) }
  await ed.sendAndFollow(`/admin/campaigns/${id}?lang=en`, emptied)
  const left = await read(id)
  assert.deepEqual([left.language, left.name, left.translations], ['de', 'Neues Dach', {}])
})

test('a field that is emptied in the form of a campaign is empty after saving', async () => {
  const full = {
    ...{ description: 'It rains in.', presetAmounts: [20, 50], imageUrl: 'https://example.org/roof.jpg' },
    ...{ imageAlt: 'A roof', startsAt: '2026-01-01T00:00:00Z', endsAt: '2100-01-01T00:00:00Z', language: 'en' },
    account: { ...campaign.account, nameOfBank: 'Our bank' }
  }
  const { id } = (await admin.post('/campaigns', { ...campaign, ...full })).body
  const opened = await ed.get(`/admin/campaigns/${id}?lang=en`)
  const emptied = { ...form, story: '', minimum: '', presets: '', bank: '', etag: readEtag(opened.text) }
  const saved = await ed.sendAndFollow(`/admin/campaigns/${id}?lang=en`, emptied)
  assert.match(saved.text, /Campaign saved\./)
  const { description, donationMinimum, presetAmounts, imageUrl, imageAlt, startsAt, endsAt, account } = await read(id)
  assert.deepEqual(
    { description, donationMinimum, presetAmounts, imageUrl, imageAlt, startsAt, endsAt, bank: account.nameOfBank },
    {
      ...{ description: '', donationMinimum: 0, presetAmounts: [], imageUrl: null, imageAlt: '' },
      ...{ startsAt: null, endsAt: null, bank: 'Commerzbank' }
    }
  )
})

test('each invalid field of a campaign has an error at the field, and the input is kept', async () => {
  const { total } = { total: (await admin.get('/campaigns')).body.length }
  const refused = await ed.send('/admin/campaigns/new?lang=en', {
    ...form,
    name: '',
    story: '<b>bold</b>',
    target: '12.345',
    minimum: 'ten',
    presets: '20,50',
    holder: '',
    iban: 'DE89 3704 0044 0532 0130 01',
    startDate: '2027-06-02',
    endDate: '2027-06-01'
  })
  assert.equal(refused.status, 422)
  for (const name of ['name', 'target', 'minimum', 'presets', 'holder', 'iban', 'endDate']) {
    assert.match(refused.text, new RegExp(`id="field-${name}-error"`), name)
  }
  assert.match(refused.text, /“20,50” can be one amount or two\. Please write 20; 50 for two amounts, 20\.50 for one\./)
  assert.match(refused.text, /check digits are wrong/, 'the form refuses wrong check digits, which the API accepts')
  assert.match(refused.text, /&lt;b>bold&lt;\/b>/)
  assert.equal((await admin.get('/campaigns')).body.length, total)

  const small = await greta.send('/admin/campaigns/new?lang=de', { ...form, minimum: '12,50', presets: '5; 20' })
  assert.match(small.text, /unter dem Mindestbetrag von 12,50\s€/)
  const bad = await ed.send('/admin/campaigns/new?lang=en', {
    ...form,
    imageUrl: 'javascript:alert(1)',
    imageAlt: 'A roof'
  })
  assert.match(bad.text, /id="field-imageUrl-error"/)
  assert.doesNotMatch(bad.text, /src="javascript/)
})

test('a concurrent change of a campaign is a conflict that shows both versions; a donation in the meantime is no conflict', async () => {
  const { id } = (await admin.post('/campaigns', { ...campaign, language: 'en' })).body
  const opened = await ed.get(`/admin/campaigns/${id}?lang=en`)
  const mine = { ...form, name: campaign.name, story: '', presets: '', target: '9000', etag: readEtag(opened.text) }
  await visitor.post(`/campaigns/${id}/donations`, donation)
  const saved = await ed.sendAndFollow(`/admin/campaigns/${id}?lang=en`, mine)
  assert.match(saved.text, /Campaign saved\./)

  await admin.put(`/campaigns/${id}`, { ...campaign, language: 'en', targetAmount: 7000 })
  const conflict = await ed.send(`/admin/campaigns/${id}?lang=en`, { ...mine, etag: readEtag(saved.text) })
  assert.equal(conflict.status, 412)
  assert.match(conflict.text, /<form[^>]* id="editor-form"/, 'the button of the comparison sends this form')
  assert.match(conflict.text, /<th scope="row">Target<\/th><td>7000<\/td><td>9000<\/td>/)
  assert.doesNotMatch(conflict.text, /<th scope="row">IBAN<\/th>/)
  assert.equal((await read(id)).targetAmount, 7000)
  await ed.sendAndFollow(`/admin/campaigns/${id}?lang=en`, { ...mine, etag: readEtag(conflict.text) })
  assert.equal((await read(id)).targetAmount, 9000)
})

test('saving the form keeps the seconds of a date, the image and the other language, which it does not show', async () => {
  const german = { name: 'Dach', description: 'Es regnet.' }
  const kept = { startsAt: '2027-01-01T10:11:12.345Z', imageUrl: '/media/999/x/full/roof.jpg', imageAlt: 'A roof' }
  const { id } = (
    await admin.post('/campaigns', { ...campaign, language: 'en', ...kept, translations: { de: german } })
  ).body
  const opened = await ed.get(`/admin/campaigns/${id}?lang=en`)
  assert.match(opened.text, /value="11:11"/, 'in the zone of the site')
  await ed.sendAndFollow(`/admin/campaigns/${id}?lang=en`, {
    ...form,
    startDate: '2027-01-01',
    startTime: '11:11',
    image: '999',
    imageAlt: 'A roof',
    etag: readEtag(opened.text)
  })
  const after = await read(id)
  assert.deepEqual(
    [after.startsAt, after.imageUrl, after.imageAlt, after.translations.de],
    [kept.startsAt, kept.imageUrl, kept.imageAlt, german]
  )
})

test('editors can choose an uploaded image; treasurers see its URL and no upload field', async () => {
  const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#a5301b' } })
    .png()
    .toBuffer()
  const image = await admin.send({
    method: 'POST',
    url: `${calendar}/media?alt=Red%20roof`,
    headers: { 'content-type': 'image/png' },
    payload: bytes
  })
  const created = await ed.sendAndFollow('/admin/campaigns/new?lang=en', { ...form, image: String(image.body.id) })
  const { imageUrl, imageAlt, id } = await read(readId(created.text))
  assert.match(imageUrl, new RegExp(`^/media/${image.body.id}/`))
  assert.equal(imageAlt, 'Red roof')
  assert.match(created.text, new RegExp(`name="image" value="${image.body.id}" checked`))
  const treasurerPage = await tess.get(`/admin/campaigns/${id}`)
  assert.equal(treasurerPage.status, 200)
  assert.doesNotMatch(treasurerPage.text, /type="file"/)
  assert.ok(treasurerPage.text.includes(imageUrl))
  const withBoth = await ed.send('/admin/campaigns/new?lang=en', {
    ...form,
    image: '1',
    imageUrl: 'https://example.org/x.png'
  })
  assert.match(withBoth.text, /not both/)
})

test('an image is saved only with a description, or as decorative', async () => {
  const image = { ...form, imageUrl: 'https://example.org/roof.jpg' }
  const refused = await ed.send('/admin/campaigns/new?lang=en', image)
  assert.equal(refused.status, 422)
  assert.match(refused.text, /id="field-imageAlt-error">Please describe the image/)
  const created = await ed.sendAndFollow('/admin/campaigns/new?lang=en', { ...image, imageDecorative: 'yes' })
  const id = readId(created.text)
  assert.equal((await read(id)).imageAlt, '')
  assert.match(created.text, /name="imageDecorative"[^>]* checked|checked[^>]*name="imageDecorative"/)
  const described = { ...image, imageDecorative: 'yes', imageAlt: 'A roof', etag: readEtag(created.text) }
  await ed.sendAndFollow(`/admin/campaigns/${id}?lang=en`, described)
  assert.equal((await read(id)).imageAlt, 'A roof')
})

test('the form of a new campaign has the account of the organisation filled in', async () => {
  const account = { iban: 'DE02120300000000202051', name: 'Kulturverein e. V.', nameOfBank: 'DKB' }
  assert.equal((await admin.patch('/site', { account })).status, 200)
  const { text } = await tess.get('/admin/campaigns/new')
  assert.match(text, /value="DE02 1203 0000 0000 2020 51"/)
  assert.match(text, /value="Kulturverein e\. V\."/)
})

test('admins can restore a deleted campaign; for other roles the page says that an admin can', async () => {
  const zeppelin = (await admin.post('/campaigns', { ...campaign, name: 'Zeppelin <i>' })).body
  const deleted = await anna.sendAndFollow(`/admin/campaigns/${zeppelin.id}/delete`, { name: zeppelin.name })
  assert.match(deleted.text, new RegExp(`action="/admin/campaigns/${zeppelin.id}/restore"`))
  assert.doesNotMatch(deleted.text, /Zeppelin <i>/)
  assert.equal((await visitor.get(`/campaigns/${zeppelin.id}`)).status, 404)
  assert.match((await anna.get('/admin/campaigns?status=deleted')).text, /Zeppelin &lt;i>/)
  assert.match((await anna.sendAndFollow(`/admin/campaigns/${zeppelin.id}/restore`, {})).text, /was restored\./)
  assert.equal((await visitor.get(`/campaigns/${zeppelin.id}`)).status, 200)

  const editorPage = await ed.sendAndFollow(`/admin/campaigns/${zeppelin.id}/delete`, { name: zeppelin.name })
  assert.match(editorPage.text, /an admin can restore it/)
  assert.doesNotMatch(editorPage.text, /\/restore"/)
  assert.equal((await ed.send(`/admin/campaigns/${zeppelin.id}/restore`, {})).status, 403)
  assert.doesNotMatch((await ed.get('/admin/campaigns?status=deleted')).text, /Zeppelin/)
})

test('the list is filtered and sorted by its query string, and the CSV file has the same rows', async () => {
  const names = async (query: string) =>
    [...(await anna.get(`/admin/campaigns?search=Ballon&${query}`)).text.matchAll(/>(Ballon \w+)<\/a>/g)].map(
      ([, name]) => name
    )
  await admin.post('/campaigns', { ...campaign, name: 'Ballon Anton', targetAmount: 999_999_999.99 })
  const bert = (await admin.post('/campaigns', { ...campaign, name: 'Ballon Bert', status: 'draft' })).body
  const carl = (await admin.post('/campaigns', { ...campaign, name: 'Ballon Carl', endsAt: '2020-01-01T00:00:00Z' }))
    .body
  assert.ok(bert.id < carl.id)
  assert.deepEqual(await names('sort=name&order=asc'), ['Ballon Anton', 'Ballon Bert', 'Ballon Carl'])
  assert.deepEqual(await names(''), ['Ballon Carl', 'Ballon Bert', 'Ballon Anton'], 'the newest first')
  assert.deepEqual(await names('status=draft'), ['Ballon Bert'])
  assert.deepEqual(await names('status=ended'), ['Ballon Carl'])
  assert.deepEqual(await names('status=open&sort=__proto__&page=99999999999'), ['Ballon Anton'])
  assert.match((await anna.get('/admin/campaigns?search=nowhere')).text, /No campaigns match/)
  const csv = await anna.get('/admin/campaigns.csv?search=Ballon&sort=name&order=asc')
  assert.match(csv.headers['content-disposition'] ?? '', /campaigns-\d{4}-\d\d-\d\d\.csv/)
  assert.deepEqual(
    [...csv.text.matchAll(/Ballon (\w+)/g)].map(([, name]) => name),
    ['Anton', 'Bert', 'Carl']
  )
})

test('viewers see open campaigns and cannot change them', async () => {
  const { id } = (await admin.post('/campaigns', { ...campaign, name: 'Open to all' })).body
  await admin.post('/campaigns', { ...campaign, name: 'Still secret', status: 'draft' })
  const { text } = await vera.get('/admin/campaigns')
  assert.match(text, /Open to all/)
  assert.doesNotMatch(text, /Still secret|\/admin\/campaigns\/new/)
  assert.match((await vera.get(`/admin/campaigns/${id}`)).headers.location ?? '', /^\/en\/donate\//)
  assert.equal((await vera.send(`/admin/campaigns/${id}`, form)).status, 403)
  assert.equal((await vera.send(`/admin/campaigns/${id}/delete`, {})).status, 403)
  assert.equal((await anna.get('/admin/campaigns/999999')).status, 404)
})

test('saving fills in the bank, and the form shows the QR code of an open campaign, or why there is none', async () => {
  const created = await ed.sendAndFollow('/admin/campaigns/new?lang=en', { ...form, bank: '', status: 'draft' })
  const id = readId(created.text)
  assert.equal((await read(id)).account.nameOfBank, 'Commerzbank')
  assert.match(created.text, /The QR code is available once the campaign is open\./)
  assert.ok(!created.text.includes('/qr.svg'), 'a draft has no public QR code')

  const opened = await ed.sendAndFollow(`/admin/campaigns/${id}?lang=en`, { ...form, etag: readEtag(created.text) })
  const alt = 'QR code (GiroCode) for a transfer to “New roof”'
  assert.ok(opened.text.includes(`<img src="/campaigns/${id}/qr.svg" alt="${alt}"`))
  for (const kind of ['svg', 'png']) assert.ok(opened.text.includes(`href="/campaigns/${id}/qr.${kind}"`), kind)
  assert.ok(
    opened.text.includes(`Reference in the remittance text: <span class="reference">${(await read(id)).reference}<`)
  )
  const closed = { ...form, status: 'closed', etag: readEtag(opened.text) }
  const closedPage = await ed.sendAndFollow(`/admin/campaigns/${id}?lang=en`, closed)
  assert.match(closedPage.text, /No QR code: the campaign is closed\./)
})
