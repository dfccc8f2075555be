// What somebody whom nobody knows can put on the pages of an organisation: as it is installed, nothing that looks like money.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { Sql, sql } from '#platform/database/sql.ts'
import { newWebhookSender } from '#platform/webhooks/sender.ts'
import { silent } from '#test/support/database.ts'
import { type EventStreamClient, openEventStream } from '#test/support/event-stream-client.ts'
import { campaign, donation, startSite } from '#test/support/services.ts'
import { startWebhookReceiver } from '#test/support/webhook-receiver.ts'
import { createFundraisingActivityTypes } from '../../activity-types.ts'

const { admin, visitor, server, store, settings, withRole } = await startSite({ env: { RATE_LIMIT: '0' } })
const treasurer = await withRole('treasurer')
const origin = await server.app.listen({ host: '127.0.0.1', port: 0 })
const streams: EventStreamClient[] = []
after(() => {
  for (const stream of streams) stream.close()
})

const aCampaign = async () => (await admin.post('/campaigns', campaign)).body.id as number

/** By the public, without an account, with a name and a message for everybody. */
const give = async (id: number, fields: object = {}) => {
  const { account: _, ...plain } = donation
  const sent = { ...plain, donorName: 'Donald Duck', showName: true, message: 'Buy my watches', ...fields }
  const { status, body, text } = await visitor.post(`/campaigns/${id}/donations`, sent)
  assert.equal(status, 201, text)
  return { ...body, path: `/campaigns/${id}/donations/${body.id}` }
}

/** Everything that the public can read of a campaign, in one text. */
async function readPublic(id: number): Promise<string> {
  const places = [
    ...['/campaigns', `/campaigns/${id}`, `/campaigns/${id}/donations`, '/campaigns.csv', '/campaigns.jsonl'],
    ...['/en', '/en/donate', `/en/donate/${id}`, '/en/campaigns.atom', `/en/embed/campaigns/${id}`],
    ...['/de', '/de/spenden', `/de/spenden/${id}`]
  ]
  let everything = ''
  for (const place of places) {
    let answer = await visitor.get(place)
    if (answer.status === 301) answer = await visitor.get(answer.headers.location ?? '')
    assert.equal(answer.status, 200, place)
    // Each form has a key and a time of its own.
    everything += answer.text.replaceAll(/name="(?:key|started)" value="[^"]*"/g, '')
  }
  return everything
}

test('a promise of 999,999,999.99 by a stranger changes nothing that the public sees, and waits for the treasurer', async () => {
  const id = await aCampaign()
  const before = await readPublic(id)
  const held = await give(id, { amount: 999_999_999.99 })
  assert.equal(await readPublic(id), before)
  assert.equal((await visitor.get(held.path)).status, 404)
  const { body: waiting } = await treasurer.get(`/donations?review=waiting&campaignId=${id}`)
  assert.deepEqual(
    waiting.map((one: { id: string; amount: number }) => [one.id, one.amount]),
    [[held.id, 999_999_999.99]]
  )
})

test('exactly 10,000.00 does not wait, a cent more does, nothing of a treasurer does, and null switches it off', async () => {
  const id = await aCampaign()
  const reviewOf = async (path: string) => (await treasurer.get(path)).body.review
  assert.equal(await reviewOf((await give(id, { amount: 10_000 })).path), null)
  assert.equal(await reviewOf((await give(id, { amount: 10_000.01 })).path), 'waiting')
  const { body } = await treasurer.post(`/campaigns/${id}/donations`, { ...donation, amount: 50_000 })
  assert.equal(body.review, null)
  assert.equal((await admin.patch('/organisation', { reviewAbove: null })).body.reviewAbove, null)
  assert.equal(await reviewOf((await give(id, { amount: 10_000.01 })).path), null)
  await admin.patch('/organisation', { reviewAbove: 10_000 })
})

test('a message of the public is read by a treasurer before everybody reads it, in lists, pages, stream and webhooks', async () => {
  const id = await aCampaign()
  const receiver = await startWebhookReceiver()
  await admin.post('/webhooks', { url: receiver.url, actions: ['donation.created', 'donation.updated'] })
  const stranger = await openEventStream(`${origin}/stream`)
  streams.push(stranger)
  const given = await give(id)
  assert.deepEqual([given.message, given.donorName], ['Buy my watches', 'Donald Duck'], 'the donor sees what was sent')
  assert.equal((await visitor.get(`/donations/by-token/${given.donorToken}`)).body.message, 'Buy my watches')
  const { body: read } = await treasurer.get(given.path)
  assert.deepEqual([read.message, read.messageReview], ['Buy my watches', 'waiting'])
  assert.doesNotMatch(await readPublic(id), /watches|Donald/)

  const shown = await treasurer.patch(given.path, { messageReview: 'shown' })
  assert.deepEqual([shown.status, shown.body.messageReview], [200, 'shown'])
  const all = await readPublic(id)
  assert.match(all, /Buy my watches/)
  assert.match(all, /Donald Duck/)
  await stranger.waitUntil(() => stranger.messages.some(({ event }) => event === 'donation.updated'))
  const messages = stranger.messages.map(({ event, data }) => [event, data.data?.message])
  assert.deepEqual(messages.filter(([event]) => event?.startsWith('donation.')).at(-1), [
    'donation.updated',
    'Buy my watches'
  ])

  assert.equal((await treasurer.patch(given.path, { messageReview: 'hidden' })).body.messageReview, 'hidden')
  assert.doesNotMatch(await readPublic(id), /watches|Donald/)
  const sender = newWebhookSender({
    ...{
      db: store,
      keys: settings,
      activityTypes: createFundraisingActivityTypes(settings),
      origin,
      allowPrivate: true,
      log: silent
    },
    now: () => new Date(Date.now() + 60_000)
  })
  while ((await sender.deliverDue()) > 0) await sender.drain()
  assert.ok(receiver.received.length > 0)
  for (const { body } of receiver.received) assert.doesNotMatch(body, /watches|Donald/)
})

test('with the money comes the name, but not the message; what a treasurer has hidden stays hidden', async () => {
  const id = await aCampaign()
  const [paid, hidden] = [await give(id), await give(id, { donorName: 'Rude Word' })]
  await treasurer.patch(hidden.path, { messageReview: 'hidden' })
  for (const { path } of [paid, hidden]) await treasurer.patch(path, { status: 'TRANSFERRED' })
  const { body } = await visitor.get(`/campaigns/${id}/donations`)
  assert.deepEqual(
    body.map((one: { donorName: string | null; message: string | null }) => [one.donorName, one.message]),
    [
      [null, null],
      ['Donald Duck', null]
    ]
  )
  const { headers, body: waiting } = await treasurer.get(`/donations?messageReview=waiting&campaignId=${id}`)
  assert.deepEqual([headers['x-total-count'], waiting[0].id], ['1', paid.id])
})

test('a review of messages moves to shown or hidden, by treasurers alone; what was read can be sent back', async () => {
  const id = await aCampaign()
  const given = await give(id)
  assert.equal((await visitor.patch(given.path, { messageReview: 'shown' })).status, 401)
  assert.equal((await (await withRole('editor')).patch(given.path, { messageReview: 'shown' })).status, 403)
  for (const wrong of ['approved', true, 7, '']) {
    const refused = await treasurer.patch(given.path, { messageReview: wrong })
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/messageReview'])
  }
  const { headers } = await treasurer.get(given.path)
  for (const same of ['waiting', null]) {
    assert.equal((await treasurer.patch(given.path, { messageReview: same })).headers.etag, headers.etag)
  }
  await treasurer.patch(given.path, { messageReview: 'shown' })
  const back = await treasurer.patch(given.path, { messageReview: 'waiting' }, { 'accept-language': 'de' })
  assert.deepEqual([back.status, back.body.code], [422, 'illegal-message-review'])
  assert.match(back.body.errors[0].message, /nicht wieder/)
  // What a treasurer writes needs no second look, and a donation without any text has nothing to review.
  const other = await give(id)
  assert.equal((await treasurer.patch(other.path, { message: 'Bravo!' })).body.messageReview, 'shown')
  const silent = await give(id, { message: null, showName: false })
  assert.equal((await treasurer.get(silent.path)).body.messageReview, null)
  assert.equal((await treasurer.get('/donations?messageReview=maybe')).status, 400)
})

test('an organisation that trusts its donors shows messages and names at once', async () => {
  const id = await aCampaign()
  assert.equal((await admin.patch('/organisation', { messagesNeedReview: false })).body.messagesNeedReview, false)
  const given = await give(id, { message: 'Good luck' })
  const { body } = await visitor.get(given.path)
  assert.deepEqual([body.donorName, body.message], ['Donald Duck', 'Good luck'])
  await admin.patch('/organisation', { messagesNeedReview: true })
})

test('an update gives an organisation without a limit the new one, and leaves the limit that somebody has set', async () => {
  const folder = new URL('../../migrations/', import.meta.url)
  const file = (await readdir(folder)).find(name => name.endsWith('_review_by_default.sql')) ?? ''
  const [, update = ''] = (await readFile(new URL(file, folder), 'utf8')).split(/;\n\n/)
  assert.match(update, /^update fundraising\.organisation/)
  const limitAfter = async (cents: number | null) => {
    await store.run(sql`update fundraising.organisation set review_above_cents = ${cents}`)
    await store.run(new Sql(update, []))
    return (await admin.get('/organisation')).body.reviewAbove
  }
  assert.equal(await limitAfter(null), 10_000)
  assert.equal(await limitAfter(50_000), 500)
  assert.equal(await limitAfter(0), 0)
})
