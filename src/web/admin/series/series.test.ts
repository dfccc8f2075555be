import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '#test/support/admin-client.ts'
import { newSeriesClient } from '#test/support/calendar/series.ts'
import { calendar } from '#test/support/services.ts'

const { admin, signIn } = await startAdmin({ env: { TIMEZONE: 'Europe/Berlin' } })
const edith = await signIn('editor')
const vera = await signIn('viewer')
const { createSeries, listOccurrences } = newSeriesClient(admin)

/** The fields that the form of a new event sends. 7 January 2031 is a Tuesday. */
const form = {
  title: 'Rehearsal',
  description: '',
  excerpt: '',
  slug: '',
  start_date: '2031-01-07',
  start_time: '19:00',
  end_date: '2031-01-07',
  end_time: '21:30',
  timezone: 'Europe/Berlin',
  venue: '',
  cost: '',
  website: '',
  image: '',
  event_status: 'scheduled',
  status: 'publish',
  etag: ''
}
const weekly = { repeat: 'week', repeat_every: '1', repeat_by: 'day' }

const unescapeHtml = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
/** The values of the form on a page, as a browser sends them without changes. */
function readForm(html: string): Record<string, string | string[]> {
  const [, body = ''] = /<form[^>]*id="editor-form"[^>]*>([\s\S]*?)<\/form>/.exec(html) ?? []
  const values: Record<string, string | string[]> = {}
  for (const [tag] of body.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1] ?? ''
    const value = unescapeHtml(/value="([^"]*)"/.exec(tag)?.[1] ?? '')
    const isCheckable = /type="(?:checkbox|radio)"/.test(tag)
    if (name === '' || name === '_token' || /type="file"/.test(tag) || (isCheckable && !/ checked/.test(tag))) continue
    if (name.endsWith('[]')) {
      const before = values[name]
      values[name] = [...(Array.isArray(before) ? before : []), value]
    } else values[name] = value
  }
  for (const [, name = '', options = ''] of body.matchAll(/<select[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)) {
    values[name] =
      /<option[^>]*selected[^>]*value="([^"]*)"|<option[^>]*value="([^"]*)"[^>]*selected/
        .exec(options)
        ?.slice(1)
        .find(one => one !== undefined) ?? ''
  }
  for (const [, name = '', text = ''] of body.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/textarea>/g)) {
    values[name] = unescapeHtml(text)
  }
  return values
}
const openEditor = async (id: number | undefined) => (await edith.get(`/admin/events/${id}?lang=en`)).text
const save = async (id: number | undefined, changes: Record<string, string | string[]>) =>
  await edith.sendAndFollow(`/admin/events/${id}?lang=en`, { ...readForm(await openEditor(id)), ...changes })
const listTitlesAndDays = async (seriesId: number) =>
  (await listOccurrences(seriesId)).map(({ title, start_date }) => [title, start_date.slice(5, 16)])

test('one form creates ten weekly events', async () => {
  const created = await edith.sendAndFollow('/admin/events/new?lang=en', { ...form, ...weekly, repeat_count: '10' })
  assert.equal(created.status, 200)
  assert.match(created.text, /10 events created: every Tuesday, 10 times\./)
  assert.match(created.text, /Part of a series: <strong>every Tuesday, 10 times<\/strong>/)
  const id = Number(/\/admin\/series\/(\d+)/.exec(created.text)?.[1])
  assert.equal((await listOccurrences(id)).length, 10)
})

test('the preview of the dates saves nothing and keeps the input', async () => {
  const preview = await edith.send('/admin/events/new?lang=en', {
    ...form,
    ...weekly,
    title: 'Not yet saved',
    repeat_every: '2',
    'repeat_weekdays[]': ['tuesday', 'thursday'],
    repeat_until: '2031-02-28',
    'repeat_except[]': ['2031-01-23', ''],
    'repeat_also[]': ['2031-02-14'],
    new_venue_venue: 'A new hall',
    do: 'dates'
  })
  assert.equal(preview.status, 200)
  assert.match(
    preview.text,
    /<strong>every second week on Tuesday and Thursday until 28 February 2031, not on 23 January 2031, also on 14 February 2031<\/strong>/
  )
  assert.match(preview.text, /8 dates/)
  assert.match(preview.text, /<time dateTime="2031-01-07T19:00:00">|<time datetime="2031-01-07T19:00:00">/)
  const kept = readForm(preview.text)
  assert.deepEqual(
    [kept.title, kept.repeat, kept.repeat_every, kept.repeat_until, kept.new_venue_venue],
    ['Not yet saved', 'week', '2', '2031-02-28', 'A new hall']
  )
  assert.deepEqual(kept['repeat_weekdays[]'], ['tuesday', 'thursday'])
  assert.deepEqual(kept['repeat_except[]'], ['2031-01-23', '', ''], 'with fields for further dates')
  assert.equal((await admin.get(`${calendar}/events?search=Not%20yet%20saved&start_date=2030-01-01`)).body.total, 0)
})

test('a monthly or yearly rule is derived from the first day', async () => {
  const describeRule = async (start_date: string, fields: object) =>
    (
      await edith.send('/admin/events/new?lang=en', {
        ...form,
        start_date,
        end_date: start_date,
        do: 'dates',
        ...fields
      })
    ).text
  assert.match(
    await describeRule('2031-01-14', { repeat: 'month', repeat_by: 'weekday', repeat_count: '3' }),
    /on the second Tuesday of every month, 3 times/
  )
  assert.match(
    await describeRule('2031-01-31', { repeat: 'month', repeat_by: 'last', repeat_count: '3' }),
    /on the last Friday of every month, 3 times/
  )
  assert.match(await describeRule('2031-01-14', { repeat: 'month', repeat_by: 'day' }), /on the 14th of every month/)
  assert.match(await describeRule('2031-01-14', { repeat: 'year', repeat_by: 'day' }), /every year on 14 January/)
  assert.match(await describeRule('2031-01-14', { repeat: 'day', repeat_every: '3' }), /every 3 days/)
})

test('an invalid recurrence has an error at its field', async () => {
  const sendInvalid = async (fields: object) =>
    await edith.send('/admin/events/new?lang=en', { ...form, ...weekly, ...fields })
  const tooMany = await sendInvalid({ repeat: 'day', repeat_until: '2041-01-01' })
  assert.equal(tooMany.status, 422)
  assert.match(tooMany.text, /<a href="#field-repeat-until">Until must result in at most 1000 events/)
  assert.match((await sendInvalid({ repeat_every: '0' })).text, /<a href="#field-repeat-every">Interval must be/)
  assert.match(
    (await sendInvalid({ repeat_count: '3', repeat_until: '2031-03-01' })).text,
    /#field-repeat-count">Give either “Until” or the number of dates/
  )
  assert.match(
    (await sendInvalid({ 'repeat_except[]': ['2031-99-99'] })).text,
    /<a href="#field-repeat-except">Not on must/
  )
  const other = await sendInvalid({ 'repeat_weekdays[]': ['friday'] })
  assert.match(
    other.text,
    /<a href="#field-start-date">First day must be a date of the recurrence: the first one is 10 January 2031/
  )
  assert.match((await sendInvalid({ repeat: '', do: 'dates' })).text, /#field-repeat">Choose how the event repeats/)
})

test('an event can be turned into a series, and a series into single events', async () => {
  const { body } = await admin.post(`${calendar}/events`, {
    title: 'Later a series',
    start_date: '2031-01-07 19:00',
    end_date: '2031-01-07 20:00'
  })
  const repeated = await save(body.id, { repeat: 'week', repeat_count: '3' })
  assert.match(repeated.text, /every Tuesday, 3 times/)
  const { series } = (await admin.get(`${calendar}/events/${body.id}`)).body
  assert.equal((await listOccurrences(series.id)).length, 3)

  const sendInvalid = await edith.send(`/admin/events/${body.id}?lang=en`, {
    ...readForm(await openEditor(body.id)),
    repeat: ''
  })
  assert.match(sendInvalid.text, /<a href="#field-apply">The repetition belongs to the series\./)
  await save(body.id, { repeat: '', apply: 'all' })
  assert.equal((await admin.get(`${calendar}/events/${body.id}`)).body.series, null)
})

test('a change is saved for this event, this and the following events, or all events of the series', async () => {
  const { series } = await createSeries()
  const [first, second, third] = await listOccurrences(series.id)
  const page = await openEditor(second?.id)
  assert.match(page, /name="apply" value="this" checked/)
  assert.match(page, /This and the following events/)

  assert.match((await save(second?.id, { title: 'Dress rehearsal' })).text, /Differs from the series in: Title/)
  assert.deepEqual(
    (await listTitlesAndDays(series.id)).map(([title]) => title),
    ['Rehearsal', 'Dress rehearsal', 'Rehearsal', 'Rehearsal']
  )
  const all = await save(first?.id, { title: 'Choir', start_time: '18:00', apply: 'all' })
  assert.match(all.text, /Saved for all events\./)
  assert.deepEqual(await listTitlesAndDays(series.id), [
    ['Choir', '01-07 18:00'],
    ['Dress rehearsal', '01-14 18:00'],
    ['Choir', '01-21 18:00'],
    ['Choir', '01-28 18:00']
  ])
  const split = await save(third?.id, { title: 'Big choir', apply: 'following' })
  assert.match(split.text, /Saved for this and the following events\./)
  assert.deepEqual(
    (await listTitlesAndDays(series.id)).map(([title]) => title),
    ['Choir', 'Dress rehearsal']
  )
  const later = (await admin.get(`${calendar}/events/${third?.id}`)).body.series.id
  assert.notEqual(later, series.id)
  assert.deepEqual(
    (await listTitlesAndDays(later)).map(([title]) => title),
    ['Big choir', 'Big choir']
  )
})

test('the editor of an event of a series links to the previous and the next date and to the series', async () => {
  const { series } = await createSeries({ hide_from_listings: true })
  const { events } = (await admin.get(`${calendar}/events?series=${series.id}&hidden=true&start_date=2031-01-01`)).body
  const page = await openEditor(events[1].id)
  assert.match(page, new RegExp(`href="/admin/events/${events[0].id}\\?lang=en">Previous date: Tue,? 7 Jan 2031`))
  assert.match(page, new RegExp(`href="/admin/events/${events[2].id}\\?lang=en">Next date: Tue,? 21 Jan 2031`))
  assert.match(page, new RegExp(`href="/admin/series/${series.id}">All dates`))
})

test('a rule that the form cannot represent is kept unless it is replaced', async () => {
  const { id, series } = await createSeries({ recurrence: 'FREQ=MONTHLY;BYDAY=TU;BYSETPOS=1,3;COUNT=4' })
  const page = await openEditor(id)
  assert.match(
    page,
    /<option value="keep" selected>Keep: on the first and third Tuesday of every month, 4 times<\/option>/
  )
  await save(id, { title: 'Still the same rule', apply: 'all' })
  const kept = (await admin.get(`${calendar}/events/${id}`)).body
  assert.deepEqual([kept.title, kept.series.rule], ['Still the same rule', series.rule])
  await save(id, { repeat: 'week', repeat_count: '2', apply: 'all' })
  assert.equal((await admin.get(`${calendar}/events/${id}`)).body.series.rule, 'FREQ=WEEKLY;BYDAY=TU;COUNT=2')
})

test('this event, or this and the following events of a series, are moved to the trash', async () => {
  const { series } = await createSeries()
  const [first, second, third] = await listOccurrences(series.id)
  assert.match(await openEditor(first?.id), /Skip this date/)
  const skipped = await edith.sendAndFollow(`/admin/events/${second?.id}/trash`, {
    apply: 'this',
    title: 'Rehearsal',
    status: 'publish'
  })
  assert.equal(skipped.status, 200)
  assert.equal((await listOccurrences(series.id)).length, 3)
  const ended = await edith.sendAndFollow(`/admin/events/${third?.id}/trash`, { apply: 'following' })
  assert.match(ended.text, /This and the following events are in the trash\./)
  assert.deepEqual(
    (await listOccurrences(series.id)).map(({ id }) => id),
    [first?.id]
  )
})

test('the page of a series lists its dates with their state, and skips, adds, restores, moves and deletes dates', async () => {
  const { series } = await createSeries()
  const path = `/admin/series/${series.id}`
  const [first, second, third, fourth] = await listOccurrences(series.id)
  await admin.patch(`${calendar}/events/${first?.id}`, { event_status: 'canceled' })
  const send = async (action: string, fields: Record<string, string>) =>
    await edith.sendAndFollow(`${path}/${action}`, fields)

  const skipped = await send('skip', { event: String(second?.id) })
  assert.match(skipped.text, /Date skipped/)
  assert.match(skipped.text, /every Tuesday, 4 times, not on 14 January 2031/)
  for (const state of ['Cancelled', 'Changed', 'Skipped', 'As in the series'])
    assert.match(skipped.text, new RegExp(`>${state}<`))

  // The browser keeps what is typed into the forms of dates.
  for (const form of ['add', `move/${third?.id}`])
    assert.ok(skipped.text.includes(`data-draft="${path}/${form}"`), form)

  const [, all = ''] = /href="([^"]*)">Change all events/.exec(skipped.text) ?? []
  assert.match((await edith.get(all)).text, /name="apply" value="all" checked/)

  assert.match((await send('add', { day: '2031-01-10' })).text, /Date added\./)
  assert.deepEqual(
    (await listTitlesAndDays(series.id)).map(([, day]) => day),
    ['01-07 19:00', '01-10 19:00', '01-21 19:00', '01-28 19:00']
  )
  const restored = await send('restore', { event: String(second?.id), status: 'publish' })
  assert.match(restored.text, /Date restored\./)
  assert.equal(
    (await admin.get(`${calendar}/events/${second?.id}`)).body.status,
    'publish',
    'adding a date does not delete the skipped one'
  )

  assert.match(
    (await send('move', { event: String(third?.id), day: '2031-01-22', time: '18:30' })).text,
    /Date moved\./
  )
  const moved = (await admin.get(`${calendar}/events/${third?.id}`)).body
  assert.deepEqual([moved.start_date, moved.end_date], ['2031-01-22 18:30:00', '2031-01-22 21:00:00'])
  assert.match((await send('move', { event: String(third?.id), day: 'soon' })).text, /Please choose a day\./)

  assert.match((await send('end', { event: String(fourth?.id) })).text, /The series ends before this date/)
  assert.equal((await listOccurrences(series.id)).length, 4)

  assert.match((await edith.get(`${path}/delete`)).text, /4 events of this series/)
  assert.match((await send('delete', {})).text, /All events of the series are in the trash\./)
  const deletedPage = await edith.get(path)
  assert.equal(deletedPage.status, 410)
  assert.match(deletedPage.text, /All events of this series are in the trash\./)
})

test('an unknown series is 404, and viewers get 403', async () => {
  for (const id of ['999999999', 'abc', "1'"]) {
    assert.equal((await edith.get(`/admin/series/${id}`)).status, 404, id)
    assert.equal((await edith.get(`/admin/series/${id}/delete`)).status, 404, id)
  }
  const { series } = await createSeries()
  assert.equal((await vera.get(`/admin/series/${series.id}`)).status, 403)
  assert.equal((await vera.send(`/admin/series/${series.id}/delete`, {})).status, 403)
  assert.equal((await edith.send(`/admin/series/${series.id}/skip`, { event: '../venues/1' })).status, 404)
})

test('the list of events marks series, and can show each series once', async () => {
  await createSeries({ title: 'Marked series' })
  const every = (await edith.get('/admin/events?search=Marked')).text
  assert.match(
    every,
    /<a class="badge plain" href="\/admin\/series\/\d+"><span aria-hidden="true">↻ <\/span>every Tuesday, 4 times<\/a>/
  )
  assert.match(every, /4 in this list/)
  assert.match(every, />Skip this date</)
  assert.match((await edith.get('/admin/events?search=Marked&series=once')).text, /1 in this list/)
  const csv = await edith.get('/admin/events.csv?search=Marked&series=once')
  assert.equal(csv.text.trim().split('\n').length, 2)
  assert.doesNotMatch((await vera.get('/admin/events?search=Marked')).text, /href="\/admin\/series/)
})

test('duplicating copies one event without its series, or the whole series', async () => {
  const { id, series } = await createSeries({ title: 'Original' })
  await admin.patch(`${calendar}/events/${id}?language=de&apply=all`, { title: 'Vorlage' })
  const page = await openEditor(id)
  assert.match(page, /Duplicate this event/)
  const single = await edith.sendAndFollow(`/admin/events/${id}/duplicate`, {})
  assert.match(single.text, /This is the copy\. It is a draft/)
  assert.doesNotMatch(single.text, /Part of a series/)
  const seriesCopy = await edith.sendAndFollow(`/admin/events/${id}/duplicate`, { copy: 'series' })
  assert.match(seriesCopy.text, /This is the copy of the series/)
  const copy = Number(/\/admin\/series\/(\d+)/.exec(seriesCopy.text)?.[1])
  assert.notEqual(copy, series.id)
  const copies = await listOccurrences(copy, '&status=draft&language=de')
  assert.deepEqual(
    copies.map(({ title }) => title),
    Array(4).fill('Vorlage (Kopie)')
  )
})
