import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { sql } from '#platform/database/sql.ts'
import { noCounts, startImports } from '#test/support/calendar/imports.ts'
import { buildTecEvent, startTecSite, type TecSite } from '#test/support/calendar/tec-site.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar } from '#test/support/services.ts'

const here = await startImports()
const { findEvent, runImport, listRows, readState, undoImport } = here

const newPicture = async (background: string) =>
  await sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .png()
    .toBuffer()

/** Serves a picture at each of these paths, and 404 at all others below the uploads. */
function serveUploads(site: TecSite, pictures: Record<string, Buffer>): void {
  site.answer = (url, response) => {
    if (!url.pathname.startsWith('/wp-content/')) return false
    const bytes = pictures[url.pathname.slice('/wp-content/uploads/'.length)]
    response.writeHead(bytes === undefined ? 404 : 200, { 'content-type': 'image/png' }).end(bytes)
    return true
  }
}

test('a cancelled event is imported as cancelled with its reason, and prices with their currency', async () => {
  const details = { currency_symbol: '', currency_position: '', values: ['10', '25'] }
  const site = await startTecSite([
    buildTecEvent(1, { title: 'Garden &#038; <Party>', cost: '10€ – 25€', cost_details: details })
  ])
  site.posts = { 1: { meta: { _tribe_events_status: 'canceled', _tribe_events_status_reason: 'Storm.' } } }
  assert.equal((await runImport(site)).counts.new, 1)
  const event = await findEvent('Garden')
  assert.equal(event.event_status, 'canceled')
  assert.match(event.description, /^<p><strong>Cancelled:<\/strong> Storm\.<\/p>/)
  assert.deepEqual([event.cost, event.cost_details.currency_symbol], ['10€ – 25€', '€'])
  assert.equal(event.title, 'Garden & <Party>')
})

test('images inside a text are copied with their alternative texts; images that are missing keep their URL', {
  skip: skipUnlessFull
}, async () => {
  const site = await startTecSite()
  serveUploads(site, { 'hall.png': await newPicture('red'), 'hall-large.png': await newPicture('blue') })
  const uploads = `${site.url}/wp-content/uploads`
  site.media = [{ id: 5, alt_text: 'The "great" hall' }]
  site.lists.events = [
    buildTecEvent(1, {
      title: 'Hall with pictures',
      image: { id: 5, url: `${uploads}/hall.png` },
      description:
        `<p><a href="${uploads}/hall-large.png"><img class="wp-image-5" src="${uploads}/hall.png" srcset="x" alt=""></a>` +
        `<img src="${uploads}/gone.png" alt="Gone"><img src="https://other.example/x.png" alt="Other">` +
        `<a href="${uploads}/programme.pdf">Programme</a></p>`
    })
  ]
  const before = await readState()
  const done = await runImport(site)
  assert.deepEqual(done.counts, { ...noCounts, new: 3, problem: 2 })
  const { description, image } = await findEvent('Hall with pictures')
  assert.equal(image.alt, 'The "great" hall')
  const [, large, shown, alt] =
    /<a href="([^"]+)"[^>]*><img src="([^"]+)" alt="([^"]*)" \/><\/a>/.exec(description) ?? []
  assert.match(large ?? '', /\/media\/\d+\/[0-9a-f]{16}\/full\/hall-large\.png$/)
  assert.equal(new URL(shown ?? '', image.url).pathname, new URL(image.url).pathname)
  assert.equal(alt, 'The &quot;great&quot; hall')
  assert.equal((await here.visitor.get(new URL(large ?? '', image.url).pathname)).status, 200)
  assert.ok(description.includes(`<img src="${uploads}/gone.png" alt="Gone" />`))
  assert.ok(description.includes('<img src="https://other.example/x.png" alt="Other" />'))
  const [row] = (await listRows(done.id)).filter(({ kind }) => kind === 'event')
  assert.equal(row.reasons.length, 2)
  assert.match(row.reasons.join(' '), /gone\.png.*programme\.pdf/)
  assert.deepEqual(row.codes, ['inline-image-stayed', 'file-stayed'])

  assert.deepEqual((await runImport(site)).counts, { ...noCounts, same: 1, problem: 2 })
  await undoImport(done.id)
  assert.deepEqual(await readState(), before)
})

test('undo keeps an image that a kept text shows', async () => {
  const site = await startTecSite()
  serveUploads(site, { 'kept.png': await newPicture('green') })
  const description = `<p><img src="${site.url}/wp-content/uploads/kept.png" alt=""></p>`
  site.lists.events = [buildTecEvent(1, { title: 'Kept with picture', description })]
  const done = await runImport(site)
  const event = await findEvent('Kept with picture')
  await here.editor.post(`${calendar}/events/${event.id}`, { title: 'Kept and edited' })
  assert.equal((await undoImport(done.id)).counts.kept, 2)
  const [, path = ''] = /<img src="(?:https?:\/\/[^/]+)?([^"]+)"/.exec(event.description) ?? []
  assert.equal((await here.visitor.get(path)).status, 200)
})

const login = { user: 'editor', password: 'abcd efgh ijkl mnop' }

/** A site with a public event and one of each kind that visitors cannot read. */
async function startGuardedSite(prefix: string): Promise<TecSite> {
  const site = await startTecSite([
    buildTecEvent(1, { title: `${prefix} public` }),
    buildTecEvent(2, { title: `${prefix} draft`, status: 'draft' }),
    buildTecEvent(3, { title: `${prefix} private`, status: 'private' }),
    buildTecEvent(4, { title: `${prefix} hidden`, hide_from_listings: true }),
    buildTecEvent(5, { title: `${prefix} protected`, description: '<p>Secret</p>' }),
    buildTecEvent(6, { title: `${prefix} trash`, status: 'trash' })
  ])
  site.posts = { 5: { password: 'open sesame' } }
  site.login = login
  return site
}

test('without credentials only public events are imported, and protected ones are reported', async () => {
  const site = await startGuardedSite('Visitor')
  const done = await runImport(site)
  assert.deepEqual(done.counts, { ...noCounts, new: 1, skipped: 1 })
  assert.equal(done.username, null)
})

test('with an application password drafts, private, hidden and protected events are imported', async () => {
  const site = await startGuardedSite('Member')
  const done = await runImport(site, { username: login.user, password: login.password })
  assert.deepEqual(done.counts, { ...noCounts, new: 5 })
  const query = `${calendar}/events?start_date=2000-01-01&end_date=2100-01-01&search=Member`
  const listed = (await here.editor.get(`${query}&status=publish,draft,private`)).body.events
  assert.deepEqual(
    listed.map(({ title, status }: Record<string, string>) => [title, status]).sort(),
    [
      ['Member draft', 'draft'],
      ['Member private', 'private'],
      ['Member protected', 'publish'],
      ['Member public', 'publish']
    ].sort()
  )
  const [hidden] = (await here.editor.get(`${query}&hidden=true`)).body.events
  assert.deepEqual([hidden.title, hidden.hide_from_listings], ['Member hidden', true])
  const { id } = listed.find(({ title }: { title: string }) => title === 'Member protected')
  assert.equal((await here.visitor.get(`${calendar}/events/${id}`)).status, 403)
  const opened = await here.visitor.get(`${calendar}/events/${id}?password=open%20sesame`)
  assert.match(opened.body.description, /Secret/)
  assert.deepEqual((await runImport(site, { username: login.user, password: login.password })).counts, {
    ...noCounts,
    same: 5
  })
})

test('an application password is stored encrypted, only until the import ends, and never returned', async () => {
  const site = await startGuardedSite('Stored')
  const fields = { username: login.user, password: login.password, dry_run: true }
  const id = await here.createImport(site, fields)
  const findId = async () =>
    await here.store.one<{ stored: Buffer | null }>(sql`
      select login_password as stored from calendar.imports where id = ${id}`)
  const { stored } = await findId()
  assert.ok(stored !== null && !stored.includes(login.password))
  assert.ok(!JSON.stringify(await here.read(id)).includes(login.password))
  await here.runWaitingImports()
  const checked = await here.read(id)
  assert.deepEqual([checked.status, checked.username, checked.counts.new], ['done', 'editor', 5])
  assert.equal((await findId()).stored, null)

  const refused = await here.editor.post(`${calendar}/imports/${id}/run`, {})
  assert.equal(refused.status, 400)
  assert.match(refused.text, /password/)
  const run = await here.editor.post(`${calendar}/imports/${id}/run`, { password: login.password })
  assert.equal(run.status, 201, run.text)
  await here.runWaitingImports()
  assert.deepEqual((await here.read(run.body.id)).counts, { ...noCounts, new: 5 })
})

test('an import fails if the application password is wrong, or if a redirect would send it to another host', async () => {
  const site = await startGuardedSite('Wrong')
  const failed = await runImport(site, { username: login.user, password: 'wrong' })
  assert.equal(failed.status, 'failed')
  assert.match(failed.error, /did not accept/)
  for (const fields of [{ username: 'editor' }, { password: 'x' }, { source: 'ical', username: 'a', password: 'b' }]) {
    const refused = await here.editor.post(`${calendar}/imports`, { source: 'tec', url: site.url, ...fields })
    assert.equal(refused.status, 400, JSON.stringify(fields))
  }
  const other = await startTecSite()
  other.answer = (url, response) => {
    const target = new URL(url.pathname + url.search, site.url.replace('127.0.0.1', 'localhost'))
    response.writeHead(301, { location: target.href }).end()
    return true
  }
  const redirected = await runImport(other, { username: login.user, password: login.password })
  assert.match(redirected.error, /not sent/)
})

test('redirects find items by the id and by every slug that they had at the source, until the import is undone', {
  skip: skipUnlessFull
}, async () => {
  const site = await startTecSite([
    buildTecEvent(91, { title: 'Moved in', slug: 'old-name', url: 'https://site.example/event/old-name/' }),
    buildTecEvent(92, { title: 'Moved too', slug: '%e6%97%a5-2026' })
  ])
  const first = await runImport(site)
  site.lists.events = [buildTecEvent(91, { title: 'Moved in', slug: 'new-name' })]
  await runImport(site)
  const { id } = await findEvent('Moved in')
  const findId = async (query: string) =>
    (await here.visitor.get(`${calendar}/redirects?kind=event&${query}`)).body.redirects[0]?.id
  for (const old of ['post_id=91', 'slug=old-name', 'slug=new-name']) assert.equal(await findId(old), id, old)
  assert.equal(await findId('slug=%E6%97%A5-2026'), (await findEvent('Moved too')).id)
  assert.equal(await findId('slug=nothing'), undefined)
  const { uid } = await here.store.one<{ uid: string }>(sql`select uid from calendar.events where id = ${id}`)
  assert.equal(uid, '91-1827655200-1827658800@site.example')
  await undoImport(first.id)
  assert.equal(await findId('slug=%e6%97%a5-2026'), undefined)
})

test('an upcoming event that is gone at the site is reported, unless the site may only hide it from visitors', {
  skip: skipUnlessFull
}, async () => {
  const site = await startGuardedSite('Gone')
  const fields = { username: login.user, password: login.password }
  await runImport(site, fields)
  site.lists.events = [buildTecEvent(9, { title: 'Gone not at all' })]
  const withoutLogin = await runImport(site)
  assert.deepEqual(withoutLogin.counts, { ...noCounts, new: 1, gone: 1 })
  assert.deepEqual(
    (await listRows(withoutLogin.id, '&outcome=gone')).map(({ title, codes }) => [title, codes]),
    [['Gone public', ['gone']]]
  )
  assert.deepEqual((await runImport(site, fields)).counts, { ...noCounts, same: 1, gone: 5 })
  assert.equal((await findEvent('Gone public')).status, 'publish')
})

test('an image that first appears inside a text gets the alternative text that a later event has', async () => {
  const site = await startTecSite()
  serveUploads(site, { 'choir.png': await newPicture('yellow') })
  const url = `${site.url}/wp-content/uploads/choir.png`
  site.media = [{ id: 5, alt_text: 'The choir' }]
  site.lists.events = [
    buildTecEvent(1, { title: 'Choir in the text', description: `<p><img src="${url}"></p>` }),
    ...Array.from({ length: 30 }, (_, place) => buildTecEvent(place + 10, { title: `Between ${place}` })),
    buildTecEvent(2, { title: 'Choir as image', image: { id: 5, url } })
  ]
  await runImport(site)
  assert.equal((await findEvent('Choir as image')).image.alt, 'The choir')
})

test('links to the imported site have no rel="nofollow ugc", links to other sites have it', async () => {
  const site = await startTecSite()
  const description = `<p><a href="${site.url}/there/">here</a> <a href="https://other.example/">there</a></p>`
  site.lists.events = [buildTecEvent(1, { title: 'With own links', description })]
  await runImport(site)
  const event = await findEvent('With own links')
  assert.ok(event.description.includes(`<a href="${site.url}/there/" rel="noopener">`), event.description)
  assert.ok(event.description.includes('<a href="https://other.example/" rel="noopener nofollow ugc">'))
})
