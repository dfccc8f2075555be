// test: both stores
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectStore } from '#platform/database/postgres.ts'
import { sql } from '#platform/database/sql.ts'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { silent } from '#test/support/database.ts'
import { calendar, startCalendar, type TestResponse } from '#test/support/services.ts'
import { seedCalendar } from './seed.ts'

const started = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
const { admin, visitor, store, databaseUrl, settings, aCategory, withRole } = started
const editor = await withRole('editor')
const now = new Date('2024-04-17T10:00:00Z')
// One of the names exists already.
await aCategory({ name: 'Musik', language: 'de' })
// Two runs at the same time.
const seedStore = connectStore({ connectionString: databaseUrl }, { noTimeouts: true, log: silent })
after(async () => await seedStore.close())
const createdCounts = await Promise.all([
  seedCalendar(seedStore, settings, now),
  seedCalendar(seedStore, settings, now)
])

const list = async (query: string, by = editor): Promise<TestResponse['body'][]> => {
  const items: TestResponse['body'][] = []
  for (let page = 1; ; page += 1) {
    const { status, body, text } = await by.get(`${calendar}/${query}&per_page=50&page=${page}`)
    assert.equal(status, 200, text)
    items.push(...(Object.values(body).find(Array.isArray) ?? []))
    if (page >= body.total_pages) return items
  }
}
const all = await list('events?start_date=2024-01-01&end_date=2025-01-01')
const findByTitle = (part: string) => all.find(({ title }) => title.includes(part))

test('the sample has 40 events with all kinds of properties', () => {
  assert.equal(createdCounts[0] + createdCounts[1], 40)
  assert.equal(all.length, 40)
  const count = (matches: (event: TestResponse['body']) => boolean) => all.filter(matches).length
  assert.ok(count(event => event.translations.length === 1) >= 3)
  assert.ok(count(event => event.image !== false) >= 18)
  assert.ok(count(event => event.cost === 'Free') >= 5 && count(event => /€/.test(event.cost)) >= 5)
  assert.ok(
    count(event => event.all_day) >= 4 && count(event => event.featured) >= 2 && count(event => event.sticky) >= 1
  )
  assert.equal(
    count(event => event.status === 'draft'),
    1
  )
  assert.equal(
    count(event => event.event_status === 'canceled'),
    1
  )
  assert.equal(
    count(event => event.event_status === 'postponed'),
    1
  )
  assert.equal(
    count(event => event.timezone !== 'Europe/Berlin'),
    1
  )
  assert.equal(findByTitle('closed doors').all_day, null)
  assert.match(findByTitle('beekeeper').website, /^https:\/\/ulmenfurt\.example\//)
  assert.match(findByTitle('new roof').description, /<ul>\s*<li>.*<a href="https:/s)
  assert.ok(findByTitle('new roof').image.alt.length > 10)
})

test('venues, organizers and terms of the sample are in both languages', async () => {
  for (const [query, number] of [
    ['venues?', 5],
    ['organizers?', 4],
    ['categories?', 6],
    ['tags?', 8]
  ] as const) {
    const items = await list(query)
    assert.equal(items.length, number, query)
    assert.ok(items.every(({ translations }) => translations.length === 2))
  }
  const venues = await list('venues?')
  assert.ok(venues.every(({ address, city, geo_lat, description }) => address && city && geo_lat && description))
  const { body } = await visitor.get(`${calendar}/events/${findByTitle('Lantern').id}?language=de`)
  assert.deepEqual([body.language, body.venue.venue, body.title.length > 80], ['de', 'Marktplatz', true])
})

test('the sample events are around today on fixed weekdays, with a full Saturday and a festival', async () => {
  const readDays = async (from: string, to: string) =>
    (await visitor.get(`${calendar}/days?from=${from}&to=${to}&per_day=50`)).body.days
  const [saturday] = await readDays('2024-05-04', '2024-05-04')
  assert.ok(saturday.total >= 7)
  assert.deepEqual(
    [findByTitle('Lantern').start_date, findByTitle('Lantern').end_date],
    ['2024-05-23 17:00:00', '2024-05-26 22:00:00']
  )
  const workshops = findByTitle('open workshops')
  assert.deepEqual([workshops.start_date, workshops.end_date], ['2024-04-29 00:00:00', '2024-05-02 23:59:59'])
  const starts = all.map(({ start_date }) => start_date).sort()
  assert.ok(starts[0] < '2024-03-20' && starts[0] > '2024-03-01', starts[0])
  assert.ok(starts.at(-1) > '2024-07-01' && starts.at(-1) < '2024-08-01', starts.at(-1))
})

test('a second run creates only what is missing, and keeps changes', async () => {
  const [venue] = await list('venues?search=barn')
  await admin.patch(`${calendar}/venues/${venue.id}?language=de`, { venue: 'Scheune' })
  const before = await readCalendarState(store)
  assert.equal(await seedCalendar(store, settings, new Date('2024-06-01T10:00:00Z')), 0)
  assert.deepEqual(await readCalendarState(store), before)

  await admin.delete(`${calendar}/events/${findByTitle('Quiz').id}?force=true`)
  assert.equal(await seedCalendar(store, settings, now), 1)
  assert.equal((await admin.get(`${calendar}/venues/${venue.id}?language=de`)).body.venue, 'Scheune')
  const { images, venues } = await store.one<{ images: number; venues: number }>(sql`
    select (select count(*) from calendar.media) as images, (select count(*) from calendar.venues) as venues`)
  assert.deepEqual([images, venues], [6, 5])
})
