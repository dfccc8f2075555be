// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, aCampaign } = await startCampaigns()

const named = (name: string) => ({ ...campaign, name })
const tagOf = async (id: number) => (await admin.get(`/campaigns/${id}`)).headers.etag ?? ''

test('a campaign has the same ETag when it is created, read and replaced', async () => {
  const created = await admin.post('/campaigns', campaign)
  const path = `/campaigns/${created.body.id}`
  assert.match(created.headers.etag ?? '', /^"[^"]+"$/)
  assert.equal((await visitor.get(path)).headers.etag, created.headers.etag)
  const replaced = await admin.put(path, named('Changed'))
  assert.notEqual(replaced.headers.etag, created.headers.etag)
  assert.equal((await visitor.get(path)).headers.etag, replaced.headers.etag)
})

test('a reader who has the campaign gets 304 until it changes', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}`
  const tag = await tagOf(id)
  for (const wanted of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    const { status, text, headers } = await visitor.get(path, { 'if-none-match': wanted })
    assert.equal(status, 304)
    assert.equal(text, '')
    assert.equal(headers.etag, tag)
  }
  await admin.put(path, named('Changed'))
  const { status, body } = await visitor.get(path, { 'if-none-match': tag })
  assert.equal(status, 200)
  assert.equal(body.name, 'Changed')
})

test("a donation changes the ETag for readers and does not make an editor's If-Match stale", async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}`
  const tag = await tagOf(id)
  const given = await visitor.post(`${path}/donations`, donation)
  const afterDonation = await tagOf(id)
  assert.notEqual(afterDonation, tag)
  assert.equal((await visitor.get(path, { 'if-none-match': tag })).status, 200)

  await admin.patch(`${path}/donations/${given.body.id}`, { status: 'TRANSFERRED' })
  assert.notEqual(await tagOf(id), afterDonation)

  const edited = await admin.put(path, named('Edited'), { 'if-match': tag })
  assert.equal(edited.status, 200)
  assert.equal(edited.body.amountDonatedSoFar, 25)
  assert.equal((await admin.put(path, named('Too late'), { 'if-match': tag })).status, 412)
})

test('If-Match takes the tag read, one of several, a weak one or *', async () => {
  const { id } = await aCampaign()
  for (const match of [
    (tag: string) => tag,
    (tag: string) => `"77-0", ${tag}`,
    (tag: string) => `W/${tag}`,
    () => '*'
  ]) {
    const { status } = await admin.put(`/campaigns/${id}`, campaign, { 'if-match': match(await tagOf(id)) })
    assert.equal(status, 200)
  }
})

test('a stale or foreign If-Match is 412 and changes nothing', async () => {
  const { id } = await aCampaign()
  const path = `/campaigns/${id}`
  const stale = await tagOf(id)
  await admin.put(path, named('Second'))
  for (const match of [stale, '"0-0"', '"nonsense"', 'nonsense', '']) {
    for (const refused of [
      await admin.put(path, named('Third'), { 'if-match': match }),
      await admin.delete(path, { 'if-match': match })
    ]) {
      assert.equal(refused.status, 412, match)
      assert.equal(refused.body.code, 'changed-meanwhile')
    }
  }
  assert.equal((await visitor.get(path)).body.name, 'Second')
})

test('a deletion can be made conditional', async () => {
  const { id } = await aCampaign()
  assert.equal((await admin.delete(`/campaigns/${id}`, { 'if-match': await tagOf(id) })).status, 204)
})

test('an unknown campaign is 404, whatever If-Match says', async () => {
  assert.equal((await admin.put('/campaigns/999999999', campaign, { 'if-match': '"1-0-0-0"' })).status, 404)
})

test('a tag from before a deletion is stale after the restoration', async () => {
  const { id } = await aCampaign()
  const tag = await tagOf(id)
  await admin.delete(`/campaigns/${id}`)
  await admin.post(`/campaigns/${id}/restore`)
  assert.equal((await admin.put(`/campaigns/${id}`, campaign, { 'if-match': tag })).status, 412)
})

test('of two editors with the same If-Match one wins and the other hears of it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await aCampaign()
    const tag = await tagOf(id)
    const names = ['One', 'Two', 'Three', 'Four']
    const answers = await Promise.all(
      names.map(async name => await admin.put(`/campaigns/${id}`, named(name), { 'if-match': tag }))
    )
    assert.deepEqual(answers.map(answer => answer.status).sort(), [200, 412, 412, 412])
    const winner = answers.find(answer => answer.status === 200)
    assert.equal((await visitor.get(`/campaigns/${id}`)).body.name, winner?.body.name)
  }
})

test('without If-Match edits follow each other and none fails', async () => {
  const { id } = await aCampaign()
  const answers = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => await admin.put(`/campaigns/${id}`, named(`Edit ${index}`)))
  )
  assert.ok(answers.every(answer => answer.status === 200))
  assert.equal(new Set(answers.map(answer => answer.headers.etag)).size, 10)
})

test('the tags of different readers of a campaign name the same version', async () => {
  const { id } = await aCampaign()
  const read = await visitor.get(`/campaigns/${id}`)
  assert.equal((await admin.put(`/campaigns/${id}`, campaign, { 'if-match': read.headers.etag ?? '' })).status, 200)
})

test('a campaign is created once for an Idempotency-Key, and the first answer comes again', async () => {
  const key = { 'idempotency-key': 'campaign-once' }
  const first = await admin.post('/campaigns', named('Once'), key)
  const again = await admin.post('/campaigns/', named('Once'), key)
  assert.equal(first.headers['idempotent-replayed'], undefined)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal(again.status, 201)
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.location, first.headers.location)
  assert.equal(again.headers.etag, first.headers.etag)
  assert.equal((await admin.post('/campaigns', named('Other'), key)).status, 422)
  const all = (await visitor.get('/campaigns')).body as { name: string }[]
  assert.equal(all.filter(one => one.name === 'Once').length, 1)
})
