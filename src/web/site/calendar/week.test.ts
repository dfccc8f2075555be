import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startSite } from '#test/support/services.ts'

const { visitor, admin } = await startSite({ env: { TIMEZONE: 'Europe/Berlin', RATE_LIMIT: '0' } })

async function anEvent(title: string, start: string, end: string, more: object = {}) {
  const created = await admin.post(`${calendar}/events`, { title, start_date: start, end_date: end, ...more })
  assert.equal(created.status, 201, created.text)
}

async function openPage(path: string): Promise<string> {
  const { status, text } = await visitor.get(path)
  assert.equal(status, 200, path)
  return text
}

const toText = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

await anEvent('Concert', '2027-05-06 19:00', '2027-05-06 21:00', { cost: '8', venue: { venue: 'Mill' } })
await anEvent('Camp', '2027-05-07 18:00', '2027-05-11 12:00')

test('a week lists its days in order with their events, and events of several days as bars', async () => {
  const html = await openPage('/en/calendar/2027-W18')
  assert.match(html, /<h1>3\s?–\s?9 May 2027<\/h1>/)
  assert.match(html, /<title>Week 18: 3\s?–\s?9 May 2027/)
  const days = [...html.matchAll(/<h2>(.*?)<\/h2>/gs)].map(([, name = '']) => toText(name))
  assert.deepEqual(days.slice(0, 7), [
    'Mon 3 May',
    'Tue 4 May',
    'Wed 5 May',
    'Thu 6 May',
    'Fri 7 May',
    'Sat 8 May',
    'Sun 9 May'
  ])
  assert.match(toText(html), /Thu 6 May 19:00–21:00 · Mill · €8 Concert/)
  const bars = [...html.matchAll(/<li class="(event-bar [^"]*)">(.*?)<\/li>/gs)].map(([, className, text = '']) => [
    className,
    toText(text)
  ])
  assert.deepEqual(bars, [['event-bar span-3 goes-on begin-5', 'Fri 7 May, 18:00 – Tue 11 May, 12:00 Camp']])
  const next = await openPage('/de/kalender/2027-W19')
  assert.match(next, /<h1>10\.\s?–\s?16\. Mai 2027<\/h1>/)
  assert.match(next, /<li class="event-bar span-2 from-before begin-1">/)
})

test('a week links to the previous and next week and to the other views, and these link to the week', async () => {
  const html = await openPage('/en/calendar/2027-W18?price=8')
  for (const when of ['2027-W17', '2027-W19', '2027-05', '2027-05-06']) {
    assert.ok(html.includes(`href="/en/calendar/${when}?price=8"`), when)
  }
  assert.match(html, /<a href="\/en\/calendar\/2027-W18\?price=8" aria-current="page">Week</)
  assert.match(html, /<meta name="robots" content="noindex"/)
  assert.match(await openPage('/en/calendar/2027-05'), /<a href="\/en\/calendar\/2027-W18">Week</)
  assert.match(await openPage('/en/calendar/2027-05-11'), /<a href="\/en\/calendar\/2027-W19">Week</)
})

test('an empty week links to the next event, and an invalid week is 404', async () => {
  assert.match(
    await openPage('/en/calendar/2027-W10'),
    /No events in this week\..*href="\/en\/calendar\/2027-W18">6 May 2027</s
  )
  for (const when of ['2027-W53', '2027-W00', '2027-W1']) {
    assert.equal((await visitor.get(`/en/calendar/${when}`)).status, 404, when)
  }
  for (const when of ['1900-W01', '2200-W52']) await openPage(`/en/calendar/${when}`)
})
