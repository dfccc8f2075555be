import assert from 'node:assert/strict'
import { afterEach, mock, test } from 'node:test'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { type Client, calendar, startCalendar } from '#test/support/services.ts'

const { visitor, anEvent } = await startCalendar()
const path = `${calendar}/events`

afterEach(() => mock.timers.reset())

/** Sets the clock of the process. Use times in the past: the database decides by its own clock what is published. */
function setClock(moment: string): void {
  mock.timers.reset()
  mock.timers.enable({ apis: ['Date'], now: new Date(moment) })
}

async function listTitles(query: string, by: Client = visitor): Promise<string[]> {
  const { status, body, text } = await by.get(`${path}?per_page=50&${query}`)
  assert.equal(status, 200, text)
  return body.events.map((one: { title: string }) => one.title)
}

const encodeQuery = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

for (const [index, { zone, now, first, last }] of [
  { zone: 'UTC', now: '2026-01-15T23:30:00Z', first: '2026-01-15', last: '2028-01-15' },
  { zone: 'Pacific/Auckland', now: '2026-01-15T23:30:00Z', first: '2026-01-16', last: '2028-01-16' },
  { zone: 'Pacific/Honolulu', now: '2026-01-15T05:00:00Z', first: '2026-01-14', last: '2028-01-14' },
  { zone: 'Europe/Berlin', now: '2024-02-28T23:30:00Z', first: '2024-02-29', last: '2026-02-28' }
].entries()) {
  test(`without dates the list goes from today 00:00 to the end of the day in 24 months, in the time zone ${zone}`, {
    skip: index % 2 === 0 && skipUnlessFull
  }, async () => {
    const site = await startCalendar({ env: { TIMEZONE: zone } })
    setClock(now)
    const dayBefore = new Date(Date.parse(first) - 86_400_000).toISOString().slice(0, 10)
    const dayAfter = new Date(Date.parse(last) + 86_400_000).toISOString().slice(0, 10)
    for (const [title, start_date, end_date] of [
      ['just before', `${dayBefore} 23:59:59`, `${first} 01:00`],
      ['at midnight', `${first} 00:00:00`, `${first} 00:00:00`],
      ['to the last second', `${last} 23:00:00`, `${last} 23:59:59`],
      ['a second too long', `${last} 23:00:00`, `${dayAfter} 00:00:00`]
    ]) {
      await site.anEvent({ title, start_date, end_date })
    }
    const { body } = await site.visitor.get(path)
    assert.deepEqual(
      body.events.map((one: { title: string }) => one.title),
      ['at midnight', 'to the last second']
    )
    const link = new URL(body.rest_url).searchParams
    assert.deepEqual([link.get('start_date'), link.get('end_date')], [`${first} 00:00:00`, `${last} 23:59:59`])

    assert.deepEqual(await listTitles(`start_date=${dayBefore}`, site.visitor), [
      'just before',
      'at midnight',
      'to the last second'
    ])
    assert.deepEqual(await listTitles(`end_date=${dayAfter}`, site.visitor), [
      'at midnight',
      'to the last second',
      'a second too long'
    ])
  })
}

test('with a start_date after the default end the list covers 24 months from that start', async () => {
  await anEvent({ title: 'far ahead', start_date: '2045-05-05 10:00', end_date: '2045-05-05 12:00' })
  assert.deepEqual(await listTitles('start_date=2045-05-01'), ['far ahead'])
  assert.deepEqual(await listTitles('start_date=2045-05-06'), [])
})

test('each date filter has its own bound, rounded to whole days unless strict_dates is set', async () => {
  for (const [title, start_date, end_date] of [
    ['eve', '2031-03-09 20:00', '2031-03-10 02:00'],
    ['morning', '2031-03-10 09:00', '2031-03-10 11:00'],
    ['noon', '2031-03-10 12:00', '2031-03-10 12:00'],
    ['night', '2031-03-10 23:59:59', '2031-03-10 23:59:59'],
    ['next', '2031-03-11 00:00', '2031-03-11 01:00']
  ]) {
    await anEvent({ title, start_date, end_date, categories: 'bounds' })
  }
  const all = ['eve', 'morning', 'noon', 'night', 'next']
  const noon = '2031-03-10 12:00:00'
  const vectors: [Record<string, string>, string[]][] = [
    [{ start_date: noon, end_date: '2031-04-01' }, ['morning', 'noon', 'night', 'next']],
    [{ start_date: '2031-03-01', end_date: noon }, ['eve', 'morning', 'noon', 'night']],
    [{ start_date: noon, end_date: noon }, ['morning', 'noon', 'night']],
    [{ starts_after: noon }, ['next']],
    [{ starts_before: noon }, ['eve', 'morning', 'noon']],
    [{ ends_after: noon }, ['next']],
    [{ ends_before: noon }, ['eve', 'morning', 'noon']],
    [{ starts_after: '2031-03-09' }, ['morning', 'noon', 'night', 'next']],
    [{ ends_after: '2031-03-09' }, all],

    [{ start_date: noon, end_date: '2031-04-01', strict_dates: 'true' }, ['noon', 'night', 'next']],
    [{ start_date: '2031-03-01', end_date: noon, strict_dates: 'true' }, ['eve', 'morning', 'noon']],
    [{ starts_after: noon, strict_dates: 'yes' }, ['night', 'next']],
    [{ starts_before: noon, strict_dates: 'ON' }, ['eve', 'morning']],
    [{ ends_after: noon, strict_dates: '1' }, ['night', 'next']],
    [{ ends_before: noon, strict_dates: 'TRUE' }, ['eve', 'morning']],
    [{ starts_after: noon, strict_dates: 'no' }, ['next']],
    [{ starts_after: noon, strict_dates: '0' }, ['next']],
    [{ starts_after: noon, strict_dates: 'off' }, ['next']],
    [{ starts_after: noon, strict_dates: 'false' }, ['next']],

    [{ starts_after: '2031-03-10T13:00:00+01:00', strict_dates: 'true' }, ['night', 'next']],
    [{ starts_before: '2031-03-10T07:00:00-05:00', strict_dates: 'true' }, ['eve', 'morning']],
    [
      { starts_after: String(Date.parse('2031-03-10T11:59:59Z') / 1000), strict_dates: 'true' },
      ['noon', 'night', 'next']
    ],
    [{ starts_after: '2031-03-09', ends_before: '2031-03-10' }, ['morning', 'noon']],
    [
      { starts_after: '2031-03-08', starts_before: '2031-03-10', ends_after: '2031-03-09', ends_before: '2031-03-12' },
      ['eve', 'morning', 'noon']
    ],
    [{ starts_after: '2031-03-08', start_date: '2031-03-11' }, ['next']],
    [{ ends_before: '2031-03-12', end_date: '2031-03-10' }, ['eve', 'morning', 'noon', 'night']],
    [{ start_date: '2031-03-11', end_date: '2031-03-10' }, []],
    [{ starts_after: '2031-03-11', starts_before: '2031-03-10' }, []]
  ]
  for (const [query, expected] of vectors) {
    assert.deepEqual(await listTitles(encodeQuery({ categories: 'bounds', ...query })), expected, JSON.stringify(query))
  }
})

test('now is exact: ends_after=now finds running events, also those that started long ago', async () => {
  setClock('2026-01-15T12:00:00Z')
  for (const [title, start_date, end_date] of [
    ['over a minute ago', '2026-01-15 10:00', '2026-01-15 11:59'],
    ['running', '2026-01-15 11:00', '2026-01-15 13:00'],
    ['running for six days', '2026-01-09 12:00', '2026-01-15 20:00'],
    ['running for a year', '2025-01-01 00:00', '2026-12-31 00:00'],
    ['over after a year', '2025-01-01 00:00', '2026-01-15 11:00'],
    ['tonight', '2026-01-15 20:00', '2026-01-15 22:00']
  ]) {
    await anEvent({ title, start_date, end_date, tags: 'clocked' })
  }
  const running = ['running for a year', 'running for six days', 'running']
  assert.deepEqual(await listTitles('tags=clocked&ends_after=now'), [...running, 'tonight'])
  assert.deepEqual(await listTitles('tags=clocked&ends_after=now&starts_before=now'), running)
  assert.deepEqual(await listTitles('tags=clocked&ends_after=NOW&strict_dates=false'), [...running, 'tonight'])
  assert.deepEqual(await listTitles('tags=clocked&starts_after=now'), ['tonight'])
  assert.deepEqual(await listTitles('tags=clocked&ends_before=now'), ['over after a year', 'over a minute ago'])
  assert.deepEqual(await listTitles('tags=clocked&start_date=now'), ['tonight'])
  assert.deepEqual(await listTitles('tags=clocked&ends_after=today'), ['running for a year'])
  assert.deepEqual(await listTitles('tags=clocked&ends_after=yesterday'), [
    'running for a year',
    'over after a year',
    'running for six days',
    'over a minute ago',
    'running',
    'tonight'
  ])
})

test('events of seven days, and of seven days and a second, are found while they run', async () => {
  const week = { title: 'week', start_date: '2029-07-01 12:00:00', end_date: '2029-07-08 12:00:00' }
  const more = { title: 'more', start_date: '2029-07-01 12:00:00', end_date: '2029-07-08 12:00:01' }
  await anEvent({ ...week, tags: 'lasting' })
  await anEvent({ ...more, tags: 'lasting' })
  const listEndingAfter = async (ends_after: string) =>
    await listTitles(encodeQuery({ tags: 'lasting', ends_after, strict_dates: 'true' }))
  assert.deepEqual(await listEndingAfter('2029-07-08 11:59:59'), ['week', 'more'])
  assert.deepEqual(await listEndingAfter('2029-07-08 12:00:00'), ['more'])
  assert.deepEqual(await listEndingAfter('2029-07-08 12:00:01'), [])
})

test('dates without a time zone are in the time zone of the site, and are compared with the instants of events', async () => {
  const site = await startCalendar({ env: { TIMEZONE: 'America/New_York' } })
  await site.anEvent({
    title: 'Tokyo',
    start_date: '2030-06-02 09:00',
    end_date: '2030-06-02 10:00',
    timezone: 'Asia/Tokyo'
  })
  await site.anEvent({ title: 'home', start_date: '2030-06-02 09:00', end_date: '2030-06-02 10:00' })
  assert.deepEqual(await listTitles('start_date=2030-06-01&end_date=2030-06-01', site.visitor), ['Tokyo'])
  assert.deepEqual(await listTitles('start_date=2030-06-02&end_date=2030-06-02', site.visitor), ['home'])
  const strict = 'strict_dates=true&starts_before=2030-06-01%2020:00:'
  assert.deepEqual(await listTitles(`${strict}00`, site.visitor), [])
  assert.deepEqual(await listTitles(`${strict}01`, site.visitor), ['Tokyo'])
})

test('include ignores the default dates and the date filters of the request', async () => {
  const past = await anEvent({ title: 'past', start_date: '2001-01-01 10:00', end_date: '2001-01-01 11:00' })
  assert.deepEqual(await listTitles(`include=${past.id}`), ['past'])
  assert.deepEqual(
    await listTitles(`include=${past.id}&start_date=2030-01-01&ends_after=now&starts_after=2030-01-01`),
    ['past']
  )
  const { body } = await visitor.get(`${path}?include=${past.id}&start_date=2030-01-01`)
  assert.equal(new URL(body.rest_url).searchParams.get('end_date'), null)
})

test('an invalid date is refused with the name of the parameter', async () => {
  const names = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after']
  for (const name of names) {
    for (const wrong of ['', 'foo', '2027-02-30', '2027-01-01 25:00', '99999999999999999999']) {
      const refused = await visitor.get(`${path}?${encodeQuery({ [name]: wrong })}`)
      assert.deepEqual([refused.status, refused.body.code], [400, 'rest_invalid_param'], `${name}=${wrong}`)
      assert.deepEqual(Object.keys(refused.body.data.params), [name])
    }
    assert.equal((await visitor.get(`${path}?${name}[]=2027-01-01`)).status, 400)
    // The Events Calendar accepts `is_numeric($value) || strtotime($value)`, and strtotime gives 0 for the epoch.
    for (const [date, status] of [
      ['1970-01-01 00:00:00', 400],
      ['1970-01-01', 400],
      ['1970-01-01T01:00:00+01:00', 400],
      ['@0', 400],
      ['1970-01-01 00:00:01', 200],
      ['1970-01-02', 200],
      ['1900-01-01', 200]
    ] as const) {
      const answer = await visitor.get(`${path}?${encodeQuery({ [name]: date })}`)
      assert.equal(answer.status, status, `${name}=${date}: ${answer.text.slice(0, 200)}`)
    }
  }
  for (const wrong of ['', 'foo', '2', 'y']) {
    const refused = await visitor.get(`${path}?strict_dates=${wrong}`)
    assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['strict_dates']], wrong)
  }
})
