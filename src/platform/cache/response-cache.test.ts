// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { campaign, startCampaigns, type TestResponse } from '#test/support/services.ts'

const { admin, visitor, aCampaign, store } = await startCampaigns()

/** Sends all requests in one turn of the event loop. */
async function sendConcurrently(
  count: number,
  send: (index: number) => Promise<TestResponse>
): Promise<TestResponse[]> {
  return await Promise.all(Array.from({ length: count }, (_, index) => send(index)))
}

test('concurrent requests of visitors get the same response, each with its own request id', async () => {
  const { id } = await aCampaign()
  const responses = await sendConcurrently(20, index =>
    visitor.get(`/campaigns/${id}`, { 'x-request-id': `request-number-${index}` })
  )
  for (const [index, response] of responses.entries()) {
    assert.equal(response.status, 200)
    assert.equal(response.body.id, id)
    assert.equal(response.headers['x-request-id'], `request-number-${index}`)
    assert.equal(response.headers.etag, responses[0]?.headers.etag)
    assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(response.headers['cache-control'], 'no-cache, max-age=1')
  }
})

test('concurrent requests for the same response share one query', async () => {
  const { id } = await aCampaign()
  let queries = 0
  const original = store.findTogether
  store.findTogether = async (list, key) => {
    queries += 1
    return await original(list, key)
  }
  await sendConcurrently(10, () => visitor.get(`/campaigns/${id}`))
  store.findTogether = original
  assert.equal(queries, 1)
})

test('responses for callers with more permissions are never shared with visitors', async () => {
  const draft = await aCampaign({ status: 'draft' })
  const responses = await sendConcurrently(10, index =>
    (index % 2 === 0 ? admin : visitor).get(`/campaigns/${draft.id}`)
  )
  assert.deepEqual(
    responses.map(({ status }) => status),
    Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 200 : 404))
  )
  const lists = await sendConcurrently(10, index => (index % 2 === 0 ? admin : visitor).get('/campaigns?limit=200'))
  for (const [index, { body }] of lists.entries()) {
    assert.equal(
      body.some((one: { id: number }) => one.id === draft.id),
      index % 2 === 0
    )
  }
})

test('each client gets 304 or the full response according to its own ETag', async () => {
  const { id } = await aCampaign()
  const tag = (await visitor.get(`/campaigns/${id}`)).headers.etag ?? ''
  const responses = await sendConcurrently(10, index =>
    visitor.get(`/campaigns/${id}`, index % 2 === 0 ? { 'if-none-match': tag } : {})
  )
  assert.deepEqual(
    responses.map(({ status, text }) => [status, text === '']),
    Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? [304, true] : [200, false]))
  )
})

test('concurrent requests for a missing campaign get 404, each in its own language', async () => {
  const responses = await sendConcurrently(10, index =>
    visitor.get('/campaigns/999999', { 'accept-language': index % 2 === 0 ? 'de' : 'en' })
  )
  for (const [index, { status, headers }] of responses.entries()) {
    assert.equal(status, 404)
    assert.equal(headers['content-language'], index % 2 === 0 ? 'de' : 'en')
  }
})

test('concurrent requests for a streamed list each get the full list', { skip: skipUnlessFull }, async () => {
  for (let count = 0; count < 510; count += 100) await Promise.all(Array.from({ length: 100 }, () => aCampaign()))
  const responses = await sendConcurrently(5, () => visitor.get('/campaigns'))
  for (const { status, text } of responses) {
    assert.equal(status, 200)
    assert.equal(text, responses[0]?.text)
    assert.ok(JSON.parse(text).length > 500)
  }
})

test('a request after an acknowledged write sees the write, also under constant load', {
  skip: skipUnlessFull
}, async () => {
  const { id } = await aCampaign()
  let acknowledged = 0
  let writing = true
  const writer = (async () => {
    for (let version = 1; version <= 60; version += 1) {
      const { status } = await admin.put(`/campaigns/${id}`, { ...campaign, name: `Version ${version}` })
      assert.equal(status, 200)
      acknowledged = version
    }
    writing = false
  })()
  const readers = Array.from({ length: 16 }, async () => {
    while (writing) {
      const least = acknowledged
      const { body } = await visitor.get(`/campaigns/${id}`)
      const seen = Number(/\d+$/.exec(body.name)?.[0] ?? 0)
      // A cached response takes no turn of the event loop, so that the writer would never run.
      await nextTurn()
      assert.ok(seen >= least, `saw ${seen} after ${least} was acknowledged`)
    }
  })
  await Promise.all([writer, ...readers])
})

test('behind a trusted proxy requests for different hosts share no response: links have the host of the request', async () => {
  const { visitor: behindProxy, aCampaign: createCampaign } = await startCampaigns({ env: { TRUST_PROXY: 'true' } })
  for (let count = 0; count < 3; count += 1) await createCampaign()
  const responses = await sendConcurrently(10, index =>
    behindProxy.get('/campaigns?limit=1', { 'x-forwarded-host': index % 2 === 0 ? 'one.example' : 'other.example' })
  )
  for (const [index, { headers }] of responses.entries()) {
    assert.match(headers.link ?? '', index % 2 === 0 ? /one\.example/ : /other\.example/)
  }
})
