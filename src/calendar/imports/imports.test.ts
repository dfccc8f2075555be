// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { none, startImports } from '#test/support/calendar/imports.ts'
import { buildTecEvent, startTecSite } from '#test/support/calendar/tec-site.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, startCalendar } from '#test/support/services.ts'

const here = await startImports()
const { editor, eventTitled, imported, read, rowsOf, state, undone, work } = here

const change = async (event: { id: number }, fields: object) =>
  await editor.post(`${calendar}/events/${event.id}`, fields)

test('another instance is imported whole, twice without doubles, and undone row by row', {
  skip: skipUnlessFull
}, async () => {
  const source = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
  const url = await source.server.app.listen({ port: 0 })
  await fill(source, 55)
  await here.anEvent({ title: 'Was here before', categories: ['Music'] })
  const before = await state()

  const first = await imported({ url })
  assert.equal(first.status, 'done', JSON.stringify(first))
  assert.deepEqual(first.counts, { ...none, new: 60, same: 1 })
  assert.deepEqual(first.progress, { done: 61, total: 61 })
  const blues = (await here.visitor.get(`${calendar}/events/by-slug/blues-und-mehr?language=de`)).body
  assert.equal(blues.title, 'Blues und mehr')
  assert.deepEqual(blues.translations, ['de', 'en'])
  assert.deepEqual(
    [blues.timezone, blues.utc_start_date, blues.cost, blues.featured, blues.venue.venue, blues.venue.geo_lat],
    ['America/New_York', '2027-06-01 23:00:00', '€10', true, 'Blaue Note', 52.5]
  )
  assert.deepEqual([blues.organizer[0].email, blues.tags[0].name], ['ann@example.org', 'Outdoors'])
  const category = (await here.visitor.get(`${calendar}/categories/${blues.categories[0].id}`)).body
  assert.equal(category.name, 'Jazz & Blues')
  assert.equal((await here.visitor.get(`${calendar}/categories/${category.parent}`)).body.name, 'Music')

  const after = await state()
  const second = await imported({ url })
  assert.deepEqual(second.counts, { ...none, same: 61 })
  assert.equal(second.can_undo, false)
  assert.deepEqual(await state(), after)

  const back = await undone(first.id)
  assert.equal(back.status, 'undone')
  assert.deepEqual(back.counts, { ...first.counts, kept: 0 })
  assert.deepEqual(await state(), before)

  // As if it had never been there.
  assert.deepEqual((await imported({ url })).counts, first.counts)
})

async function fill(source: Awaited<ReturnType<typeof startCalendar>>, events: number): Promise<void> {
  const music = await source.aCategory({ name: 'Music' })
  const category = await source.aCategory({ name: 'Jazz & Blues', parent: music.id })
  const tag = await source.aTag({ name: 'Outdoors' })
  const venue = await source.aVenue({ venue: 'Blue Note', city: 'Berlin', geo_lat: 52.5, geo_lng: 13.4 })
  await source.admin.post(`${calendar}/venues/${venue.id}?language=de`, { venue: 'Blaue Note' })
  const hall = await source.aVenue({ venue: 'Hall' })
  const organizer = await source.anOrganizer({ organizer: 'Ann Lee', email: 'ann@example.org' })
  const linked = { categories: [category.id], tags: [tag.id], organizer: organizer.id }
  const blues = await source.anEvent({
    ...linked,
    title: 'Blues & <em>more</em>',
    timezone: 'America/New_York',
    venue: venue.id,
    cost: '10',
    featured: true
  })
  await source.admin.post(`${calendar}/events/${blues.id}?language=de`, { title: 'Blues und mehr' })
  for (let one = 0; one < events - 1; one += 1) {
    await source.anEvent({ ...linked, title: `Evening ${one}`, venue: hall.id })
  }
}

test('three hundred events come, change at their source, and go again', { skip: skipUnlessFull }, async () => {
  const categories = [{ id: 3, name: 'Many', slug: 'many', parent: 0 }]
  const events = (title: string) =>
    Array.from({ length: 300 }, (_, place) => buildTecEvent(place + 1, { title: `${title} ${place}`, categories }))
  const site = await startTecSite(events('Many'))
  const before = await state()
  const first = await imported(site)
  assert.deepEqual(first.counts, { ...none, new: 301 })
  const between = await state()
  site.lists.events = events('Most')
  const second = await imported(site)
  assert.deepEqual(second.counts, { ...none, same: 1, changed: 300 })
  await undone(second.id)
  assert.deepEqual(await state(), between)
  assert.deepEqual((await undone(first.id)).counts, { ...first.counts, kept: 0 })
  assert.deepEqual(await state(), before)
})

test('an import keeps the version that it changes; undoing the import leaves no trace of it', async () => {
  const site = await startTecSite([buildTecEvent(1, { title: 'Versioned' })])
  await imported(site)
  const { id } = await eventTitled('Versioned')
  const versionsOf = async () => (await editor.get(`${calendar}/events/${id}/versions`)).body.versions
  assert.equal((await versionsOf()).length, 1)
  site.lists.events = [buildTecEvent(1, { title: 'Versioned twice' })]
  const second = await imported(site)
  const [current, before] = await versionsOf()
  assert.deepEqual([current.changed, before.is_current], [['title'], false])
  await undone(second.id)
  assert.deepEqual(
    (await versionsOf()).map((one: { version: number; is_current: boolean }) => [one.version, one.is_current]),
    [[1, true]]
  )
})

test('a try run reports what would happen and writes nothing; run makes it real', async () => {
  const site = await startTecSite([
    buildTecEvent(1),
    buildTecEvent(2, { venue: aVenue(7) }),
    buildTecEvent(3, { title: '' })
  ])
  const before = await state()
  const tried = await imported(site, { dry_run: true })
  assert.equal(tried.status, 'done')
  assert.deepEqual(tried.counts, { ...none, new: 3, problem: 1 })
  assert.equal(tried.can_undo, false)
  assert.deepEqual(await state(), before)
  assert.deepEqual(
    (await rowsOf(tried.id)).map(row => [row.position, row.kind, row.source_id, row.outcome, row.item_id]),
    [
      [1, 'venue', '7', 'new', null],
      [2, 'event', '1', 'new', null],
      [3, 'event', '2', 'new', null],
      [4, 'event', '3', 'problem', null]
    ]
  )
  const problem = await rowsOf(tried.id, '&outcome=problem&language=de')
  assert.deepEqual(
    problem.map(row => row.reasons),
    [['Hat keinen Titel.']]
  )

  const run = await editor.post(`${calendar}/imports/${tried.id}/run`, {})
  assert.equal(run.status, 201, run.text)
  await work()
  const done = await read(run.body.id)
  assert.deepEqual([done.based_on, done.dry_run, done.status], [tried.id, false, 'done'])
  assert.deepEqual(done.counts, tried.counts)
  assert.equal((await editor.post(`${calendar}/imports/${done.id}/run`, {})).status, 409)
})

const aVenue = (id: number, fields: object = {}) => ({ id, venue: `Place ${id}`, slug: `place-${id}`, ...fields })

test('policies: what was edited here is kept, overwritten, or left alone', async () => {
  const site = await startTecSite([buildTecEvent(1, { title: 'Plain one' }), buildTecEvent(2, { title: 'Edited one' })])
  const first = await imported(site)
  const edited = await eventTitled('Edited one')
  await change(edited, { website: 'https://ours.example/' })
  site.lists.events = [
    buildTecEvent(1, { title: 'Plain one, changed' }),
    buildTecEvent(2, { title: 'Edited one, changed' })
  ]

  const skipped = await imported(site, { policy: 'skip' })
  assert.deepEqual(skipped.counts, { ...none, skipped: 2 })
  const kept = await imported(site, { policy: 'keep' })
  assert.deepEqual(kept.counts, { ...none, changed: 1, skipped: 1 })
  const [row] = await rowsOf(kept.id, '&outcome=skipped')
  assert.deepEqual(
    [row.title, row.item_id, row.reasons],
    ['Edited one, changed', edited.id, ['Changed at the source, but edited here since.']]
  )
  assert.equal((await eventTitled('Plain one')).title, 'Plain one, changed')

  const overwritten = await imported(site, { policy: 'overwrite' })
  assert.deepEqual(overwritten.counts, { ...none, changed: 1, same: 1 })
  assert.equal((await eventTitled('Edited one')).title, 'Edited one, changed')

  // Backwards, each leads to what was before it.
  await undone(overwritten.id)
  const restored = await eventTitled('Edited one')
  assert.deepEqual([restored.title, restored.website], ['Edited one', 'https://ours.example/'])
  await undone(kept.id)
  assert.equal((await eventTitled('Plain one')).title, 'Plain one')

  const back = await undone(first.id)
  assert.deepEqual([back.status, back.counts.kept], ['undone', 1])
  assert.equal(await eventTitled('Plain one'), undefined)
  assert.equal((await eventTitled('Edited one')).title, 'Edited one')
  const reasons = (await rowsOf(first.id)).map(one => one.reasons)
  assert.deepEqual(reasons, [[], ['Kept when the import was undone: edited here since.']])
})

test('what was removed or put in the trash here comes back only when everything is overwritten', async () => {
  const site = await startTecSite([buildTecEvent(1, { title: 'Thrown away' }), buildTecEvent(2, { title: 'Removed' })])
  await imported(site)
  await editor.delete(`${calendar}/events/${(await eventTitled('Thrown away')).id}`)
  await editor.delete(`${calendar}/events/${(await eventTitled('Removed')).id}?force=true`)
  const before = await state()

  const again = await imported(site)
  assert.deepEqual(again.counts, { ...none, skipped: 2 })
  assert.deepEqual(await state(), before)
  const forced = await imported(site, { policy: 'overwrite' })
  assert.deepEqual(forced.counts, { ...none, new: 1, changed: 1 })
  assert.equal((await eventTitled('Thrown away')).status, 'publish')
  await undone(forced.id)
  assert.deepEqual(await state(), before)
})

test('undo keeps what something of ours has come to use', async () => {
  const site = await startTecSite([
    buildTecEvent(1, { venue: aVenue(8), categories: [{ id: 5, name: 'Readings', slug: 'readings' }] })
  ])
  const first = await imported(site)
  const rows = await rowsOf(first.id)
  const idOf = (kind: string) => rows.find(row => row.kind === kind)?.item_id
  const ours = await here.anEvent({ title: 'Ours', venue: idOf('venue'), categories: [idOf('category')] })
  const back = await undone(first.id)
  assert.equal(back.counts.kept, 2)
  const found = (await here.visitor.get(`${calendar}/events/${ours.id}`)).body
  assert.deepEqual([found.venue.venue, found.categories[0].count], ['Place 8', 1])
})

test('a rule refuses one row and no other, in its own words', async () => {
  const site = await startTecSite([
    buildTecEvent(1, { title: 'Good' }),
    buildTecEvent(2, { start_date: '2027-12-02 10:00:00', utc_start_date: '2027-12-02 09:00:00' }),
    buildTecEvent(3, { start_date: 'someday', utc_start_date: '' }),
    buildTecEvent(4, { title: 'Also good', website: 'not an address', tags: [{ id: 9, name: 'T'.repeat(300) }] })
  ])
  const done = await imported(site)
  assert.deepEqual(done.counts, { ...none, new: 2, problem: 3 })
  const reasons = new Map((await rowsOf(done.id)).map(row => [`${row.kind} ${row.source_id}`, row.reasons.join(' ')]))
  assert.match(reasons.get('event 2') ?? '', /end_date must not be before the start/)
  assert.match(reasons.get('event 3') ?? '', /start_date must be a date or time/)
  assert.match(reasons.get('tag 9') ?? '', /name must have at most 200 characters/)
  assert.match(reasons.get('event 4') ?? '', /Without its tag 9.*Without website, which must be a full URL/)
})

test('things of one name come together, each with a slug of its own', async () => {
  const again = { title: 'Every week', slug: 'every-week' }
  const site = await startTecSite([buildTecEvent(1, again), buildTecEvent(2, again), buildTecEvent(3, again)])
  const done = await imported(site)
  assert.deepEqual(done.counts, { ...none, new: 3 })
  const query = 'start_date=2000-01-01&end_date=2100-01-01&search="Every week"'
  const { events } = (await here.visitor.get(`${calendar}/events?${query}`)).body
  assert.deepEqual(events.map((one: { slug: string }) => one.slug).sort(), [
    'every-week',
    'every-week-2',
    'every-week-3'
  ])
})

test('an event belongs to the one that came with it', async () => {
  const site = await startTecSite([
    buildTecEvent(1, { title: 'Festival' }),
    buildTecEvent(2, { title: 'Opening', post_parent: 1 })
  ])
  await imported(site)
  assert.equal((await eventTitled('Opening')).post_parent, (await eventTitled('Festival')).id)
})

test('images are fetched once, wherever they are shown, and go with the import', async () => {
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const site = await startTecSite()
  site.answer = (url, response) => {
    if (!url.pathname.startsWith('/uploads/')) return false
    const isThere = url.pathname.endsWith('.png')
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'image/png' }).end(isThere ? png : '')
    return true
  }
  const image = (name: string) => ({ url: `${site.url}/uploads/${name}`, alt: 'Poster' })
  site.lists.events = [
    buildTecEvent(1, { title: 'First poster', image: image('poster.png') }),
    buildTecEvent(2, { title: 'Same address', image: image('poster.png') }),
    buildTecEvent(3, { title: 'Same bytes', image: image('copy.png') }),
    buildTecEvent(4, { title: 'No picture', image: image('gone.jpg') })
  ]
  const before = await state()
  const done = await imported(site)
  assert.deepEqual(done.counts, { ...none, new: 5, problem: 1 })
  const titles = ['First poster', 'Same address', 'Same bytes', 'No picture']
  const events = await Promise.all(titles.map(eventTitled))
  const ids = events.map(one => one.image.id)
  assert.equal(new Set(ids.slice(0, 3)).size, 1)
  assert.equal(events[0].image.alt, 'Poster')
  assert.equal(events[3].image, false)
  const [problem] = await rowsOf(done.id, '&outcome=problem')
  assert.deepEqual([problem.kind, problem.title], ['image', 'gone.jpg'])

  // What could not be had is tried again, and is no change while it is still missing.
  assert.deepEqual((await imported(site)).counts, { ...none, same: 4, problem: 1 })
  await undone(done.id)
  assert.deepEqual(await state(), before)
})
