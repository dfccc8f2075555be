// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { calendar, startCalendar } from '#test/support/services.ts'
import { calendarChecks } from './doctor.ts'

const { admin, store, anEvent, aCategory } = await startCalendar()
const findFaults = async () => (await Promise.all(calendarChecks.map(check => check.run(store)))).flat()

test('doctor finds no faults after an event and its terms were changed, trashed and deleted', async () => {
  const music = await aCategory({ name: 'Music' })
  const { id } = await anEvent({ categories: [music.id, 'Choir'], tags: ['free', 'outside'] })
  const event = `${calendar}/events/${id}`
  for (const change of [
    { status: 'draft' },
    { status: 'publish', categories: ['Choir'] },
    { tags: [], language: 'de', title: 'Konzert' },
    { status: 'trash' },
    { status: 'publish', tags: ['outside'], date: '2099-01-01' },
    { date: 'yesterday' }
  ]) {
    assert.equal((await admin.patch(event, change)).status, 200)
    assert.deepEqual(await findFaults(), [])
  }
  await admin.delete(`${calendar}/categories/${music.id}`)
  await admin.delete(`${event}?force=true`)
  assert.deepEqual(await findFaults(), [])
})

test('doctor reports subscriptions that fail, wait for an editor or are not fetched', async () => {
  const { id } = await store.one<{ id: number }>(sql`
    insert into calendar.subscriptions (
      url, url_key, name, gone, status, language, timezone, author_id, author_name, next_run_at, created_at, modified_at
    ) values (
      'https://feed.example/a.ics', 'a', '', 'keep', 'publish', 'en', 'UTC', 1, 'test', now(), now(), now()
    )
    returning id`)
  assert.deepEqual(await findFaults(), [])
  const set = async (change: ReturnType<typeof sql>) => {
    await store.run(sql`update calendar.subscriptions set ${change} where id = ${id}`)
    return (await findFaults()).join('\n')
  }
  assert.equal(await set(sql`failures = 2`), `subscription ${id} (feed.example): 2 failed fetches`)
  assert.match(await set(sql`failures = 0, next_run_at = now() - interval '2 hours'`), /due, but not fetched/)
  assert.match(await set(sql`next_run_at = null, problem = 'empty'`), /: empty$/)
  await store.run(sql`delete from calendar.subscriptions where id = ${id}`)
})

test('doctor reports terms with a wrong event count and events with wrong languages', async () => {
  const { id } = await anEvent({ title: 'Counted', tags: ['counted'] })
  await store.run(
    sql`update calendar.terms set event_count = event_count + 3 where id in (select term_id from calendar.event_terms where event_id = ${id})`
  )
  await store.run(sql`update calendar.events set languages = '{de,en}' where id = ${id}`)
  const faults = await findFaults()
  assert.match(faults.join('\n'), /term \d+: counts 4 events, has 1/)
  assert.match(faults.join('\n'), new RegExp(`event ${id}: its languages`))
})
