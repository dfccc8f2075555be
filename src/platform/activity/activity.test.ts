import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, donation, startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withRole, aCampaign } = await startCampaigns()

interface Recorded {
  id: number
  at: string
  action: string
  subject: string
  subjectId: string
  actor: string
  requestId: string | null
  details: object
}

test('a change is recorded with actor, time and request id', async () => {
  const before = Date.now()
  const created = await admin.post('/campaigns', campaign, { 'x-request-id': 'request-of-the-test' })
  const { id } = created.body
  const { status, body } = await admin.get(`/activity?subject=campaign&subjectId=${id}`)
  assert.equal(status, 200)
  const [{ id: number, at, ...rest }] = body
  assert.deepEqual(rest, {
    action: 'campaign.created',
    subject: 'campaign',
    subjectId: String(id),
    actor: 'ADMIN_KEY',
    requestId: 'request-of-the-test',
    details: { name: campaign.name }
  })
  assert.ok(Number.isSafeInteger(number))
  assert.ok(Date.parse(at) >= before && Date.parse(at) <= Date.now())
})

test('a refused request leaves no record', async () => {
  const total = async () => (await admin.get('/activity?limit=1')).headers['x-total-count']
  const before = await total()
  await admin.post('/campaigns', { ...campaign, name: '' })
  await admin.put('/campaigns/999999999', campaign)
  await visitor.post('/campaigns', campaign)
  assert.equal(await total(), before)
})

test('a record never contains an account number or an e-mail address', async () => {
  const { id } = await aCampaign()
  await visitor.post(`/campaigns/${id}/donations`, { ...donation, email: 'ada@example.org' })
  const moved = { ...campaign.account, iban: 'NL91ABNA0417164300' }
  await admin.put(`/campaigns/${id}`, { ...campaign, account: moved })
  const { text } = await admin.get('/activity')
  assert.match(text, /donation\.created/)
  assert.match(text, /campaign\.updated/)
  for (const secret of [donation.account.iban, campaign.account.iban, moved.iban, 'ada@example.org']) {
    assert.ok(!text.includes(secret), secret)
  }
})

test('each filter selects the matching records, and filters can be combined', async () => {
  const editor = await withRole('editor')
  const { id } = (await editor.post('/campaigns', campaign)).body
  await editor.put(`/campaigns/${id}`, campaign)
  await admin.delete(`/campaigns/${id}`)
  const all = await list(`subject=campaign&subjectId=${id}`)
  assert.deepEqual(
    all.map(({ action }) => action),
    ['campaign.deleted', 'campaign.updated', 'campaign.created']
  )
  const [deleted, updated, created] = all as [Recorded, Recorded, Recorded]
  assert.match(created.actor, /^key \d+ \(the tests' editor\)$/)

  const one = `subject=campaign&subjectId=${id}`
  const expected: [query: string, expectedRecords: Recorded[]][] = [
    [`${one}&action=campaign.updated`, [updated]],
    [`${one}&action=campaign.restored`, []],
    [`${one}&actor=ADMIN_KEY`, [deleted]],
    [`${one}&actor=${encodeURIComponent(created.actor)}`, [updated, created]],
    [`${one}&actor=${encodeURIComponent(created.actor)}&action=campaign.created`, [created]],
    [`${one}&since=${deleted.at}`, all.filter(({ at }) => at >= deleted.at)],
    [`${one}&until=${updated.at}`, all.filter(({ at }) => at < updated.at)],
    [`${one}&since=2199-01-01T00:00:00Z`, []],
    [`${one}&until=${encodeURIComponent('2199-01-01T00:00:00+01:00')}`, all],
    [`subject=key&subjectId=${id}&action=campaign.created`, []]
  ]
  for (const [query, expectedRecords] of expected) assert.deepEqual(await list(query), expectedRecords, query)
})

test('unknown filters are ignored, and unknown values find nothing', async () => {
  assert.deepEqual(await list('action=nothing.like_this'), [])
  assert.equal((await admin.get('/activity?colour=green')).status, 200)
})

const refused: [query: string, pointer: string][] = [
  ['since=yesterday', '/since'],
  ['until=2026-02-30T00:00:00Z', '/until'],
  ['since=2026-01-01', '/since'],
  [`action=${'x'.repeat(101)}`, '/action'],
  [`actor=${'x'.repeat(201)}`, '/actor'],
  ['limit=0', '/limit'],
  ['limit=201', '/limit'],
  ['limit=many', '/limit'],
  ['limit=1.5', '/limit'],
  ['cursor=nonsense', '/cursor'],
  ['cursor=', '/cursor'],
  ['cursor=%00', '/cursor'],
  [`cursor=${Buffer.from('-1').toString('base64url')}`, '/cursor'],
  [`cursor=${Buffer.from('1 or 1=1').toString('base64url')}`, '/cursor'],
  [`cursor=${Buffer.from('9'.repeat(30)).toString('base64url')}`, '/cursor'],
  [`cursor=${'x'.repeat(201)}`, '/cursor']
]

test('an invalid filter, limit or cursor is refused, and the error names it', async () => {
  for (const [query, pointer] of refused) {
    const { status, body } = await admin.get(`/activity?${query}`)
    assert.equal(status, 400, query)
    assert.deepEqual(
      body.errors.map((error: { in: string; pointer: string }) => [error.in, error.pointer]),
      [['query', pointer]],
      query
    )
  }
})

test('pages list records newest first, keep the filter, and contain each record exactly once', async () => {
  for (let count = 0; count < 7; count += 1) await aCampaign({ name: `paged ${count}` })
  const filter = 'action=campaign.created&actor=ADMIN_KEY'
  const all = await list(`${filter}&limit=200`)
  assert.ok(all.length >= 7)

  const listed: Recorded[] = []
  let path: string | undefined = `/activity?${filter}&limit=3`
  while (path !== undefined) {
    const page = await admin.get(path)
    assert.equal(page.status, 200)
    assert.equal(page.headers['x-total-count'], String(all.length))
    assert.ok(page.body.length <= 3)
    listed.push(...page.body)
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.link ?? '')?.[1]
    path = next === undefined ? undefined : next.replace(/^http:\/\/[^/]+/, '')
    if (path !== undefined) assert.match(path, /action=campaign\.created/)
  }
  assert.deepEqual(listed, all)
  assert.deepEqual(
    listed.map(({ id }) => id),
    listed.map(({ id }) => id).sort((a, b) => b - a)
  )
})

test('a page that ends with the last record has no next link', async () => {
  const { id } = await aCampaign()
  await admin.put(`/campaigns/${id}`, campaign)
  const one = `/activity?subject=campaign&subjectId=${id}`
  assert.doesNotMatch((await admin.get(`${one}&limit=2`)).headers.link ?? '', /rel="next"/)
  assert.match((await admin.get(`${one}&limit=1`)).headers.link ?? '', /rel="next"/)
})

async function list(query: string): Promise<Recorded[]> {
  const { status, body } = await admin.get(`/activity?${query}`)
  assert.equal(status, 200, query)
  return body
}
