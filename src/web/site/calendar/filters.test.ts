import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startSite } from '#test/support/services.ts'

const { visitor, admin } = await startSite({ env: { TIMEZONE: 'Europe/Berlin', RATE_LIMIT: '0' } })

async function create(collection: string, fields: object) {
  const created = await admin.post(`${calendar}/${collection}`, fields)
  assert.equal(created.status, 201, created.text)
  return created.body
}

async function anEvent(title: string, date: string, more: object = {}) {
  return await create('events', { title, start_date: `${date} 18:00`, end_date: `${date} 20:00`, ...more })
}

async function openPage(path: string): Promise<string> {
  const { status, text } = await visitor.get(path)
  assert.equal(status, 200, path)
  return text
}

/** Filters in use, with the link that removes each. */
function readChips(html: string): Record<string, string> {
  const chips = html.matchAll(/<a class="chip chosen" href="([^"]*)"[^>]*>.*?<span>([^<]*)<\/span>/gs)
  return Object.fromEntries([...chips].map(([, href = '', name = '']) => [name, href.replaceAll('&amp;', '&')]))
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('every view links to the events of today, the weekend and the month, without past events', async () => {
  await create('events', { title: 'Runs today', start_date: `${inDays(-2)} 10:00`, end_date: `${inDays(2)} 10:00` })
  await anEvent('Much later', inDays(80))
  await anEvent('Was before', inDays(-3))
  for (const place of ['', '/list', `/${inDays(0)}`, `/${inDays(0).slice(0, 7)}`]) {
    const html = await openPage(`/en/calendar${place}`)
    for (const [when, name] of [
      ['today', 'Today'],
      ['weekend', 'This weekend'],
      ['month', 'This month']
    ]) {
      assert.ok(
        html.includes(`<a class="chip" href="/en/calendar/list?when=${when}" rel="nofollow">${name}</a>`),
        place
      )
    }
  }
  for (const when of ['today', 'month']) {
    const html = await openPage(`/en/calendar/list?when=${when}`)
    assert.ok(html.includes('Runs today') && !html.includes('Much later') && !html.includes('Was before'), when)
  }
  const german = await openPage('/de/kalender/liste?when=today')
  assert.match(german, /<h1>Termine heute<\/h1>/)
  assert.deepEqual(readChips(german), { Heute: '/de/kalender/liste' })
  assert.match(german, /<meta name="robots" content="noindex"/)
  assert.match(german, /href="\/en\/calendar\/list\?when=today"/)
})

test('a date range lists all events that take place on one of its days, past events included', async () => {
  await anEvent('Before', '2017-03-01')
  await anEvent('First', '2017-03-02')
  await anEvent('Last', '2017-03-09')
  await anEvent('After', '2017-03-10')
  await create('events', { title: 'Across', start_date: '2017-02-01', end_date: '2017-03-20', all_day: true })
  const html = await openPage('/en/calendar/list?from=2017-03-02&to=2017-03-09')
  assert.deepEqual(
    [...html.matchAll(/event-card-title.*?<span>(.*?)<\/span>/gs)].map(([, title]) => title),
    ['Across', 'First', 'Last']
  )
  assert.match(html, /<h1>Events: 2 March 2017 – 9 March 2017<\/h1>/)
  assert.deepEqual(readChips(html), { '2 March 2017 – 9 March 2017': '/en/calendar/list' })
  assert.doesNotMatch(html, /Earlier events|when=today/)
  // Links to other views and the feed do not contain the date range.
  assert.match(html, /<a href="\/en\/calendar" ?>Month|<a href="\/en\/calendar">Month/)
  assert.match(html, /value="http:\/\/[^"]*\/en\/events\.ics"/)
  const open = await openPage('/en/calendar/list?from=2017-03-10&to=&more=yes')
  assert.match(open, /<input id="filter-from" type="date" name="from" value="2017-03-10"/)
  assert.ok(!open.includes('>First<'))
})

test('the filters cost, distance and online apply to every view, and each can be removed', async () => {
  const near = { venue: 'Town hall', city: 'Ulmenfurt', geo_lat: 50.1, geo_lng: 8.1 }
  const far = { venue: 'Harbour', city: 'Seestadt', geo_lat: 54.1, geo_lng: 8.1 }
  const [hall, harbour] = [await create('venues', near), await create('venues', far)]
  await anEvent('Free here', '2097-05-04', { venue: hall.id, cost: 'Free' })
  await anEvent('Cheap here', '2097-05-04', { venue: hall.id, cost: '8' })
  await anEvent('Dear here', '2097-05-04', { venue: hall.id, cost: '80' })
  await anEvent('Free there', '2097-05-04', { venue: harbour.id, cost: '0' })
  await anEvent('Online talk', '2097-05-04', { is_virtual: true })
  const all = ['Free here', 'Cheap here', 'Dear here', 'Free there', 'Online talk']
  const cases: [query: string, titles: string[]][] = [
    ['price=0', ['Free here', 'Free there']],
    ['price=8', ['Free here', 'Cheap here', 'Free there']],
    ['price=0&near=50.1,8.1&within=25', ['Free here']],
    ['near=54.1,8.1&within=5', ['Free there']],
    ['online=yes', ['Online talk']],
    ['online=yes&price=0', []]
  ]
  for (const [query, titles] of cases) {
    for (const place of ['2097-05-04', '2097-W18', 'list']) {
      const html = await openPage(`/en/calendar/${place}?${query}`)
      const shown = all.filter(title => html.includes(`>${title}<`))
      // An empty list shows upcoming events instead.
      if (titles.length > 0 || place !== 'list') assert.deepEqual(shown, titles, `${place} ${query}`)
      assert.match(html, /<meta name="robots" content="noindex"/)
    }
  }
  const html = await openPage('/en/calendar/list?price=8&near=50.1,8.1&within=25&online=yes&featured=yes&search=x')
  assert.deepEqual(readChips(html), {
    '“x”': '/en/calendar/list?price=8&near=50.1%2C8.1&within=25&online=yes&featured=yes',
    'Up to €8': '/en/calendar/list?search=x&near=50.1%2C8.1&within=25&online=yes&featured=yes',
    '25 km around Ulmenfurt': '/en/calendar/list?search=x&price=8&online=yes&featured=yes',
    'Online only': '/en/calendar/list?search=x&price=8&near=50.1%2C8.1&within=25&featured=yes',
    'Featured only': '/en/calendar/list?search=x&price=8&near=50.1%2C8.1&within=25&online=yes'
  })
  assert.match(html, /<option value="50.1,8.1" selected>Ulmenfurt</)
  assert.match(
    html,
    /events\.ics\?search=x&amp;cost_max=8&amp;geoloc_lat=50\.1&amp;geoloc_lng=8\.1&amp;geoloc_radius=25/
  )
  assert.match(await openPage(`/en/venue/${hall.slug}`), /list\?near=50\.1%2C8\.1&amp;within=5"[^>]*>Events nearby</)
})

test('invalid filter values are ignored', async () => {
  for (const query of ['price=-1', 'price=abc', 'near=x', 'near=50.1', 'within=5', 'when=never', 'from=2027-02-30']) {
    const html = await openPage(`/en/calendar/list?${query}`)
    assert.deepEqual(readChips(html), {}, query)
    assert.doesNotMatch(html, /noindex/)
  }
  assert.match(await openPage('/en/calendar/list?near=99,10'), /Unknown filter/)
})

test('the fields of the filter form are in reading order, and hidden fields keep the other filters', async () => {
  const html = await openPage('/en/calendar/list?price=5&when=weekend&once=yes')
  const order = ['id="filter-search"', 'id="filter-category"', '<button type="submit">Show', 'filter-more'].map(part =>
    html.indexOf(part)
  )
  assert.ok(
    order.every((place, index) => place > (order[index - 1] ?? 0)),
    String(order)
  )
  for (const [name, value] of [
    ['price', '5'],
    ['when', 'weekend'],
    ['once', 'yes']
  ]) {
    assert.ok(html.includes(`<input type="hidden" name="${name}" value="${value}"`), name)
  }
})

test('a search without results links to the search without other filters, similar categories and upcoming events', async () => {
  await create('categories', { name: 'Workshops' })
  await anEvent('Is next', inDays(1), { categories: ['Workshops'] })
  const html = await openPage('/en/calendar/list?search=wrkshops&price=0')
  assert.match(html, /No upcoming events match “wrkshops”\./)
  assert.match(html, /href="\/en\/calendar\/list\?search=wrkshops">Search “wrkshops” without the other filters</)
  assert.match(html, /href="\/en\/calendar\/list\?category=workshops"/)
  assert.match(html, /<h2>Upcoming events<\/h2><ul class="event-lines plain-list">.*Is next/s)
})

test('each series can be shown once in a filtered list', async () => {
  await anEvent('Choir', '2096-05-04', { cost: 'Free', recurrence: { unit: 'week', count: 4 } })
  const count = async (query: string) =>
    ((await openPage(`/en/calendar/list?price=0&from=2096-05-01&to=2096-05-31&${query}`)).match(/>Choir</g) ?? [])
      .length
  assert.deepEqual([await count(''), await count('once=yes')], [4, 1])
})
