import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { calendar, campaign, donation, startSite } from '#test/support/services.ts'

const { visitor, admin, server } = await startSite()

async function createWithStory(story: object, fields: object = {}) {
  const { body } = await admin.post('/campaigns', { ...campaign, name: 'Roof', ...fields })
  const written = await admin.patch(`/campaigns/${body.id}/story`, story)
  assert.equal(written.status, 200, written.text)
  return { id: body.id as number, en: `/en/donate/${body.id}-roof`, de: `/de/spenden/${body.id}-roof` }
}
const openPage = async (path: string) => (await visitor.get(path)).text

test('a story replaces the description on the page of the campaign, not on cards', async () => {
  const { id, en, de } = await createWithStory(
    { text: { en: '<h2>Rain</h2><p>Buckets <strong>everywhere</strong></p>' } },
    { description: 'It rains in.' }
  )
  const page = await openPage(en)
  assert.match(page, /<h2>Rain<\/h2>\s*<p>Buckets <strong>everywhere<\/strong><\/p>/)
  assert.doesNotMatch(page, /<p>It rains in\./)
  assert.match(page, /<meta name="description" content="It rains in\."/)
  assert.match(await openPage(de), /<div class="prose story" lang="en">/)
  assert.match(await openPage('/en/donate'), /It rains in\./)
  await admin.patch(`/campaigns/${id}/story`, { text: null })
  assert.match(await openPage(en), /<p>It rains in\./)
})

test('pictures have their texts in the language of the page, and decorative ones no text and no link', async () => {
  const { en, de } = await createWithStory({
    pictures: [
      { url: '/a.jpg', alt: { en: 'Old "roof"', de: 'Altes Dach' }, caption: { en: 'After the storm' } },
      { url: '/b.jpg', isDecorative: true }
    ]
  })
  const [english, german] = [await openPage(en), await openPage(de)]
  assert.match(english, /<a href="\/a\.jpg"><img src="\/a\.jpg" alt="Old &quot;roof&quot;" loading="lazy"/)
  assert.match(english, /<figure><img src="\/b\.jpg" alt(?:="")? loading="lazy"/)
  assert.match(german, /alt="Altes Dach"/)
  assert.match(german, /<figcaption lang="en" dir="auto">After the storm<\/figcaption>/)
})

test('uploads of a campaign have all their sizes and reserve their space, on its page and on cards', async () => {
  const create = { width: 1200, height: 800, channels: 3, background: '#3366cc' } as const
  const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="Roof.png"' }
  const payload = await sharp({ create }).png().toBuffer()
  const { body: image } = await admin.send({ method: 'POST', url: `${calendar}/media`, payload, headers })
  const url = new URL(image.sizes.large.url).pathname
  const { en } = await createWithStory(
    { pictures: [{ url, alt: { en: 'Tiles' } }] },
    { imageUrl: url, imageAlt: 'The roof', endsAt: '2099-01-01T00:00:00Z' }
  )
  const at = (size: string) => url.replace('/large/', `/${size}/`)
  const srcset = `${at('medium')} 300w, ${at('medium_large')} 768w, ${url} 1024w, ${at('full')} 1200w`
  const tags = async (path: string) => (await openPage(path)).match(/<img[^>]*\/large\/[^>]*>/g) ?? []
  const [cover = '', picture = ''] = await tags(en)
  const [card = ''] = await tags('/en/donate')
  for (const tag of [cover, picture, card]) {
    assert.ok(tag.includes(`src="${url}" srcset="${srcset}" sizes="`), tag)
    assert.match(tag, /width="1200" height="800"/)
  }
  assert.match(cover, /alt="The roof" fetchpriority="high"/)
  assert.match(picture, /alt="Tiles" loading="lazy"/)

  await admin.delete(`${calendar}/media/${image.id}`)
  const [kept = ''] = await tags(en)
  assert.equal(kept, `<img class="campaign-image" src="${url}" alt="The roof" fetchpriority="high"/>`)
})

test('items show how much is covered, and their amounts are options of the form', async () => {
  const items = [
    { title: { en: 'A music lesson', de: 'Eine Musikstunde' }, amount: 30, quantity: 40 },
    { title: { en: 'A roof' }, amount: 12_000 },
    { title: { en: 'A string' }, amount: 12.5 }
  ]
  const { id, en, de } = await createWithStory({ items })
  await admin.post(`/campaigns/${id}/donations`, { ...donation, amount: 100, status: 'TRANSFERRED' })
  const page = await openPage(en)
  assert.match(page, /A music lesson<\/strong><span class="figure">€30 each/)
  assert.match(page, /3 of 40 covered/)
  assert.match(page, /€0 of €12,000/)
  const offered = [...page.matchAll(/name="amount" value="([\d.]+)"/g)].map(([, value]) => value)
  assert.deepEqual(offered, ['12.5', '30'])
  assert.match(await openPage(de), /class="donate-label" dir="auto">Eine Musikstunde</)

  const form = { amount: '30', name: 'Ada', key: crypto.randomUUID(), started: '1', payment: 'transfer' }
  const sent = await server.app.inject({
    ...{ method: 'POST', url: en, payload: new URLSearchParams(form).toString() },
    headers: { 'content-type': 'application/x-www-form-urlencoded' }
  })
  assert.equal(sent.statusCode, 303)
})

test('amounts of the campaign take precedence over those of items', async () => {
  const { en } = await createWithStory(
    { items: [{ title: { en: 'A lesson' }, amount: 30 }] },
    { presetAmounts: [7, 70] }
  )
  const page = await openPage(en)
  assert.deepEqual(
    [...page.matchAll(/name="amount" value="(\d+)"/g)].map(([, value]) => value),
    ['7', '70']
  )
})

test('milestones show when they were reached, or the missing amount', async () => {
  const { id, en, de } = await createWithStory({
    milestones: [
      { title: { en: 'Scaffold' }, amount: 50 },
      { title: { en: 'Tiles' }, amount: 200 }
    ]
  })
  const paid = { ...donation, amount: 60, status: 'TRANSFERRED', receivedOn: '2026-03-05' }
  await admin.post(`/campaigns/${id}/donations`, paid)
  assert.match(await openPage(en), /Scaffold<\/span><p[^>]*>Reached on 5 March 2026/)
  assert.match(await openPage(en), /Tiles<\/span><p[^>]*>€140 to go/)
  assert.match(await openPage(de), /Erreicht am 5\. März 2026/)
})

test('offline amounts are part of the progress, and listed separately', async () => {
  const { id, en, de } = await createWithStory({})
  await admin.post(`/campaigns/${id}/donations`, { ...donation, amount: 100, status: 'TRANSFERRED' })
  assert.doesNotMatch(await openPage(en), /offline/)
  const offlineAmount = { amount: 700, receivedOn: '2026-05-03', label: { en: 'Cash <box>' } }
  assert.equal((await admin.post(`/campaigns/${id}/offline-amounts`, offlineAmount)).status, 201)
  const page = await openPage(en)
  assert.match(page, /<strong>€800<\/strong>/)
  assert.match(page, /10% of €8,000 received/)
  assert.match(page, /of which €700 collected offline/)
  assert.match(page, /Cash &lt;box><\/span>, 3 May 2026: <span class="figure">€700/)
  assert.match(await openPage(de), /davon 700\s€ offline gesammelt/)
})
