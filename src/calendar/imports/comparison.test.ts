import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noCounts, startImports } from '#test/support/calendar/imports.ts'
import { buildTecEvent, startTecSite, type TecSite } from '#test/support/calendar/tec-site.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, type TestResponse } from '#test/support/services.ts'

const here = await startImports()
const { editor, findEvent, runImport, listRows, readState } = here

async function runComparison(id: number, fields: object = {}): Promise<TestResponse['body']> {
  const created = await editor.post(`${calendar}/imports/${id}/compare`, fields)
  assert.equal(created.status, 201, created.text)
  await here.runWaitingImports()
  return await here.read(created.body.id)
}

/** An event whose slug no other test uses. */
const newEvent = (id: number, title: string, fields: object = {}) =>
  buildTecEvent(id, { title, slug: title.toLowerCase().replace(/\W+/g, '-'), ...fields })

interface Row {
  title: string
  outcome: string
  codes: string[]
  differences: { field: string; theirs: string; ours: string; code: string | null }[]
}

async function findRow(id: number, title: string): Promise<Row> {
  const row = (await listRows(id)).find((one: Row) => one.title === title)
  assert.ok(row, title)
  return row
}

test('a comparison of an untouched import finds everything equal, and writes nothing', async () => {
  const venue = { id: 7, venue: 'Hall &amp; Garden', slug: 'hall', address: 'Main Street 1', city: 'Köln', website: '' }
  const category = { id: 8, name: 'Music', slug: 'music', description: '', parent: 0 }
  const site = await startTecSite([
    buildTecEvent(1, { title: 'Equal &#038; <Same>', venue, categories: [category], cost: '10€', slug: 'equal-one' }),
    newEvent(2, 'Another equal', { description: '<p>One <b>two</b> <a href="/there">three</a></p>' })
  ])
  site.lists.venues = [venue]
  site.lists.categories = [category]
  const done = await runImport(site)
  const before = await readState()
  const result = await runComparison(done.id)
  assert.deepEqual(result.counts, { ...noCounts, same: 4 }, JSON.stringify(await listRows(result.id)))
  assert.deepEqual([result.compares, result.dry_run, result.based_on, result.can_undo], [true, true, done.id, false])
  assert.equal((await here.read(done.id)).comparison, result.id)
  assert.deepEqual(await readState(), before)
})

test('each kind of expected difference is reported with its own code', async () => {
  const frame = '<iframe src="https://www.youtube.com/embed/abcdefgh"></iframe>'
  const site = await startTecSite([
    newEvent(1, 'With a frame', { description: `<p>Look</p>${frame}` }),
    newEvent(2, 'With a form', { description: '<p>Write</p><form><button>Send</button></form>' }),
    newEvent(3, 'With a reason', { description: '<p>Text</p>' }),
    newEvent(4, 'With a script as website', { website: 'javascript:alert(1)' }),
    buildTecEvent(5, { title: 'x'.repeat(600) }),
    newEvent(6, 'With a password'),
    newEvent(7, 'Without its image', { image: { id: 3, url: 'http://127.0.0.1:1/nothing.png' } })
  ])
  site.posts = {
    3: { meta: { _tribe_events_status: 'canceled', _tribe_events_status_reason: 'Storm.' } },
    6: { password: 'open sesame' }
  }
  const result = await runComparison((await runImport(site)).id)
  assert.deepEqual(result.counts, { ...noCounts, explained: 7 }, JSON.stringify(await listRows(result.id)))
  const codes = {
    'With a frame': 'embed-became-link',
    'With a form': 'markup-removed',
    'With a reason': 'status-reason-in-text',
    'With a script as website': 'value-left-out',
    [`${'x'.repeat(200)}`]: 'rejected',
    'With a password': 'password-protected',
    'Without its image': 'image-not-fetched'
  }
  for (const [title, code] of Object.entries(codes)) {
    const row = await findRow(result.id, title)
    assert.ok(row.codes.includes(code), `${title}: ${row.codes}`)
    assert.deepEqual(
      (await listRows(result.id, `&code=${code}`)).map((one: Row) => one.title),
      [title]
    )
  }
  const { differences } = await findRow(result.id, 'With a reason')
  assert.deepEqual(differences, [
    {
      field: 'description',
      theirs: 'Text',
      ours: 'Cancelled: Storm. Text',
      code: 'status-reason-in-text',
      reason: 'The reason of the cancellation or postponement is the first paragraph of the description.'
    }
  ])
})

/** A site whose events were imported and then changed, at the site or here. */
async function startChangedSite(prefix: string): Promise<{ site: TecSite; id: number }> {
  const site = await startTecSite(
    ['Edited here', 'Edited there', 'Edited on both sides', 'Deleted here', 'Deleted there', 'Unchanged'].map(
      (title, place) => newEvent(place + 1, `${prefix}: ${title}`, { url: `https://old.example/event/${place + 1}/` })
    )
  )
  const { id } = await runImport(site)
  for (const title of ['Edited here', 'Edited on both sides']) {
    const event = await findEvent(`${prefix}: ${title}`)
    await editor.post(`${calendar}/events/${event.id}`, { website: 'https://here.example/' })
  }
  await editor.delete(`${calendar}/events/${(await findEvent(`${prefix}: Deleted here`)).id}`)
  const [edited, editedThere, both, deleted, , unchanged] = site.lists.events
  site.lists.events = [
    { ...edited },
    { ...editedThere, website: 'https://there.example/' },
    { ...both, website: 'https://there.example/' },
    { ...deleted },
    { ...unchanged },
    newEvent(9, `${prefix}: New there`)
  ]
  return { site, id }
}

test('a comparison reports items that changed here or at the source, are missing here, or are gone at the source', async () => {
  const { id } = await startChangedSite('Sides')
  const result = await runComparison(id)
  assert.deepEqual(result.counts, { ...noCounts, same: 1, explained: 2, differs: 2, missing: 1, gone: 1 })
  const expected: Record<string, [outcome: string, codes: string[]]> = {
    Unchanged: ['same', []],
    'Edited here': ['explained', ['edited-here']],
    'Deleted here': ['explained', ['removed-here']],
    'Edited there': ['differs', ['changed-at-source']],
    'Edited on both sides': ['differs', ['changed-at-source', 'edited-here']],
    'New there': ['missing', ['not-imported']],
    'Deleted there': ['gone', ['gone']]
  }
  for (const [title, [outcome, codes]] of Object.entries(expected)) {
    const row = await findRow(result.id, `Sides: ${title}`)
    assert.deepEqual([row.outcome, row.codes], [outcome, codes], title)
  }
  const [difference] = (await findRow(result.id, 'Sides: Edited there')).differences
  assert.deepEqual(
    [difference?.field, difference?.theirs, difference?.code],
    ['website', 'https://there.example/', null]
  )
})

test('the report can be filtered by kind, outcome and reason, has counts of them, and can be downloaded as CSV', async () => {
  const { id } = await startChangedSite('Filter')
  const result = await runComparison(id)
  const path = `${calendar}/imports/${result.id}`
  const { body } = await editor.get(`${path}/rows?outcome=differs&kind=event&code=edited-here`)
  assert.deepEqual(
    body.rows.map(({ title }: Row) => title),
    ['Filter: Edited on both sides']
  )
  assert.deepEqual([body.total, body.kinds.event, body.codes['edited-here']], [1, 7, 2])
  const [row] = body.rows
  assert.match(row.item_url, /\/admin\/events\/\d+$/)
  assert.equal(row.source_url, 'https://old.example/event/3/')
  assert.deepEqual((await editor.get(`${path}/rows?kind=venue`)).body.rows, [])
  for (const query of ['code=nonsense', 'kind=nonsense', 'outcome=nonsense'])
    assert.equal((await editor.get(`${path}/rows?${query}`)).status, 400, query)
  const { headers, text } = await editor.get(`${path}/report.csv?outcome=differs`)
  assert.match(headers['content-type'] ?? '', /^text\/csv/)
  assert.match(text, /^Kind,Title,Outcome,Field,/)
  assert.match(text, /event,Filter: Edited there,differs,website,https:\/\/there\.example\/,/)
  assert.match(text, /https:\/\/old\.example\/event\/2\//)
  assert.doesNotMatch(text, /Unchanged/)
  assert.equal((await editor.get(`${calendar}/imports/999999/report.csv`)).status, 404)
})

test('without credentials a comparison explains why private items of the site are missing', async () => {
  const login = { user: 'editor', password: 'abcd efgh' }
  const site = await startTecSite([newEvent(1, 'For all'), newEvent(2, 'Not for all', { status: 'private' })])
  site.login = login
  const withLogin = await runImport(site, { username: login.user, password: login.password })
  const refused = await editor.post(`${calendar}/imports/${withLogin.id}/compare`)
  assert.deepEqual([refused.status, /password/.test(refused.text)], [400, true])
  assert.deepEqual((await runComparison(withLogin.id, { password: login.password })).counts, { ...noCounts, same: 2 })
  const withoutLogin = await runImport(site)
  assert.deepEqual(withoutLogin.counts, { ...noCounts, same: 1 })
  const result = await runComparison(withoutLogin.id)
  assert.deepEqual(result.counts, { ...noCounts, same: 1, explained: 1 })
  assert.deepEqual((await findRow(result.id, 'Not for all')).codes, ['needs-credentials'])
})

test('only a finished import from a site can be compared, and a comparison cannot be run or undone', async () => {
  const site = await startTecSite([buildTecEvent(1, { title: 'Comparable' })])
  const dry = await runImport(site, { dry_run: true })
  const refused = await editor.post(`${calendar}/imports/${dry.id}/compare`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'import-not-comparable'])
  const result = await runComparison((await runImport(site)).id)
  assert.equal((await editor.post(`${calendar}/imports/${result.id}/run`)).body.code, 'import-not-finished')
  assert.equal((await editor.post(`${calendar}/imports/${result.id}/undo`)).body.code, 'import-cannot-be-undone')
  assert.equal((await editor.post(`${calendar}/imports/999999/compare`)).status, 404)
})

test('if a page of the site cannot be read, it is reported and no item counts as gone', {
  skip: skipUnlessFull
}, async () => {
  const site = await startTecSite([buildTecEvent(1, { title: 'Unreadable later' })])
  const { id } = await runImport(site)
  site.answer = (url, response) => {
    if (!url.pathname.endsWith('/venues') || url.searchParams.get('per_page') === '1') return false
    response.writeHead(500).end()
    return true
  }
  site.lists.events = []
  const result = await runComparison(id)
  assert.deepEqual([result.counts.gone, result.counts.problem > 0], [0, true])
  assert.ok((await listRows(result.id, '&outcome=problem')).every((row: Row) => row.codes.includes('unreadable')))
})
