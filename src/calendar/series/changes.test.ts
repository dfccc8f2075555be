import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getRefusal, newSeriesClient } from '#test/support/calendar/series.ts'
import { calendar, startCalendar } from '#test/support/services.ts'

// Changing one event of a series, the following ones, or all.

const { admin, visitor, withRole, anEvent, aVenue } = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
const { createSeries, listOccurrences, listDates } = newSeriesClient(admin)
const author = await withRole('author')

const patch = async (id: number | undefined, apply: string, fields: object) => {
  const changed = await admin.patch(`${calendar}/events/${id}?apply=${apply}`, fields)
  assert.equal(changed.status, 200, changed.text)
  return changed.body
}
const getEvent = async (id: number | undefined) => (await admin.get(`${calendar}/events/${id}`)).body

test('a change of one event makes it an exception and does not change the others', async () => {
  const { series } = await createSeries()
  const [, second] = await listOccurrences(series.id)
  const changed = await patch(second?.id, 'this', {
    title: 'Dress rehearsal',
    featured: false,
    timezone: 'Europe/Berlin'
  })
  assert.equal(changed.series.isException, true)
  assert.deepEqual(changed.series.changes, ['title'])
  assert.deepEqual(
    (await listOccurrences(series.id)).map(({ title, series: own }) => [title, own?.isException]),
    [
      ['Rehearsal', false],
      ['Dress rehearsal', true],
      ['Rehearsal', false],
      ['Rehearsal', false]
    ]
  )
  const [, , third] = await listOccurrences(series.id)
  const sentBack = await admin.put(`${calendar}/events/${third?.id}`, await getEvent(third?.id))
  assert.equal(sentBack.status, 200, sentBack.text)
  assert.equal(sentBack.body.series.isException, false)
})

test('a change of all events keeps the fields in which an exception differs', async () => {
  const { series } = await createSeries({ tags: ['changing'] })
  const [first, second, third] = await listOccurrences(series.id)
  await patch(second?.id, 'this', { title: 'Dress rehearsal' })
  const venue = await aVenue({ venue: 'Chapel' })
  await patch(first?.id, 'all', {
    title: 'Choir rehearsal',
    description: 'With piano.',
    venue: venue.id,
    tags: ['changed'],
    categories: ['Music'],
    featured: true,
    cost: '5'
  })
  for (const occurrence of await listOccurrences(series.id)) {
    const { body } = await visitor.get(`${calendar}/events/${occurrence.id}`)
    assert.equal(body.title, occurrence.id === second?.id ? 'Dress rehearsal' : 'Choir rehearsal')
    assert.deepEqual(
      [body.description, body.venue.venue, body.tags[0].slug, body.categories[0].slug, body.featured, body.cost],
      [(await getEvent(first?.id)).description, 'Chapel', 'changed', 'music', true, (await getEvent(first?.id)).cost]
    )
    assert.equal(body.tags[0].count, 4)
  }
  const changing = await admin.get(`${calendar}/tags?search=changing&hide_empty=false`)
  assert.equal(changing.body.tags[0].count, 0)
  const search = async (words: string) =>
    (await visitor.get(`${calendar}/events?search=${words}&series=${series.id}&start_date=2031-01-01`)).body.total
  assert.deepEqual([await search('piano'), await search('choir'), await search('dress')], [4, 3, 1])
  assert.equal((await getEvent(third?.id)).slug, third?.slug)
})

test('a translation of all events has a slug for each', async () => {
  const { series } = await createSeries({ title: 'Singing' })
  const [first] = await listOccurrences(series.id)
  await admin.patch(`${calendar}/events/${first?.id}?apply=all&language=de`, { title: 'Singen' })
  const german = (await visitor.get(`${calendar}/events?series=${series.id}&start_date=2031-01-01&language=de`)).body
  assert.deepEqual(
    german.events.map(({ title, slug }: { title: string; slug: string }) => [title, slug]),
    [
      ['Singen', 'singen'],
      ['Singen', 'singen-2031-01-14'],
      ['Singen', 'singen-2031-01-21'],
      ['Singen', 'singen-2031-01-28']
    ]
  )
})

test('a new slug applies to all events, and the former slugs redirect', async () => {
  const { series } = await createSeries({ title: 'Slugs' })
  const [first] = await listOccurrences(series.id)
  await patch(first?.id, 'all', { slug: 'singers' })
  assert.deepEqual(
    (await listOccurrences(series.id)).map(({ slug }) => slug),
    ['singers', 'singers-2031-01-14', 'singers-2031-01-21', 'singers-2031-01-28']
  )
  const former = await visitor.get(`${calendar}/redirects?kind=event&slug=slugs-2031-01-14`)
  assert.ok(former.text.includes('singers-2031-01-14'), former.text)
})

test('publishing a series of drafts publishes all events and gives them slugs', async () => {
  const { id, series } = await createSeries({ title: 'Not yet', status: 'draft' })
  await patch(id, 'all', { status: 'publish' })
  assert.deepEqual(
    (await listOccurrences(series.id)).map(({ slug, status }) => [slug, status]),
    [
      ['not-yet', 'publish'],
      ['not-yet-2031-01-14', 'publish'],
      ['not-yet-2031-01-21', 'publish'],
      ['not-yet-2031-01-28', 'publish']
    ]
  )
})

test('a change of the following events splits them into a new series', async () => {
  const { id, series } = await createSeries({ recurrence: { unit: 'week', count: 5, except: ['2031-01-14'] } })
  const before = await listOccurrences(series.id)
  const changed = await patch(before[2]?.id, 'following', {
    title: 'Late',
    start_date: '2031-01-28 20:00',
    end_date: '2031-01-28 22:00'
  })
  assert.notEqual(changed.series.id, series.id)
  assert.deepEqual(await listDates(series.id), ['2031-01-07', '2031-01-21'])
  assert.deepEqual(
    (await listOccurrences(changed.series.id)).map(({ id: occurrence, title, start_date }) => [
      occurrence,
      title,
      start_date
    ]),
    [
      [before[2]?.id, 'Late', '2031-01-28 20:00:00'],
      [before[3]?.id, 'Late', '2031-02-04 20:00:00']
    ]
  )
  const old = (await visitor.get(`${calendar}/series/${series.id}`)).body
  const split = (await visitor.get(`${calendar}/series/${changed.series.id}`)).body
  assert.deepEqual(
    [old.rule, split.rule, old.except],
    ['FREQ=WEEKLY;BYDAY=TU;UNTIL=20310127', 'FREQ=WEEKLY;BYDAY=TU;COUNT=2', ['2031-01-14']]
  )
  const fromFirst = await patch(id, 'following', { title: 'All of it' })
  assert.equal(fromFirst.series.id, series.id)
})

test('a single event becomes a series, and its events become single again', async () => {
  const single = await anEvent({ start_date: '2031-05-01 10:00', end_date: '2031-05-01 11:00' })
  const repeated = await patch(single.id, 'this', { title: 'Repeated', recurrence: 'FREQ=DAILY;COUNT=3' })
  assert.equal(repeated.title, 'Repeated')
  const all = await listOccurrences(repeated.series.id)
  assert.deepEqual(
    all.map(({ title }) => title),
    ['Repeated', 'Repeated', 'Repeated']
  )
  const [, details] = getRefusal(await admin.patch(`${calendar}/events/${single.id}`, { recurrence: 'FREQ=DAILY' }))
  assert.equal(details.apply?.code, 'needed')
  const dissolved = await patch(all[1]?.id, 'all', { recurrence: null })
  assert.equal(dissolved.series, null)
  assert.equal((await admin.get(`${calendar}/series/${repeated.series.id}`)).status, 404)
  for (const { id } of all) assert.equal((await getEvent(id)).series, null)
})

test('apply=following and apply=all are refused for a single event', async () => {
  const single = await anEvent()
  assert.equal((await admin.patch(`${calendar}/events/${single.id}?apply=this`, { title: 'One' })).status, 200)
  for (const apply of ['following', 'all']) {
    const [status, details] = getRefusal(
      await admin.patch(`${calendar}/events/${single.id}?apply=${apply}`, { title: 'Two' })
    )
    assert.deepEqual([status, details.apply?.code], [400, 'no-series'])
    assert.equal((await admin.delete(`${calendar}/events/${single.id}?apply=${apply}`)).status, 400)
  }
  assert.equal((await getEvent(single.id)).title, 'One')
  assert.equal((await admin.patch(`${calendar}/events/${single.id}?apply=some`, { title: 'Two' })).status, 400)
})

test('a series can be changed by its own URL', async () => {
  const { series } = await createSeries({ title: 'By address' })
  const before = await admin.get(`${calendar}/series/${series.id}`)
  const changed = await admin.patch(
    `${calendar}/series/${series.id}`,
    { title: 'Changed', start_date: '2031-01-08 18:00', end_date: '2031-01-08 20:00' },
    { 'if-match': before.headers.etag ?? '' }
  )
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(
    [changed.body.rule, changed.body.start_date, changed.body.end_date],
    ['FREQ=WEEKLY;BYDAY=WE;COUNT=4', '2031-01-08 18:00:00', '2031-01-08 20:00:00']
  )
  assert.deepEqual(
    (await listOccurrences(series.id)).map(({ title, start_date }) => [title, start_date]),
    ['08', '15', '22', '29'].map(day => ['Changed', `2031-01-${day} 18:00:00`])
  )
  const stale = await admin.patch(
    `${calendar}/series/${series.id}`,
    { title: 'Stale' },
    { 'if-match': before.headers.etag ?? '' }
  )
  assert.equal(stale.status, 412)
  const rule = await admin.patch(`${calendar}/series/${series.id}`, {
    recurrence: { unit: 'week', weekdays: ['friday'], count: 2 }
  })
  assert.equal(rule.status, 200, rule.text)
  assert.deepEqual(await listDates(series.id), ['2031-01-10', '2031-01-17'])
  const dissolved = await admin.patch(`${calendar}/series/${series.id}`, { recurrence: null })
  assert.equal(dissolved.status, 200, dissolved.text)
  assert.equal((await admin.get(`${calendar}/series/${series.id}`)).status, 404)
})

test('a change of all events with an outdated If-Match is 412 and changes nothing', async () => {
  const { id, series } = await createSeries()
  const { headers } = await admin.get(`${calendar}/events/${id}`)
  await patch(id, 'this', { featured: true })
  const stale = await admin.patch(
    `${calendar}/events/${id}?apply=all`,
    { title: 'Stale' },
    { 'if-match': headers.etag ?? '' }
  )
  assert.equal(stale.status, 412)
  assert.ok((await listOccurrences(series.id)).every(({ title }) => title === 'Rehearsal'))
})

test('changing or deleting all events needs permission for each of them', async () => {
  const { id, series } = await createSeries({ title: 'Own' }, author)
  const [, second] = await listOccurrences(series.id)
  assert.equal((await author.patch(`${calendar}/events/${id}?apply=all`, { title: 'Mine' })).status, 200)
  const otherAuthor = (await anEvent()).author
  await patch(second?.id, 'this', { author: Number(otherAuthor) })
  assert.equal((await author.patch(`${calendar}/events/${id}?apply=all`, { title: 'Not mine' })).status, 403)
  assert.equal((await author.delete(`${calendar}/events/${id}?apply=following`)).status, 403)
  assert.equal((await author.patch(`${calendar}/series/${series.id}`, { title: 'Not mine' })).status, 403)
  assert.equal((await author.delete(`${calendar}/series/${series.id}`)).status, 403)
  assert.equal((await visitor.patch(`${calendar}/series/${series.id}`, { title: 'Not mine' })).status, 401)
  assert.equal((await author.patch(`${calendar}/events/${id}?apply=this`, { title: 'Still mine' })).status, 200)
  const contributor = await withRole('contributor')
  const draft = await createSeries({ title: 'Contributed', status: 'publish' }, contributor)
  assert.equal(draft.status, 'pending')
  assert.equal(
    (await contributor.patch(`${calendar}/events/${draft.id}?apply=all`, { status: 'publish' })).body.status,
    'pending'
  )
})

test('an occurrence cannot be the parent of its series', async () => {
  const { id, series } = await createSeries()
  const [, second] = await listOccurrences(series.id)
  const [status, details] = getRefusal(
    await admin.patch(`${calendar}/events/${id}?apply=all`, { post_parent: second?.id })
  )
  assert.deepEqual([status, details.post_parent?.code], [400, 'unknown'])
})

test('a change of all events adds one record to the activity log', async () => {
  const { id, series } = await createSeries()
  const countRecords = async () => Number((await admin.get('/activity?limit=1')).headers['x-total-count'])
  const before = await countRecords()
  await patch(id, 'all', { title: 'Logged' })
  assert.equal(await countRecords(), before + 1)
  const [entry] = (await admin.get('/activity?limit=1')).body
  assert.deepEqual(
    [entry.action, entry.subjectId, entry.details.series, entry.details.occurrences],
    ['event.updated', String(id), series.id, 4]
  )
})
