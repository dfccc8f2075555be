import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { startAdmin } from '#test/support/admin-client.ts'
import { calendar, campaign } from '#test/support/services.ts'

const { admin, signIn } = await startAdmin({ env: { TIMEZONE: 'Europe/Berlin' } })
const [ed, greta, tess, vera] = [
  await signIn('editor'),
  await signIn('editor', 'de'),
  await signIn('treasurer'),
  await signIn('viewer')
]

async function aCampaign(fields: object = {}) {
  const { body } = await admin.post('/campaigns', { ...campaign, name: 'New roof', ...fields })
  return { id: body.id as number, path: `/admin/campaigns/${body.id}/story` }
}
const readStory = async (id: number) => (await admin.get(`/campaigns/${id}/story`)).body
const readEtag = (html: string) => /name="etag" value="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? ''

const row = (list: string, index: number, fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [`${list}[${index}][${field}]`, value]))
const item = (index: number, title_en: string, amount: string, more: Record<string, string> = {}) =>
  row('items', index, { title_en, title_de: '', amount, quantity: '1', text_en: '', text_de: '', ...more })
const filled = {
  text_en: '<p>It rains in.</p>',
  text_de: '',
  ...row('pictures', 0, { url: '/a.jpg', alt_en: 'A roof', caption_de: 'Nach dem Sturm' }),
  ...item(0, 'Tiles', '12.50', { quantity: '40' }),
  ...item(1, 'Scaffold', '1,200'),
  ...item(2, '', ''),
  ...row('milestones', 0, { title_en: 'Half', title_de: 'Halb', amount: '4000' })
}
const readTitles = (html: string) =>
  [...html.matchAll(/<input[^>]*name="items\[\d\]\[title_en\]"[^>]*>/g)].map(
    ([tag]) => /value="([^"]*)"/.exec(tag)?.[1] ?? ''
  )

test('a story is saved with pictures, items and milestones, and rows without content are left out', async () => {
  const { id, path } = await aCampaign()
  const page = await ed.get(path)
  assert.equal(page.status, 200)
  const saved = await ed.sendAndFollow(path, { ...filled, etag: readEtag(page.text) })
  assert.match(saved.text, /Story saved\./)
  const { text, pictures, items, milestones } = await readStory(id)
  assert.deepEqual(text, { en: '<p>It rains in.</p>' })
  assert.deepEqual(pictures, [
    { url: '/a.jpg', alt: { en: 'A roof' }, isDecorative: false, caption: { de: 'Nach dem Sturm' } }
  ])
  assert.deepEqual(
    items.map(({ title, amount, quantity }: Record<string, unknown>) => [title, amount, quantity]),
    [
      [{ en: 'Tiles' }, 12.5, 40],
      [{ en: 'Scaffold' }, 1200, 1]
    ]
  )
  assert.deepEqual(milestones[0].title, { en: 'Half', de: 'Halb' })
  assert.match((await greta.get(path)).text, /value="12,50"/)
})

test('rows are moved and removed by buttons, without saving', async () => {
  const { id, path } = await aCampaign()
  const down = await ed.send(path, { ...filled, do: 'items-down-0' })
  assert.equal(down.status, 200)
  assert.deepEqual(readTitles(down.text), ['Scaffold', 'Tiles'])
  assert.match(down.text, /Changed, but not saved yet\./)
  assert.deepEqual(readTitles((await ed.send(path, { ...filled, do: 'items-up-1' })).text), ['Scaffold', 'Tiles'])
  assert.deepEqual(readTitles((await ed.send(path, { ...filled, do: 'items-remove-0' })).text), ['Scaffold'])
  assert.deepEqual(readTitles((await ed.send(path, { ...filled, do: 'items-up-9' })).text), ['Tiles', 'Scaffold'])
  assert.deepEqual(readTitles((await ed.send(path, { ...filled, do: 'items-add' })).text), ['Tiles', 'Scaffold', ''])
  assert.equal((await readStory(id)).updatedAt, null)
})

test('a picture of the library or a URL is added, and saved only with a description or as decorative', async () => {
  const { id, path } = await aCampaign()
  const payload = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#742' } })
    .png()
    .toBuffer()
  const image = await admin.send({
    ...{ method: 'POST', url: `${calendar}/media`, payload },
    headers: { 'content-type': 'image/png' }
  })
  const added = await ed.send(path, { 'add[]': String(image.body.id), pictureUrl: '/b.jpg', do: 'pictures-add' })
  const urls = [...added.text.matchAll(/name="pictures\[\d\]\[url\]" value="([^"]*)"/g)].map(([, url]) => url ?? '')
  assert.match(urls[0] ?? '', new RegExp(`^/media/${image.body.id}/`))
  assert.deepEqual([urls.length, urls[1]], [2, '/b.jpg'])

  const both = { ...row('pictures', 0, { url: urls[0] ?? '' }), ...row('pictures', 1, { url: '/b.jpg', alt_de: 'B' }) }
  const refused = await ed.send(path, both)
  assert.equal(refused.status, 422)
  assert.match(refused.text, /href="#field-pictures-0-alt-en-">Please describe the picture/)
  await ed.sendAndFollow(path, { ...both, 'pictures[0][decorative]': 'yes' })
  const { pictures } = await readStory(id)
  assert.deepEqual(
    pictures.map((picture: { isDecorative: boolean }) => picture.isDecorative),
    [true, false]
  )
})

test('each invalid field has an error at the field, and the input is kept', async () => {
  const { id, path } = await aCampaign()
  const wrong = { ...item(0, '', '12'), ...item(1, 'Tiles', 'much'), ...item(2, 'Nails', '3', { quantity: '0' }) }
  const { status, text } = await ed.send(path, { ...wrong, text_en: '<p>Kept</p>' })
  assert.equal(status, 422)
  for (const [field, message] of [
    ['items-0-title-en-', 'Please enter a title'],
    ['items-1-amount-', '“much” is not an amount'],
    ['items-2-quantity-', 'Please enter a whole number']
  ]) {
    assert.match(text, new RegExp(`id="field-${field}-error">${message}`))
  }
  assert.match(text, /&lt;p>Kept&lt;\/p>/)
  assert.equal((await readStory(id)).updatedAt, null)
})

test('an error of the API is shown at its field', async () => {
  const { path } = await aCampaign()
  const wrong = row('pictures', 0, { url: 'javascript:x', alt_en: 'x' })
  const { status, text } = await ed.send(path, wrong)
  assert.equal(status, 422)
  assert.match(text, /href="#field-pictures-0-url-">/)
  for (const shown of [text, (await ed.send(`${path}/preview`, wrong)).text]) {
    assert.doesNotMatch(shown, /src="javascript/)
  }
})

test('saving an outdated version of a story is refused with 412 and shows the saved one', async () => {
  const { id, path } = await aCampaign()
  const etag = readEtag((await ed.get(path)).text)
  await ed.sendAndFollow(path, { ...filled, etag })
  const late = await greta.send(path, { text_de: '<p>Es regnet.</p>', etag })
  assert.equal(late.status, 412)
  assert.match(late.text, /Tiles/)
  await greta.sendAndFollow(path, { text_de: '<p>Es regnet.</p>', etag: readEtag(late.text) })
  assert.deepEqual((await readStory(id)).text, { de: '<p>Es regnet.</p>' })
})

test('the preview shows the unsaved input, sanitized, and saves nothing', async () => {
  const { id, path } = await aCampaign({ status: 'draft' })
  const { status, text } = await ed.send(`${path}/preview`, {
    ...filled,
    text_en: '<p>Rain<script>alert(1)</script></p>'
  })
  assert.equal(status, 200)
  assert.match(text, /<p>Rain<\/p>/)
  assert.doesNotMatch(text, /alert\(1\)/)
  assert.match(text, /€12\.50 each/)
  assert.match(text, /€4,000 to go/)
  assert.equal((await readStory(id)).updatedAt, null)
})

test('treasurers add and delete offline amounts; other roles get 403', async () => {
  const { id } = await aCampaign()
  const path = `/admin/campaigns/${id}/offline-amounts`
  assert.deepEqual([(await ed.get(path)).status, (await vera.get(path)).status], [403, 403])
  const wrong = await tess.send(path, { label_en: '', label_de: '', amount: '0', day: '2026-05-03' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /Please enter where the money comes from\./)
  assert.match(wrong.text, /The amount must be more than 0\./)
  const future = await tess.send(path, { label_en: 'Box', label_de: '', amount: '5', day: '2199-05-03' })
  assert.match(future.text, /id="field-day-error"/)
  const added = await tess.sendAndFollow(path, {
    label_en: 'Cash box',
    label_de: '',
    amount: '412.40',
    day: '2026-05-03'
  })
  assert.match(added.text, /Offline amount added\./)
  assert.match(added.text, /Collected offline: €412\.40/)
  const offlineAmount = /name="offlineAmount" value="([^"]*)"/.exec(added.text)?.[1] ?? ''
  const deleted = await tess.sendAndFollow(`${path}/delete`, { offlineAmount })
  assert.match(deleted.text, /No offline amounts\./)
  assert.equal((await admin.get(`/campaigns/${id}`)).body.amountOffline, 0)
})

test('the page of a campaign links to its story, and for treasurers to the offline amounts', async () => {
  const { id } = await aCampaign()
  const [editor, treasurer] = [await ed.get(`/admin/campaigns/${id}`), await tess.get(`/admin/campaigns/${id}`)]
  assert.match(editor.text, new RegExp(`href="/admin/campaigns/${id}/story"`))
  assert.doesNotMatch(editor.text, /offline-amounts/)
  assert.match(treasurer.text, new RegExp(`href="/admin/campaigns/${id}/offline-amounts"`))
  assert.equal((await vera.get(`/admin/campaigns/${id}/story`)).status, 403)
})
