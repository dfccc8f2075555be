import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCalendarJobs } from '#calendar/jobs.ts'
import { type AdminClient, startAdmin } from '#test/support/admin-client.ts'
import { calendar } from '#test/support/services.ts'

const { admin, visitor, store, settings, signIn } = await startAdmin({ env: { TIMEZONE: 'Europe/Berlin' } })
const [edith, emil] = [await signIn('editor'), await signIn('editor', 'de')]
const hostile = '<img src=x onerror=alert(1)>'

/** Runs waiting imports, as the worker does. */
async function runImports(): Promise<void> {
  for (const job of createCalendarJobs(settings)) {
    if (job.name === 'run-imports') await job.run(store, {}, new AbortController().signal)
  }
}

const newTable = (...rows: string[]) => ({ name: `${hostile}.csv`, text: ['What;Date;Time;Place', ...rows].join('\n') })

async function startDryRun(adminClient: AdminClient, file: { name: string; text: string }): Promise<string> {
  const sent = await adminClient.upload('/admin/imports/new/csv', { policy: 'keep', timezone: 'Europe/Berlin' }, file)
  assert.equal(sent.status, 303, sent.text)
  return sent.headers.location ?? ''
}

const listTitles = async (search: string) =>
  (await visitor.get(`${calendar}/events?start_date=2031-01-01&end_date=2031-12-31&search=${search}`)).body.events.map(
    (event: { title: string }) => event.title
  )

test('a table is uploaded, checked, mapped to columns, imported and undone, without scripts', async () => {
  const page = await startDryRun(
    edith,
    newTable('Organ recital;14.06.2031;19:30;St Mary', 'Late show;15.06.2031;20:00;')
  )
  const waiting = await edith.get(page)
  assert.match(waiting.text, /href="\/admin\/imports\/\d+" data-without-script[^>]*>Refresh/)
  assert.match(waiting.text, /<progress[^>]*aria-label="Progress"/)
  await runImports()
  const report = await edith.get(page)
  assert.match(report.text, /The title column was not recognised/)
  assert.doesNotMatch(report.text, /Import now/, 'no import before the columns are known')

  const columns = { 'meanings[]': ['title', 'start_date', 'start_time', ''] }
  const again = await edith.send(`${page}/check`, columns)
  const second = again.headers.location ?? ''
  await runImports()
  const secondReport = await edith.get(second)
  assert.match(secondReport.text, /To be added: 2\. To be changed: 0\./)
  assert.match(secondReport.text, /<option value="title" selected>/)
  assert.match(secondReport.text, /&lt;img src=x onerror/)
  assert.doesNotMatch(secondReport.text, /<img src=x/)
  assert.deepEqual(await listTitles('recital'), [], 'a dry run changes nothing')
  assert.doesNotMatch((await edith.get(`${second}?outcome=problem`)).text, /Organ recital/)

  const run = (await edith.send(`${second}/run`, { policy: 'skip' })).headers.location ?? ''
  await runImports()
  const done = await edith.get(run)
  assert.match(done.text, /Added: 2\. Changed: 0\./)
  assert.match(done.text, /href="\/admin\/events\/\d+">Organ recital/)
  assert.deepEqual(await listTitles('recital'), ['Organ recital'])
  assert.equal((await admin.get(`${calendar}/imports/${run.split('/').pop()}`)).body.policy, 'skip')

  assert.match((await edith.get(`${run}/undo`)).text, /&lt;img src=x onerror=alert\(1\)>\.csv: 2 new/)
  const undoing = await edith.sendAndFollow(`${run}/undo`, {})
  assert.match(undoing.text, /Undoing the import/)
  await runImports()
  assert.match((await edith.get(run)).text, /This import was undone/)
  assert.deepEqual(await listTitles('recital'), [])
  assert.match((await edith.get('/admin/imports')).text, /2 new/)
})

test('an invalid or missing source has an error at its field, and the input is kept', async () => {
  const withoutFile = await emil.send('/admin/imports/new/csv', { timezone: 'Europe/Berlin' })
  assert.equal(withoutFile.status, 422)
  assert.match(withoutFile.text, /<a href="#field-file">Wählen Sie eine Datei aus/)
  const wrongUrl = await edith.send('/admin/imports/new/tec', { url: `nowhere"${hostile}`, timezone: 'Mars/Olympus' })
  assert.equal(wrongUrl.status, 422)
  assert.match(wrongUrl.text, /<a href="#field-url">URL of the site must be/)
  assert.match(wrongUrl.text, /value="nowhere&quot;&lt;img/)
  assert.match(wrongUrl.text, /<a href="#field-timezone">Time zone/)
  const withoutSource = await edith.send('/admin/imports/new/ical', {})
  assert.match(withoutSource.text, /<a href="#field-file">Enter a URL or choose a file/)
  assert.equal((await edith.get('/admin/imports/new/elsewhere')).status, 404)
})

test('a file that cannot be parsed is shown as failed, with the reason in the language of the user and a link to the form', async () => {
  const page = await startDryRun(emil, { name: 'no-table.csv', text: 'PK\u0003\u0004 a spreadsheet' })
  await runImports()
  const { text } = await emil.get(page)
  assert.match(text, /Import fehlgeschlagen/)
  assert.match(text, /Das ist keine lesbare Excel-Datei/)
  assert.match(text, /href="\/admin\/imports\/new\/csv"/)
})

test('a waiting import can be cancelled', async () => {
  const page = await startDryRun(edith, newTable('Late show;16.06.2031;23:00;'))
  const cancelled = await edith.sendAndFollow(`${page}/cancel`, {})
  assert.match(cancelled.text, /Import cancelled/)
  assert.match(cancelled.text, /Nothing was changed/)
})

test('the template can be imported without problems', async () => {
  const template = await edith.get('/admin/imports/template.csv')
  assert.match(template.headers['content-disposition'] ?? '', /attachment; filename="[\w-]+\.csv"/)
  const page = await startDryRun(edith, { name: 'template.csv', text: template.text })
  await runImports()
  assert.doesNotMatch((await edith.get(page)).text, /badge bad/)
})

test('the report of an unknown import is a page that says so, not a file', async () => {
  for (const id of ['999999', '%00', 'a%0d%0ab']) {
    const { status, headers } = await edith.get(`/admin/imports/${id}/report.csv`)
    assert.deepEqual([status, headers['content-type']], [404, 'text/html; charset=utf-8'], id)
  }
})

test('only editors and admins can use imports', async () => {
  assert.equal((await (await signIn('admin')).get('/admin/imports')).status, 200)
  for (const role of ['treasurer', 'viewer'] as const) {
    const adminClient = await signIn(role)
    assert.equal((await adminClient.get('/admin/imports')).status, 403)
    assert.equal((await adminClient.send('/admin/imports/new/tec', { url: 'https://example.org' })).status, 403)
    assert.doesNotMatch((await adminClient.get('/admin')).text, /href="\/admin\/imports"/)
  }
})
