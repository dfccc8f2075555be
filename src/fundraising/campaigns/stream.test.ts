import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, store, aCampaign } = await startCampaigns()

/** More than two chunks of the stream. */
const many = 1234

before(async () => {
  await store.run(sql`
    insert into fundraising.campaigns (
      name, description, donation_minimum_cents, target_amount_cents, currency, status, account_iban,
      account_iban_valid, account_name, account_bank, created_at, updated_at
    )
    select
      'Number "' || number || '" \\ ' || chr(10) || ' Ümläut', '', number, 800000, 'EUR', 'open', 'DE89370400440532013000',
      true, 'Music School', '', now(), now()
    from generate_series(1, ${many}) as number`)
})

test('a list of more than a thousand campaigns comes whole, in order and as JSON', async () => {
  const { status, headers, text } = await visitor.get('/campaigns')
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  const list = JSON.parse(text)
  assert.ok(list.length >= many)
  assert.deepEqual(
    list.slice(0, many).map((one: { donationMinimum: number }) => Math.round(one.donationMinimum * 100)),
    Array.from({ length: many }, (_, index) => index + 1)
  )
  assert.equal(list[6].name, 'Number "7" \\ \n Ümläut')
})

test('the long list has the same campaigns as the pages and as reading one', async () => {
  const list = (await visitor.get('/campaigns')).body
  const page = (await visitor.get('/campaigns?limit=200')).body
  assert.deepEqual(list.slice(0, 200), page)
  const last = list.at(-1)
  assert.deepEqual((await visitor.get(`/campaigns/${last.id}`)).body, last)
})

test('the long list is not held in memory: it has no length before it is sent', async () => {
  const { headers } = await visitor.get('/campaigns')
  assert.equal(headers['content-length'], undefined)
})

test('the long list hides drafts from the public and shows them to an admin', async () => {
  const { id } = await aCampaign({ status: 'draft' })
  const has = (list: { id: number }[]) => list.some(one => one.id === id)
  assert.ok(!has((await visitor.get('/campaigns')).body))
  assert.ok(has((await admin.get('/campaigns')).body))
})

test('the long list has an ETag that answers 304 until a campaign, a donation or a status changes', {
  skip: skipUnlessFull
}, async () => {
  const { id } = await aCampaign()
  const seen = new Set<string>()
  async function changed(what: string): Promise<void> {
    const { status, headers } = await visitor.get('/campaigns')
    assert.equal(status, 200)
    const tag = headers.etag ?? ''
    assert.match(tag, /^"[^"]+"$/)
    assert.ok(!seen.has(tag), what)
    seen.add(tag)
    for (const wanted of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await visitor.get('/campaigns', { 'if-none-match': wanted })
      assert.equal(again.status, 304)
      assert.equal(again.text, '')
      assert.equal(again.headers.etag, tag)
    }
    assert.equal((await visitor.get('/campaigns', { 'if-none-match': '"other"' })).status, 200)
  }
  await changed('at first')
  const cancelled = await visitor.post(`/campaigns/${id}/donations`, donation)
  await changed('after a donation')
  await admin.delete(`/campaigns/${id}/donations/${cancelled.body.id}`)
  const given = await visitor.post(`/campaigns/${id}/donations`, { ...donation, amount: 26 })
  await changed('after one donation gave way to another')
  await admin.patch(`/campaigns/${id}/donations/${given.body.id}`, { status: 'TRANSFERRED' })
  await changed('after the money came')
  await admin.put(`/campaigns/${id}`, { ...campaign, name: 'Changed' })
  await changed('after an edit')
  await aCampaign()
  await changed('after a new campaign')
  await admin.delete(`/campaigns/${id}`)
  await changed('after a deletion')
})

test('the tag of the public list does not change with a draft that the public does not see', async () => {
  const before = (await visitor.get('/campaigns')).headers.etag
  await aCampaign({ status: 'draft' })
  assert.equal((await visitor.get('/campaigns')).headers.etag, before)
})

test('pages of the long list walk over every campaign once', async () => {
  const all = (await visitor.get('/campaigns')).body.map((one: { id: number }) => one.id)
  const walked: number[] = []
  for (let path: string | undefined = '/campaigns?limit=200'; path !== undefined; ) {
    const { headers, body } = await visitor.get(path)
    assert.equal(headers['x-total-count'], String(all.length))
    walked.push(...body.map((one: { id: number }) => one.id))
    const next = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1]
    path = next?.replace(/^https?:\/\/[^/]+/, '')
  }
  assert.deepEqual(walked, all)
})
