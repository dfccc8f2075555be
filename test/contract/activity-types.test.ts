// test: both stores
// There is one list of activity types, for the activity log, webhooks and the stream: code, texts and documentation are compared with it.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { languages } from '#platform/language.ts'
import { newWebhookSender } from '#platform/webhooks/sender.ts'
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

/** All activity, as the receiver gets it. */
async function told(): Promise<{ type: string; timestamp: string; data: Record<string, unknown> }[]> {
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

test('every action in the list is of its subject, listed once, and described in a sentence', () => {
  assert.deepEqual([...new Set(names)], names)
  for (const { action, subject, description } of listed) {
    assert.match(action, /^[a-z_]+\.[a-z_]+$/)
    assert.equal(action.split('.')[0], subject)
    assert.match(description, /^[A-Z].*\.$/, action)
  }
})

test('every action that the program names where it records is in the list', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map(path => ({ path, text: readFileSync(join(root, 'src', path), 'utf8') }))
    .filter(({ text }) => /\brecord\(/.test(text) && /\/activity\.ts'/.test(text))
  assert.ok(files.length > 10, 'Records are not found any more.')
  for (const { path, text } of files) {
    // Files and tables have such names, too.
    for (const [, action = ''] of text.matchAll(/'((?!platform|calendar|fundraising)[a-z_]+\.(?!json')[a-z_]+)'/g)) {
      assert.ok(names.includes(action), `${path} records ${action}: add it to the subjects of its service.`)
    }
  }
})

test('the console has a word for every action, in both languages', () => {
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

test('whatever happens, what is recorded is in the list, and no message tells of a donor, a draft or an account', async () => {
  const { id } = await aCampaign()
  for (const status of ['TRANSFERRED', 'CANCELLED', 'FAILED']) {
    const { id: donationId } = await aDonation(id, donor)
    const path = `/campaigns/${id}/donations/${donationId}`
    await admin.patch(path, { donorName: `${secrets.donorName} the Second` })
    await admin.post(`${path}/notes`, { text: `${secrets.donorName} has called` })
    assert.equal((await admin.patch(path, { status })).status, 200)
  }
  const { id: taken } = await aDonation(id, donor)
  await admin.delete(`/campaigns/${id}/donations/${taken}`)
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
  await told()
  assert.ok(new Set(receiver.received.map(({ body }) => JSON.parse(body).type)).size > 25)
  for (const { body } of receiver.received) {
    for (const secret of Object.values(secrets)) assert.ok(!body.includes(secret), body)
    const { type, data } = JSON.parse(body)
    assert.notEqual(data.id, undefined, body)
    // Organizers can be written to; nobody else's address is told.
    if (!/^(organizer|event)\./.test(type)) assert.ok(!body.includes('@'), body)
  }
})

test('a message carries the thing as everybody may read it', async () => {
  await told()
  const { id } = await aCampaign()
  await aDonation(id, { ...donor, showName: true, message: 'Good luck!' })
  await aDonation(id, { ...donor, message: 'Quietly' })
  const make = async (collection: string, fields: object) =>
    (await admin.post(`${calendar}/${collection}`, fields)).body.id
  const venue = await make('venues', { venue: 'Town Hall', city: 'Berlin' })
  const organizer = await make('organizers', { organizer: 'Choir', email: 'choir@example.org' })
  const linked = { venue, organizer, categories: ['Music'], tags: ['Loud'] }
  const shown = await make('events', { ...event, title: 'Shown', ...linked })
  const { messages, own } = byType(await told())

  const donations = (await visitor.get(`/campaigns/${id}/donations`)).body
  const { body: supported } = await visitor.get(`/campaigns/${id}`)
  const made = messages('donation.created').map(own).reverse() as { campaign: object }[]
  assert.deepEqual(
    made.map(({ campaign: _, ...donation }) => donation),
    donations
  )
  for (const { campaign } of made) assert.deepEqual(campaign, pick(supported, Object.keys(campaign)))
  assert.deepEqual([donations[0].donorName, donations[1].donorName], [null, secrets.donorName])
  // Its sums are those of the moment in which the message is written.
  assert.deepEqual(messages('campaign.created').map(own), [supported])

  const { events } = (await visitor.get(`${calendar}/events?include=${shown}`, at(origin))).body
  assert.deepEqual(messages('event.created').map(own), events)
  for (const [collection, type] of [
    ['venues', 'venue.created'],
    ['organizers', 'organizer.created'],
    ['categories', 'category.created'],
    ['tags', 'tag.created']
  ] as const) {
    const [told] = messages(type).map(own)
    const list = (await visitor.get(`${calendar}/${collection}?per_page=50`, at(origin))).body[collection]
    assert.deepEqual(
      told,
      list.find((one: { id: number }) => one.id === (told as { id: number }).id),
      type
    )
  }
})

function pick(from: Record<string, unknown>, fields: string[]): object {
  return Object.fromEntries(fields.map(field => [field, from[field]]))
}

function byType(all: Awaited<ReturnType<typeof told>>) {
  return {
    messages: (type: string) => all.filter(message => message.type === type),
    own: ({ data }: { data: object }) => data
  }
}

const at = (address: string) => ({ host: new URL(address).host })

test('what is not for everybody is named, and no more', async () => {
  const hidden: [what: string, fields: object][] = [
    ['a draft', { status: 'draft' }],
    ['a private one', { status: 'private' }],
    ['one with a password', { post_password: 'secret' }],
    ['one that is left out of lists', { hide_from_listings: true }],
    ['one that is published ahead', { date: '2099-01-01 00:00:00' }]
  ]
  for (const [what, fields] of hidden) {
    const { id, status } = (await admin.post(`${calendar}/events`, { ...event, title: secrets.draft, ...fields })).body
    const { messages, own } = byType(await told())
    const stored = status === 'future' ? 'publish' : status
    assert.deepEqual(messages('event.created').map(own), [{ id, subject: 'event', status: stored }], what)
  }
  const { id } = await aCampaign({ status: 'draft' })
  await admin.put(`/campaigns/${id}`, (await admin.get(`/campaigns/${id}`)).body)
  await admin.delete(`/campaigns/${id}`)
  for (const { type, data } of await told()) {
    const changed = type === 'campaign.updated' ? { changed: [] } : {}
    assert.deepEqual(data, { id, subject: 'campaign', ...changed })
  }
  assert.equal((await admin.get(`/webhooks/${webhookId}`)).body.isOn, true)
})
