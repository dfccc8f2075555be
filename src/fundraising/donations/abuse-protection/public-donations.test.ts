// What donations by unknown visitors show on public pages with the default settings: no large amount, message or name before a review.
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

const createCampaign = async () => (await admin.post('/campaigns', campaign)).body.id as number

/** Donates as a visitor without an account, with a public name and message. */
const donate = async (id: number, fields: object = {}) => {
  const { account: _, ...withoutAccount } = donation
  const sent = { ...withoutAccount, donorName: 'Donald Duck', showName: true, message: 'Buy my watches', ...fields }
  const { status, body, text } = await visitor.post(`/campaigns/${id}/donations`, sent)
  assert.equal(status, 201, text)
  return { ...body, path: `/campaigns/${id}/donations/${body.id}` }
}

/** The texts of all public pages and responses about a campaign, joined. */
async function readPublic(id: number): Promise<string> {
  const paths = [
    ...['/campaigns', `/campaigns/${id}`, `/campaigns/${id}/donations`, '/campaigns.csv', '/campaigns.jsonl'],
    ...['/en', '/en/donate', `/en/donate/${id}`, '/en/campaigns.atom', `/en/embed/campaigns/${id}`],
    ...['/de', '/de/spenden', `/de/spenden/${id}`]
  ]
  let everything = ''
  for (const path of paths) {
    let response = await visitor.get(path)
    if (response.status === 301) response = await visitor.get(response.headers.location ?? '')
    assert.equal(response.status, 200, path)
    // Every form has its own key and start time.
    everything += response.text.replaceAll(/name="(?:key|started)" value="[^"]*"/g, '')
  }
  return everything
}

test('a pledge of 999,999,999.99 by a visitor changes nothing on public pages and is held for review', async () => {
  const id = await createCampaign()
  const before = await readPublic(id)
  const held = await donate(id, { amount: 999_999_999.99 })
  assert.equal(await readPublic(id), before)
  assert.equal((await visitor.get(held.path)).status, 404)
  const { body: waiting } = await treasurer.get(`/donations?review=waiting&campaignId=${id}`)
  assert.deepEqual(
    waiting.map((one: { id: string; amount: number }) => [one.id, one.amount]),
    [[held.id, 999_999_999.99]]
  )
})

test('a pledge of 10,000.01 is held for review, one of 10,000.00 or by a treasurer is not, and a limit of null turns the review off', async () => {
  const id = await createCampaign()
  const readReview = async (path: string) => (await treasurer.get(path)).body.review
  assert.equal(await readReview((await donate(id, { amount: 10_000 })).path), null)
  assert.equal(await readReview((await donate(id, { amount: 10_000.01 })).path), 'waiting')
  const { body } = await treasurer.post(`/campaigns/${id}/donations`, { ...donation, amount: 50_000 })
  assert.equal(body.review, null)
  assert.equal((await admin.patch('/organisation', { reviewAbove: null })).body.reviewAbove, null)
  assert.equal(await readReview((await donate(id, { amount: 10_000.01 })).path), null)
  await admin.patch('/organisation', { reviewAbove: 10_000 })
})

test('the message of a visitor is hidden in lists, pages, stream and webhooks until a treasurer shows it', async () => {
  const id = await createCampaign()
  const receiver = await startWebhookReceiver()
  await admin.post('/webhooks', { url: receiver.url, actions: ['donation.created', 'donation.updated'] })
  const publicStream = await openEventStream(`${origin}/stream`)
  streams.push(publicStream)
  const donated = await donate(id)
  assert.deepEqual(
    [donated.message, donated.donorName],
    ['Buy my watches', 'Donald Duck'],
    'the donor sees the own message'
  )
  assert.equal((await visitor.get(`/donations/by-token/${donated.donorToken}`)).body.message, 'Buy my watches')
  const { body: read } = await treasurer.get(donated.path)
  assert.deepEqual([read.message, read.messageReview], ['Buy my watches', 'waiting'])
  assert.doesNotMatch(await readPublic(id), /watches|Donald/)

  const shown = await treasurer.patch(donated.path, { messageReview: 'shown' })
  assert.deepEqual([shown.status, shown.body.messageReview], [200, 'shown'])
  const all = await readPublic(id)
  assert.match(all, /Buy my watches/)
  assert.match(all, /Donald Duck/)
  await publicStream.waitUntil(() => publicStream.messages.some(({ event }) => event === 'donation.updated'))
  const messages = publicStream.messages.map(({ event, data }) => [event, data.data?.message])
  assert.deepEqual(messages.filter(([event]) => event?.startsWith('donation.')).at(-1), [
    'donation.updated',
    'Buy my watches'
  ])

  assert.equal((await treasurer.patch(donated.path, { messageReview: 'hidden' })).body.messageReview, 'hidden')
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

test('when a donation is received, its name is shown but not its message; a text that a treasurer has hidden stays hidden', async () => {
  const id = await createCampaign()
  const [paid, hidden] = [await donate(id), await donate(id, { donorName: 'Rude Word' })]
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

test('only treasurers set the review of a message, to shown or hidden; sending back the current value changes nothing', async () => {
  const id = await createCampaign()
  const donated = await donate(id)
  assert.equal((await visitor.patch(donated.path, { messageReview: 'shown' })).status, 401)
  assert.equal((await (await withRole('editor')).patch(donated.path, { messageReview: 'shown' })).status, 403)
  for (const wrong of ['approved', true, 7, '']) {
    const refused = await treasurer.patch(donated.path, { messageReview: wrong })
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/messageReview'])
  }
  const { headers } = await treasurer.get(donated.path)
  for (const same of ['waiting', null]) {
    assert.equal((await treasurer.patch(donated.path, { messageReview: same })).headers.etag, headers.etag)
  }
  await treasurer.patch(donated.path, { messageReview: 'shown' })
  const back = await treasurer.patch(donated.path, { messageReview: 'waiting' }, { 'accept-language': 'de' })
  assert.deepEqual([back.status, back.body.code], [422, 'illegal-message-review'])
  assert.match(back.body.errors[0].message, /nicht wieder/)
  // A message written by a treasurer needs no review, and neither does a donation without message and public name.
  const other = await donate(id)
  assert.equal((await treasurer.patch(other.path, { message: 'Bravo!' })).body.messageReview, 'shown')
  const silent = await donate(id, { message: null, showName: false })
  assert.equal((await treasurer.get(silent.path)).body.messageReview, null)
  assert.equal((await treasurer.get('/donations?messageReview=maybe')).status, 400)
})

test('if messages need no review, they and the names are shown at once', async () => {
  const id = await createCampaign()
  assert.equal((await admin.patch('/organisation', { messagesNeedReview: false })).body.messagesNeedReview, false)
  const donated = await donate(id, { message: 'Good luck' })
  const { body } = await visitor.get(donated.path)
  assert.deepEqual([body.donorName, body.message], ['Donald Duck', 'Good luck'])
  await admin.patch('/organisation', { messagesNeedReview: true })
})

test('the migration sets the default review limit where there is none, and keeps a limit that was set', async () => {
  const folder = new URL('../../migrations/', import.meta.url)
  const file = (await readdir(folder)).find(name => name.endsWith('_review_by_default.sql')) ?? ''
  const [, update = ''] = (await readFile(new URL(file, folder), 'utf8')).split(/;\n\n/)
  assert.match(update, /^update fundraising\.organisation/)
  const readLimitAfterMigration = async (cents: number | null) => {
    await store.run(sql`update fundraising.organisation set review_above_cents = ${cents}`)
    await store.run(new Sql(update, []))
    return (await admin.get('/organisation')).body.reviewAbove
  }
  assert.equal(await readLimitAfterMigration(null), 10_000)
  assert.equal(await readLimitAfterMigration(50_000), 500)
  assert.equal(await readLimitAfterMigration(0), 0)
})
