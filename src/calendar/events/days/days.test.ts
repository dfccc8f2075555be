import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from '#platform/server.ts'
import { silent } from '#test/support/database.ts'
import { type Client, calendar, newClient, startCalendar } from '#test/support/services.ts'
import type { DayEntryJson as DayEntry, DaysJson as Days } from '../../contract/day-shapes.ts'
import { createCalendarService } from '../../service.ts'

type Day = Days['days'][number]

const started = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
const { admin, visitor, store, settings, anEvent, aVenue, anOrganizer, aCategory, aTag, withRole } = started
const editor = await withRole('editor')
const author = await withRole('author')

async function days(query: string, by: Client = visitor): Promise<Days> {
  const { status, body, text } = await by.get(`${calendar}/days?${query}`)
  assert.equal(status, 200, text)
  return body
}
const month = (text: string, last: number) => `from=${text}-01&to=${text}-${last}`
/** The days on which something takes place, with the titles that are told. */
const titles = ({ days: all }: Days) =>
  Object.fromEntries(all.filter(day => day.total > 0).map(({ date, events }) => [date, events.map(one => one.title)]))
const at = (title: string, start: string, end: string, more: object = {}) =>
  anEvent({ title, start_date: start, end_date: end, ...more })

test('every day of the range is there, with its number of events and the first of them', async () => {
  for (const hour of [9, 10, 11, 12]) await at(`At ${hour}`, `2027-01-05 ${hour}:00`, `2027-01-05 ${hour}:30`)
  const body = await days(month('2027-01', 31))
  assert.deepEqual([body.from, body.to, body.timezone], ['2027-01-01', '2027-01-31', 'Europe/Berlin'])
  assert.deepEqual(
    body.days.map((day: Day) => [day.date, day.total]),
    Array.from({ length: 31 }, (_, index) => [`2027-01-${String(index + 1).padStart(2, '0')}`, index === 4 ? 4 : 0])
  )
  assert.deepEqual(titles(body), { '2027-01-05': ['At 9', 'At 10', 'At 11'] })
  const more = await days(`${month('2027-01', 31)}&per_day=4`)
  assert.equal(more.days[4]?.events.length, 4)
  const none = await days(`${month('2027-01', 31)}&per_day=0`)
  assert.deepEqual([none.days[4]?.total, none.days[4]?.events], [4, []])
})

test('an entry has what a calendar shows, in the language of the reader', async () => {
  const venue = await aVenue({ venue: 'Mill' })
  const category = await aCategory({ name: 'Walks' })
  await admin.patch(`${calendar}/categories/${category.id}?language=de`, { name: 'Spaziergänge' })
  const made = await at('Night walk', '2027-02-03 22:00', '2027-02-05 01:00', {
    venue: venue.id,
    categories: [category.id],
    featured: true,
    cost: '8',
    event_status: 'postponed'
  })
  await admin.patch(`${calendar}/events/${made.id}?language=de`, { title: 'Nachtwanderung' })
  const second = (await days('from=2027-02-04&to=2027-02-04')).days[0]?.events[0]
  assert.deepEqual(second, {
    id: made.id,
    title: 'Night walk',
    slug: 'night-walk',
    url: made.url,
    start_date: '2027-02-03 22:00:00',
    end_date: '2027-02-05 01:00:00',
    all_day: false,
    timezone: 'Europe/Berlin',
    featured: true,
    status: 'publish',
    event_status: 'postponed',
    categories: [{ id: category.id, slug: 'walks', name: 'Walks' }],
    cost: '€8',
    cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: ['8'] },
    venue: 'Mill',
    language: 'en',
    day: 2,
    days: 3
  })
  const german = (await days('from=2027-02-04&to=2027-02-04&language=de')).days[0]?.events[0]
  assert.deepEqual(
    [german?.title, german?.language, german?.slug, german?.categories[0]?.name, german?.venue],
    ['Nachtwanderung', 'de', 'nachtwanderung', 'Spaziergänge', 'Mill']
  )
})

test('an event of several days is on each of them, across ends of months and of the range', async () => {
  await at('Festival', '2027-03-30 18:00', '2027-04-02 23:00')
  await at('Weeks', '2027-03-10', '2027-04-20', { all_day: true })
  const april = await days(month('2027-04', 30))
  assert.deepEqual(titles(april)['2027-04-01'], ['Weeks', 'Festival'])
  const numbers = (body: Days, title: string) =>
    body.days.flatMap(day => day.events.filter(one => one.title === title).map(one => `${one.day}/${one.days}`))
  assert.deepEqual(numbers(april, 'Festival'), ['3/4', '4/4'])
  assert.deepEqual(numbers(await days(month('2027-03', 31)), 'Festival'), ['1/4', '2/4'])
  assert.equal(numbers(april, 'Weeks').length, 20)
  const inside = await days('from=2027-03-20&to=2027-03-20')
  assert.deepEqual(titles(inside), { '2027-03-20': ['Weeks'] })
})

test('days are those of the site, but all-day events keep their own dates', async () => {
  const elsewhere = { timezone: 'America/New_York' }
  await at('Evening there', '2027-05-03 20:00', '2027-05-03 21:00', elsewhere)
  await at('Whole day there', '2027-05-03', '2027-05-03', { ...elsewhere, all_day: true })
  await at('Whole day far east', '2027-05-04', '2027-05-04', { timezone: 'Pacific/Kiritimati', all_day: true })
  await at('Whole day far west', '2027-05-04', '2027-05-04', { timezone: 'Pacific/Pago_Pago', all_day: true })
  assert.deepEqual(titles(await days(month('2027-05', 31))), {
    '2027-05-03': ['Whole day there'],
    '2027-05-04': ['Whole day far east', 'Whole day far west', 'Evening there']
  })
  for (const date of ['2027-05-03', '2027-05-04']) {
    const alone = await days(`from=${date}&to=${date}`)
    assert.deepEqual(titles(alone), { [date]: titles(await days(month('2027-05', 31)))[date] })
  }
  const before = await days('from=2027-05-02&to=2027-05-02')
  assert.deepEqual([titles(before), before.next], [{}, '2027-05-03'])
  const after = await days('from=2027-05-05&to=2027-05-05')
  assert.deepEqual([titles(after), after.previous], [{}, '2027-05-04'])
})

test('what ends at midnight is not on the day that begins then, and what has no length is on its day', async () => {
  await at('Until midnight', '2027-06-10 20:00', '2027-06-11 00:00')
  await at('At midnight', '2027-06-12 00:00', '2027-06-12 00:00')
  const june = await days(month('2027-06', 30))
  assert.deepEqual(titles(june), { '2027-06-10': ['Until midnight'], '2027-06-12': ['At midnight'] })
  assert.deepEqual(
    june.days.flatMap(day => day.events.map(one => one.days)),
    [1, 1]
  )
  assert.deepEqual(titles(await days('from=2027-06-11&to=2027-06-11')), {})
})

test('days of 23 and 25 hours are whole days', async () => {
  for (const date of ['2027-03-28', '2027-10-31']) {
    await at(`First minute of ${date}`, `${date} 00:00`, `${date} 00:01`)
    await at(`Last minute of ${date}`, `${date} 23:58`, `${date} 23:59`)
    const body = await days(`from=${date}&to=${date}&search="minute"`)
    assert.deepEqual(titles(body), { [date]: [`First minute of ${date}`, `Last minute of ${date}`] })
    for (const other of ['2027-03-27', '2027-03-29', '2027-10-30', '2027-11-01']) {
      assert.deepEqual(titles(await days(`from=${other}&to=${other}&search=minute`)), {})
    }
  }
})

test('of a day whole-day, continuing and sticky events come first, the highlighted of these before others, then by start', async () => {
  const date = '2027-07-15'
  await at('Late', `${date} 20:00`, `${date} 21:00`)
  await at('Highlighted', `${date} 19:00`, `${date} 21:00`, { featured: true })
  await at('Early', `${date} 08:00`, `${date} 09:00`)
  await at('Sticky', `${date} 12:00`, `${date} 13:00`, { sticky: true })
  await at('Whole day', date, date, { all_day: true })
  await at('Highlighted whole day', date, date, { all_day: true, featured: true })
  await at('Since yesterday', '2027-07-14 08:00', `${date} 12:00`)
  const [yesterday, today] = (await days(`from=2027-07-14&to=${date}&per_day=50`)).days
  assert.deepEqual(
    today?.events.map(one => one.title),
    ['Highlighted whole day', 'Sticky', 'Since yesterday', 'Whole day', 'Early', 'Highlighted', 'Late']
  )
  assert.deepEqual([yesterday?.total, today?.total], [1, 7])
})

test('previous and next are the nearest days with an event of the same filter', async () => {
  const tag = await aTag({ name: 'Nearest' })
  const tagged = { tags: [tag.id] }
  await at('Over', '2028-01-01 10:00', '2028-01-04 10:00', tagged)
  await at('Earlier', '2028-01-02 10:00', '2028-01-02 11:00', tagged)
  await at('Untagged before', '2028-01-09 10:00', '2028-01-09 11:00')
  await at('Later', '2028-03-09 10:00', '2028-03-09 11:00', tagged)
  await at('Untagged after', '2028-02-09 10:00', '2028-02-09 11:00')
  const edges = async (query: string) => {
    const { previous, next } = await days(query)
    return [previous, next]
  }
  assert.deepEqual(await edges(`from=2028-01-10&to=2028-01-20&tags=nearest`), ['2028-01-04', '2028-03-09'])
  assert.deepEqual(await edges(`from=2028-01-10&to=2028-01-20`), ['2028-01-09', '2028-02-09'])
  assert.deepEqual(await edges(`from=2028-01-03&to=2028-01-03&tags=nearest`), ['2028-01-02', '2028-03-09'])
  assert.deepEqual(await edges(`from=2028-04-01&to=2028-04-30&tags=nearest`), ['2028-03-09', null])
  assert.deepEqual(await edges(`from=2027-12-01&to=2027-12-30&tags=nearest`), [null, '2028-01-01'])
})

test('filters of the list work alone and together', async () => {
  const [near, far] = [
    await aVenue({ venue: 'Near', geo_lat: 50, geo_lng: 10 }),
    await aVenue({ venue: 'Far', geo_lat: 54, geo_lng: 10 })
  ]
  const organizer = await anOrganizer({ organizer: 'Quartet' })
  const above = await aCategory({ name: 'Arts' })
  const below = await aCategory({ name: 'Strings', parent: above.id })
  const tag = await aTag({ name: 'Evening' })
  const on = (title: string, more: object) => at(title, '2029-01-10 10:00', '2029-01-10 11:00', more)
  await on('Violin', { venue: near.id, categories: [below.id], featured: true, organizer: organizer.id })
  await on('Cello', { venue: far.id, categories: [above.id], tags: [tag.id], ticketed: true })
  await on('Drums', { tags: [tag.id] })
  const found = async (query: string) =>
    titles(await days(`from=2029-01-10&to=2029-01-10&${query}`))['2029-01-10'] ?? []
  const cases: [string, string[]][] = [
    ['', ['Violin', 'Cello', 'Drums']],
    ['search=cello', ['Cello']],
    ['categories=arts', ['Violin', 'Cello']],
    ['categories=Strings', ['Violin']],
    ['tags=evening', ['Cello', 'Drums']],
    [`venue=${near.id}`, ['Violin']],
    [`organizer=${organizer.id}`, ['Violin']],
    ['featured=true', ['Violin']],
    ['featured=false', ['Cello', 'Drums']],
    ['ticketed=true', ['Cello']],
    ['geoloc=true', ['Violin', 'Cello']],
    ['geoloc=false', ['Drums']],
    ['geoloc_lat=50.1&geoloc_lng=10', ['Violin']],
    ['geoloc_lat=50.1&geoloc_lng=10&geoloc_radius=1000', ['Violin', 'Cello']],
    ['categories=arts&tags=evening', ['Cello']],
    ['categories=arts&tags=evening&featured=true', []],
    ['search=c&ticketed=true&geoloc_lat=54&geoloc_lng=10&categories=arts&tags=evening', ['Cello']]
  ]
  for (const [query, expected] of cases) assert.deepEqual(await found(query), expected, query)
})

test('nobody sees more than in the list', async () => {
  const on = (title: string, more: object, by = admin) =>
    anEvent({ title, start_date: '2030-01-10 10:00', end_date: '2030-01-10 11:00', ...more }, by)
  const venue = await aVenue({ venue: 'Secret place', status: 'private' })
  await on('Public', { venue: venue.id })
  await on('Draft', { status: 'draft' })
  await on('Mine', { status: 'draft' }, author)
  await on('Left out', { hide_from_listings: true })
  await on('Locked', { post_password: 'key', all_day: true, categories: ['Locked'] })
  const { id } = await on('Gone', {})
  await admin.delete(`${calendar}/events/${id}`)
  const query = 'from=2030-01-10&to=2030-01-10&per_day=50'
  const seen = async (by: Client, more = '') => (titles(await days(query + more, by))['2030-01-10'] ?? []).sort()
  assert.deepEqual(await seen(visitor), ['Locked', 'Public'])
  assert.deepEqual(await seen(author), ['Locked', 'Mine', 'Public'])
  assert.deepEqual(await seen(editor), ['Draft', 'Locked', 'Mine', 'Public'])
  assert.deepEqual(await seen(editor, '&status=draft'), ['Draft', 'Mine'])
  assert.deepEqual(await seen(author, '&status=draft'), ['Mine'])
  assert.deepEqual(await seen(editor, '&status=trash'), ['Gone'])
  assert.equal((await visitor.get(`${calendar}/days?${query}&status=draft`)).status, 400)
  assert.deepEqual(await seen(visitor, '&search=locked'), [])

  const entries = (await days(query)).days[0]?.events as DayEntry[]
  const locked = entries.find(one => one.title === 'Locked')
  assert.deepEqual([locked?.all_day, locked?.featured, locked?.categories, locked?.venue], [null, null, [], null])
  assert.equal(entries.find(one => one.title === 'Public')?.venue, null)
  const forEditor = (await days(query, editor)).days[0]?.events.find(one => one.title === 'Public')
  assert.equal(forEditor?.venue, 'Secret place')
})

test('what is wrong with the range is said by name', async () => {
  const cases: [string, string[]][] = [
    ['', ['from', 'to']],
    ['from=2027-01-01', ['to']],
    ['from=2027-01-01&to=2027-02-30', ['to']],
    ['from=tomorrow&to=1.2.2027', ['from', 'to']],
    ['from=2027-01-02&to=2027-01-01', ['to']],
    ['from=2027-01-01&to=2027-02-12', ['to']],
    ['from=0001-01-01&to=9999-01-01', ['from', 'to']],
    ['from=2027-01-01&to=2027-01-02&per_day=51', ['per_day']],
    ['from=2027-01-01&to=2027-01-02&per_day=-1', ['per_day']],
    ['from=2027-01-01&to=2027-01-02&per_day=', ['per_day']],
    ['from=2027-01-01&to=2027-01-02&categories=nobody', ['categories']],
    ['from=2027-01-01&to=2027-01-02&geoloc_lat=5', ['geoloc_lng']]
  ]
  for (const [query, wrong] of cases) {
    const { status, body } = await visitor.get(`${calendar}/days?${query}`)
    const { params } = body.data
    assert.deepEqual([status, Array.isArray(params) ? params : Object.keys(params)], [400, wrong], query)
  }
  assert.equal((await days('from=2027-01-01&to=2027-02-11')).days.length, 42)
  for (const edge of ['1900-01-01', '2200-12-31']) assert.equal((await days(`from=${edge}&to=${edge}`)).days.length, 1)
})

test('the days take few statements whatever is in them, and one more where names are looked up', async () => {
  let statements = 0
  const counting = new Proxy(store, {
    get: (target, name) => {
      if (['all', 'one', 'maybeOne', 'run', 'script', 'transaction'].includes(String(name))) statements += 1
      return Reflect.get(target, name)
    }
  })
  // Without a cache, which would also poll what other processes write.
  const uncached = { ...settings, responseCache: 0 }
  const server = await createServer([createCalendarService(uncached)], {
    store: counting,
    settings: uncached,
    log: silent
  })
  const client = newClient(server)
  const taken = async (query: string) => {
    const before = statements
    assert.equal((await client.get(`${calendar}/days?${query}`)).status, 200)
    return statements - before
  }
  assert.equal(await taken('from=1950-03-01&to=1950-03-02'), 1)
  // The days, the events on them, and what these link to.
  assert.equal(await taken('from=2027-03-01&to=2027-04-11&per_day=50'), 2)
  assert.equal(await taken('from=2027-02-01&to=2027-03-11&per_day=50'), 4)
  assert.equal(await taken('from=2027-03-01&to=2027-04-11&search=a&featured=false&geoloc=true'), 1)
  assert.equal(await taken('from=2029-01-01&to=2029-02-01&categories=arts'), 5)
  await server.drain()
})

test('the days of one series are listed without the others', async () => {
  const { series } = await at('Only these', '2032-03-02 19:00', '2032-03-02 20:00', {
    recurrence: { unit: 'week', count: 4 }
  })
  await at('Another', '2032-03-02 10:00', '2032-03-02 11:00')
  assert.deepEqual(titles(await days(`from=2032-03-01&to=2032-03-10&series=${series.id}`)), {
    '2032-03-02': ['Only these'],
    '2032-03-09': ['Only these']
  })
})
