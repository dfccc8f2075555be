import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, store, aCampaign } = await startCampaigns()

/** Number of campaigns: more than two chunks of the stream. */
const campaignCount = 1234

before(async () => {
  await store.run(sql`
    insert into fundraising.campaigns (
      name, description, donation_minimum_cents, target_amount_cents, currency, status, account_iban,
      account_iban_valid, account_name, account_bank, created_at, updated_at
    )
    select
      'Number "' || number || '" \\ ' || chr(10) || ' Ümläut', '', number, 800000, 'EUR', 'open', 'DE89370400440532013000',
      true, 'Music School', '', now(), now()
    from generate_series(1, ${campaignCount}) as number`)
})

test('a list of more than a thousand campaigns is complete, in order and valid JSON', async () => {
  const { status, headers, text } = await visitor.get('/campaigns')
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  const list = JSON.parse(text)
  assert.ok(list.length >= campaignCount)
  assert.deepEqual(
    list.slice(0, campaignCount).map((one: { donationMinimum: number }) => Math.round(one.donationMinimum * 100)),
    Array.from({ length: campaignCount }, (_, index) => index + 1)
  )
  assert.equal(list[6].name, 'Number "7" \\ \n Ümläut')
})

test('campaigns in the long list are the same as in a page and as read by id', async () => {
  const list = (await visitor.get('/campaigns')).body
  const page = (await visitor.get('/campaigns?limit=200')).body
  assert.deepEqual(list.slice(0, 200), page)
  const last = list.at(-1)
  assert.deepEqual((await visitor.get(`/campaigns/${last.id}`)).body, last)
})

test('the long list is streamed: the response has no Content-Length', async () => {
  const { headers } = await visitor.get('/campaigns')
  assert.equal(headers['content-length'], undefined)
})

test('the long list hides drafts from visitors and shows them to an admin', async () => {
  const { id } = await aCampaign({ status: 'draft' })
  const containsDraft = (list: { id: number }[]) => list.some(one => one.id === id)
  assert.ok(!containsDraft((await visitor.get('/campaigns')).body))
  assert.ok(containsDraft((await admin.get('/campaigns')).body))
})

test('the long list responds 304 to its ETag until a campaign, a donation or a status changes', {
  skip: skipUnlessFull
}, async () => {
  const { id } = await aCampaign()
  const seenEtags = new Set<string>()
  async function assertNewEtag(when: string): Promise<void> {
    const { status, headers } = await visitor.get('/campaigns')
    assert.equal(status, 200)
    const tag = headers.etag ?? ''
    assert.match(tag, /^"[^"]+"$/)
    assert.ok(!seenEtags.has(tag), when)
    seenEtags.add(tag)
    for (const ifNoneMatch of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await visitor.get('/campaigns', { 'if-none-match': ifNoneMatch })
      assert.equal(again.status, 304)
      assert.equal(again.text, '')
      assert.equal(again.headers.etag, tag)
    }
    assert.equal((await visitor.get('/campaigns', { 'if-none-match': '"other"' })).status, 200)
  }
  await assertNewEtag('at first')
  const deletedLater = await visitor.post(`/campaigns/${id}/donations`, donation)
  await assertNewEtag('after a donation')
  await admin.delete(`/campaigns/${id}/donations/${deletedLater.body.id}`)
  const donated = await visitor.post(`/campaigns/${id}/donations`, { ...donation, amount: 26 })
  await assertNewEtag('after one donation was replaced by another')
  await admin.patch(`/campaigns/${id}/donations/${donated.body.id}`, { status: 'TRANSFERRED' })
  await assertNewEtag('after the donation was received')
  await admin.put(`/campaigns/${id}`, { ...campaign, name: 'Changed' })
  await assertNewEtag('after an edit')
  await aCampaign()
  await assertNewEtag('after a new campaign')
  await admin.delete(`/campaigns/${id}`)
  await assertNewEtag('after a deletion')
})

test('the ETag of the list for visitors does not change with a draft', async () => {
  const before = (await visitor.get('/campaigns')).headers.etag
  await aCampaign({ status: 'draft' })
  assert.equal((await visitor.get('/campaigns')).headers.etag, before)
})

test('the pages of the long list contain each campaign exactly once', async () => {
  const all = (await visitor.get('/campaigns')).body.map((one: { id: number }) => one.id)
  const idsOfPages: number[] = []
  for (let path: string | undefined = '/campaigns?limit=200'; path !== undefined; ) {
    const { headers, body } = await visitor.get(path)
    assert.equal(headers['x-total-count'], String(all.length))
    idsOfPages.push(...body.map((one: { id: number }) => one.id))
    const next = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1]
    path = next?.replace(/^https?:\/\/[^/]+/, '')
  }
  assert.deepEqual(idsOfPages, all)
})
