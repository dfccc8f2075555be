import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, store, anEvent, aVenue, anOrganizer, aCategory, aTag, withKey } = await startCalendar({
  env: { TIMEZONE: 'Europe/Berlin' }
})
const events = `${calendar}/events`
const getVersionsPath = (id: number) => `${events}/${id}/versions`
const read = async (id: number, query = '') => (await admin.get(`${events}/${id}?context=edit${query}`)).body

async function createPerson(role: string) {
  const issued = (await admin.post('/keys', { name: `Kim the ${role}`, role })).body
  return { id: issued.id as number, client: withKey(issued.key) }
}
const author = await createPerson('author')
const editor = await createPerson('editor')

/** Restores a version and expects success. */
async function restore(id: number, version: number, by = admin) {
  const answer = await by.post(`${getVersionsPath(id)}/${version}/restore`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('each change of an event stores the previous version, with date, author and changed fields', async () => {
  const { id } = await anEvent({ title: 'First' }, author.client)
  await editor.client.patch(`${events}/${id}`, { title: 'Second', cost: '5 €' })
  await author.client.delete(`${events}/${id}`)
  await editor.client.patch(`${events}/${id}`, { status: 'publish', start_date: '2027-06-01 18:00:00' })
  const { body, headers } = await editor.client.get(getVersionsPath(id))
  assert.deepEqual([body.total, body.total_pages, headers['x-wp-total']], [4, 1, '4'])
  const key = (person: { id: number }, role: string) => `key ${person.id} (Kim the ${role})`
  assert.deepEqual(
    body.versions.map((entry: Record<string, unknown>) => [
      entry.version,
      entry.is_current,
      entry.saved_by,
      entry.changed
    ]),
    [
      [4, true, key(editor, 'editor'), ['start_date', 'status']],
      [3, false, key(author, 'author'), ['status']],
      [2, false, key(editor, 'editor'), ['title', 'cost']],
      [1, false, key(author, 'author'), null]
    ]
  )
  for (const { saved_at } of body.versions) assert.ok(Math.abs(Date.parse(saved_at) - Date.now()) < 600_000)
})

test('deleting a translation stores a version, which can be restored', async () => {
  const { id } = await anEvent({ title: 'Both' })
  await admin.patch(`${events}/${id}?language=de`, { title: 'Beide' })
  await admin.delete(`${events}/${id}?language=de&text_only=true`)
  const { versions } = (await admin.get(getVersionsPath(id))).body
  assert.deepEqual(versions[0].changed, ['title', 'description', 'excerpt', 'slug'])
  await restore(id, 2)
  assert.deepEqual((await read(id)).translations, ['de', 'en'])
  assert.equal((await read(id, '&language=de')).title, 'Beide')
})

test('a version has all fields, and its differences from the current event by field', async () => {
  const [venue, organizer, category, tag] = [await aVenue(), await anOrganizer(), await aCategory(), await aTag()]
  const { id } = await anEvent({
    title: 'Before',
    description: '<p>Long ago</p>',
    cost: '5 €',
    venue: venue.id,
    organizer: organizer.id,
    categories: [category.id],
    tags: [tag.id],
    post_password: 'sesame'
  })
  await admin.patch(`${events}/${id}`, { title: 'After', cost: '7 €', venue: [], featured: true })
  await admin.patch(`${events}/${id}?language=de`, { title: 'Danach', excerpt: 'Kurz' })
  const { status, body, text } = await admin.get(`${getVersionsPath(id)}/1`)
  assert.equal(status, 200)
  const { snapshot, differences, ...rest } = body
  assert.deepEqual([rest.version, rest.is_current], [1, false])
  const { title, description } = snapshot.texts.en
  assert.deepEqual([title, description.trim()], ['Before', '<p>Long ago</p>'])
  assert.deepEqual(
    [snapshot.venue, snapshot.organizer, snapshot.categories, snapshot.tags, snapshot.cost, snapshot.has_password],
    [[venue.id], [organizer.id], [category.id], [tag.id], '5€', true]
  )
  assert.deepEqual(differences, [
    { field: 'title', language: 'en', before: 'Before', now: 'After' },
    { field: 'title', language: 'de', before: null, now: 'Danach' },
    { field: 'description', language: 'de', before: null, now: '' },
    { field: 'excerpt', language: 'de', before: null, now: '<p>Kurz</p>' },
    { field: 'slug', language: 'de', before: null, now: 'danach' },
    { field: 'venue', language: null, before: [venue.id], now: [] },
    { field: 'cost', language: null, before: '5€', now: '7€' },
    { field: 'featured', language: null, before: false, now: true }
  ])
  assert.doesNotMatch(text, /sesame/)
})

test('no version contains a password, and restoring a version neither sets nor removes one', async () => {
  const { id } = await anEvent({ post_password: 'open sesame' })
  await admin.patch(`${events}/${id}`, { post_password: 'another word', title: 'Renamed' })
  await admin.patch(`${events}/${id}`, { post_password: '' })
  const rows = await store.all(sql`select snapshot::text from calendar.event_versions where event_id = ${id}`)
  assert.equal(rows.length, 2)
  assert.doesNotMatch(JSON.stringify(rows), /sesame|another word/)
  const restored = await restore(id, 1)
  assert.deepEqual(restored.left_out, [{ field: 'post_password', id: null }])
  assert.equal((await visitor.get(`${events}/${id}`)).status, 200)
  await admin.patch(`${events}/${id}`, { post_password: 'third word' })
  assert.deepEqual((await restore(id, 3)).left_out, [{ field: 'post_password', id: null }])
  assert.equal((await visitor.get(`${events}/${id}`)).status, 403)
  assert.equal((await visitor.get(`${events}/${id}?password=third%20word`)).status, 200)
})

test('restoring a version restores every field, text and link, and is a new version itself', async () => {
  const [venue, hall, category, tag] = [
    await aVenue(),
    await aVenue({ venue: 'Hall' }),
    await aCategory({ name: 'Whole' }),
    await aTag({ name: 'Whole' })
  ]
  const fields = {
    title: 'All of it',
    description: '<p>One</p><p>Two</p>',
    excerpt: 'Short',
    slug: 'all-of-it',
    start_date: '2027-03-27 19:00:00',
    end_date: '2027-03-28 01:30:00',
    timezone: 'Europe/Paris',
    venue: [venue.id, hall.id],
    organizer: [(await anOrganizer()).id],
    categories: [category.id],
    tags: [tag.id],
    cost: '5 – 10 €',
    website: 'https://example.org/all',
    event_status: 'postponed',
    featured: true,
    sticky: true,
    show_map: true
  }
  const { id } = await anEvent(fields)
  await admin.patch(`${events}/${id}?language=de`, { title: 'Alles', description: '<p>Eins</p>' })
  const [en, de] = [await read(id, '&language=en'), await read(id, '&language=de')]
  const changed = await admin.patch(`${events}/${id}?language=de`, {
    title: 'Anders',
    description: '',
    all_day: true,
    start_date: '2027-07-01',
    end_date: '2027-07-02',
    timezone: 'UTC',
    venue: hall.id,
    organizer: [],
    categories: [],
    tags: ['new'],
    cost: '',
    website: '',
    event_status: 'scheduled',
    featured: false,
    sticky: false,
    show_map: false,
    status: 'draft'
  })
  assert.equal(changed.status, 200, changed.text)
  await admin.patch(`${events}/${id}?language=en`, { title: 'Different', slug: 'different' })
  const restored = await restore(id, 2)
  assert.deepEqual(restored.left_out, [])
  const withoutDates = ({ modified, modified_utc, ...rest }: Record<string, unknown>) => rest
  assert.deepEqual(withoutDates(await read(id, '&language=en')), withoutDates(en))
  assert.deepEqual(withoutDates(await read(id, '&language=de')), withoutDates(de))
  const { versions } = (await admin.get(getVersionsPath(id))).body
  assert.deepEqual(
    versions.map((entry: { version: number }) => entry.version),
    [5, 4, 3, 2, 1]
  )
  // Compared with the version that it was restored from, nothing differs.
  assert.deepEqual((await admin.get(`${getVersionsPath(id)}/2`)).body.differences, [])
  assert.equal((await admin.get(`${calendar}/categories/${category.id}`)).body.count, 1)
})

test('restoring leaves out links to deleted items and reports them', async () => {
  const [gone, kept] = [await aVenue({ venue: 'Gone' }), await aVenue({ venue: 'Kept' })]
  const [organizer, category, tag] = [
    await anOrganizer(),
    await aCategory({ name: 'Gone' }),
    await aTag({ name: 'Gone' })
  ]
  const parent = await anEvent({ title: 'Parent' })
  const { id } = await anEvent({
    venue: [gone.id, kept.id],
    organizer: organizer.id,
    categories: [category.id],
    tags: [tag.id],
    post_parent: parent.id
  })
  await admin.patch(`${events}/${id}`, { venue: [], organizer: [], categories: [], tags: [], post_parent: 0 })
  await admin.delete(`${calendar}/venues/${gone.id}?force=true`)
  // An item in the trash counts as deleted.
  await admin.delete(`${calendar}/organizers/${organizer.id}`)
  await admin.delete(`${calendar}/categories/${category.id}`)
  await admin.delete(`${calendar}/tags/${tag.id}`)
  await admin.delete(`${events}/${parent.id}?force=true`)
  const { event, left_out } = await restore(id, 1)
  assert.equal(event.venue.id, kept.id)
  assert.deepEqual([event.organizer, event.categories, event.tags, event.post_parent], [[], [], [], 0])
  assert.deepEqual(left_out, [
    { field: 'venue', id: gone.id },
    { field: 'organizer', id: organizer.id },
    { field: 'categories', id: category.id },
    { field: 'tags', id: tag.id },
    { field: 'post_parent', id: parent.id }
  ])
})

test('restoring a version can move an event out of the trash or into it', async () => {
  const { id } = await anEvent({ title: 'Here' })
  await admin.delete(`${events}/${id}`)
  assert.equal((await restore(id, 1)).event.status, 'publish')
  assert.equal((await read(id)).title, 'Here')
  assert.equal((await restore(id, 2)).event.status, 'trash')
  assert.equal((await admin.get(`${events}/${id}`)).status, 404)
  assert.equal((await admin.get(getVersionsPath(id))).body.total, 4)
})

test('a restored slug gets a number if another event has it now', async () => {
  const { id } = await anEvent({ title: 'Wanted', slug: 'wanted' })
  await admin.patch(`${events}/${id}`, { slug: 'unwanted' })
  await anEvent({ title: 'Wanted', slug: 'wanted' })
  assert.equal((await restore(id, 1)).event.slug, 'wanted-2')
})

test('restoring with an outdated If-Match is 412 and changes nothing', async () => {
  const { id } = await anEvent({ title: 'One' })
  const stale = (await admin.get(`${events}/${id}`)).headers.etag ?? ''
  await admin.patch(`${events}/${id}`, { title: 'Two' })
  const refused = await admin.post(`${getVersionsPath(id)}/1/restore`, {}, { 'if-match': stale })
  assert.deepEqual([refused.status, refused.body.code], [412, 'changed-meanwhile'])
  assert.equal((await read(id)).title, 'Two')
  const fresh = (await admin.get(`${events}/${id}`)).headers.etag ?? ''
  const accepted = await admin.post(`${getVersionsPath(id)}/1/restore`, {}, { 'if-match': fresh })
  assert.deepEqual([accepted.status, accepted.body.event.title], [200, 'One'])
  assert.match(accepted.headers.etag ?? '', /^"3-/)
})

test('only callers who may edit the event can read and restore its versions', async () => {
  const { id } = await anEvent({ title: 'Not yours' })
  const own = await anEvent({ title: 'Yours' }, author.client)
  for (const path of [getVersionsPath(id), `${getVersionsPath(id)}/1`]) {
    assert.deepEqual((await author.client.get(path)).body.code, 'rest_forbidden')
    assert.equal((await editor.client.get(path)).status, 200)
  }
  assert.equal((await author.client.post(`${getVersionsPath(id)}/1/restore`)).status, 403)
  assert.equal((await author.client.get(getVersionsPath(own.id))).status, 200)
})

test('restoring by an author does not change the author of the event', async () => {
  const { id } = await anEvent({ title: 'Of the admin' })
  await admin.patch(`${events}/${id}`, { author: author.id })
  await author.client.patch(`${events}/${id}`, { title: 'Of the author' })
  const { event, left_out } = await restore(id, 1, author.client)
  assert.deepEqual([event.title, event.author], ['Of the admin', String(author.id)])
  assert.deepEqual(left_out, [{ field: 'author', id: 1 }])
  assert.equal((await restore(id, 1)).event.author, '1')
})

test('unknown events, versions and pages are 404', async () => {
  const { id } = await anEvent()
  for (const version of ['2', '0', '99999999999']) {
    const { status, body } = await admin.get(`${getVersionsPath(id)}/${version}`)
    assert.deepEqual([status, body.code], [404, 'event-version-not-found'])
    assert.equal((await admin.post(`${getVersionsPath(id)}/${version}/restore`)).status, 404)
  }
  assert.equal((await admin.get(`${getVersionsPath(id)}?page=2`)).body.code, 'version-archive-page-not-found')
  assert.equal((await admin.get(getVersionsPath(999_999))).body.code, 'rest-event-not-found')
  assert.equal((await admin.get(`${getVersionsPath(id)}/latest`)).body.code, 'rest_no_route')
})

test('the last 50 versions are kept, listed in pages, and deleted with the event', {
  skip: skipUnlessFull
}, async () => {
  const { id } = await anEvent({ title: 'Number 1' })
  for (let number = 2; number <= 53; number += 1) await admin.patch(`${events}/${id}`, { title: `Number ${number}` })
  const first = (await admin.get(`${getVersionsPath(id)}?per_page=20`)).body
  assert.deepEqual([first.total, first.total_pages, first.versions.length], [51, 3, 20])
  const last = (await admin.get(`${getVersionsPath(id)}?per_page=20&page=3`)).body.versions
  assert.deepEqual([last.length, last.at(-1).version, last.at(-1).changed], [11, 3, null])
  // The previous version is deleted, but the activity log still has the author of this one.
  assert.equal(last.at(-1).saved_by, last[0].saved_by)
  await admin.delete(`${events}/${id}?force=true`)
  const rows = await store.all(sql`select from calendar.event_versions where event_id = ${id}`)
  assert.equal(rows.length, 0)
})

test('a refused change stores no version', async () => {
  const { id } = await anEvent()
  assert.equal((await admin.patch(`${events}/${id}`, { venue: 999_999 })).status, 400)
  assert.equal((await admin.get(getVersionsPath(id))).body.total, 1)
})

test('a change or deletion of a whole series stores a version of each of its events', async () => {
  const created = await anEvent({ title: 'Weekly', recurrence: 'FREQ=WEEKLY;COUNT=3' })
  const { events: found } = (await admin.get(`${events}?series=${created.series.id}`)).body
  const ids: number[] = found.map(({ id }: { id: number }) => id)
  assert.equal(ids.length, 3)
  const path = `${events}/${created.id}?apply=all`
  assert.equal((await admin.patch(path, { title: 'Renamed' })).status, 200)
  const moved = { start_date: '2027-06-01 18:00:00', end_date: '2027-06-01 20:00:00' }
  assert.equal((await admin.patch(path, moved)).status, 200)
  assert.equal((await admin.patch(path, { title: 'Renamed' })).status, 200)
  assert.equal((await admin.delete(path)).status, 200)
  for (const id of ids) {
    const { versions } = (await admin.get(getVersionsPath(id))).body
    const changed = versions.map((entry: { changed: string[] | null }) => entry.changed)
    assert.deepEqual(
      changed.filter((fields: string[] | null) => fields?.length !== 0),
      [['status'], ['start_date', 'end_date'], ['title'], null]
    )
    assert.equal((await restore(id, versions.at(-1).version)).event.title, 'Weekly')
  }
})
