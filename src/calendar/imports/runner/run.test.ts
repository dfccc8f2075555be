import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { noCounts, startImports } from '#test/support/calendar/imports.ts'
import { buildTecEvent, startTecSite } from '#test/support/calendar/tec-site.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar } from '#test/support/services.ts'

const here = await startImports()
const { createImport, editor, runImport, read, listRows, readState, store, undoImport, runWaitingImports } = here

test('a cancelled import stops between two batches, and its items can be undone', {
  skip: skipUnlessFull
}, async () => {
  const before = await readState()
  const site = await startTecSite(Array.from({ length: 120 }, (_, place) => buildTecEvent(place + 1)))
  const id = await createImport(site)
  site.answer = url => {
    // When the third page is requested, the first is being written.
    if (url.searchParams.get('page') === '3') void editor.post(`${calendar}/imports/${id}/cancel`)
    return false
  }
  await runWaitingImports()
  const found = await read(id)
  assert.equal(found.status, 'cancelled')
  assert.ok(found.progress.done < 120)
  assert.equal((await editor.post(`${calendar}/imports/${id}/cancel`)).body.status, 'cancelled')
  if (found.can_undo) await undoImport(id)
  assert.deepEqual(await readState(), before)
})

test('an import whose process stopped is continued by another one without duplicates', async () => {
  const site = await startTecSite(
    Array.from({ length: 60 }, (_, place) => buildTecEvent(place + 1, { title: `Left ${place}` }))
  )
  const id = await createImport(site)
  const abortController = new AbortController()
  site.answer = url => {
    if (url.searchParams.get('page') === '2') abortController.abort()
    return false
  }
  await runWaitingImports(abortController.signal)
  const interrupted = await read(id)
  assert.equal(interrupted.status, 'running')

  // While another process holds the lease, the import is not continued.
  await store.run(sql`update calendar.imports set leased_until = now() + interval '1 minute' where id = ${id}`)
  await runWaitingImports()
  assert.equal((await read(id)).status, 'running')
  await store.run(sql`update calendar.imports set leased_until = now() - interval '1 second' where id = ${id}`)
  await runWaitingImports()
  const done = await read(id)
  assert.deepEqual([done.status, done.progress.done], ['done', 60])
  assert.deepEqual(done.counts, { ...noCounts, new: 60 })
  const listed = await here.visitor.get(`${calendar}/events?start_date=2000-01-01&end_date=2100-01-01&search=Left`)
  assert.equal(listed.body.total, 60)
})

test('rows and undo data of an import are deleted after 30 days; the import and its counts are kept', async () => {
  const site = await startTecSite([buildTecEvent(1, { title: 'Long ago' })])
  const { id } = await runImport(site)
  await store.run(sql`update calendar.imports set finished_at = now() - interval '31 days' where id = ${id}`)
  await here.deleteOldData()
  const found = await read(id)
  assert.deepEqual([found.status, found.counts.new, found.can_undo], ['done', 1, false])
  assert.deepEqual(await listRows(id), [])
  assert.equal((await editor.post(`${calendar}/imports/${id}/undo`)).status, 409)
  // The imported items are still recognised.
  assert.deepEqual((await runImport(site)).counts, { ...noCounts, same: 1 })
})

test('only editors can import; imports are listed newest first, and invalid parameters are refused by name', async () => {
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

test('the activity log has the start and end of an import, and one record per imported event', async () => {
  const site = await startTecSite([buildTecEvent(1, { title: 'Recorded' })])
  const { id } = await runImport(site)
  const [{ item_id }] = (await listRows(id)) as [{ item_id: number }]
  const importActivity = await here.admin.get(`/activity?subject=import&subjectId=${id}`)
  assert.deepEqual(
    importActivity.body.map((record: { action: string }) => record.action),
    ['import.finished', 'import.started']
  )
  assert.equal(importActivity.body[0].details.new, 1)
  const eventActivity = await here.admin.get(`/activity?subject=event&subjectId=${item_id}`)
  assert.deepEqual(
    eventActivity.body.map((record: { action: string }) => record.action),
    ['event.created']
  )
})
