// test: own process, long
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { buildTecEvent, startTecSite } from '#test/support/calendar/tec-site.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { buildStatement } from '#test/support/fundraising/bank-statements.ts'
import { createDataLocation, runKalends, sendRequest, startKalends, waitUntil } from '#test/support/kalends-process.ts'

const dataLocation = await createDataLocation()
after(dataLocation.remove)
const env = { ...dataLocation.env, ALLOW_PRIVATE_ADDRESSES: 'true', ADMIN_KEY: 'the-key-of-these-tests' }
const site = await startTecSite([
  ...Array.from({ length: 70 }, (_, number) => buildTecEvent(number + 1)),
  buildTecEvent(71, { title: '' })
])
const countEvents = async () =>
  (await dataLocation.query('select count(*)::int as events from calendar.events'))[0]?.events

test('a site is imported without a running service, with progress in lines and problems listed, and the import is undone', async () => {
  const done = await runKalends(['import', 'tec', site.url], env)
  assert.equal(done.code, 0, done.stderr)
  assert.match(done.stdout, /^71 of 71$/m)
  assert.ok(!done.stdout.includes('\r'))
  assert.match(done.stdout, /^new {11}70$/m)
  assert.match(done.stdout, /^problem: event 71: No title\.$/m)
  assert.equal(await countEvents(), 70)
  const [, undo] = /^To undo: kalends (import undo \d+)$/m.exec(done.stdout) ?? []
  const undone = await runKalends(undo?.split(' ') ?? [], env)
  assert.equal(undone.code, 0, undone.stderr)
  assert.match(undone.stdout, /^Import \d+ undone\.$/m)
  assert.equal(await countEvents(), 0)
})

test('with an application password from a file, drafts are imported, and the password is not stored', {
  skip: skipUnlessFull
}, async t => {
  const siteWithLogin = await startTecSite([buildTecEvent(1), buildTecEvent(2, { status: 'draft' })])
  siteWithLogin.login = { user: 'editor', password: 'abcd efgh' }
  const folder = await mkdtemp(join(tmpdir(), 'kalends-login-'))
  t.after(async () => await rm(folder, { recursive: true }))
  const file = join(folder, 'password')
  await writeFile(file, 'abcd efgh\n')
  const words = ['import', 'tec', siteWithLogin.url, '--user', 'editor']
  assert.match((await runKalends(words, env)).stderr, /belong together/)
  const done = await runKalends([...words, '--password-file', file], env)
  assert.match(done.stdout, /^new {12}2$/m)
  const [row] = await dataLocation.query(
    'select login_user, login_password from calendar.imports order by id desc limit 1'
  )
  assert.deepEqual(row, { login_user: 'editor', login_password: null })
})

test('a comparison lists each difference, and exits with 1 only if one has no explanation', {
  skip: skipUnlessFull
}, async () => {
  const frame = '<iframe src="https://www.youtube.com/embed/abcdefgh"></iframe>'
  const compared = await startTecSite([
    buildTecEvent(1, { title: 'As it was', slug: 'as-it-was' }),
    buildTecEvent(2, { title: 'With a frame', slug: 'with-a-frame', description: `<p>Look</p>${frame}` })
  ])
  assert.equal((await runKalends(['import', 'tec', compared.url], env)).code, 0)
  const explained = await runKalends(['import', 'tec', compared.url, '--compare'], env)
  assert.equal(explained.code, 0, explained.stdout + explained.stderr)
  assert.match(explained.stdout, /^equal: event 1 As it was$/m)
  assert.match(
    explained.stdout,
    /^explained: event 2 With a frame\n {2}description: .* \[embed-became-link\] Embedded/m
  )
  assert.match(explained.stdout, /^equal +1\nexplained +1\ndiffers +0$/m)

  Object.assign(compared.lists.events[0] ?? {}, { title: 'Renamed' })
  const differs = await runKalends(['import', 'tec', compared.url, '--compare', '--json'], env)
  assert.equal(differs.code, 1)
  const { summary, isExplained, items } = JSON.parse(differs.stdout)
  assert.deepEqual([summary.differs, summary.explained, isExplained], [1, 1, false])
  const [{ field, theirs, ours }] = items.find((one: { outcome: string }) => one.outcome === 'differs').differences
  assert.deepEqual([field, theirs, ours], ['title', 'Renamed', 'As it was'])
  assert.match((await runKalends(['import', 'ical', compared.url, '--compare'], env)).stderr, /only with import tec/)
})

test('a CSV file is imported while the service runs, with columns mapped by --map', {
  skip: skipUnlessFull
}, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-table-'))
  t.after(async () => await rm(folder, { recursive: true }))
  const file = join(folder, 'events.csv')
  await writeFile(file, 'Wie es heißt;Start date;Start time\nSommerfest;2027-07-01;18:00\n')
  const service = await startKalends(env)
  t.after(async () => await service.stop())
  const done = await runKalends(['import', 'csv', file, '--map', 'Wie es heißt=title', '--language', 'de'], env)
  assert.equal(done.code, 0, done.stderr + done.stdout)
  const found = await sendRequest(`${service.url}/calendar/events/v1/events?start_date=2027-01-01&search=Sommerfest`)
  assert.equal(found.body.events[0]?.language, 'de', found.text)
  const listed = await runKalends(['import', 'list'], env)
  assert.match(listed.stdout, /\tdone\tcsv\tevents\.csv\t1 new\tcan be undone\n/)
})

test('an import that fails prints the reason and exits with 1', { skip: skipUnlessFull }, async () => {
  const failed = await runKalends(['import', 'tec', 'http://127.0.0.1:1/', '--dry-run'], env)
  assert.equal(failed.code, 1)
  assert.match(failed.stderr, /Import \d+ failed: No public calendar/)
  const misspelt = await runKalends(['import', 'csv', join(tmpdir(), 'no-such-file.csv')], env)
  assert.equal(misspelt.code, 1)
  assert.match(misspelt.stderr, /cannot be read/)
})

test('an import continues after kill -9, and imports nothing twice', { skip: skipUnlessFull }, async t => {
  const before = Number(await countEvents())
  const large = await startTecSite(Array.from({ length: 120 }, (_, number) => buildTecEvent(number + 1)))
  // The third page never arrives, so that the process is killed during the import.
  large.answer = url => url.pathname.endsWith('/events') && url.searchParams.get('page') === '3'
  const headers = { authorization: `Bearer ${env.ADMIN_KEY}` }
  const imports = '/calendar/events/v1/imports'
  const body = { source: 'tec', url: large.url, dry_run: false }
  const first = await startKalends(env)
  const created = await sendRequest(first.url + imports, { method: 'POST', body, headers })
  const read = async (url: string) => (await sendRequest(`${url}${imports}/${created.body.id}`, { headers })).body
  await waitUntil(async () => (await read(first.url)).progress.done >= 50)
  await first.kill()

  large.answer = undefined
  // As if its lease had expired; another import makes the worker look for due imports.
  await dataLocation.query("update calendar.imports set leased_until = now() - interval '1 second'")
  const second = await startKalends(env)
  t.after(async () => await second.stop())
  await sendRequest(second.url + imports, { method: 'POST', body: { ...body, dry_run: true }, headers })
  await waitUntil(async () => (await read(second.url)).status === 'done')
  const { counts, progress } = await read(second.url)
  assert.deepEqual([counts.new, progress.done, counts.problem], [120, 120, 0])
  assert.equal(Number(await countEvents()) - before, 120)
})

test('a bank statement is imported from a file, and the result is printed', { skip: skipUnlessFull }, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-statement-'))
  t.after(async () => await rm(folder, { recursive: true }))
  const file = join(folder, 'march.xml')
  await writeFile(file, buildStatement([{ amount: '25.00', text: 'Spende', name: 'Ada Lovelace' }]))
  const done = await runKalends(['import', 'statement', file], env)
  assert.equal(done.code, 0, done.stderr)
  assert.match(done.stdout, /^Bank statement 1 \(camt\.053\.001\.08\) imported\.\nunmatched {2}1\n$/)
  assert.match((await runKalends(['import', 'statement', file], env)).stdout, /already imported\./)
})
