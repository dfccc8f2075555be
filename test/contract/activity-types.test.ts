// test: both stores
// There is one list of activity types, for the activity log, webhooks and the stream: code, texts and documentation are compared with it.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { languages } from '#platform/language.ts'
import { newWebhookSender } from '#platform/webhooks/sender.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { findVerb } from '#web/admin/activity/describe-activity.ts'
import { listActivityTypes } from '../../src/cli/server/services.ts'
import { isUserOperation, startRouteCrawler } from '../support/crawl/route-crawler.ts'
import { silent } from '../support/database.ts'
import { root } from '../support/project-root.ts'
import { calendar, event } from '../support/services.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'

const crawler = await startRouteCrawler()
const { admin, aCampaign, aDonation, operations, settings, store, validRequestOfAdmin, visitor } = crawler
const listed: { action: string; subject: string; description: string }[] = (await admin.get('/actions')).body
const names = listed.map(({ action }) => action)

const receiver = await startWebhookReceiver()
const { id: webhookId } = (await admin.post('/webhooks', { url: receiver.url, actions: ['*'] })).body
const origin = 'http://kalends.example'

/** Delivers all pending activity to the receiver, and returns the new messages. */
async function deliverAll(): Promise<{ type: string; timestamp: string; data: Record<string, unknown> }[]> {
  const now = () => new Date(Date.now() + 60_000)
  const sender = newWebhookSender({
    ...{
      db: store,
      keys: settings,
      activityTypes: listActivityTypes(settings),
      origin,
      allowPrivate: true,
      log: silent,
      now
    }
  })
  const before = receiver.received.length
  while ((await sender.deliverDue()) > 0) await sender.drain()
  return receiver.received.slice(before).map(({ body }) => JSON.parse(body))
}

test('every action in the list begins with its subject, is listed once, and has a sentence as description', () => {
  assert.deepEqual([...new Set(names)], names)
  for (const { action, subject, description } of listed) {
    assert.match(action, /^[a-z_]+\.[a-z_]+$/)
    assert.equal(action.split('.')[0], subject)
    assert.match(description, /^[A-Z].*\.$/, action)
  }
})

test('every action that the program records is in the list', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map(path => ({ path, text: readFileSync(join(root, 'src', path), 'utf8') }))
    .filter(({ text }) => /\brecord\(/.test(text) && /\/activity\.ts'/.test(text))
  assert.ok(files.length > 10, 'calls of record() are not found any more')
  for (const { path, text } of files) {
    // Names of files and tables look the same.
    for (const [, action = ''] of text.matchAll(/'((?!platform|calendar|fundraising)[a-z_]+\.(?!json')[a-z_]+)'/g)) {
      assert.ok(names.includes(action), `${path} records ${action}: add it to the subjects of its service.`)
    }
  }
})

test('the console has a text for every action, in both languages', () => {
  for (const language of languages) {
    const missing = names.filter(action => findVerb(language, action) === undefined)
    assert.deepEqual(missing, [], `Add them to src/web/admin/activity/strings.ts (${language}).`)
  }
})

test('docs/webhooks.md has every action with its description, and no other', () => {
  const manual = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')
  const written = [...manual.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \| (.*) \|$/gm)].map(([, action, words]) => [
    action,
    words
  ])
  const expected = listed.map(({ action, description }) => [action, description])
  assert.deepEqual(written, expected, 'The table in docs/webhooks.md is the list of GET /actions.')
})

/** A donor whose data must not be sent; the values appear nowhere else. */
const secrets = {
  donorName: 'Wilhelmina Verborgen',
  iban: 'DE02120300000000202051',
  email: 'wilhelmina@verborgen.example',
  street: 'Geheimgasse 7',
  draft: 'A draft that nobody knows'
}
const donor = {
  donorName: secrets.donorName,
  email: secrets.email,
  account: { iban: secrets.iban, name: secrets.donorName, nameOfBank: 'Hidden Bank' },
  address: { street: secrets.street, postalCode: '12345', city: 'Berlin', country: 'DE' }
}

test('all recorded actions are in the list, and no message contains data of a donor, a draft or a user', {
  skip: skipUnlessFull
}, async () => {
  const { id } = await aCampaign()
  for (const status of ['TRANSFERRED', 'CANCELLED', 'FAILED']) {
    const { id: donationId } = await aDonation(id, donor)
    const path = `/campaigns/${id}/donations/${donationId}`
    await admin.patch(path, { donorName: `${secrets.donorName} the Second` })
    await admin.post(`${path}/notes`, { text: `${secrets.donorName} has called` })
    assert.equal((await admin.patch(path, { status })).status, 200)
  }
  const { id: deletedId } = await aDonation(id, donor)
  await admin.delete(`/campaigns/${id}/donations/${deletedId}`)
  for (const collection of ['events', 'venues', 'organizers']) {
    const fields = { ...event, title: secrets.draft, venue: secrets.draft, organizer: secrets.draft, status: 'draft' }
    const { id: draft } = (await admin.post(`${calendar}/${collection}`, fields)).body
    const path = `${calendar}/${collection}/${draft}`
    await admin.patch(path, { description: secrets.draft })
    await admin.delete(path)
    await admin.patch(path, { status: 'draft' })
    await admin.delete(`${path}?force=true`)
  }
  for (const operation of operations) {
    const isLeftOut = ['POST /setup', 'POST /sample-content', 'GET /stream'].includes(operation.name)
    if (isLeftOut || (operation.method === 'GET' && !isUserOperation(operation))) continue
    await admin.send(await validRequestOfAdmin(operation))
  }

  const recorded = await store.all<{ action: string }>(sql`select distinct action from platform.activity`)
  assert.deepEqual(
    recorded.map(({ action }) => action).filter(action => !names.includes(action)),
    [],
    'Add them to the subjects of their service.'
  )
  assert.ok(recorded.length > 25, String(recorded.length))
  await deliverAll()
  assert.ok(new Set(receiver.received.map(({ body }) => JSON.parse(body).type)).size > 25)
  for (const { body } of receiver.received) {
    for (const secret of Object.values(secrets)) assert.ok(!body.includes(secret), body)
    const { type, data } = JSON.parse(body)
    assert.notEqual(data.id, undefined, body)
    // Only organizers have a public email address.
    if (!/^(organizer|event)\./.test(type)) assert.ok(!body.includes('@'), body)
  }
})

test('a message contains the public representation of the item', async () => {
  await deliverAll()
  const { id } = await aCampaign()
  await aDonation(id, { ...donor, showName: true, message: 'Good luck!' })
  await aDonation(id, { ...donor, message: 'Quietly' })
  const create = async (collection: string, fields: object) =>
    (await admin.post(`${calendar}/${collection}`, fields)).body.id
  const venue = await create('venues', { venue: 'Town Hall', city: 'Berlin' })
  const organizer = await create('organizers', { organizer: 'Choir', email: 'choir@example.org' })
  const linked = { venue, organizer, categories: ['Music'], tags: ['Loud'] }
  const shown = await create('events', { ...event, title: 'Shown', ...linked })
  const { messages, own: getData } = groupByType(await deliverAll())

  const donations = (await visitor.get(`/campaigns/${id}/donations`)).body
  const { body: supported } = await visitor.get(`/campaigns/${id}`)
  const created = messages('donation.created').map(getData).reverse() as { campaign: object }[]
  assert.deepEqual(
    created.map(({ campaign: _, ...donation }) => donation),
    donations
  )
  for (const { campaign } of created) assert.deepEqual(campaign, pick(supported, Object.keys(campaign)))
  assert.deepEqual([donations[0].donorName, donations[1].donorName], [null, secrets.donorName])
  // Its sums are those at the time of sending.
  assert.deepEqual(messages('campaign.created').map(getData), [supported])

  const { events } = (await visitor.get(`${calendar}/events?include=${shown}`, withHost(origin))).body
  assert.deepEqual(messages('event.created').map(getData), events)
  for (const [collection, type] of [
    ['venues', 'venue.created'],
    ['organizers', 'organizer.created'],
    ['categories', 'category.created'],
    ['tags', 'tag.created']
  ] as const) {
    const [sent] = messages(type).map(getData)
    const list = (await visitor.get(`${calendar}/${collection}?per_page=50`, withHost(origin))).body[collection]
    assert.deepEqual(
      sent,
      list.find((one: { id: number }) => one.id === (sent as { id: number }).id),
      type
    )
  }
})

function pick(from: Record<string, unknown>, fields: string[]): object {
  return Object.fromEntries(fields.map(field => [field, from[field]]))
}

function groupByType(all: Awaited<ReturnType<typeof deliverAll>>) {
  return {
    messages: (type: string) => all.filter(message => message.type === type),
    own: ({ data }: { data: object }) => data
  }
}

const withHost = (address: string) => ({ host: new URL(address).host })

test('a message about an unpublished item contains only id, subject and status', async () => {
  const hidden: [what: string, fields: object][] = [
    ['a draft', { status: 'draft' }],
    ['a private event', { status: 'private' }],
    ['an event with a password', { post_password: 'secret' }],
    ['an event that is hidden from lists', { hide_from_listings: true }],
    ['a scheduled event', { date: '2099-01-01 00:00:00' }]
  ]
  for (const [kind, fields] of hidden) {
    const { id, status } = (await admin.post(`${calendar}/events`, { ...event, title: secrets.draft, ...fields })).body
    const { messages, own: getData } = groupByType(await deliverAll())
    const stored = status === 'future' ? 'publish' : status
    assert.deepEqual(messages('event.created').map(getData), [{ id, subject: 'event', status: stored }], kind)
  }
  const { id } = await aCampaign({ status: 'draft' })
  await admin.put(`/campaigns/${id}`, (await admin.get(`/campaigns/${id}`)).body)
  await admin.delete(`/campaigns/${id}`)
  for (const { type, data } of await deliverAll()) {
    const changed = type === 'campaign.updated' ? { changed: [] } : {}
    assert.deepEqual(data, { id, subject: 'campaign', ...changed })
  }
  assert.equal((await admin.get(`/webhooks/${webhookId}`)).body.isOn, true)
})
