import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '#test/support/admin-client.ts'
import { calendar, event } from '#test/support/services.ts'
import { listShownPages } from '../shared/pager.tsx'

const { admin, signIn } = await startAdmin({ env: { TIMEZONE: 'Europe/Berlin' } })
const edith = await signIn('editor')
const emil = await signIn('editor', 'de')
const vera = await signIn('viewer')
const events = `${calendar}/events`

const create = async (collection: string, fields: object) =>
  (await admin.post(`${calendar}/${collection}`, { ...fields })).body
const anEvent = async (fields: object = {}) => await create('events', { ...event, ...fields })
const read = async (id: number) => (await admin.get(`${events}/${id}?context=edit`)).body
const readTitles = (html: string) => [...html.matchAll(/<th scope="row"><a [^>]*>([^<]*)</g)].map(([, title]) => title)

test('filters narrow the list, can be combined, and each can be removed', async () => {
  const [hall, park] = [
    await create('venues', { venue: 'Filter Hall' }),
    await create('venues', { venue: 'Filter Park' })
  ]
  const choir = await create('organizers', { organizer: 'Filter Choir' })
  const music = await create('categories', { name: 'Filter music' })
  const free = await create('tags', { name: 'Filter free' })
  const key = (await admin.post('/keys', { name: 'The programme committee', role: 'author' })).body
  const on = (day: string) => ({ start_date: `${day} 19:00`, end_date: `${day} 21:00` })
  await anEvent({ title: 'Filtered 1', ...on('2027-03-01'), venue: hall.id, organizer: choir.id, tags: [free.id] })
  await anEvent({ title: 'Filtered 2', ...on('2027-03-02'), venue: hall.id, categories: [music.id], author: key.id })
  await anEvent({ title: 'Filtered 3', ...on('2027-03-03'), venue: park.id, status: 'draft' })
  await anEvent({ title: 'Filtered 4', ...on('2020-03-04'), venue: hall.id })
  for (const [query, titles] of [
    [`venue=${hall.id}`, ['Filtered 1', 'Filtered 2']],
    [`venue=${hall.id}&from=2027-03-02`, ['Filtered 2']],
    [`venue=${hall.id}&to=2027-03-01&from=2027-01-01`, ['Filtered 1']],
    // The dates take precedence over the view.
    [`venue=${hall.id}&from=2020-01-01&to=2020-12-31&show=upcoming`, ['Filtered 4']],
    [`organizer=${choir.id}`, ['Filtered 1']],
    [`category=${music.id}`, ['Filtered 2']],
    [`tag=${free.id}`, ['Filtered 1']],
    [`author=${key.id}`, ['Filtered 2']],
    ['status=draft&search=filtered', ['Filtered 3']],
    [`search=filtered&venue=${hall.id}&tag=${free.id}&status=publish`, ['Filtered 1']],
    [`venue=${hall.id}&category=${music.id}&tag=${free.id}`, []],
    ['venue=999999', []]
  ] as const) {
    const { status, text } = await edith.get(`/admin/events?${query}`)
    assert.equal(status, 200)
    assert.deepEqual(readTitles(text), titles, query)
  }
  const { text } = await edith.get(`/admin/events?venue=${hall.id}&from=2027-03-01&page=1`)
  assert.match(text, /aria-label="Remove the filter Venue: Filter Hall"/)
  assert.match(text, new RegExp(`class="chip" href="/admin/events\\?venue=${hall.id}"`))
  assert.match(text, /From: <strong>01\/03\/2027<\/strong>/)
  assert.match(text, new RegExp(`<option value="${hall.id}" selected`))
  assert.match(text, /<option[^>]*>The programme committee</)
  const csv = await edith.get(`/admin/events.csv?venue=${park.id}`)
  assert.match(csv.text, /Filtered 3/)
  assert.doesNotMatch(csv.text, /Filtered [124]/)
})

test('invalid filter values are ignored', async () => {
  const { status, text } = await edith.get('/admin/events?venue=x&from=2027-99-99&status=gone&author=-1&tag=%3Cb%3E')
  assert.equal(status, 200)
  assert.doesNotMatch(text, /class="chip"/)
})

test('viewers see no filters and actions for editors, and get 403 for them', async () => {
  const { text } = await vera.get('/admin/events?status=draft&author=1')
  assert.doesNotMatch(text, /name="status"|name="author"|class="chip"|bulk-bar|name="ids\[\]"/)
  for (const path of ['/admin/events/bulk', '/admin/events/bulk/1/undo', '/admin/events/1/versions/1/restore']) {
    assert.equal((await vera.send(path, { action: 'trash' })).status, 403)
  }
  assert.equal((await vera.get('/admin/events/1/versions')).status, 403)
})

test('a bulk change moves the selected events, and its undo skips events that were edited since', async () => {
  const [one, two] = [await anEvent({ title: 'Moved 1' }), await anEvent({ title: 'Moved 2' })]
  const ids = [String(one.id), String(two.id)]
  const back = '?search=Moved'
  const list = await edith.get(`/admin/events${back}`)
  assert.match(list.text, new RegExp(`<input type="checkbox" name="ids\\[\\]" value="${one.id}" form="bulk-actions"`))
  const moved = await edith.sendAndFollow('/admin/events/bulk', { 'ids[]': ids, action: 'shift', days: '7', back })
  assert.match(moved.text, /2 events were moved in time\./)
  assert.equal((await read(two.id)).start_date, '2027-06-08 19:00:00')
  const undo = /action="(\/admin\/events\/bulk\/\d+\/undo)"/.exec(moved.text)?.[1] ?? ''
  await admin.patch(`${events}/${one.id}`, { title: 'Moved and edited' })
  const undone = await edith.sendAndFollow(undo, { back })
  assert.match(undone.text, /1 event was reverted\. 1 event was not changed\. Moved and edited: The event was/)
  assert.equal((await read(two.id)).start_date, '2027-06-01 19:00:00')
  assert.equal((await read(one.id)).start_date, '2027-06-08 19:00:00')
})

test('bulk actions with a parameter set venue and category, and invalid ones are refused with a German message', async () => {
  const venue = await create('venues', { venue: 'Neue Halle' })
  const category = await create('categories', { name: 'Neue Kategorie' })
  const { id } = await anEvent({ title: 'Geändert' })
  const send = async (fields: object) =>
    (await emil.sendAndFollow('/admin/events/bulk', { 'ids[]': [String(id)], ...fields })).text
  assert.match(await send({ action: 'set_venue', bulk_venue: String(venue.id) }), /1 Termin wurde geändert\./)
  assert.match(await send({ action: 'add_category', bulk_category: String(category.id) }), /1 Termin wurde geändert\./)
  assert.match(await send({ action: 'add_category', bulk_category: String(category.id) }), /1 Termin blieb unverändert/)
  const { venue: linked, categories } = await read(id)
  assert.deepEqual([linked.id, categories[0].id], [venue.id, category.id])
  assert.match(await send({ action: 'shift', days: '' }), /um wie viele Tage oder Minuten/)
  assert.match(await send({ action: 'shift', days: '9999' }), /days muss eine Zahl von -3660 bis 3660 sein/)
  assert.match(await send({ action: 'add_tag' }), /Wählen Sie eine Kategorie oder ein Schlagwort/)
  assert.match(await send({ action: 'explode' }), /Wählen Sie mindestens einen Termin/)
  assert.match(await send({ action: 'trash', 'ids[]': [] }), /Wählen Sie mindestens einen Termin/)
})

test('events are restored from the trash with the status they had before', async () => {
  const { id } = await anEvent({ title: 'Thrown away', status: 'private' })
  await admin.delete(`${events}/${id}`)
  const list = await edith.get('/admin/events?show=trash')
  assert.match(list.text, /<option value="restore"/)
  assert.doesNotMatch(list.text, /<option value="shift"/)
  const back = await edith.sendAndFollow('/admin/events/bulk', { 'ids[]': [String(id)], action: 'restore' })
  assert.match(back.text, /1 event was restored\./)
  assert.equal((await read(id)).status, 'private')
})

test('an older version is shown with its differences and restored, unless the event was changed since', async () => {
  const venue = await create('venues', { venue: 'Version Hall' })
  const { id } = await anEvent({
    title: 'The old title',
    description: '<p>We sing at seven in the hall.</p>',
    venue: venue.id
  })
  await edith.get(`/admin/events/${id}`)
  await admin.patch(`${events}/${id}`, {
    title: 'The new title',
    description: '<p>We sing at eight in the hall.</p>',
    start_date: '2027-06-02 19:00:00',
    end_date: '2027-06-02 21:00:00',
    venue: []
  })
  assert.match((await edith.get(`/admin/events/${id}`)).text, new RegExp(`href="/admin/events/${id}/versions"`))
  const list = (await edith.get(`/admin/events/${id}/versions`)).text
  assert.match(list, /Versions of “The new title”/)
  assert.match(list, /Current version/)
  assert.match(list, /Title/)
  const version = await edith.get(`/admin/events/${id}/versions/1`)
  assert.match(version.text, /Version 1 of “The old title”/)
  assert.match(version.text, /The<del> old<\/del><ins> new<\/ins> title/)
  assert.match(version.text, /sing at<del> seven<\/del><ins> eight<\/ins> in the hall\./)
  assert.match(version.text, /<del>Tuesday,? 1 June 2027, 19:00<\/del>/)
  assert.match(version.text, /<del>Version Hall<\/del>/)
  const current = /name="current" value="(\d+)"/.exec(version.text)?.[1] ?? ''
  const back = await edith.sendAndFollow(`/admin/events/${id}/versions/1/restore`, { current })
  assert.match(back.text, /Version 1 restored\./)
  const { title, venue: linked } = await read(id)
  assert.deepEqual([title, linked.id], ['The old title', venue.id])
  const late = await edith.sendAndFollow(`/admin/events/${id}/versions/2/restore`, { current })
  assert.match(late.text, /changed in the meantime/)
  assert.equal((await read(id)).title, 'The old title')
})

test('restoring a version names what cannot be restored; deleted venues are shown with their id', async () => {
  const venue = await create('venues', { venue: 'Soon gone' })
  const { id } = await anEvent({ title: 'Vorher', venue: venue.id })
  await admin.patch(`${events}/${id}`, { title: 'Nachher', venue: [] })
  await admin.delete(`${calendar}/venues/${venue.id}?force=true`)
  const version = await emil.get(`/admin/events/${id}/versions/1`)
  assert.match(version.text, /Diese Version wiederherstellen/)
  assert.match(version.text, new RegExp(`Nr\\. ${venue.id} \\(gelöscht\\)`))
  const back = await emil.sendAndFollow(`/admin/events/${id}/versions/1/restore`, { current: '2' })
  assert.match(back.text, new RegExp(`Version 1 wiederhergestellt\\. Nicht wiederhergestellt.*#${venue.id}`))
  assert.equal((await emil.get(`/admin/events/${id}/versions/9`)).status, 404)
  assert.equal((await emil.get('/admin/events/999999/versions')).status, 404)
  assert.match((await emil.get(`/admin/events/${id}/versions/3`)).text, /denselben Inhalt wie die aktuelle/)
})

test('long lists link to the first, the last and the neighbouring pages', async () => {
  assert.deepEqual(listShownPages(1, 2), [1, 2])
  assert.deepEqual(listShownPages(1, 61), [1, 2, 61])
  assert.deepEqual(listShownPages(3, 61), [1, 2, 3, 4, 61])
  assert.deepEqual(listShownPages(4, 61), [1, 2, 3, 4, 5, 61])
  assert.deepEqual(listShownPages(30, 61), [1, 29, 30, 31, 61])
  assert.deepEqual(listShownPages(58, 61), [1, 57, 58, 59, 60, 61])
  assert.deepEqual(listShownPages(61, 61), [1, 60, 61])
  for (let number = 1; number <= 130; number += 1) {
    await anEvent({ title: `Counted ${number}`, start_date: '2027-09-01', end_date: '2027-09-01' })
  }
  const { text } = await edith.get('/admin/events?search=counted&page=2')
  assert.match(
    text,
    /<a href="\/admin\/events\?search=counted&amp;page=2" aria-label="Page 2 of 6" aria-current="page">/
  )
  assert.match(text, /aria-label="Page 6 of 6">6<\/a>/)
  assert.doesNotMatch(text, /aria-label="Page 5 of 6"/)
  assert.match(text, /<span class="small muted">Page 2 of 6<\/span>/)
})
