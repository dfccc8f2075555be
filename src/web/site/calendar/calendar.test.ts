import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startSite } from '#test/support/services.ts'
import { type ApiClient, type Query, withQuery } from '../../server/api-client.ts'
import type { PageContext } from '../../server/context.ts'
import type { SiteSettings } from '../../server/site-settings.ts'
import { showMonth } from './month.tsx'

const { visitor, admin } = await startSite({ env: { TIMEZONE: 'Europe/Berlin', RATE_LIMIT: '0' } })

async function create(collection: string, fields: object) {
  const created = await admin.post(`${calendar}/${collection}`, fields)
  assert.equal(created.status, 201, created.text)
  return created.body
}

async function anEvent(title: string, start: string, end: string, more: object = {}) {
  return await create('events', { title, start_date: start, end_date: end, ...more })
}

async function openPage(path: string, status = 200): Promise<string> {
  const answer = await visitor.get(path)
  assert.equal(answer.status, status, path)
  return answer.text
}

/** The table cell of a day. */
function findCell(html: string, date: string): string {
  const cells = html.match(/<td[^>]*>.*?<\/td>/gs) ?? []
  return cells.find(cell => cell.includes(`/${date}"`)) ?? ''
}

test('a month is shown in complete weeks', async () => {
  const html = await openPage('/en/calendar/2027-02')
  assert.equal((html.match(/<tr>/g) ?? []).length, 1 + 4)
  assert.deepEqual(
    ['1', '28'].map(day => (html.match(new RegExp(`<td[^>]*><[^>]*class="day"[^>]*>${day}<`, 'g')) ?? []).length),
    [1, 1]
  )
  assert.equal((await openPage('/en/calendar/2027-05')).match(/<td/g)?.length, 42)
})

test('the cell of a day shows three events and a link to the others', async () => {
  for (const hour of ['09', '10', '11', '12', '13']) {
    await anEvent(`At ${hour}`, `2027-03-10 ${hour}:00`, `2027-03-10 ${hour}:30`)
  }
  const cell = findCell(await openPage('/en/calendar/2027-03'), '2027-03-10')
  assert.deepEqual(cell.match(/At \d\d/g), ['At 09', 'At 10', 'At 11'])
  assert.match(cell, /aria-label="10 March, 5 events"/)
  assert.match(cell, /<a class="more" href="\/en\/calendar\/2027-03-10" aria-label="\+2 more on 10 March">\+2 more</)
  const day = await openPage('/en/calendar/2027-03-10')
  assert.deepEqual(day.match(/>At \d\d/g)?.length, 5)
})

test('titles and search terms are escaped in every view', async () => {
  const { id } = await anEvent('Payload', '2097-04-01 10:00', '2097-04-01 11:00')
  const title = 'a &lt;img src=x onerror=alert(1)&gt; "b" &amp; c'
  await admin.put(`${calendar}/events/${id}`, { title })
  for (const path of ['/en/calendar/2097-04', '/en/calendar/2097-04-01', '/en/calendar/list?search=onerror']) {
    const html = await openPage(path)
    assert.ok(!html.includes('<img src=x'), path)
    assert.ok(html.includes(' c</span>'), path)
  }
  const search = await openPage('/en/calendar/list?search=%22%3E%3Cscript%3Ealert(1)%3C/script%3E')
  assert.ok(!search.includes('<script>alert'))
  assert.ok(search.includes('&lt;script>alert(1)'))
  assert.ok(!(await openPage('/en/calendar/2027-04?category=%3Cscript%3Ex')).includes('<script>x'))
})

test('an event of several days is one bar per week with its end, and is listed on each of its days', async () => {
  await anEvent('Festival', '2027-05-07 18:00', '2027-05-11 12:00')
  const html = await openPage('/en/calendar/2027-05')
  const bars = [...html.matchAll(/<li class="(event-bar [^"]*)"><a [^>]*>(.*?)<\/a>/gs)]
  assert.deepEqual(
    bars.map(([, className, text = '']) => [className, text.replace(/<[^>]*>/g, '')]),
    [
      ['event-bar span-3 goes-on', '18:00 Festival, until Tue 11 May, 12:00'],
      ['event-bar span-2 from-before', 'continues: Festival, until Tue 11 May, 12:00']
    ]
  )
  // The cells of these days leave a row free for the bar, and count the event.
  for (const day of ['07', '08', '09', '10', '11']) {
    assert.match(findCell(html, `2027-05-${day}`), /^<td class="lanes-1">.*, 1 event"/)
  }
  assert.ok(!findCell(html, '2027-05-08').includes('Festival'))
  assert.match(await openPage('/en/calendar/2027-05-07'), /from 18:00.*Day 1 of 5/s)
  assert.match(await openPage('/en/calendar/2027-05-08'), /Day 2 of 5/)
  assert.match(await openPage('/de/kalender/2027-05-11'), /bis 12:00.*Tag 5 von 5/s)
})

test('cards show the cost of an event, and start and end of an event of several days', async () => {
  await anEvent('Winter camp', '2098-12-24 17:00', '2098-12-27 12:00', { cost: '120' })
  const timePattern =
    /<time datetime="2098-12-24T17:00:00">([^<]*)<\/time> – <time datetime="2098-12-27T12:00:00">([^<]*)</
  const english = await openPage('/en/calendar/list?search="winter camp"')
  assert.deepEqual(timePattern.exec(english)?.slice(1), ['Wed 24 Dec, 17:00', 'Sat 27 Dec, 12:00'])
  assert.match(english, /<span class="event-card-cost">€120</)
  const german = await openPage('/de/kalender/liste?search="winter camp"')
  assert.deepEqual(timePattern.exec(german)?.slice(1), ['Mi. 24. Dez., 17:00', 'Sa. 27. Dez., 12:00'])
  assert.match(german, /<span class="event-card-cost">120\u00a0€</)
  await anEvent('Gift', '2098-12-28 10:00', '2098-12-28 12:00', { cost: 'Free' })
  assert.match(await openPage('/de/kalender/liste?search=gift'), /<span class="event-card-cost">Kostenlos</)
  assert.match(await openPage('/de/kalender/2098-12-28'), /day-entry-place">[^<]*Kostenlos/)
})

test('cancelled events are struck through and labelled, featured events have a labelled star', async () => {
  await anEvent('Off', '2027-06-01 18:00', '2027-06-01 19:00', { event_status: 'canceled' })
  await anEvent('Great', '2027-06-02 18:00', '2027-06-02 19:00', { featured: true })
  const html = await openPage('/de/kalender/2027-06')
  assert.match(findCell(html, '2027-06-01'), /<em>Abgesagt <\/em><s[^>]*>Off<\/s>/)
  assert.match(findCell(html, '2027-06-02'), /role="img" aria-label="Tipp"/)
})

test('months and days show times in the zone of the site, the list in the zone of the event', async () => {
  await anEvent('Far away', '2097-07-01 20:00', '2097-07-01 21:00', { timezone: 'America/New_York' })
  assert.match(findCell(await openPage('/en/calendar/2097-07'), '2097-07-02'), /<b>02:00 <\/b>.*Far away/s)
  assert.match(await openPage('/en/calendar/2097-07-02'), /02:00–03:00/)
  assert.match(await openPage('/en/calendar/list?search=%22far+away%22'), /20:00–21:00 \(EDT\)/)
})

test('filters apply to every view, and are kept when view, month or language change', async () => {
  const category = await create('categories', { name: 'Music' })
  await admin.put(`${calendar}/categories/${category.id}?language=de`, { name: 'Musik', slug: 'musik' })
  const venue = await create('venues', { venue: 'Barn' })
  const about = { categories: [category.id], venue: venue.id }
  await anEvent('Quartet', '2097-08-03 18:00', '2097-08-03 19:00', about)
  await anEvent('Football', '2097-08-03 18:00', '2097-08-03 19:00')
  for (const place of ['2097-08', '2097-08-03', 'list']) {
    const html = await openPage(`/en/calendar/${place}?category=music&venue=${venue.id}`)
    assert.ok(html.includes('Quartet') && !html.includes('Football'), place)
    assert.match(html, new RegExp(`href="/en/calendar/list\\?category=music&amp;venue=${venue.id}"`))
    assert.match(html, new RegExp(`href="/de/kalender/[^"]+\\?category=${category.id}&amp;venue=${venue.id}"`))
    assert.match(html, /<option value="music" selected>/)
    assert.match(html, /Only: Music, Barn/)
    assert.match(html, new RegExp(`value="http://[^"]+/en/events.ics\\?categories=music&amp;venue=${venue.id}"`))
    assert.match(html, /<meta name="robots" content="noindex"/)
  }
  const month = await openPage(`/en/calendar/2097-08?category=music`)
  for (const near of ['2097-07', '2097-09']) assert.ok(month.includes(`href="/en/calendar/${near}?category=music"`))
  assert.match(await openPage(`/de/kalender/2097-08?category=${category.id}`), /<option value="musik" selected>/)
})

test('the URL of the calendar is copied by a button where its script is loaded, and a field to select from elsewhere', async () => {
  const { slug } = (await admin.post(`${calendar}/categories`, { name: 'Copied' })).body
  for (const path of [
    '/en/calendar',
    '/en/calendar/2097-08-03',
    '/en/calendar/2097-W31',
    '/en/calendar/list',
    '/en',
    `/en/category/${slug}`
  ]) {
    const html = await openPage(path)
    const isCopied = html.includes('data-copy="#subscribe-address"')
    assert.match(html, /<input id="subscribe-address" type="text" readonly/i, path)
    assert.equal(/<script[^>]* src="\/assets\/copy-/.test(html), isCopied, path)
    assert.equal(isCopied, !path.startsWith('/en/calendar'), path)
  }
})

test('an unknown category, tag, venue or organizer shows “Unknown filter” and no feed', async () => {
  for (const filter of ['category=nobody', 'tag=nobody', 'venue=999999', 'venue=x', 'organizer=999999']) {
    for (const place of ['2027-08', '2027-08-03', 'list']) {
      const html = await openPage(`/en/calendar/${place}?${filter}`)
      assert.match(html, /Unknown filter/, `${place} ${filter}`)
      assert.ok(!html.includes('subscribe-address'))
    }
  }
})

test('the additional filters are loaded only if they are shown', async () => {
  assert.ok(!(await openPage('/en/calendar/list')).includes('name="organizer"'))
  for (const query of ['more=yes', 'featured=yes']) {
    assert.match(await openPage(`/en/calendar/list?${query}`), /<select id="filter-organizer" name="organizer">/)
  }
})

test('invalid months and days, and those outside of 1900 to 2200, are 404', async () => {
  for (const timePattern of [
    '2026-13',
    '1800-01',
    '2201-01',
    '2027-02-30',
    '2026-1',
    'x',
    '2027-01-01-01',
    '0000-00-00'
  ]) {
    assert.match(await openPage(`/en/calendar/${timePattern}`, 404), /Page not found/)
  }
  for (const timePattern of ['1900-01', '2200-12', '1900-01-01', '2200-12-31'])
    await openPage(`/de/kalender/${timePattern}`)
})

test('a month needs two API requests', async () => {
  const requested: string[] = []
  const get = async (path: string, query: Query = {}) => {
    requested.push(path)
    const { status, body } = await visitor.get(withQuery(path, query))
    return { status, body, etag: '', header: () => '' }
  }
  const pageContext = {
    api: { get } as unknown as ApiClient,
    language: 'en',
    site: { timezone: 'Europe/Berlin', weekStart: 'monday', languages: ['en'] } as unknown as SiteSettings,
    origin: 'https://example.org',
    query: {},
    now: new Date()
  } as unknown as PageContext
  await showMonth(pageContext, '2027-03')
  assert.deepEqual(requested.sort(), [`${calendar}/categories`, `${calendar}/days`])
})

test('a month with ninety events has at most 40 KB', async () => {
  const category = await create('categories', { name: 'Nachbarschaft und Begegnung' })
  const venue = await create('venues', { venue: 'Stadtteilgarten am Bahndamm' })
  const events = Array.from({ length: 90 }, (_, number) => {
    const day = `2027-10-${String(1 + (number % 30)).padStart(2, '0')}`
    return { day, title: `Gemeinsames Frühstück der Nachbarschaft ${number}` }
  })
  for (const { day, title } of events) {
    await anEvent(title, `${day} 10:00`, `${day} 11:00`, { categories: [category.id], venue: venue.id })
  }
  const html = await openPage('/de/kalender/2027-10')
  assert.equal((html.match(/<b>10:00 <\/b>/g) ?? []).length, 90)
  assert.ok(Buffer.byteLength(html) <= 40 * 1024, `${Buffer.byteLength(html)} bytes`)
  assert.doesNotMatch(html, /<script(?! type="application\/ld)/)
})

test('an empty month links to the next event, or else to the last one', async () => {
  const tags = ['lonely']
  await anEvent('Lonely', '2029-05-03 10:00', '2029-05-03 11:00', { tags })
  const link = (path: string, text: string) => new RegExp(`<a href="${path}\\?tag=lonely">${text}</a>`)
  const february = await openPage('/en/calendar/2029-02?tag=lonely')
  assert.match(february, /No events in February\..*Next event: /s)
  assert.match(february, link('/en/calendar/2029-05-03', '3 May 2029'))
  // 3 May is in the last row of April.
  assert.match(await openPage('/de/kalender/2029-04?tag=lonely'), link('/de/kalender/2029-05-03', '3. Mai 2029'))
  assert.match(
    await openPage('/en/calendar/2029-07?tag=lonely'),
    /The last one was on <a href="\/en\/calendar\/2029-05-03/
  )
})

test('a day links to the previous and the next day with events', async () => {
  const tags = ['seldom']
  await anEvent('Before', '2030-01-05 10:00', '2030-01-05 11:00', { tags })
  await anEvent('After', '2030-03-09 10:00', '2030-03-09 11:00', { tags })
  const html = await openPage('/en/calendar/2030-02-01?tag=seldom')
  assert.match(html, /href="\/en\/calendar\/2030-01-05\?tag=seldom" rel="prev"/)
  assert.match(html, /href="\/en\/calendar\/2030-03-09\?tag=seldom" rel="next"/)
  assert.match(html, /No events on this day/)
})

test('the list begins with current events; past events are linked and listed newest first', async () => {
  const about = { timezone: 'UTC', tags: ['series'] }
  const inHours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString().slice(0, 19)
  for (let day = 1; day <= 20; day += 1) await anEvent('To come', inHours(24 * day), inHours(24 * day + 1), about)
  await anEvent('Running', inHours(-24 * 40), inHours(24), about)
  await anEvent('Long over', inHours(-72), inHours(-71), about)
  await anEvent('Just over', inHours(-30), inHours(-29), about)
  const list = await openPage('/en/calendar/list?tag=series')
  assert.ok(list.indexOf('>Running<') > 0 && list.indexOf('>Running<') < list.indexOf('>To come<'))
  assert.match(list, /On now/)
  assert.ok(!list.includes('>Just over<'))
  assert.match(list, /href="\/en\/calendar\/list\?tag=series&amp;past=yes" rel="prev"/)
  assert.match(list, /href="\/en\/calendar\/list\?tag=series&amp;page=2" rel="next"/)
  const past = await openPage('/en/calendar/list?tag=series&past=yes')
  assert.ok(past.indexOf('>Just over<') > 0 && past.indexOf('>Just over<') < past.indexOf('>Long over<'))
  assert.ok(!past.includes('>Running<'))
  assert.equal((await visitor.get('/en/calendar/list?page=4000')).status, 404)
})

test('a search without results offers similar categories and past events', async () => {
  const { id } = await create('categories', { name: 'Wanderungen' })
  await anEvent('On foot', '2027-01-09 10:00', '2027-01-09 11:00', { categories: [id] })
  const html = await openPage('/de/kalender/liste?search=Wandrungen')
  assert.match(html, /<h1>Suche: „Wandrungen“<\/h1>/)
  assert.match(html, /class="chips">.*Wanderungen/s)
  assert.match(html, /href="\/de\/kalender\/liste\?search=Wandrungen&amp;past=yes"/)
})

test('/calendar shows the current month, with the URL of the month as canonical', async () => {
  const month = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' }).format(new Date()).slice(0, 7)
  const html = await openPage('/en/calendar')
  assert.match(html, new RegExp(`<link rel="canonical" href="http://[^"]+/en/calendar/${month}"`))
  assert.match(html, new RegExp(`hreflang="de" href="http://[^"]+/de/kalender/${month}"`))
  assert.match(html, /<td[^>]* aria-current="date"/)
  assert.equal((html.match(/<link rel="prefetch"/g) ?? []).length, 2)
  assert.match(html, /<link rel="prev" href="\/en\/calendar\//)
})
