import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign, aDonation } = await startCampaigns({
  env: { PUBLIC_URL: 'https://give.example.org' }
})
const [editor, viewer] = [await withRole('editor'), await withRole('viewer')]

const picture = { url: '/media/1/a/large/roof.jpg', alt: { en: 'The old roof' }, caption: { de: 'Nach dem Sturm' } }
const items = [
  { title: { en: 'Tiles', de: 'Ziegel' }, amount: 30, quantity: 10, text: { en: 'By hand' } },
  { title: { en: 'Scaffold' }, amount: 500 }
]

test('the story of a campaign is empty until it is written, and writing it does not change the description', async () => {
  const { id } = await aCampaign({ description: 'A < B\n\nplain' })
  const { body, headers } = await visitor.get(`/campaigns/${id}/story`)
  assert.deepEqual(body, { campaignId: id, text: {}, pictures: [], items: [], milestones: [], updatedAt: null })
  const written = await editor.patch(
    `/campaigns/${id}/story`,
    { text: { en: '<h2>Rain</h2><p>Buckets<script>alert(1)</script></p>' }, pictures: [picture], items },
    { 'if-match': String(headers.etag) }
  )
  assert.equal(written.status, 200, written.text)
  assert.equal(written.body.text.en, '<h2>Rain</h2>\n<p>Buckets</p>')
  assert.deepEqual(written.body.pictures, [{ ...picture, isDecorative: false }])
  assert.equal((await visitor.get(`/campaigns/${id}`)).body.description, 'A < B\n\nplain')
  assert.deepEqual((await visitor.get(`/campaigns/${id}/story`)).body, written.body)
})

test('PATCH changes only the members it contains: one language of the text, or a whole list', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/story`
  await editor.patch(path, { text: { en: '<p>Rain</p>', de: '<p>Regen</p>' }, items, pictures: [picture] })
  const { body } = await editor.patch(path, { text: { de: null }, items: [items[1]] })
  assert.deepEqual(body.text, { en: '<p>Rain</p>' })
  assert.deepEqual(
    body.items.map(({ title }: { title: object }) => title),
    [{ en: 'Scaffold' }]
  )
  assert.equal(body.pictures.length, 1)
  // Sending back the story as it was read changes nothing.
  assert.deepEqual((await editor.patch(path, body)).body, {
    ...body,
    updatedAt: (await visitor.get(path)).body.updatedAt
  })
  const cleared = await editor.patch(path, { text: null, items: null, pictures: null, milestones: null })
  assert.deepEqual([cleared.body.text, cleared.body.items, cleared.body.pictures], [{}, [], []])
})

test('received money covers the items in their order, and pledges cover nothing', async () => {
  const { id } = await aCampaign()
  await editor.patch(`/campaigns/${id}/story`, { items })
  const readCoveredAmounts = async () => {
    const { body } = await visitor.get(`/campaigns/${id}/story`)
    return body.items.map(({ amountCovered }: { amountCovered: number }) => amountCovered)
  }
  await aDonation(id, { amount: 320.5 })
  assert.deepEqual(await readCoveredAmounts(), [0, 0])
  await aDonation(id, { amount: 320.5, status: 'TRANSFERRED' })
  assert.deepEqual(await readCoveredAmounts(), [300, 20.5])
  await aDonation(id, { amount: 4000, status: 'TRANSFERRED' })
  assert.deepEqual(await readCoveredAmounts(), [300, 500])
})

test('milestones are listed by amount, with the day on which payments and offline amounts reached them', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/story`
  const milestones = [
    { title: { de: 'Dicht' }, amount: 200 },
    { title: { en: 'Scaffold' }, amount: '99.99' },
    { title: { en: 'Far' }, amount: 1000 }
  ]
  await editor.patch(path, { milestones })
  const paid = { status: 'TRANSFERRED' }
  const last = await aDonation(id, { ...paid, amount: 150, receivedOn: '2026-03-05' })
  await aDonation(id, { ...paid, amount: 60, receivedOn: '2026-02-01' })
  const cashBox = { amount: 40, receivedOn: '2026-02-03', label: { en: 'Cash box' } }
  assert.equal((await admin.post(`/campaigns/${id}/offline-amounts`, cashBox)).status, 201)
  const { body } = await visitor.get(path)
  assert.deepEqual(body.milestones, [
    { title: { en: 'Scaffold' }, amount: 99.99, isReached: true, reachedOn: '2026-02-03' },
    { title: { de: 'Dicht' }, amount: 200, isReached: true, reachedOn: '2026-03-05' },
    { title: { en: 'Far' }, amount: 1000, isReached: false, reachedOn: null }
  ])
  // After a refund a milestone may be no longer reached.
  await admin.post(`/campaigns/${id}/donations/${last.id}/payments`, { amount: -100, receivedOn: '2026-03-06' })
  const after = (await visitor.get(path)).body.milestones
  assert.deepEqual(
    after.map(({ isReached, reachedOn }: { isReached: boolean; reachedOn: string }) => [isReached, reachedOn]),
    [
      [true, '2026-02-03'],
      [false, null],
      [false, null]
    ]
  )
})

test('a picture needs an alternative text or is marked as decorative', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/story`
  const refused = await editor.patch(path, { pictures: [picture, { url: '/x.jpg', alt: { en: ' ' } }] })
  assert.equal(refused.status, 400)
  assert.deepEqual(
    refused.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
    [['/pictures/1/alt', 'alt-missing']]
  )
  assert.deepEqual((await visitor.get(path)).body.pictures, [])
  const { body } = await editor.patch(path, { pictures: [{ ...picture, isDecorative: true }] })
  assert.deepEqual(body.pictures, [{ ...picture, alt: {}, isDecorative: true }])
})

test('titles are required in at least one language, and errors name the field', async () => {
  const { id } = await aCampaign()
  const refusals: [body: object, pointer: string, code: string][] = [
    [{ items: [items[0], { title: {}, amount: 1 }] }, '/items/1/title', 'text-missing'],
    [{ milestones: [{ title: { en: '' }, amount: 1 }] }, '/milestones/0/title', 'text-missing'],
    [{ items: [{ title: { en: 'x' }, amount: 0 }] }, '/items/0/amount', 'too-small'],
    [{ items: [{ title: { en: 'x' }, amount: 1, quantity: 0 }] }, '/items/0/quantity', 'too-small'],
    [{ pictures: [{ url: 'javascript:alert(1)', isDecorative: true }] }, '/pictures/0/url', 'web-address'],
    [{ text: { de: '<b>'.repeat(5000) } }, '/text/de', 'too-much-markup']
  ]
  for (const [body, pointer, code] of refusals) {
    const refused = await editor.patch(`/campaigns/${id}/story`, body)
    assert.equal(refused.status, 400, refused.text)
    assert.deepEqual([refused.body.errors[0].pointer, refused.body.errors[0].code], [pointer, code])
  }
  assert.equal((await visitor.get(`/campaigns/${id}/story`)).body.updatedAt, null)
})

test('the story of a draft is hidden from visitors and viewers, and they cannot write it', async () => {
  const { id } = await aCampaign({ status: 'draft' })
  const path = `/campaigns/${id}/story`
  assert.deepEqual(
    [(await visitor.get(path)).status, (await viewer.get(path)).status, (await editor.get(path)).status],
    [404, 404, 200]
  )
  assert.deepEqual([(await visitor.patch(path, {})).status, (await viewer.patch(path, {})).status], [401, 403])
  assert.equal((await editor.patch('/campaigns/999999/story', {})).status, 404)
})

test('a second edit with the same If-Match is 412, and a donation does not make If-Match stale', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}/story`
  const { headers } = await editor.get(path)
  const first = { 'if-match': String(headers.etag) }
  await aDonation(id, { status: 'TRANSFERRED' })
  assert.equal((await editor.patch(path, { items }, first)).status, 200)
  assert.equal((await editor.patch(path, { items: [] }, first)).status, 412)
  assert.equal((await visitor.get(path)).body.items.length, 2)
})

test('the activity log names the changed members of a story', async () => {
  const { id } = await aCampaign()
  await editor.patch(`/campaigns/${id}/story`, { items, text: { en: 'x' } })
  const [entry] = (await admin.get('/activity?action=campaign.story_updated&limit=1')).body
  assert.deepEqual([entry.subjectId, entry.details], [String(id), { changed: ['items', 'text'] }])
})
