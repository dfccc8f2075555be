import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildRequiredQuery,
  isUserOperation,
  type Operation,
  startRouteCrawler
} from '#test/support/crawl/route-crawler.ts'
import { isFullRun, pickSample } from '#test/support/full-run.ts'
import { campaign, donation } from '#test/support/services.ts'

const { admin, visitor, withRole, operations, pathOf, aCampaign, aDonation } = await startRouteCrawler()

// Without these settings /mandate is not found.
await admin.patch('/organisation', { legalName: 'Music School', creditorId: 'DE98ZZZ09999999999' })

/** Without the operations on the signed-in user, which have their own tests. */
const reads = operations.filter(one => one.method === 'GET' && !isUserOperation(one))
const knownPaths = new Map<Operation, string>()
async function findPath(operation: Operation): Promise<string> {
  const known = knownPaths.get(operation)
  if (known !== undefined) return known
  const address = [await pathOf(operation), ...buildRequiredQuery(operation)].join('&').replace('&', '?')
  knownPaths.set(operation, address)
  return address
}
/** Metrics, which change with every request. */
const isAlwaysChanging = (path: string) => path === '/metrics'
/**
 * Responses with no-store have no ETag, because it would be too expensive to prove that they are unchanged: the stream,
 * backups, the data of a donor, letters, and exports.
 */
const isNeverCached = (path: string) =>
  /^\/stream$|^\/activity\.ndjson$|^\/donors\/[^/]+$|^\/calendar\/events\/v1\/(?:[a-z]+|imports\/\d+\/report)\.(?:csv|jsonl)$|^\/receipts\.(?:pdf|zip)\?|^\/donor-records\.csv$|^\/donor-letters(?:\.pdf|\/[^/]+\/letter\.pdf$)|^\/backups\/downloads\//.test(
    path
  )

test('every GET has an ETag, and a request with it gets 304 without a body', async () => {
  assert.ok(reads.length >= 10)
  for (const operation of reads.filter((_, index) => isFullRun || index % 3 === 0)) {
    const url = await findPath(operation)
    const { status, headers } = await admin.get(url)
    assert.equal(status, 200, url)
    if (isNeverCached(url)) {
      assert.match(headers['cache-control'] ?? '', /no-store/, url)
      continue
    }
    assert.match(headers.etag ?? '', /^(W\/)?"[^"]+"$/, url)
    if (isAlwaysChanging(url)) continue
    const again = await admin.get(url, { 'if-none-match': headers.etag ?? '' })
    assert.equal(again.status, 304, url)
    assert.equal(again.text, '', url)
    assert.equal(again.headers.etag, headers.etag, url)
    assert.equal(again.headers['content-type'], undefined, url)
    assert.ok([undefined, '0'].includes(again.headers['content-length']), url)
  }
})

test('HEAD has the status and headers of GET, without the body', async () => {
  for (const operation of pickSample(reads, 0)) {
    const url = await findPath(operation)
    const [get, head] = [await admin.get(url), await admin.send({ method: 'HEAD', url })]
    assert.equal(head.status, 200, url)
    assert.equal(head.text, '', url)
    const names = ['content-type', 'cache-control', 'vary', 'x-total-count', 'content-disposition']
    if (!isAlwaysChanging(url)) names.push('etag')
    for (const name of names) assert.equal(head.headers[name], get.headers[name], `${url}: ${name}`)
    if (isAlwaysChanging(url) || isNeverCached(url)) continue
    const fresh = await admin.send({ method: 'HEAD', url, headers: { 'if-none-match': get.headers.etag ?? '' } })
    assert.equal(fresh.status, 304, url)
  }
  assert.equal((await visitor.send({ method: 'HEAD', url: '/campaigns/999999999' })).status, 404)
  assert.equal((await visitor.send({ method: 'HEAD', url: '/keys' })).status, 401)
})

test('If-None-Match may be exact, weak, one of a list, or any', async () => {
  const { id } = await aCampaign()
  const url = `/campaigns/${id}`
  const tag = (await visitor.get(url)).headers.etag ?? ''
  const fresh = [tag, `W/${tag}`, `"other", ${tag}`, `${tag},"other"`, `  W/"x" ,  W/${tag}  `, '*', ' * ']
  for (const header of fresh) assert.equal((await visitor.get(url, { 'if-none-match': header })).status, 304, header)
  const stale = ['"other"', tag.replaceAll('"', ''), `"x${tag.slice(1)}`, '""', ',,,', 'garbage', 'x'.repeat(5000)]
  for (const header of stale) assert.equal((await visitor.get(url, { 'if-none-match': header })).status, 200, header)
})

test('If-None-Match does not turn an error into 304', async () => {
  assert.equal((await visitor.get('/campaigns/999999999', { 'if-none-match': '*' })).status, 404)
  assert.equal((await visitor.get('/keys', { 'if-none-match': '*' })).status, 401)
  assert.equal((await visitor.get('/campaigns?limit=0', { 'if-none-match': '*' })).status, 400)
})

test('the ETag changes when the content changes', async () => {
  const { id } = await aCampaign()
  const one = `/campaigns/${id}`
  const paths = ['/campaigns', '/campaigns?limit=200', one, `${one}/donations`, `${one}/donations.csv`, '/activity']
  const tags = async () => await Promise.all(paths.map(async path => (await admin.get(path)).headers.etag))
  const before = await tags()
  assert.deepEqual(await tags(), before)
  await aDonation(id)
  for (const [index, tag] of (await tags()).entries()) assert.notEqual(tag, before[index], paths[index])
})

test('callers who see different content get different ETags', async () => {
  const { id } = await aCampaign()
  const { id: donationId } = await aDonation(id)
  for (const path of [`/campaigns/${id}/donations`, `/campaigns/${id}/donations/${donationId}`]) {
    const [mine, public_] = [await admin.get(path), await visitor.get(path)]
    assert.notEqual(mine.headers.etag, public_.headers.etag, path)
    assert.equal((await admin.get(path, { 'if-none-match': public_.headers.etag ?? '' })).status, 200, path)
    assert.match(mine.headers['cache-control'] ?? '', /private|no-store/, path)
    assert.match(public_.headers.vary ?? '', /authorization/i, path)
  }
})

test('If-Match with the current version allows a write, in every valid form', async () => {
  const { id } = await aCampaign()
  const url = `/campaigns/${id}`
  const forms: ((tag: string) => string)[] = [
    tag => tag,
    tag => `W/${tag}`,
    tag => `"0-old", ${tag}`,
    tag => `${tag} , "7-x"`,
    () => '*',
    () => ' * '
  ]
  for (const form of forms) {
    const tag = (await visitor.get(url)).headers.etag ?? ''
    const header = form(tag)
    const response = await admin.put(url, campaign, { 'if-match': header })
    assert.equal(response.status, 200, header)
    assert.notEqual(response.headers.etag, tag)
    assert.equal((await visitor.get(url)).headers.etag, response.headers.etag)
  }
})

test('If-Match with another version or an invalid value is refused with 412, and changes nothing', async () => {
  const { id } = await aCampaign()
  const url = `/campaigns/${id}`
  const old = (await visitor.get(url)).headers.etag ?? ''
  await admin.put(url, campaign)
  const now = await visitor.get(url)
  const stale = [old, `W/${old}`, '"999-0"', '"garbage"', 'garbage', '""', '', ',', '"1', '1', '-1', '"*"', '"NaN"']
  for (const header of [...stale, `"${'9'.repeat(400)}"`]) {
    const response = await admin.put(url, { ...campaign, name: 'lost update' }, { 'if-match': header })
    assert.equal(response.status, 412, header)
    assert.equal(response.body.code, 'changed-meanwhile')
    assert.equal((await admin.delete(url, { 'if-match': header })).status, 412, header)
  }
  assert.deepEqual((await visitor.get(url)).body, now.body)
})

test('a donation changes the ETag of a campaign, but an older ETag stays valid in If-Match', async () => {
  const { id } = await aCampaign()
  const url = `/campaigns/${id}`
  const tag = (await visitor.get(url)).headers.etag ?? ''
  await visitor.post(`${url}/donations`, donation)
  assert.equal((await visitor.get(url, { 'if-none-match': tag })).status, 200)
  const editor = await withRole('editor')
  assert.equal((await editor.put(url, campaign, { 'if-match': tag })).status, 200)
  assert.equal((await editor.put(url, campaign, { 'if-match': tag })).status, 412)
})

test('validation comes before existence, and existence before If-Match', async () => {
  assert.equal((await admin.put('/campaigns/999999999', campaign, { 'if-match': '"1"' })).status, 404)
  assert.equal((await admin.put('/campaigns/999999999', {}, { 'if-match': '"1"' })).status, 400)
})

test('of two concurrent writes with the same ETag one succeeds and one gets 412', async () => {
  const { id } = await aCampaign()
  const url = `/campaigns/${id}`
  const tag = (await visitor.get(url)).headers.etag ?? ''
  const put = async (name: string) => await admin.put(url, { ...campaign, name }, { 'if-match': tag })
  const statuses = (await Promise.all([put('one'), put('other')])).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [200, 412])
})
