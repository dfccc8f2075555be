import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSeriesClient } from '#test/support/calendar/series.ts'
import { calendar, startSite } from '#test/support/services.ts'

const { admin, visitor } = await startSite({ env: { TIMEZONE: 'Europe/Berlin', RATE_LIMIT: '0' } })
const { createSeries, listOccurrences } = newSeriesClient(admin)
const openPage = async (path: string) => {
  const answer = await visitor.get(path)
  assert.equal(answer.status, 200, path)
  return answer.text
}
const countCards = (html: string) => html.match(/<article class="event-card/g)?.length ?? 0

test('the page of an event shows its recurrence, with links to the next and to all dates', async () => {
  const { series } = await createSeries({ title: 'Open choir' })
  const [first, second, , last] = await listOccurrences(series.id)
  const english = await openPage(`/en/event/${first?.slug}`)
  assert.match(
    english,
    new RegExp(
      `every Tuesday, 4 times, next: <a href="/en/event/${second?.slug}">14 January</a> · <a href="/en/calendar/list\\?series=${series.id}">All dates</a>`
    )
  )
  const german = await openPage(`/de/termin/${first?.slug}`)
  assert.match(german, /jeden Dienstag, 4-mal, nächster Termin: <a [^>]*>14\. Januar<\/a> · <a [^>]*>Alle Termine<\/a>/)
  assert.doesNotMatch(await openPage(`/en/event/${last?.slug}`), /next: </)
  const [, json = ''] = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(english) ?? []
  assert.equal(JSON.parse(json)['@type'] ?? JSON.parse(json)['@graph']?.[0]?.['@type'], 'Event')
})

test('all dates of a series are in one list, with a feed of the series', async () => {
  const { series } = await createSeries({ title: 'Chess evening' })
  await createSeries({ title: 'Another evening' })
  const html = await openPage(`/en/calendar/list?series=${series.id}`)
  assert.match(html, /<h1>All dates: Chess evening<\/h1>/)
  assert.equal(countCards(html), 4)
  assert.match(html, new RegExp(`/en/events.ics\\?series=${series.id}`))
  assert.doesNotMatch(html, /Each series once/)
  const feed = await openPage(`/en/events.ics?series=${series.id}`)
  assert.doesNotMatch(feed, /Another evening/)
  assert.match(await openPage('/en/calendar/list?series=999999999'), /Unknown filter/)
  assert.match(await openPage('/en/calendar/list?series=abc'), /Unknown filter/)
  const month = await openPage(`/en/calendar/2031-01?series=${series.id}`)
  assert.match(month, /Chess evening/)
  assert.doesNotMatch(month, /Another evening/)
})

test('visitors can show each series once, and links and forms keep the setting', async () => {
  await createSeries({ title: 'Yoga for all' })
  await admin.post(`${calendar}/events`, {
    title: 'Yoga talk',
    start_date: '2031-01-08 10:00',
    end_date: '2031-01-08 11:00'
  })
  const every = await openPage('/en/calendar/list?search=yoga')
  assert.equal(countCards(every), 5)
  assert.match(every, /<p class="event-card-series"><span aria-hidden="true">↻ <\/span>every Tuesday, 4 times<\/p>/)
  const [, href = ''] =
    /<a href="([^"]*)" rel="nofollow"><span aria-hidden="true">↻ <\/span>Each series once/.exec(every) ?? []
  assert.equal(href, '/en/calendar/list?search=yoga&amp;once=yes')
  const once = await openPage('/en/calendar/list?search=yoga&once=yes')
  assert.equal(countCards(once), 2)
  assert.match(once, /Show every date/)
  assert.match(once, /href="\/en\/calendar\?search=yoga&amp;once=yes"/, 'links to other views keep it')
  assert.match(once, /<input type="hidden" name="once" value="yes"/, 'the search form keeps it')
  assert.match(once, /<meta name="robots" content="noindex/)
  assert.match(await openPage('/de/kalender/liste?search=yoga'), /Reihen zusammenfassen/)
  const month = await openPage('/en/calendar/2031-01?search=yoga&once=yes')
  assert.ok((month.match(/Yoga for all/g) ?? []).length >= 4, 'a month shows all dates')
  assert.doesNotMatch(
    await openPage('/en/calendar/list?search=talk'),
    /Each series once/,
    'a list without series does not offer it'
  )
})

test('the home page can show each series once', async () => {
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await createSeries({
    title: 'Daily coffee',
    start_date: `${day} 10:00`,
    end_date: `${day} 11:00`,
    recurrence: { unit: 'day', count: 9 }
  })
  const every = await openPage('/en')
  assert.equal((every.match(/Daily coffee/g) ?? []).length, 5)
  assert.match(every, /<a href="\/en\?once=yes" rel="nofollow">/)
  const once = await openPage('/en?once=yes')
  assert.equal((once.match(/Daily coffee/g) ?? []).length, 1)
  assert.match(once, /href="\/en\/calendar\/list\?once=yes"/)
  assert.match(await openPage('/de?once=yes'), /Jeden Termin anzeigen/)
})

test('the sitemap contains every date of a series', async () => {
  const { series } = await createSeries({ title: 'In the sitemap' })
  const slugs = (await listOccurrences(series.id)).map(({ slug }) => slug)
  const index = await openPage('/sitemap.xml')
  const parts = [...index.matchAll(/<loc>[^<]*(\/sitemap\.xml\?part=[^<]*)<\/loc>/g)].map(found => found[1] ?? '')
  const maps = await Promise.all(parts.map(async part => await openPage(part.replaceAll('&amp;', '&'))))
  for (const slug of slugs)
    assert.ok(
      maps.some(text => text.includes(`/event/${slug}<`)),
      slug
    )
})
