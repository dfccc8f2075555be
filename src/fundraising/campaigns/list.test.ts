import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, campaign, donation, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign, aDonation } = await startCampaigns()

const idsOf = (body: { id: number }[]) => body.map(one => one.id)

/** Follows the links from a first page on; answers what each page had. */
async function readAllPages(client: Client, from: string): Promise<{ pages: number[][]; totals: number[] }> {
  const pages: number[][] = []
  const totals: number[] = []
  for (let path: string | undefined = from; path !== undefined; ) {
    const { status, headers, body } = await client.get(path)
    assert.equal(status, 200)
    assert.ok(Array.isArray(body))
    pages.push(idsOf(body))
    totals.push(Number(headers['x-total-count']))
    const next: string | undefined = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1]
    path = next === undefined ? undefined : next.replace(/^https?:\/\/[^/]+/, '')
  }
  return { pages, totals }
}

test('GET /campaigns is a bare array of all campaigns, oldest first', async () => {
  const made = [await aCampaign({ name: 'Z' }), await aCampaign({ name: 'A' }), await aCampaign({ name: 'M' })]
  const { status, headers, body } = await visitor.get('/campaigns')
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  assert.deepEqual(body.slice(-3), made)
  assert.deepEqual(
    idsOf(body),
    idsOf(body).toSorted((a: number, b: number) => a - b)
  )
})

test('a campaign keeps its place in the list when it is changed', async () => {
  const [first, second] = [await aCampaign(), await aCampaign()]
  await admin.put(`/campaigns/${first.id}`, { ...campaign, name: 'Changed' })
  assert.deepEqual(idsOf((await visitor.get('/campaigns')).body).slice(-2), [first.id, second.id])
})

test('the list carries the same campaigns as reading one by one, totals included, donations not', async () => {
  const { id } = await aCampaign({ targetAmount: 300 })
  await aDonation(id, { amount: 100 })
  const one = await visitor.get(`/campaigns/${id}`)
  const all = await visitor.get('/campaigns')
  const paged = await visitor.get('/campaigns?limit=200')
  for (const list of [all.body, paged.body]) assert.deepEqual(list.at(-1), one.body)
  assert.equal(one.body.progressPercent, 33.33)
})

test('limit and cursor walk over all campaigns once, with Link and X-Total-Count', async () => {
  for (let count = 0; count < 7; count += 1) await aCampaign()
  const all = idsOf((await visitor.get('/campaigns')).body)
  for (const limit of [1, 3, all.length - 1, all.length, all.length + 1]) {
    const { pages, totals } = await readAllPages(visitor, `/campaigns?limit=${limit}`)
    assert.deepEqual(pages.flat(), all)
    assert.equal(pages.length, Math.ceil(all.length / limit))
    assert.ok(pages.slice(0, -1).every(page => page.length === limit))
    assert.ok(totals.every(total => total === all.length))
  }
})

test('the links to previous pages lead back to the first, over the same pages', async () => {
  for (let count = 0; count < 5; count += 1) await aCampaign()
  const linkIn = (link: string | undefined, rel: string): string | undefined =>
    new RegExp(`<https?://[^/]+([^>]+)>; rel="${rel}"`).exec(link ?? '')?.[1]
  for (const limit of [1, 2, 4]) {
    const pages: { path: string; ids: number[]; link: string | undefined }[] = []
    for (let path: string | undefined = `/campaigns?limit=${limit}`; path !== undefined; ) {
      const { body, headers } = await visitor.get(path)
      pages.push({ path, ids: idsOf(body), link: headers.link })
      path = linkIn(headers.link, 'next')
    }
    assert.equal(linkIn(pages[0]?.link, 'prev'), undefined)
    for (const [index, { link }] of pages.entries()) {
      if (index > 0) assert.equal(linkIn(link, 'prev'), pages[index - 1]?.path)
    }
  }
  const all = idsOf((await visitor.get('/campaigns')).body)
  const cursor = Buffer.from(String(all[1])).toString('base64url')
  const { headers } = await visitor.get(`/campaigns?limit=50&cursor=${cursor}`)
  assert.equal(linkIn(headers.link, 'prev'), '/campaigns?limit=50', 'fewer before it than a page has')
})

test('the link to the next page is a full address that keeps the limit', async () => {
  await aCampaign()
  await aCampaign()
  const { headers } = await visitor.get('/campaigns?limit=1')
  const link = new URL(/^<([^>]+)>; rel="next"$/.exec(headers.link ?? '')?.[1] ?? '')
  assert.equal(link.pathname, '/campaigns')
  assert.deepEqual([...link.searchParams.keys()].sort(), ['cursor', 'limit'])
  assert.equal(link.searchParams.get('limit'), '1')
})

test('a cursor without limit goes on with 50 a page', async () => {
  for (let count = 0; count < 52; count += 1) await aCampaign()
  const first = await visitor.get('/campaigns?limit=1')
  const cursor = new URL(/^<([^>]+)>/.exec(first.headers.link ?? '')?.[1] ?? '').searchParams.get('cursor')
  const { body } = await visitor.get(`/campaigns?cursor=${cursor}`)
  assert.equal(body.length, 50)
  assert.ok(body[0].id > first.body[0].id)
})

test('a cursor stays good when campaigns come and go', async () => {
  const made = [await aCampaign(), await aCampaign(), await aCampaign()]
  const from = Buffer.from(String(made[0].id)).toString('base64url')
  await admin.delete(`/campaigns/${made[1].id}`)
  const late = await aCampaign()
  const { pages } = await readAllPages(visitor, `/campaigns?limit=1&cursor=${from}`)
  assert.deepEqual(pages.flat(), [made[2].id, late.id])
})

for (const query of [
  'limit=0',
  'limit=-1',
  'limit=201',
  'limit=1.5',
  'limit=many',
  'limit=',
  'cursor=!',
  'cursor=',
  'cursor=YWJj'
]) {
  test(`?${query} is refused`, async () => {
    const { status, body } = await visitor.get(`/campaigns?${query}`)
    assert.equal(status, 400)
    assert.equal(body.errors.length, 1)
    assert.equal(body.errors[0].in, 'query')
    assert.equal(body.errors[0].pointer, `/${query.split('=')[0]}`)
  })
}

test('unknown parameters change nothing', async () => {
  await aCampaign()
  const { status, body } = await visitor.get('/campaigns?page=2&sort=name')
  assert.equal(status, 200)
  assert.deepEqual(body, (await visitor.get('/campaigns')).body)
})

test('the list has an ETag, which a donation and an edit change', async () => {
  const { id } = await aCampaign()
  const tags = new Set<string>()
  const isNew = async () => {
    const { headers } = await visitor.get('/campaigns')
    const tag = headers.etag ?? ''
    assert.match(tag, /^"[^"]+"$/)
    assert.ok(!tags.has(tag))
    tags.add(tag)
    const again = await visitor.get('/campaigns', { 'if-none-match': tag })
    assert.equal(again.status, 304)
    assert.equal(again.text, '')
  }
  await isNew()
  await visitor.post(`/campaigns/${id}/donations`, donation)
  await isNew()
  await admin.put(`/campaigns/${id}`, { ...campaign, name: 'Changed' })
  await isNew()
  await admin.delete(`/campaigns/${id}`)
  await isNew()
})

for (const role of ['viewer', 'contributor', 'author', undefined] as const) {
  test(`a draft is hidden from ${role ?? 'the public'}: reading it, its donations, and in lists`, async () => {
    const client = role === undefined ? visitor : await withRole(role)
    const { id } = await aCampaign()
    const given = await aDonation(id)
    await admin.put(`/campaigns/${id}`, { ...campaign, status: 'draft' })
    const known = (await admin.get('/campaigns?limit=1')).headers['x-total-count']
    const seen = (await client.get('/campaigns?limit=1')).headers['x-total-count']
    assert.ok(Number(seen) < Number(known))
    assert.ok(!idsOf((await client.get('/campaigns')).body).includes(id))
    assert.ok(!(await readAllPages(client, '/campaigns?limit=200')).pages.flat().includes(id))
    for (const path of ['', '/donations', `/donations/${given.id}`]) {
      const { status, body } = await client.get(`/campaigns/${id}${path}`)
      assert.equal(status, 404)
      assert.equal(body.code, 'campaign-not-found')
    }
    await admin.put(`/campaigns/${id}`, { ...campaign, status: 'open' })
    assert.equal((await client.get(`/campaigns/${id}/donations/${given.id}`)).status, 200)
  })
}

for (const role of ['editor', 'treasurer', 'admin'] as const) {
  test(`a draft is visible to the role ${role}`, async () => {
    const client = await withRole(role)
    const { id } = await aCampaign()
    const given = await aDonation(id)
    await admin.put(`/campaigns/${id}`, { ...campaign, status: 'draft' })
    assert.equal((await client.get(`/campaigns/${id}`)).body.status, 'draft')
    assert.ok(idsOf((await client.get('/campaigns')).body).includes(id))
    assert.equal((await client.get(`/campaigns/${id}/donations`)).body.length, 1)
    assert.equal((await client.get(`/campaigns/${id}/donations/${given.id}`)).status, 200)
  })
}

test('a closed campaign stays visible to everybody', async () => {
  const { id } = await aCampaign({ status: 'closed' })
  assert.equal((await visitor.get(`/campaigns/${id}`)).body.status, 'closed')
  assert.ok(idsOf((await visitor.get('/campaigns')).body).includes(id))
})
