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

async function readDays(query: string, by: Client = visitor): Promise<Days> {
  const { status, body, text } = await by.get(`${calendar}/days?${query}`)
  assert.equal(status, 200, text)
  return body
}
const month = (text: string, last: number) => `from=${text}-01&to=${text}-${last}`
/** The days with events, with the titles of their entries. */
const getTitles = ({ days: all }: Days) =>
  Object.fromEntries(
    all.filter(day => day.total > 0).map(({ date, events }) => [date, events.map(entry => entry.title)])
  )
const createEvent = (title: string, start: string, end: string, more: object = {}) =>
  anEvent({ title, start_date: start, end_date: end, ...more })

test('the response has every day of the range, with its number of events and the first of them', async () => {
  for (const hour of [9, 10, 11, 12]) await createEvent(`At ${hour}`, `2027-01-05 ${hour}:00`, `2027-01-05 ${hour}:30`)
  const body = await readDays(month('2027-01', 31))
  assert.deepEqual([body.from, body.to, body.timezone], ['2027-01-01', '2027-01-31', 'Europe/Berlin'])
  assert.deepEqual(
    body.days.map((day: Day) => [day.date, day.total]),
    Array.from({ length: 31 }, (_, index) => [`2027-01-${String(index + 1).padStart(2, '0')}`, index === 4 ? 4 : 0])
  )
  assert.deepEqual(getTitles(body), { '2027-01-05': ['At 9', 'At 10', 'At 11'] })
  const more = await readDays(`${month('2027-01', 31)}&per_day=4`)
  assert.equal(more.days[4]?.events.length, 4)
  const none = await readDays(`${month('2027-01', 31)}&per_day=0`)
  assert.deepEqual([none.days[4]?.total, none.days[4]?.events], [4, []])
})

test('an entry has the fields that a calendar shows, in the requested language', async () => {
  const venue = await aVenue({ venue: 'Mill' })
  const category = await aCategory({ name: 'Walks' })
  await admin.patch(`${calendar}/categories/${category.id}?language=de`, { name: 'Spaziergänge' })
  const created = await createEvent('Night walk', '2027-02-03 22:00', '2027-02-05 01:00', {
    venue: venue.id,
    categories: [category.id],
    featured: true,
    cost: '8',
    event_status: 'postponed'
  })
  await admin.patch(`${calendar}/events/${created.id}?language=de`, { title: 'Nachtwanderung' })
  const second = (await readDays('from=2027-02-04&to=2027-02-04')).days[0]?.events[0]
  assert.deepEqual(second, {
    id: created.id,
    title: 'Night walk',
    slug: 'night-walk',
    url: created.url,
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
  const german = (await readDays('from=2027-02-04&to=2027-02-04&language=de')).days[0]?.events[0]
  assert.deepEqual(
    [german?.title, german?.language, german?.slug, german?.categories[0]?.name, german?.venue],
    ['Nachtwanderung', 'de', 'nachtwanderung', 'Spaziergänge', 'Mill']
  )
})

test('an event of several days is listed on each of them, across the ends of months and of the range', async () => {
  await createEvent('Festival', '2027-03-30 18:00', '2027-04-02 23:00')
  await createEvent('Weeks', '2027-03-10', '2027-04-20', { all_day: true })
  const april = await readDays(month('2027-04', 30))
  assert.deepEqual(getTitles(april)['2027-04-01'], ['Weeks', 'Festival'])
  const getDayNumbers = (body: Days, title: string) =>
    body.days.flatMap(day =>
      day.events.filter(entry => entry.title === title).map(entry => `${entry.day}/${entry.days}`)
    )
  assert.deepEqual(getDayNumbers(april, 'Festival'), ['3/4', '4/4'])
  assert.deepEqual(getDayNumbers(await readDays(month('2027-03', 31)), 'Festival'), ['1/4', '2/4'])
  assert.equal(getDayNumbers(april, 'Weeks').length, 20)
  const inside = await readDays('from=2027-03-20&to=2027-03-20')
  assert.deepEqual(getTitles(inside), { '2027-03-20': ['Weeks'] })
})

test('events are listed on the day in the time zone of the site; all-day events keep their own dates', async () => {
  const elsewhere = { timezone: 'America/New_York' }
  await createEvent('Evening there', '2027-05-03 20:00', '2027-05-03 21:00', elsewhere)
  await createEvent('Whole day there', '2027-05-03', '2027-05-03', { ...elsewhere, all_day: true })
  await createEvent('Whole day far east', '2027-05-04', '2027-05-04', { timezone: 'Pacific/Kiritimati', all_day: true })
  await createEvent('Whole day far west', '2027-05-04', '2027-05-04', { timezone: 'Pacific/Pago_Pago', all_day: true })
  assert.deepEqual(getTitles(await readDays(month('2027-05', 31))), {
    '2027-05-03': ['Whole day there'],
    '2027-05-04': ['Whole day far east', 'Whole day far west', 'Evening there']
  })
  for (const date of ['2027-05-03', '2027-05-04']) {
    const alone = await readDays(`from=${date}&to=${date}`)
    assert.deepEqual(getTitles(alone), { [date]: getTitles(await readDays(month('2027-05', 31)))[date] })
  }
  const before = await readDays('from=2027-05-02&to=2027-05-02')
  assert.deepEqual([getTitles(before), before.next], [{}, '2027-05-03'])
  const after = await readDays('from=2027-05-05&to=2027-05-05')
  assert.deepEqual([getTitles(after), after.previous], [{}, '2027-05-04'])
})

test('an event that ends at midnight is not listed on the next day; an event without duration is listed on its day', async () => {
  await createEvent('Until midnight', '2027-06-10 20:00', '2027-06-11 00:00')
  await createEvent('At midnight', '2027-06-12 00:00', '2027-06-12 00:00')
  const june = await readDays(month('2027-06', 30))
  assert.deepEqual(getTitles(june), { '2027-06-10': ['Until midnight'], '2027-06-12': ['At midnight'] })
  assert.deepEqual(
    june.days.flatMap(day => day.events.map(entry => entry.days)),
    [1, 1]
  )
  assert.deepEqual(getTitles(await readDays('from=2027-06-11&to=2027-06-11')), {})
})

test('days of 23 and 25 hours include their first and last minute', async () => {
  for (const date of ['2027-03-28', '2027-10-31']) {
    await createEvent(`First minute of ${date}`, `${date} 00:00`, `${date} 00:01`)
    await createEvent(`Last minute of ${date}`, `${date} 23:58`, `${date} 23:59`)
    const body = await readDays(`from=${date}&to=${date}&search="minute"`)
    assert.deepEqual(getTitles(body), { [date]: [`First minute of ${date}`, `Last minute of ${date}`] })
    for (const other of ['2027-03-27', '2027-03-29', '2027-10-30', '2027-11-01']) {
      assert.deepEqual(getTitles(await readDays(`from=${other}&to=${other}&search=minute`)), {})
    }
  }
})

test('on each day all-day, continuing and sticky events come first, featured ones before others, then the rest by start', async () => {
  const date = '2027-07-15'
  await createEvent('Late', `${date} 20:00`, `${date} 21:00`)
  await createEvent('Highlighted', `${date} 19:00`, `${date} 21:00`, { featured: true })
  await createEvent('Early', `${date} 08:00`, `${date} 09:00`)
  await createEvent('Sticky', `${date} 12:00`, `${date} 13:00`, { sticky: true })
  await createEvent('Whole day', date, date, { all_day: true })
  await createEvent('Highlighted whole day', date, date, { all_day: true, featured: true })
  await createEvent('Since yesterday', '2027-07-14 08:00', `${date} 12:00`)
  const [yesterday, today] = (await readDays(`from=2027-07-14&to=${date}&per_day=50`)).days
  assert.deepEqual(
    today?.events.map(entry => entry.title),
    ['Highlighted whole day', 'Sticky', 'Since yesterday', 'Whole day', 'Early', 'Highlighted', 'Late']
  )
  assert.deepEqual([yesterday?.total, today?.total], [1, 7])
})

test('previous and next are the nearest days with an event of the same filter', async () => {
  const tag = await aTag({ name: 'Nearest' })
  const tagged = { tags: [tag.id] }
  await createEvent('Over', '2028-01-01 10:00', '2028-01-04 10:00', tagged)
  await createEvent('Earlier', '2028-01-02 10:00', '2028-01-02 11:00', tagged)
  await createEvent('Untagged before', '2028-01-09 10:00', '2028-01-09 11:00')
  await createEvent('Later', '2028-03-09 10:00', '2028-03-09 11:00', tagged)
  await createEvent('Untagged after', '2028-02-09 10:00', '2028-02-09 11:00')
  const readEdges = async (query: string) => {
    const { previous, next } = await readDays(query)
    return [previous, next]
  }
  assert.deepEqual(await readEdges(`from=2028-01-10&to=2028-01-20&tags=nearest`), ['2028-01-04', '2028-03-09'])
  assert.deepEqual(await readEdges(`from=2028-01-10&to=2028-01-20`), ['2028-01-09', '2028-02-09'])
  assert.deepEqual(await readEdges(`from=2028-01-03&to=2028-01-03&tags=nearest`), ['2028-01-02', '2028-03-09'])
  assert.deepEqual(await readEdges(`from=2028-04-01&to=2028-04-30&tags=nearest`), ['2028-03-09', null])
  assert.deepEqual(await readEdges(`from=2027-12-01&to=2027-12-30&tags=nearest`), [null, '2028-01-01'])
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
  const createOnDay = (title: string, more: object) => createEvent(title, '2029-01-10 10:00', '2029-01-10 11:00', more)
  await createOnDay('Violin', { venue: near.id, categories: [below.id], featured: true, organizer: organizer.id })
  await createOnDay('Cello', { venue: far.id, categories: [above.id], tags: [tag.id], ticketed: true })
  await createOnDay('Drums', { tags: [tag.id] })
  const findTitles = async (query: string) =>
    getTitles(await readDays(`from=2029-01-10&to=2029-01-10&${query}`))['2029-01-10'] ?? []
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
  for (const [query, expected] of cases) assert.deepEqual(await findTitles(query), expected, query)
})

test('callers see the same events and fields as in the list', async () => {
  const createOnDay = (title: string, more: object, by = admin) =>
    anEvent({ title, start_date: '2030-01-10 10:00', end_date: '2030-01-10 11:00', ...more }, by)
  const venue = await aVenue({ venue: 'Secret place', status: 'private' })
  await createOnDay('Public', { venue: venue.id })
  await createOnDay('Draft', { status: 'draft' })
  await createOnDay('Mine', { status: 'draft' }, author)
  await createOnDay('Left out', { hide_from_listings: true })
  await createOnDay('Locked', { post_password: 'key', all_day: true, categories: ['Locked'] })
  const { id } = await createOnDay('Gone', {})
  await admin.delete(`${calendar}/events/${id}`)
  const query = 'from=2030-01-10&to=2030-01-10&per_day=50'
  const readTitles = async (by: Client, more = '') =>
    (getTitles(await readDays(query + more, by))['2030-01-10'] ?? []).sort()
  assert.deepEqual(await readTitles(visitor), ['Locked', 'Public'])
  assert.deepEqual(await readTitles(author), ['Locked', 'Mine', 'Public'])
  assert.deepEqual(await readTitles(editor), ['Draft', 'Locked', 'Mine', 'Public'])
  assert.deepEqual(await readTitles(editor, '&status=draft'), ['Draft', 'Mine'])
  assert.deepEqual(await readTitles(author, '&status=draft'), ['Mine'])
  assert.deepEqual(await readTitles(editor, '&status=trash'), ['Gone'])
  assert.equal((await visitor.get(`${calendar}/days?${query}&status=draft`)).status, 400)
  assert.deepEqual(await readTitles(visitor, '&search=locked'), [])

  const entries = (await readDays(query)).days[0]?.events as DayEntry[]
  const locked = entries.find(entry => entry.title === 'Locked')
  assert.deepEqual([locked?.all_day, locked?.featured, locked?.categories, locked?.venue], [null, null, [], null])
  assert.equal(entries.find(entry => entry.title === 'Public')?.venue, null)
  const forEditor = (await readDays(query, editor)).days[0]?.events.find(entry => entry.title === 'Public')
  assert.equal(forEditor?.venue, 'Secret place')
})

test('an invalid range or filter is refused with the names of the parameters', async () => {
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
  assert.equal((await readDays('from=2027-01-01&to=2027-02-11')).days.length, 42)
  for (const edge of ['1900-01-01', '2200-12-31'])
    assert.equal((await readDays(`from=${edge}&to=${edge}`)).days.length, 1)
})

test('the number of SQL statements depends on the filter, not on the number of events', async () => {
  let statements = 0
  const counting = new Proxy(store, {
    get: (target, name) => {
      if (['all', 'one', 'maybeOne', 'run', 'script', 'transaction'].includes(String(name))) statements += 1
      return Reflect.get(target, name)
    }
  })
  // Without a cache, which would also poll for writes of other processes.
  const uncached = { ...settings, responseCache: 0 }
  const server = await createServer([createCalendarService(uncached)], {
    store: counting,
    settings: uncached,
    log: silent
  })
  const client = newClient(server)
  const countStatements = async (query: string) => {
    const before = statements
    assert.equal((await client.get(`${calendar}/days?${query}`)).status, 200)
    return statements - before
  }
  assert.equal(await countStatements('from=1950-03-01&to=1950-03-02'), 1)
  // Statements for the days, for their events, and for the venues and terms of these.
  assert.equal(await countStatements('from=2027-03-01&to=2027-04-11&per_day=50'), 2)
  assert.equal(await countStatements('from=2027-02-01&to=2027-03-11&per_day=50'), 4)
  assert.equal(await countStatements('from=2027-03-01&to=2027-04-11&search=a&featured=false&geoloc=true'), 1)
  assert.equal(await countStatements('from=2029-01-01&to=2029-02-01&categories=arts'), 5)
  await server.drain()
})

test('a client that sends the headers of a page gets the same response as without them', async () => {
  const path = `${calendar}/days?${month('2027-01', 31)}`
  const asPage = { 'x-kalends-internal': 'a guess 1.1', 'x-kalends-internal-call': '1' }
  const [plain, given] = [await visitor.get(path), await visitor.get(path, asPage)]
  assert.equal(plain.body.days.length, 31)
  assert.deepEqual([given.status, given.text, given.headers.etag], [200, plain.text, plain.headers.etag])
})

test('a filter by series lists only the events of that series', async () => {
  const { series } = await createEvent('Only these', '2032-03-02 19:00', '2032-03-02 20:00', {
    recurrence: { unit: 'week', count: 4 }
  })
  await createEvent('Another', '2032-03-02 10:00', '2032-03-02 11:00')
  assert.deepEqual(getTitles(await readDays(`from=2032-03-01&to=2032-03-10&series=${series.id}`)), {
    '2032-03-02': ['Only these'],
    '2032-03-09': ['Only these']
  })
})
