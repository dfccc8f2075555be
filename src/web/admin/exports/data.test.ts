import assert from 'node:assert/strict'
import { test } from 'node:test'
import { record } from '#platform/activity/activity.ts'
import { recordBackupFailure } from '#platform/backup/status.ts'
import { newSystemCaller } from '#platform/caller.ts'
import { startAdmin } from '#test/support/admin-client.ts'
import { calendar, campaign, donation, event } from '#test/support/services.ts'

const { admin, store, signIn } = await startAdmin()
const [anna, bruno] = [await signIn('admin'), await signIn('admin', 'de')]

test('all 15 exports of the page can be downloaded, and contain unpublished records', async () => {
  await admin.post(`${calendar}/events`, {
    ...event,
    title: 'A draft; of "mine"',
    status: 'draft',
    venue: { venue: 'Mill' }
  })
  const { id } = (await admin.post('/campaigns', campaign)).body
  await admin.post(`/campaigns/${id}/donations`, donation)
  const { text } = await anna.get('/admin/data')
  const links = [...text.matchAll(/href="(\/admin\/data\/[a-z.]+)"/g)].map(([, link = '']) => link)
  assert.equal(links.length, 15)
  for (const link of links) {
    const { status, headers } = await anna.get(link)
    assert.equal(status, 200, link)
    assert.match(
      headers['content-disposition'] ?? '',
      /^attachment; filename="[a-z]+-\d{4}-\d\d-\d\d\.(?:csv|jsonl|ics)"$/
    )
  }
  assert.match((await anna.get('/admin/data/events.jsonl')).text, /A draft; of \\"mine\\"/)
  assert.match((await anna.get('/admin/data/events.csv')).text, /"A draft; of ""mine"""/)
  assert.match((await anna.get('/admin/data/donations.csv')).text, /Ada Lovelace/)
  assert.match((await bruno.get('/admin/data/venues.csv')).text, /^\ufeff/)
})

test('the page shows the date of the last backup, as a warning if it is a week old or there is none', async () => {
  assert.match((await anna.get('/admin/data')).text, /notice warn">No backup yet/)
  const recordBackup = async (daysAgo: number) => {
    const at = new Date(Date.now() - daysAgo * 86_400_000)
    const about = { subject: 'backup', id: at.toISOString(), details: { rows: 1234, bytes: 5_600_000 } }
    await store.transaction(
      async tx => await record(tx, { by: newSystemCaller('command line'), now: at }, 'backup.taken', about)
    )
  }
  await recordBackup(9)
  assert.match((await anna.get('/admin/data')).text, /notice warn">Last backup: last week/)
  await recordBackup(2)
  assert.match((await bruno.get('/admin/data')).text, /notice good">Zuletzt gesichert: vorgestern/)
})

test('a failed backup is shown on the dashboard and on the page until the next backup succeeds', async () => {
  await recordBackupFailure(store, newSystemCaller('scheduled backup'), 'the disk is full')
  assert.match((await anna.get('/admin/data')).text, /The backup of .* failed: the disk is full/)
  assert.match((await anna.get('/admin')).text, /href="\/admin\/data#backup">The last backup failed: the disk is full/)
  const by = newSystemCaller('command line')
  const now = new Date(Date.now() + 1000)
  await store.transaction(async tx => await record(tx, { by, now }, 'backup.taken', { subject: 'backup', id: 'x' }))
  for (const page of ['/admin', '/admin/data']) assert.doesNotMatch((await anna.get(page)).text, /backup.* failed/)
})
