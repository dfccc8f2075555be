// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { noCounts, startImports } from '#test/support/calendar/imports.ts'
import { buildTecEvent, startTecSite } from '#test/support/calendar/tec-site.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, startCalendar } from '#test/support/services.ts'

const here = await startImports()
const { editor, findEvent, runImport, read, listRows, readState, undoImport, runWaitingImports } = here

const editEvent = async (event: { id: number }, fields: object) =>
  await editor.post(`${calendar}/events/${event.id}`, fields)

test('all items of another instance are imported, imported again without duplicates, and deleted when the import is undone', {
  skip: skipUnlessFull
}, async () => {
  const source = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
  const url = await source.server.app.listen({ port: 0 })
  await fillSource(source, 55)
  await here.anEvent({ title: 'Was here before', categories: ['Music'] })
  const before = await readState()

  const first = await runImport({ url })
  assert.equal(first.status, 'done', JSON.stringify(first))
  assert.deepEqual(first.counts, { ...noCounts, new: 60, same: 1 })
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

  const after = await readState()
  const second = await runImport({ url })
  assert.deepEqual(second.counts, { ...noCounts, same: 61 })
  assert.equal(second.can_undo, false)
  assert.deepEqual(await readState(), after)

  const back = await undoImport(first.id)
  assert.equal(back.status, 'undone')
  assert.deepEqual(back.counts, { ...first.counts, kept: 0 })
  assert.deepEqual(await readState(), before)

  // After the undo the items are new again.
  assert.deepEqual((await runImport({ url })).counts, first.counts)
})

async function fillSource(source: Awaited<ReturnType<typeof startCalendar>>, events: number): Promise<void> {
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

test('300 events are imported, updated from the source, and deleted when the imports are undone', {
  skip: skipUnlessFull
}, async () => {
  const categories = [{ id: 3, name: 'Many', slug: 'many', parent: 0 }]
  const events = (title: string) =>
    Array.from({ length: 300 }, (_, place) => buildTecEvent(place + 1, { title: `${title} ${place}`, categories }))
  const site = await startTecSite(events('Many'))
  const before = await readState()
  const first = await runImport(site)
  assert.deepEqual(first.counts, { ...noCounts, new: 301 })
  const between = await readState()
  site.lists.events = events('Most')
  const second = await runImport(site)
  assert.deepEqual(second.counts, { ...noCounts, same: 1, changed: 300 })
  await undoImport(second.id)
  assert.deepEqual(await readState(), between)
  assert.deepEqual((await undoImport(first.id)).counts, { ...first.counts, kept: 0 })
  assert.deepEqual(await readState(), before)
})

test('an import stores a version of each event that it changes, and undo deletes it', async () => {
  const site = await startTecSite([buildTecEvent(1, { title: 'Versioned' })])
  await runImport(site)
  const { id } = await findEvent('Versioned')
  const listVersions = async () => (await editor.get(`${calendar}/events/${id}/versions`)).body.versions
  assert.equal((await listVersions()).length, 1)
  site.lists.events = [buildTecEvent(1, { title: 'Versioned twice' })]
  const second = await runImport(site)
  const [current, before] = await listVersions()
  assert.deepEqual([current.changed, before.is_current], [['title'], false])
  await undoImport(second.id)
  assert.deepEqual(
    (await listVersions()).map((one: { version: number; is_current: boolean }) => [one.version, one.is_current]),
    [[1, true]]
  )
})

test('a dry run reports the outcome and writes nothing; run imports the same items', async () => {
  const site = await startTecSite([
    buildTecEvent(1),
    buildTecEvent(2, { venue: buildVenue(7) }),
    buildTecEvent(3, { title: '' })
  ])
  const before = await readState()
  const dryRun = await runImport(site, { dry_run: true })
  assert.equal(dryRun.status, 'done')
  assert.deepEqual(dryRun.counts, { ...noCounts, new: 3, problem: 1 })
  assert.equal(dryRun.can_undo, false)
  assert.deepEqual(await readState(), before)
  assert.deepEqual(
    (await listRows(dryRun.id)).map(row => [row.position, row.kind, row.source_id, row.outcome, row.item_id]),
    [
      [1, 'venue', '7', 'new', null],
      [2, 'event', '1', 'new', null],
      [3, 'event', '2', 'new', null],
      [4, 'event', '3', 'problem', null]
    ]
  )
  const problem = await listRows(dryRun.id, '&outcome=problem&language=de')
  assert.deepEqual(
    problem.map(row => row.reasons),
    [['Hat keinen Titel.']]
  )

  const run = await editor.post(`${calendar}/imports/${dryRun.id}/run`, {})
  assert.equal(run.status, 201, run.text)
  await runWaitingImports()
  const done = await read(run.body.id)
  assert.deepEqual([done.based_on, done.dry_run, done.status], [dryRun.id, false, 'done'])
  assert.deepEqual(done.counts, dryRun.counts)
  assert.equal((await editor.post(`${calendar}/imports/${done.id}/run`, {})).status, 409)
})

const buildVenue = (id: number, fields: object = {}) => ({ id, venue: `Place ${id}`, slug: `place-${id}`, ...fields })

test('changed items are imported as the policy says: skip, keep items edited here, or overwrite', async () => {
  const site = await startTecSite([buildTecEvent(1, { title: 'Plain one' }), buildTecEvent(2, { title: 'Edited one' })])
  const first = await runImport(site)
  const edited = await findEvent('Edited one')
  await editEvent(edited, { website: 'https://ours.example/' })
  site.lists.events = [
    buildTecEvent(1, { title: 'Plain one, changed' }),
    buildTecEvent(2, { title: 'Edited one, changed' })
  ]

  const skipped = await runImport(site, { policy: 'skip' })
  assert.deepEqual(skipped.counts, { ...noCounts, skipped: 2 })
  const kept = await runImport(site, { policy: 'keep' })
  assert.deepEqual(kept.counts, { ...noCounts, changed: 1, skipped: 1 })
  const [row] = await listRows(kept.id, '&outcome=skipped')
  assert.deepEqual(
    [row.title, row.item_id, row.reasons],
    ['Edited one, changed', edited.id, ['Changed at the source, but edited here since.']]
  )
  assert.equal((await findEvent('Plain one')).title, 'Plain one, changed')

  const overwritten = await runImport(site, { policy: 'overwrite' })
  assert.deepEqual(overwritten.counts, { ...noCounts, changed: 1, same: 1 })
  assert.equal((await findEvent('Edited one')).title, 'Edited one, changed')

  // Each undo restores the state before its import.
  await undoImport(overwritten.id)
  const restored = await findEvent('Edited one')
  assert.deepEqual([restored.title, restored.website], ['Edited one', 'https://ours.example/'])
  await undoImport(kept.id)
  assert.equal((await findEvent('Plain one')).title, 'Plain one')

  const back = await undoImport(first.id)
  assert.deepEqual([back.status, back.counts.kept], ['undone', 1])
  assert.equal(await findEvent('Plain one'), undefined)
  assert.equal((await findEvent('Edited one')).title, 'Edited one')
  const reasons = (await listRows(first.id)).map(one => one.reasons)
  assert.deepEqual(reasons, [[], ['Kept when the import was undone: edited here since.']])
})

test('items that were deleted or moved to the trash here are imported again only with the policy overwrite', async () => {
  const site = await startTecSite([buildTecEvent(1, { title: 'Thrown away' }), buildTecEvent(2, { title: 'Removed' })])
  await runImport(site)
  await editor.delete(`${calendar}/events/${(await findEvent('Thrown away')).id}`)
  await editor.delete(`${calendar}/events/${(await findEvent('Removed')).id}?force=true`)
  const before = await readState()

  const again = await runImport(site)
  assert.deepEqual(again.counts, { ...noCounts, skipped: 2 })
  assert.deepEqual(await readState(), before)
  const forced = await runImport(site, { policy: 'overwrite' })
  assert.deepEqual(forced.counts, { ...noCounts, new: 1, changed: 1 })
  assert.equal((await findEvent('Thrown away')).status, 'publish')
  await undoImport(forced.id)
  assert.deepEqual(await readState(), before)
})

test('undo keeps imported items that other events use', async () => {
  const site = await startTecSite([
    buildTecEvent(1, { venue: buildVenue(8), categories: [{ id: 5, name: 'Readings', slug: 'readings' }] })
  ])
  const first = await runImport(site)
  const rows = await listRows(first.id)
  const getItemId = (kind: string) => rows.find(row => row.kind === kind)?.item_id
  const ours = await here.anEvent({ title: 'Ours', venue: getItemId('venue'), categories: [getItemId('category')] })
  const back = await undoImport(first.id)
  assert.equal(back.counts.kept, 2)
  const found = (await here.visitor.get(`${calendar}/events/${ours.id}`)).body
  assert.deepEqual([found.venue.venue, found.categories[0].count], ['Place 8', 1])
})

test('an invalid row is reported with its reason, and the other rows are imported', async () => {
  const site = await startTecSite([
    buildTecEvent(1, { title: 'Good' }),
    buildTecEvent(2, { start_date: '2027-12-02 10:00:00', utc_start_date: '2027-12-02 09:00:00' }),
    buildTecEvent(3, { start_date: 'someday', utc_start_date: '' }),
    buildTecEvent(4, { title: 'Also good', website: 'not an address', tags: [{ id: 9, name: 'T'.repeat(300) }] })
  ])
  const done = await runImport(site)
  assert.deepEqual(done.counts, { ...noCounts, new: 2, problem: 3 })
  const reasons = new Map((await listRows(done.id)).map(row => [`${row.kind} ${row.source_id}`, row.reasons.join(' ')]))
  assert.match(reasons.get('event 2') ?? '', /end_date must not be before the start/)
  assert.match(reasons.get('event 3') ?? '', /start_date must be a date or time/)
  assert.match(reasons.get('tag 9') ?? '', /name must have at most 200 characters/)
  assert.match(reasons.get('event 4') ?? '', /Without its tag 9.*Without website, which must be a full URL/)
})

test('events with the same slug at the source are imported with different slugs', async () => {
  const again = { title: 'Every week', slug: 'every-week' }
  const site = await startTecSite([buildTecEvent(1, again), buildTecEvent(2, again), buildTecEvent(3, again)])
  const done = await runImport(site)
  assert.deepEqual(done.counts, { ...noCounts, new: 3 })
  const query = 'start_date=2000-01-01&end_date=2100-01-01&search="Every week"'
  const { events } = (await here.visitor.get(`${calendar}/events?${query}`)).body
  assert.deepEqual(events.map((one: { slug: string }) => one.slug).sort(), [
    'every-week',
    'every-week-2',
    'every-week-3'
  ])
})

test('the parent of an imported event is the imported parent', async () => {
  const site = await startTecSite([
    buildTecEvent(1, { title: 'Festival' }),
    buildTecEvent(2, { title: 'Opening', post_parent: 1 })
  ])
  await runImport(site)
  assert.equal((await findEvent('Opening')).post_parent, (await findEvent('Festival')).id)
})

test('an image of several events is stored once, and deleted when the import is undone', async () => {
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const site = await startTecSite()
  site.answer = (url, response) => {
    if (!url.pathname.startsWith('/uploads/')) return false
    const isFound = url.pathname.endsWith('.png')
    response.writeHead(isFound ? 200 : 404, { 'content-type': 'image/png' }).end(isFound ? png : '')
    return true
  }
  const image = (name: string) => ({ url: `${site.url}/uploads/${name}`, alt: 'Poster' })
  site.lists.events = [
    buildTecEvent(1, { title: 'First poster', image: image('poster.png') }),
    buildTecEvent(2, { title: 'Same address', image: image('poster.png') }),
    buildTecEvent(3, { title: 'Same bytes', image: image('copy.png') }),
    buildTecEvent(4, { title: 'No picture', image: image('gone.jpg') })
  ]
  const before = await readState()
  const done = await runImport(site)
  assert.deepEqual(done.counts, { ...noCounts, new: 5, problem: 1 })
  const titles = ['First poster', 'Same address', 'Same bytes', 'No picture']
  const events = await Promise.all(titles.map(findEvent))
  const ids = events.map(one => one.image.id)
  assert.equal(new Set(ids.slice(0, 3)).size, 1)
  assert.equal(events[0].image.alt, 'Poster')
  assert.equal(events[3].image, false)
  const [problem] = await listRows(done.id, '&outcome=problem')
  assert.deepEqual([problem.kind, problem.title], ['image', 'gone.jpg'])

  // An image that could not be fetched is tried again, and does not count as a change while it is missing.
  assert.deepEqual((await runImport(site)).counts, { ...noCounts, same: 4, problem: 1 })
  await undoImport(done.id)
  assert.deepEqual(await readState(), before)
})
