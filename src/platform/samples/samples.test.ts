import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { calendarChecks } from '#calendar/doctor.ts'
import { fundraisingChecks } from '#fundraising/doctor.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { buildStatement } from '#test/support/fundraising/bank-statements.ts'
import { root } from '#test/support/project-root.ts'
import {
  calendar,
  campaign,
  donation,
  event,
  startCampaigns,
  startCampaignsAndCalendar,
  type TestResponse
} from '#test/support/services.ts'
import { Sql, sql } from '../database/sql.ts'

const startWithSamples = async (
  start: typeof startCampaignsAndCalendar | typeof startCampaigns = startCampaignsAndCalendar
) => {
  const started = await start()
  const { admin, store } = started
  assert.equal((await admin.post('/sample-content')).status, 200)
  const counts = async () =>
    Object.fromEntries(
      (await admin.get('/samples')).body.kinds.map(({ kind, count }: TestResponse['body']) => [kind, count])
    ) as Record<string, number>
  const remove = async (language = 'en') => {
    const response = await admin.send({ method: 'DELETE', url: '/samples', headers: { 'accept-language': language } })
    assert.equal(response.status, 200, response.text)
    const removed = Object.fromEntries(
      response.body.removed.map(({ kind, count }: TestResponse['body']) => [kind, count])
    )
    return { removed, kept: response.body.kept as TestResponse['body'][] }
  }
  const faults = async () => {
    const found: string[] = []
    for (const check of [...fundraisingChecks, ...calendarChecks]) found.push(...(await check.run(store)))
    return found
  }
  /** The number of rows in each table. */
  const rows = async (tables: string[]) => {
    const found: Record<string, number> = {}
    for (const table of tables) {
      found[table] = (await store.one<{ count: number }>(new Sql(`select count(*) as count from ${table}`, []))).count
    }
    return found
  }
  const openSample = async () =>
    (await admin.get('/campaigns')).body.find((one: TestResponse['body']) => one.status === 'open')
  return { ...started, counts, remove, faults, rows, openSample }
}

const tablesOfCampaigns = [
  ...['campaigns', 'donations', 'donation_history', 'notes', 'totals', 'deltas', 'mandates'],
  ...['news_consents', 'campaign_updates', 'campaign_presentations', 'campaign_stories', 'offline_amounts']
]
const tablesOfCalendar = ['events', 'event_texts', 'venues', 'organizers', 'terms', 'media', 'media_sizes']
const tables = [
  ...tablesOfCampaigns.map(name => `fundraising.${name}`),
  ...tablesOfCalendar.map(name => `calendar.${name}`),
  'platform.samples'
]

test('removing sample content deletes all of it, and nothing else', {
  skip: skipUnlessFull
}, async () => {
  const { admin, visitor, store, counts, remove, faults, rows, openSample } = await startWithSamples()
  const created = await counts()
  assert.deepEqual(
    { ...created, donation: (created.donation ?? 0) > 50 },
    { campaign: 7, donation: true, event: 40, venue: 5, organizer: 4, category: 6, tag: 8, image: 15 }
  )
  const own = (await admin.post('/campaigns', campaign)).body
  await admin.post(`/campaigns/${own.id}/donations`, { ...donation, status: 'TRANSFERRED' })
  const ownEvent = (await admin.post(`${calendar}/events`, { ...event, venue: { venue: 'Own place' }, tags: ['own'] }))
    .body
  const sample = await openSample()
  // A donation by a visitor who tried the form, with a note, deleted by a treasurer.
  const asked = { ...donation, email: 'tried@example.org', news: { text: 'Send me news.' } }
  const visitorDonation = (await visitor.post(`/campaigns/${sample.id}/donations`, asked)).body
  await admin.post(`/campaigns/${sample.id}/updates`, { texts: { en: { title: 'Tried', text: '' } } })
  await admin.patch(`/campaigns/${sample.id}/presentation`, { contact: { name: 'Tried' } })
  await admin.post(`/campaigns/${sample.id}/donations/${visitorDonation.id}/notes`, { text: 'Who is this?' })
  await admin.delete(`/campaigns/${sample.id}/donations/${visitorDonation.id}`)
  const hidden = (await admin.get('/campaigns')).body.find((one: TestResponse['body']) => one.status === 'closed')
  await admin.delete(`/campaigns/${hidden.id}`)
  await admin.delete(`${calendar}/events/${(await admin.get(`${calendar}/events`)).body.events[0].id}`)

  const { removed, kept } = await remove()
  assert.deepEqual(kept, [])
  assert.deepEqual(removed, { ...created, donation: (created.donation ?? 0) + 1 })
  const left = await rows(tables)
  assert.deepEqual(left, {
    ...Object.fromEntries(tables.map(table => [table, 0])),
    ...{ 'fundraising.campaigns': 1, 'fundraising.donations': 1, 'fundraising.donation_history': 1 },
    ...{ 'fundraising.totals': left['fundraising.totals'], 'fundraising.deltas': left['fundraising.deltas'] },
    ...{ 'calendar.events': 1, 'calendar.event_texts': 1, 'calendar.venues': 1, 'calendar.terms': 1 }
  })
  assert.deepEqual(await faults(), [])
  assert.equal((await admin.get(`/campaigns/${own.id}`)).body.amountTransferred, donation.amount)
  assert.equal((await visitor.get(`${calendar}/events/${ownEvent.id}`)).body.venue.venue, 'Own place')
  assert.equal((await visitor.get(`/campaigns/${sample.id}`)).status, 404)
  assert.equal((await admin.get('/donations/summary')).body.byStatus.TRANSFERRED.count, 1)

  const [recorded] = (await admin.get('/activity?action=samples.removed')).body
  assert.deepEqual(recorded.details, { removed, kept: 0 })
  assert.deepEqual(await remove(), { removed: {}, kept: [] })
  assert.equal((await admin.get('/activity?action=samples.removed')).body.length, 1)
  assert.deepEqual((await admin.get('/samples')).body, { kinds: [] })

  await admin.post('/sample-content')
  assert.deepEqual(await counts(), created)
  assert.equal((await store.all(sql`select id from fundraising.campaigns`)).length, 8)
})

test('edited sample content stays, with everything it uses, but without sample donations', {
  skip: skipUnlessFull
}, async () => {
  const { admin, visitor, counts, remove, faults, openSample } = await startWithSamples()
  const created = await counts()
  const sample = await openSample()
  assert.equal((await admin.put(`/campaigns/${sample.id}`, { ...sample, name: 'Our roof' })).status, 200)
  const newDonation = (await visitor.post(`/campaigns/${sample.id}/donations`, { ...donation, amount: 30 })).body
  const { events } = (await admin.get(`${calendar}/events?per_page=50`)).body
  const [adopted] = events.filter(({ venue, image }: TestResponse['body']) => venue.id !== undefined && image !== false)
  assert.equal((await admin.patch(`${calendar}/events/${adopted.id}`, { title: 'Our concert' })).status, 200)
  // Changing the status to draft does not count as editing.
  const other = events.find(({ id }: TestResponse['body']) => id !== adopted.id)
  await admin.patch(`${calendar}/events/${other.id}`, { status: 'draft' })
  const tags = (await admin.get(`${calendar}/tags?per_page=50`)).body.tags
  const unusedTag = tags.find(
    ({ id }: TestResponse['body']) => !adopted.tags.some((tag: TestResponse['body']) => tag.id === id)
  )
  await admin.patch(`${calendar}/tags/${unusedTag.id}`, { description: 'Ours' })
  assert.deepEqual([(await counts()).campaign, (await counts()).event, (await counts()).tag], [6, 39, 7])

  const { removed, kept } = await remove('de')
  assert.deepEqual([removed.campaign, removed.event, removed.donation], [6, 39, created.donation])
  const keptVenue = kept.find(({ kind }) => kind === 'venue')
  assert.deepEqual([keptVenue.id, kept.filter(({ kind }) => kind === 'campaign')], [String(adopted.venue.id), []])
  assert.match(keptVenue.reason, /Ihre eigenen Inhalte/)
  const after = (await visitor.get(`${calendar}/events/${adopted.id}`)).body
  assert.deepEqual([after.title, after.venue.id, after.image.id], ['Our concert', adopted.venue.id, adopted.image.id])
  assert.deepEqual(
    after.categories.map(({ id }: TestResponse['body']) => id),
    adopted.categories.map(({ id }: TestResponse['body']) => id)
  )
  assert.equal((await visitor.get(`${calendar}/tags/${unusedTag.id}`)).status, 200)
  const { body: ours } = await visitor.get(`/campaigns/${sample.id}`)
  assert.deepEqual([ours.amountDonatedSoFar, ours.amountTransferred, ours.donationCount], [30, 0, 1])
  const { body: list } = await admin.get(`/campaigns/${sample.id}/donations`)
  assert.deepEqual(
    list.map(({ id }: TestResponse['body']) => id),
    [newDonation.id]
  )
  assert.deepEqual(await faults(), [])
  assert.deepEqual(await remove(), { removed: {}, kept: [] })
})

test('a sample campaign with a received donation stays, and is not sample content any more', async () => {
  const { admin, visitor, counts, remove, faults, openSample } = await startWithSamples(startCampaigns)
  const sample = await openSample()
  const newDonation = (await visitor.post(`/campaigns/${sample.id}/donations`, { ...donation, amount: 70 })).body
  await admin.patch(`/campaigns/${sample.id}/donations/${newDonation.id}`, { status: 'TRANSFERRED' })
  const { removed, kept } = await remove()
  assert.equal(removed.campaign, 6)
  assert.deepEqual(
    kept.map(({ kind, id, name }) => ({ kind, id, name })),
    [{ kind: 'campaign', id: String(sample.id), name: sample.name }]
  )
  assert.match(kept[0].reason, new RegExp(newDonation.reference))
  const { body: after } = await visitor.get(`/campaigns/${sample.id}`)
  assert.deepEqual([after.amountDonatedSoFar, after.amountTransferred, after.donationCount], [70, 70, 1])
  assert.deepEqual(await counts(), {})
  assert.deepEqual(await faults(), [])
})

test('a sample donation stays while a bank transaction is booked for it', { skip: skipUnlessFull }, async () => {
  const { admin, counts, remove, faults, openSample } = await startWithSamples(startCampaigns)
  const sample = await openSample()
  const { body: list } = await admin.get(`/campaigns/${sample.id}/donations?limit=200`)
  const sampleDonation = list.find(({ status }: TestResponse['body']) => status === 'IN_PROCESS')
  const headers = { 'content-type': 'application/xml' }
  const payload = buildStatement([
    { amount: sampleDonation.amount.toFixed(2), text: sampleDonation.reference, name: 'Somebody' }
  ])
  const { body: statement } = await admin.send({ method: 'POST', url: '/bank-statements', headers, payload })
  const [entry] = (await admin.get(`/bank-statements/${statement.id}/entries?result=booked`)).body
  assert.ok(entry !== undefined)

  const { kept } = await remove()
  assert.deepEqual([kept.length, kept[0].id], [1, String(sample.id)])
  assert.match(kept[0].reason, /bank transaction/)
  assert.deepEqual(await counts(), { campaign: 1, donation: 1 })
  assert.equal((await admin.get(`/campaigns/${sample.id}`)).body.donationCount, 1)
  assert.deepEqual(await faults(), [])

  const path = `/bank-statements/${statement.id}/entries/${entry.id}`
  assert.equal((await admin.patch(path, { donation: null })).status, 200)
  assert.deepEqual(await remove(), { removed: { campaign: 1, donation: 1 }, kept: [] })
  assert.deepEqual(await faults(), [])
})

test('the migration marks sample content of older installations by means of the activity log', {
  skip: skipUnlessFull
}, async () => {
  const { admin, store, counts } = await startWithSamples()
  const created = await counts()
  const [adopted] = (await admin.get(`${calendar}/events`)).body.events
  await store.run(sql`delete from platform.samples`)
  await admin.post('/campaigns', campaign)
  await admin.patch(`${calendar}/events/${adopted.id}`, { title: 'Ours' })
  const deletedTag = (await admin.get(`${calendar}/tags`)).body.tags[0]
  await admin.delete(`${calendar}/tags/${deletedTag.id}`)
  const file = readFileSync(join(root, 'src/platform/database/migrations/013_samples.sql'), 'utf8')
  await store.script(file.slice(file.indexOf('insert into')))
  // Updates of campaigns came later than this migration.
  const { campaign_update: _, ...marked } = await counts()
  assert.deepEqual(marked, { ...created, event: 39, tag: 7 })
})
