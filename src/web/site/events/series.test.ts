import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSeriesClient } from '#test/support/calendar/series.ts'
import { calendar, startSite } from '#test/support/services.ts'

const { admin, visitor } = await startSite({ env: { TIMEZONE: 'Europe/Berlin', RATE_LIMIT: '0' } })
const { createSeries, listOccurrences } = newSeriesClient(admin)
const read = async (path: string) => {
  const answer = await visitor.get(path)
  assert.equal(answer.status, 200, path)
  return answer.text
}
const cardsOf = (html: string) => html.match(/<article class="event-card/g)?.length ?? 0

test('the page of an event says how it repeats, with links to the next and to all dates', async () => {
  const { series } = await createSeries({ title: 'Open choir' })
  const [first, second, , last] = await listOccurrences(series.id)
  const english = await read(`/en/event/${first?.slug}`)
  assert.match(
    english,
    new RegExp(
      `every Tuesday, 4 times, next: <a href="/en/event/${second?.slug}">14 January</a> · <a href="/en/calendar/list\\?series=${series.id}">All dates</a>`
    )
  )
  const german = await read(`/de/termin/${first?.slug}`)
  assert.match(german, /jeden Dienstag, 4-mal, nächster Termin: <a [^>]*>14\. Januar<\/a> · <a [^>]*>Alle Termine<\/a>/)
  assert.doesNotMatch(await read(`/en/event/${last?.slug}`), /next: </)
  const [, json = ''] = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(english) ?? []
  assert.equal(JSON.parse(json)['@type'] ?? JSON.parse(json)['@graph']?.[0]?.['@type'], 'Event')
})

test('all dates of a series are a list of their own, with a feed of the same', async () => {
  const { series } = await createSeries({ title: 'Chess evening' })
  await createSeries({ title: 'Another evening' })
  const html = await read(`/en/calendar/list?series=${series.id}`)
  assert.match(html, /<h1>All dates: Chess evening<\/h1>/)
  assert.equal(cardsOf(html), 4)
  assert.match(html, new RegExp(`/en/events.ics\\?series=${series.id}`))
  assert.doesNotMatch(html, /Each series once/)
  const feed = await read(`/en/events.ics?series=${series.id}`)
  assert.doesNotMatch(feed, /Another evening/)
  assert.match(await read('/en/calendar/list?series=999999999'), /Unknown filter/)
  assert.match(await read('/en/calendar/list?series=abc'), /Unknown filter/)
  const month = await read(`/en/calendar/2031-01?series=${series.id}`)
  assert.match(month, /Chess evening/)
  assert.doesNotMatch(month, /Another evening/)
})

test('visitors choose to see each series once, and the choice stays while they browse', async () => {
  await createSeries({ title: 'Yoga for all' })
  await admin.post(`${calendar}/events`, {
    title: 'Yoga talk',
    start_date: '2031-01-08 10:00',
    end_date: '2031-01-08 11:00'
  })
  const every = await read('/en/calendar/list?search=yoga')
  assert.equal(cardsOf(every), 5)
  assert.match(every, /<p class="event-card-series"><span aria-hidden="true">↻ <\/span>every Tuesday, 4 times<\/p>/)
  const [, href = ''] =
    /<a href="([^"]*)" rel="nofollow"><span aria-hidden="true">↻ <\/span>Each series once/.exec(every) ?? []
  assert.equal(href, '/en/calendar/list?search=yoga&amp;once=yes')
  const once = await read('/en/calendar/list?search=yoga&once=yes')
  assert.equal(cardsOf(once), 2)
  assert.match(once, /Show every date/)
  assert.match(once, /href="\/en\/calendar\?search=yoga&amp;once=yes"/, 'other views keep it')
  assert.match(once, /<input type="hidden" name="once" value="yes"/, 'a search keeps it')
  assert.match(once, /<meta name="robots" content="noindex/)
  assert.match(await read('/de/kalender/liste?search=yoga'), /Reihen zusammenfassen/)
  const month = await read('/en/calendar/2031-01?search=yoga&once=yes')
  assert.ok((month.match(/Yoga for all/g) ?? []).length >= 4, 'a month shows all dates')
  assert.doesNotMatch(
    await read('/en/calendar/list?search=talk'),
    /Each series once/,
    'without series there is no choice'
  )
})

test('the home page has the same choice', async () => {
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await createSeries({
    title: 'Daily coffee',
    start_date: `${day} 10:00`,
    end_date: `${day} 11:00`,
    recurrence: { unit: 'day', count: 9 }
  })
  const every = await read('/en')
  assert.equal((every.match(/Daily coffee/g) ?? []).length, 5)
  assert.match(every, /<a href="\/en\?once=yes" rel="nofollow">/)
  const once = await read('/en?once=yes')
  assert.equal((once.match(/Daily coffee/g) ?? []).length, 1)
  assert.match(once, /href="\/en\/calendar\/list\?once=yes"/)
  assert.match(await read('/de?once=yes'), /Jeden Termin anzeigen/)
})

test('the sitemap has every date of a series', async () => {
  const { series } = await createSeries({ title: 'In the sitemap' })
  const slugs = (await listOccurrences(series.id)).map(({ slug }) => slug)
  const index = await read('/sitemap.xml')
  const parts = [...index.matchAll(/<loc>[^<]*(\/sitemap\.xml\?part=[^<]*)<\/loc>/g)].map(found => found[1] ?? '')
  const maps = await Promise.all(parts.map(async part => await read(part.replaceAll('&amp;', '&'))))
  for (const slug of slugs)
    assert.ok(
      maps.some(text => text.includes(`/event/${slug}<`)),
      slug
    )
})
