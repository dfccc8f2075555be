import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCalendarJobs } from '#calendar/jobs.ts'
import { type AdminClient, startAdmin } from '#test/support/admin-client.ts'
import { calendar } from '#test/support/services.ts'

const { admin, visitor, store, settings, signIn } = await startAdmin({ env: { TIMEZONE: 'Europe/Berlin' } })
const [edith, emil] = [await signIn('editor'), await signIn('editor', 'de')]
const hostile = '<img src=x onerror=alert(1)>'

/** Runs what waits, as the worker would. */
async function work(): Promise<void> {
  for (const job of createCalendarJobs(settings)) {
    if (job.name === 'run-imports') await job.run(store, {}, new AbortController().signal)
  }
}

const table = (...rows: string[]) => ({ name: `${hostile}.csv`, text: ['What;Date;Time;Place', ...rows].join('\n') })

async function checked(adminClient: AdminClient, file: { name: string; text: string }): Promise<string> {
  const sent = await adminClient.upload('/admin/imports/new/csv', { policy: 'keep', timezone: 'Europe/Berlin' }, file)
  assert.equal(sent.status, 303, sent.text)
  return sent.headers.location ?? ''
}

const titles = async (search: string) =>
  (await visitor.get(`${calendar}/events?start_date=2031-01-01&end_date=2031-12-31&search=${search}`)).body.events.map(
    (event: { title: string }) => event.title
  )

test('a table goes from a form to a report, to columns, to events, and back out, without a script', async () => {
  const page = await checked(edith, table('Organ recital;14.06.2031;19:30;St Mary', 'Late show;15.06.2031;20:00;'))
  const waiting = await edith.get(page)
  assert.match(waiting.text, /href="\/admin\/imports\/\d+" data-without-script[^>]*>Refresh/)
  assert.match(waiting.text, /<progress[^>]*aria-label="Progress"/)
  await work()
  const report = await edith.get(page)
  assert.match(report.text, /The title column was not recognised/)
  assert.doesNotMatch(report.text, /Import now/, 'there is nothing to import yet')

  const columns = { 'meanings[]': ['title', 'start_date', 'start_time', ''] }
  const again = await edith.send(`${page}/check`, columns)
  const second = again.headers.location ?? ''
  await work()
  const better = await edith.get(second)
  assert.match(better.text, /To be added: 2\. To be changed: 0\./)
  assert.match(better.text, /<option value="title" selected>/)
  assert.match(better.text, /&lt;img src=x onerror/)
  assert.doesNotMatch(better.text, /<img src=x/)
  assert.deepEqual(await titles('recital'), [], 'a check changes nothing')
  assert.doesNotMatch((await edith.get(`${second}?outcome=problem`)).text, /Organ recital/)

  const run = (await edith.send(`${second}/run`, { policy: 'skip' })).headers.location ?? ''
  await work()
  const done = await edith.get(run)
  assert.match(done.text, /Added: 2\. Changed: 0\./)
  assert.match(done.text, /href="\/admin\/events\/\d+">Organ recital/)
  assert.deepEqual(await titles('recital'), ['Organ recital'])
  assert.equal((await admin.get(`${calendar}/imports/${run.split('/').pop()}`)).body.policy, 'skip')

  assert.match((await edith.get(`${run}/undo`)).text, /&lt;img src=x onerror=alert\(1\)>\.csv: 2 new/)
  const undoing = await edith.sendAndFollow(`${run}/undo`, {})
  assert.match(undoing.text, /Undoing the import/)
  await work()
  assert.match((await edith.get(run)).text, /This import was undone/)
  assert.deepEqual(await titles('recital'), [])
  assert.match((await edith.get('/admin/imports')).text, /2 new/)
})

test('what is wrong with a source stands at its field, and what was entered is kept', async () => {
  const nothing = await emil.send('/admin/imports/new/csv', { timezone: 'Europe/Berlin' })
  assert.equal(nothing.status, 422)
  assert.match(nothing.text, /<a href="#field-file">Wählen Sie eine Datei aus/)
  const address = await edith.send('/admin/imports/new/tec', { url: `nowhere"${hostile}`, timezone: 'Mars/Olympus' })
  assert.equal(address.status, 422)
  assert.match(address.text, /<a href="#field-url">URL of the site must be/)
  assert.match(address.text, /value="nowhere&quot;&lt;img/)
  assert.match(address.text, /<a href="#field-timezone">Time zone/)
  const neither = await edith.send('/admin/imports/new/ical', {})
  assert.match(neither.text, /<a href="#field-file">Enter a URL or choose a file/)
  assert.equal((await edith.get('/admin/imports/new/elsewhere')).status, 404)
})

test('an import that cannot be read says why, in the language of who looks, and leads back to the form', async () => {
  const page = await checked(emil, { name: 'no-table.csv', text: 'PK\u0003\u0004 a spreadsheet' })
  await work()
  const { text } = await emil.get(page)
  assert.match(text, /Import fehlgeschlagen/)
  assert.match(text, /Das ist keine lesbare Excel-Datei/)
  assert.match(text, /href="\/admin\/imports\/new\/csv"/)
})

test('an import that has not begun is cancelled with a button', async () => {
  const page = await checked(edith, table('Late show;16.06.2031;23:00;'))
  const stopped = await edith.sendAndFollow(`${page}/cancel`, {})
  assert.match(stopped.text, /Import cancelled/)
  assert.match(stopped.text, /Nothing was changed/)
})

test('the template is a table that imports as it is', async () => {
  const template = await edith.get('/admin/imports/template.csv')
  assert.match(template.headers['content-disposition'] ?? '', /attachment; filename="[\w-]+\.csv"/)
  const page = await checked(edith, { name: 'template.csv', text: template.text })
  await work()
  assert.doesNotMatch((await edith.get(page)).text, /badge bad/)
})

test('imports are for editors and admins', async () => {
  assert.equal((await (await signIn('admin')).get('/admin/imports')).status, 200)
  for (const role of ['treasurer', 'viewer'] as const) {
    const adminClient = await signIn(role)
    assert.equal((await adminClient.get('/admin/imports')).status, 403)
    assert.equal((await adminClient.send('/admin/imports/new/tec', { url: 'https://example.org' })).status, 403)
    assert.doesNotMatch((await adminClient.get('/admin')).text, /href="\/admin\/imports"/)
  }
})
