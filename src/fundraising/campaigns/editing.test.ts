// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, aCampaign } = await startCampaigns()

const buildCampaign = (name: string) => ({ ...campaign, name })
const readEtag = async (id: number) => (await admin.get(`/campaigns/${id}`)).headers.etag ?? ''

test('a campaign has the same ETag when it is created, read and replaced', async () => {
  const created = await admin.post('/campaigns', campaign)
  const path = `/campaigns/${created.body.id}`
  assert.match(created.headers.etag ?? '', /^"[^"]+"$/)
  assert.equal((await visitor.get(path)).headers.etag, created.headers.etag)
  const replaced = await admin.put(path, buildCampaign('Changed'))
  assert.notEqual(replaced.headers.etag, created.headers.etag)
  assert.equal((await visitor.get(path)).headers.etag, replaced.headers.etag)
})

test('a client with the current ETag gets 304 until the campaign changes', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}`
  const tag = await readEtag(id)
  for (const ifNoneMatch of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    const { status, text, headers } = await visitor.get(path, { 'if-none-match': ifNoneMatch })
    assert.equal(status, 304)
    assert.equal(text, '')
    assert.equal(headers.etag, tag)
  }
  await admin.put(path, buildCampaign('Changed'))
  const { status, body } = await visitor.get(path, { 'if-none-match': tag })
  assert.equal(status, 200)
  assert.equal(body.name, 'Changed')
})

test("a donation changes the ETag for readers and does not make an editor's If-Match stale", async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}`
  const tag = await readEtag(id)
  const donated = await visitor.post(`${path}/donations`, donation)
  const afterDonation = await readEtag(id)
  assert.notEqual(afterDonation, tag)
  assert.equal((await visitor.get(path, { 'if-none-match': tag })).status, 200)

  await admin.patch(`${path}/donations/${donated.body.id}`, { status: 'TRANSFERRED' })
  assert.notEqual(await readEtag(id), afterDonation)

  const edited = await admin.put(path, buildCampaign('Edited'), { 'if-match': tag })
  assert.equal(edited.status, 200)
  assert.equal(edited.body.amountDonatedSoFar, 25)
  assert.equal((await admin.put(path, buildCampaign('Too late'), { 'if-match': tag })).status, 412)
})

test('If-Match accepts the current ETag, a list that contains it, its weak form, and *', async () => {
  const { id } = await aCampaign()
  for (const ifMatch of [
    (tag: string) => tag,
    (tag: string) => `"77-0", ${tag}`,
    (tag: string) => `W/${tag}`,
    () => '*'
  ]) {
    const { status } = await admin.put(`/campaigns/${id}`, campaign, { 'if-match': ifMatch(await readEtag(id)) })
    assert.equal(status, 200)
  }
})

test('a stale or unknown ETag in If-Match is 412 and changes nothing', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}`
  const stale = await readEtag(id)
  await admin.put(path, buildCampaign('Second'))
  for (const ifMatch of [stale, '"0-0"', '"nonsense"', 'nonsense', '']) {
    for (const refused of [
      await admin.put(path, buildCampaign('Third'), { 'if-match': ifMatch }),
      await admin.delete(path, { 'if-match': ifMatch })
    ]) {
      assert.equal(refused.status, 412, ifMatch)
      assert.equal(refused.body.code, 'changed-meanwhile')
    }
  }
  assert.equal((await visitor.get(path)).body.name, 'Second')
})

test('a campaign can be deleted with If-Match', async () => {
  const { id } = await aCampaign()
  assert.equal((await admin.delete(`/campaigns/${id}`, { 'if-match': await readEtag(id) })).status, 204)
})

test('an unknown campaign is 404 with any If-Match', async () => {
  assert.equal((await admin.put('/campaigns/999999999', campaign, { 'if-match': '"1-0-0-0"' })).status, 404)
})

test('an ETag from before a deletion is stale after the campaign is restored', async () => {
  const { id } = await aCampaign()
  const tag = await readEtag(id)
  await admin.delete(`/campaigns/${id}`)
  await admin.post(`/campaigns/${id}/restore`)
  assert.equal((await admin.put(`/campaigns/${id}`, campaign, { 'if-match': tag })).status, 412)
})

test('of four concurrent edits with the same If-Match one succeeds and the others get 412', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await aCampaign()
    const tag = await readEtag(id)
    const names = ['One', 'Two', 'Three', 'Four']
    const responses = await Promise.all(
      names.map(async name => await admin.put(`/campaigns/${id}`, buildCampaign(name), { 'if-match': tag }))
    )
    assert.deepEqual(responses.map(response => response.status).sort(), [200, 412, 412, 412])
    const winner = responses.find(response => response.status === 200)
    assert.equal((await visitor.get(`/campaigns/${id}`)).body.name, winner?.body.name)
  }
})

test('concurrent edits without If-Match all succeed, each with its own ETag', async () => {
  const { id } = await aCampaign()
  const responses = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => await admin.put(`/campaigns/${id}`, buildCampaign(`Edit ${index}`)))
  )
  assert.ok(responses.every(response => response.status === 200))
  assert.equal(new Set(responses.map(response => response.headers.etag)).size, 10)
})

test('an admin can use the ETag of a visitor in If-Match', async () => {
  const { id } = await aCampaign()
  const read = await visitor.get(`/campaigns/${id}`)
  assert.equal((await admin.put(`/campaigns/${id}`, campaign, { 'if-match': read.headers.etag ?? '' })).status, 200)
})

test('a campaign is created once per Idempotency-Key, and a repeated request gets the first response', async () => {
  const key = { 'idempotency-key': 'campaign-once' }
  const first = await admin.post('/campaigns', buildCampaign('Once'), key)
  const again = await admin.post('/campaigns/', buildCampaign('Once'), key)
  assert.equal(first.headers['idempotent-replayed'], undefined)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal(again.status, 201)
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.location, first.headers.location)
  assert.equal(again.headers.etag, first.headers.etag)
  assert.equal((await admin.post('/campaigns', buildCampaign('Other'), key)).status, 422)
  const all = (await visitor.get('/campaigns')).body as { name: string }[]
  assert.equal(all.filter(one => one.name === 'Once').length, 1)
})
