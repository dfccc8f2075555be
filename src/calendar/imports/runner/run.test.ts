import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { none, startImports } from '#test/support/calendar/imports.ts'
import { buildTecEvent, startTecSite } from '#test/support/calendar/tec-site.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar } from '#test/support/services.ts'

const here = await startImports()
const { asked, editor, imported, read, rowsOf, state, store, undone, work } = here

test('an import that is cancelled stops between two batches; what it wrote can be undone', {
  skip: skipUnlessFull
}, async () => {
  const before = await state()
  const site = await startTecSite(Array.from({ length: 120 }, (_, place) => buildTecEvent(place + 1)))
  const id = await asked(site)
  site.answer = url => {
    // When the third page is asked for, the first is being written.
    if (url.searchParams.get('page') === '3') void editor.post(`${calendar}/imports/${id}/cancel`)
    return false
  }
  await work()
  const found = await read(id)
  assert.equal(found.status, 'cancelled')
  assert.ok(found.progress.done < 120)
  assert.equal((await editor.post(`${calendar}/imports/${id}/cancel`)).body.status, 'cancelled')
  if (found.can_undo) await undone(id)
  assert.deepEqual(await state(), before)
})

test('an import that its process left is gone on with, and nothing comes twice', async () => {
  const site = await startTecSite(
    Array.from({ length: 60 }, (_, place) => buildTecEvent(place + 1, { title: `Left ${place}` }))
  )
  const id = await asked(site)
  const stopping = new AbortController()
  site.answer = url => {
    if (url.searchParams.get('page') === '2') stopping.abort()
    return false
  }
  await work(stopping.signal)
  const left = await read(id)
  assert.equal(left.status, 'running')

  // Another that holds it is not disturbed.
  await store.run(sql`update calendar.imports set leased_until = now() + interval '1 minute' where id = ${id}`)
  await work()
  assert.equal((await read(id)).status, 'running')
  await store.run(sql`update calendar.imports set leased_until = now() - interval '1 second' where id = ${id}`)
  await work()
  const done = await read(id)
  assert.deepEqual([done.status, done.progress.done], ['done', 60])
  assert.deepEqual(done.counts, { ...none, new: 60 })
  const listed = await here.visitor.get(`${calendar}/events?start_date=2000-01-01&end_date=2100-01-01&search=Left`)
  assert.equal(listed.body.total, 60)
})

test('files, reports and the way back are forgotten after 30 days; that there was an import is not', async () => {
  const site = await startTecSite([buildTecEvent(1, { title: 'Long ago' })])
  const { id } = await imported(site)
  await store.run(sql`update calendar.imports set finished_at = now() - interval '31 days' where id = ${id}`)
  await here.forget()
  const found = await read(id)
  assert.deepEqual([found.status, found.counts.new, found.can_undo], ['done', 1, false])
  assert.deepEqual(await rowsOf(id), [])
  assert.equal((await editor.post(`${calendar}/imports/${id}/undo`)).status, 409)
  // What came is still known.
  assert.deepEqual((await imported(site)).counts, { ...none, same: 1 })
})

test('imports are for editors, listed newest first, and say what they need', async () => {
  const author = await here.withRole('author')
  assert.equal((await here.visitor.get(`${calendar}/imports`)).status, 401)
  assert.equal((await author.post(`${calendar}/imports`, { source: 'tec', url: 'https://x.example' })).status, 403)
  const listed = await editor.get(`${calendar}/imports?per_page=2`)
  assert.equal(listed.body.imports.length, 2)
  assert.ok(listed.body.imports[0].id > listed.body.imports[1].id)
  assert.match(listed.body.next_rest_url, /\/imports\/\?per_page=2&page=2$/)
  for (const [fields, wrong] of [
    [{ source: 'tec' }, 'url'],
    [{ source: 'csv' }, 'file'],
    [{ source: 'ical' }, 'url'],
    [{ source: 'tec', url: 'ftp://x.example' }, 'url'],
    [{ source: 'tec', url: 'https://x.example', policy: 'all' }, 'policy'],
    [{ source: 'rss', url: 'https://x.example' }, 'source']
  ] as const) {
    const refused = await editor.post(`${calendar}/imports`, fields)
    assert.equal(refused.status, 400, refused.text)
    assert.ok(JSON.stringify(refused.body.data.params).includes(wrong), refused.text)
  }
  assert.equal((await editor.get(`${calendar}/imports/999999`)).status, 404)
})

test('the record tells of the import and of each event that came, once', async () => {
  const site = await startTecSite([buildTecEvent(1, { title: 'Recorded' })])
  const { id } = await imported(site)
  const [{ item_id }] = (await rowsOf(id)) as [{ item_id: number }]
  const ofImport = await here.admin.get(`/activity?subject=import&subjectId=${id}`)
  assert.deepEqual(
    ofImport.body.map((one: { action: string }) => one.action),
    ['import.finished', 'import.started']
  )
  assert.equal(ofImport.body[0].details.new, 1)
  const ofEvent = await here.admin.get(`/activity?subject=event&subjectId=${item_id}`)
  assert.deepEqual(
    ofEvent.body.map((one: { action: string }) => one.action),
    ['event.created']
  )
})
