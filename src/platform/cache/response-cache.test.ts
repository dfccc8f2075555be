// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { campaign, startCampaigns, type TestResponse } from '#test/support/services.ts'

const { admin, visitor, aCampaign, store } = await startCampaigns()

/** Sent in one turn of the event loop. */
async function together(count: number, ask: (index: number) => Promise<TestResponse>): Promise<TestResponse[]> {
  return await Promise.all(Array.from({ length: count }, (_, index) => ask(index)))
}

test('visitors who ask the same at the same time get the same answer, each under their own request id', async () => {
  const { id } = await aCampaign()
  const answers = await together(20, index =>
    visitor.get(`/campaigns/${id}`, { 'x-request-id': `request-number-${index}` })
  )
  for (const [index, answer] of answers.entries()) {
    assert.equal(answer.status, 200)
    assert.equal(answer.body.id, id)
    assert.equal(answer.headers['x-request-id'], `request-number-${index}`)
    assert.equal(answer.headers.etag, answers[0]?.headers.etag)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(answer.headers['cache-control'], 'no-cache, max-age=1')
  }
})

test('it is one statement for all of them', async () => {
  const { id } = await aCampaign()
  let statements = 0
  const original = store.maybeOne
  store.maybeOne = (async statement => {
    statements += 1
    return await original(statement)
  }) as typeof store.maybeOne
  await together(10, () => visitor.get(`/campaigns/${id}`))
  store.maybeOne = original
  assert.equal(statements, 1)
})

test('what somebody may see beyond visitors is never shared with them', async () => {
  const draft = await aCampaign({ status: 'draft' })
  const answers = await together(10, index => (index % 2 === 0 ? admin : visitor).get(`/campaigns/${draft.id}`))
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 200 : 404))
  )
  const lists = await together(10, index => (index % 2 === 0 ? admin : visitor).get('/campaigns?limit=200'))
  for (const [index, { body }] of lists.entries()) {
    assert.equal(
      body.some((one: { id: number }) => one.id === draft.id),
      index % 2 === 0
    )
  }
})

test('each hears 304 or the whole by what they have themselves', async () => {
  const { id } = await aCampaign()
  const tag = (await visitor.get(`/campaigns/${id}`)).headers.etag ?? ''
  const answers = await together(10, index =>
    visitor.get(`/campaigns/${id}`, index % 2 === 0 ? { 'if-none-match': tag } : {})
  )
  assert.deepEqual(
    answers.map(({ status, text }) => [status, text === '']),
    Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? [304, true] : [200, false]))
  )
})

test('all are refused alike, in the language each asks for', async () => {
  const answers = await together(10, index =>
    visitor.get('/campaigns/999999', { 'accept-language': index % 2 === 0 ? 'de' : 'en' })
  )
  for (const [index, { status, headers }] of answers.entries()) {
    assert.equal(status, 404)
    assert.equal(headers['content-language'], index % 2 === 0 ? 'de' : 'en')
  }
})

test('what streams goes to each by itself', { skip: skipUnlessFull }, async () => {
  for (let count = 0; count < 510; count += 100) await Promise.all(Array.from({ length: 100 }, () => aCampaign()))
  const answers = await together(5, () => visitor.get('/campaigns'))
  for (const { status, text } of answers) {
    assert.equal(status, 200)
    assert.equal(text, answers[0]?.text)
    assert.ok(JSON.parse(text).length > 500)
  }
})

test('whoever asks after a write was acknowledged sees it, however many ask all the time', {
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
      // What is kept is answered without leaving the turn, in which nobody could write.
      await nextTurn()
      assert.ok(seen >= least, `saw ${seen} after ${least} was acknowledged`)
    }
  })
  await Promise.all([writer, ...readers])
})

test('behind a trusted proxy those who asked different hosts share nothing: links lead back to where each came from', async () => {
  const { visitor: behindProxy, aCampaign: make } = await startCampaigns({ env: { TRUST_PROXY: 'true' } })
  for (let count = 0; count < 3; count += 1) await make()
  const answers = await together(10, index =>
    behindProxy.get('/campaigns?limit=1', { 'x-forwarded-host': index % 2 === 0 ? 'one.example' : 'other.example' })
  )
  for (const [index, { headers }] of answers.entries()) {
    assert.match(headers.link ?? '', index % 2 === 0 ? /one\.example/ : /other\.example/)
  }
})
