import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, campaign, donation, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign, aDonation } = await startCampaigns()

const toIds = (body: { id: number }[]) => body.map(one => one.id)

/** Follows the links to the next page, and returns the ids and the total of each page. */
async function readAllPages(client: Client, from: string): Promise<{ pages: number[][]; totals: number[] }> {
  const pages: number[][] = []
  const totals: number[] = []
  for (let path: string | undefined = from; path !== undefined; ) {
    const { status, headers, body } = await client.get(path)
    assert.equal(status, 200)
    assert.ok(Array.isArray(body))
    pages.push(toIds(body))
    totals.push(Number(headers['x-total-count']))
    const next: string | undefined = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1]
    path = next === undefined ? undefined : next.replace(/^https?:\/\/[^/]+/, '')
  }
  return { pages, totals }
}

test('GET /campaigns is a bare array of all campaigns, oldest first', async () => {
  const created = [await aCampaign({ name: 'Z' }), await aCampaign({ name: 'A' }), await aCampaign({ name: 'M' })]
  const { status, headers, body } = await visitor.get('/campaigns')
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  assert.deepEqual(body.slice(-3), created)
  assert.deepEqual(
    toIds(body),
    toIds(body).toSorted((a: number, b: number) => a - b)
  )
})

test('a campaign keeps its position in the list when it is changed', async () => {
  const [first, second] = [await aCampaign(), await aCampaign()]
  await admin.put(`/campaigns/${first.id}`, { ...campaign, name: 'Changed' })
  assert.deepEqual(toIds((await visitor.get('/campaigns')).body).slice(-2), [first.id, second.id])
})

test('a campaign in the list is the same as the campaign read by its id, with totals and without donations', async () => {
  const { id } = await aCampaign({ targetAmount: 300 })
  await aDonation(id, { amount: 100 })
  const one = await visitor.get(`/campaigns/${id}`)
  const all = await visitor.get('/campaigns')
  const paged = await visitor.get('/campaigns?limit=200')
  for (const list of [all.body, paged.body]) assert.deepEqual(list.at(-1), one.body)
  assert.equal(one.body.progressPercent, 33.33)
})

test('pages with limit and cursor contain each campaign exactly once, with Link and X-Total-Count', async () => {
  for (let count = 0; count < 7; count += 1) await aCampaign()
  const all = toIds((await visitor.get('/campaigns')).body)
  for (const limit of [1, 3, all.length - 1, all.length, all.length + 1]) {
    const { pages, totals } = await readAllPages(visitor, `/campaigns?limit=${limit}`)
    assert.deepEqual(pages.flat(), all)
    assert.equal(pages.length, Math.ceil(all.length / limit))
    assert.ok(pages.slice(0, -1).every(page => page.length === limit))
    assert.ok(totals.every(total => total === all.length))
  }
})

test('the link to the previous page is the URL of the page before it', async () => {
  for (let count = 0; count < 5; count += 1) await aCampaign()
  const findLink = (link: string | undefined, rel: string): string | undefined =>
    new RegExp(`<https?://[^/]+([^>]+)>; rel="${rel}"`).exec(link ?? '')?.[1]
  for (const limit of [1, 2, 4]) {
    const pages: { path: string; ids: number[]; link: string | undefined }[] = []
    for (let path: string | undefined = `/campaigns?limit=${limit}`; path !== undefined; ) {
      const { body, headers } = await visitor.get(path)
      pages.push({ path, ids: toIds(body), link: headers.link })
      path = findLink(headers.link, 'next')
    }
    assert.equal(findLink(pages[0]?.link, 'prev'), undefined)
    for (const [index, { link }] of pages.entries()) {
      if (index > 0) assert.equal(findLink(link, 'prev'), pages[index - 1]?.path)
    }
  }
  const all = toIds((await visitor.get('/campaigns')).body)
  const cursor = Buffer.from(String(all[1])).toString('base64url')
  const { headers } = await visitor.get(`/campaigns?limit=50&cursor=${cursor}`)
  assert.equal(findLink(headers.link, 'prev'), '/campaigns?limit=50', 'less than one page before the cursor')
})

test('the link to the next page is an absolute URL that keeps the limit', async () => {
  await aCampaign()
  await aCampaign()
  const { headers } = await visitor.get('/campaigns?limit=1')
  const link = new URL(/^<([^>]+)>; rel="next"$/.exec(headers.link ?? '')?.[1] ?? '')
  assert.equal(link.pathname, '/campaigns')
  assert.deepEqual([...link.searchParams.keys()].sort(), ['cursor', 'limit'])
  assert.equal(link.searchParams.get('limit'), '1')
})

test('a cursor without a limit returns 50 campaigns per page', async () => {
  for (let count = 0; count < 52; count += 1) await aCampaign()
  const first = await visitor.get('/campaigns?limit=1')
  const cursor = new URL(/^<([^>]+)>/.exec(first.headers.link ?? '')?.[1] ?? '').searchParams.get('cursor')
  const { body } = await visitor.get(`/campaigns?cursor=${cursor}`)
  assert.equal(body.length, 50)
  assert.ok(body[0].id > first.body[0].id)
})

test('a cursor stays valid when campaigns are created and deleted', async () => {
  const created = [await aCampaign(), await aCampaign(), await aCampaign()]
  const from = Buffer.from(String(created[0].id)).toString('base64url')
  await admin.delete(`/campaigns/${created[1].id}`)
  const createdLater = await aCampaign()
  const { pages } = await readAllPages(visitor, `/campaigns?limit=1&cursor=${from}`)
  assert.deepEqual(pages.flat(), [created[2].id, createdLater.id])
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
  test(`the query ?${query} is refused`, async () => {
    const { status, body } = await visitor.get(`/campaigns?${query}`)
    assert.equal(status, 400)
    assert.equal(body.errors.length, 1)
    assert.equal(body.errors[0].in, 'query')
    assert.equal(body.errors[0].pointer, `/${query.split('=')[0]}`)
  })
}

test('unknown parameters are ignored', async () => {
  await aCampaign()
  const { status, body } = await visitor.get('/campaigns?page=2&sort=name')
  assert.equal(status, 200)
  assert.deepEqual(body, (await visitor.get('/campaigns')).body)
})

test('the ETag of the list changes with a donation, an edit and a deletion', async () => {
  const { id } = await aCampaign()
  const tags = new Set<string>()
  const assertNewEtag = async () => {
    const { headers } = await visitor.get('/campaigns')
    const tag = headers.etag ?? ''
    assert.match(tag, /^"[^"]+"$/)
    assert.ok(!tags.has(tag))
    tags.add(tag)
    const again = await visitor.get('/campaigns', { 'if-none-match': tag })
    assert.equal(again.status, 304)
    assert.equal(again.text, '')
  }
  await assertNewEtag()
  await visitor.post(`/campaigns/${id}/donations`, donation)
  await assertNewEtag()
  await admin.put(`/campaigns/${id}`, { ...campaign, name: 'Changed' })
  await assertNewEtag()
  await admin.delete(`/campaigns/${id}`)
  await assertNewEtag()
})

for (const role of ['viewer', 'contributor', 'author', undefined] as const) {
  test(`a draft and its donations are hidden from ${role ?? 'visitors'}, also in lists`, async () => {
    const client = role === undefined ? visitor : await withRole(role)
    const { id } = await aCampaign()
    const donated = await aDonation(id)
    await admin.put(`/campaigns/${id}`, { ...campaign, status: 'draft' })
    const adminTotal = (await admin.get('/campaigns?limit=1')).headers['x-total-count']
    const clientTotal = (await client.get('/campaigns?limit=1')).headers['x-total-count']
    assert.ok(Number(clientTotal) < Number(adminTotal))
    assert.ok(!toIds((await client.get('/campaigns')).body).includes(id))
    assert.ok(!(await readAllPages(client, '/campaigns?limit=200')).pages.flat().includes(id))
    for (const path of ['', '/donations', `/donations/${donated.id}`]) {
      const { status, body } = await client.get(`/campaigns/${id}${path}`)
      assert.equal(status, 404)
      assert.equal(body.code, 'campaign-not-found')
    }
    await admin.put(`/campaigns/${id}`, { ...campaign, status: 'open' })
    assert.equal((await client.get(`/campaigns/${id}/donations/${donated.id}`)).status, 200)
  })
}

for (const role of ['editor', 'treasurer', 'admin'] as const) {
  test(`a draft is visible to the role ${role}`, async () => {
    const client = await withRole(role)
    const { id } = await aCampaign()
    const donated = await aDonation(id)
    await admin.put(`/campaigns/${id}`, { ...campaign, status: 'draft' })
    assert.equal((await client.get(`/campaigns/${id}`)).body.status, 'draft')
    assert.ok(toIds((await client.get('/campaigns')).body).includes(id))
    assert.equal((await client.get(`/campaigns/${id}/donations`)).body.length, 1)
    assert.equal((await client.get(`/campaigns/${id}/donations/${donated.id}`)).status, 200)
  })
}

test('a closed campaign stays visible to visitors', async () => {
  const { id } = await aCampaign({ status: 'closed' })
  assert.equal((await visitor.get(`/campaigns/${id}`)).body.status, 'closed')
  assert.ok(toIds((await visitor.get('/campaigns')).body).includes(id))
})
