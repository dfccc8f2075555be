import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { password, startAdmin } from '#test/support/admin-client.ts'
import { calendar, event } from '#test/support/services.ts'

const { admin, visitor, signIn } = await startAdmin()
const edith = await signIn('editor')
const emil = await signIn('editor', 'de')
const vera = await signIn('viewer')

const venue = { venue: 'Town hall', description: '', slug: '', status: 'publish', image: '', etag: '' }
const readEtag = (html: string) => /name="etag" value="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? ''
const read = async (path: string, language = 'en') => (await admin.get(`${calendar}/${path}?language=${language}`)).body

test('a venue is created and edited in both languages, and the list shows its number of events', async () => {
  const created = await edith.sendAndFollow('/admin/venues/new?lang=en', {
    ...venue,
    address: 'Market 1',
    city: 'Lindenau',
    geo_lat: '51,5',
    geo_lng: '12.4'
  })
  assert.match(created.text, /Venue created\./)
  const id = Number(/action="\/admin\/venues\/(\d+)\?lang=en"/.exec(created.text)?.[1])
  await admin.post(`${calendar}/events`, { ...event, venue: id })
  await edith.sendAndFollow(`/admin/venues/${id}?lang=de`, {
    ...venue,
    venue: 'Rathaus',
    city: 'Lindenau',
    etag: readEtag(created.text)
  })
  assert.equal((await read(`venues/${id}`, 'en')).venue, 'Town hall')
  assert.equal((await read(`venues/${id}`, 'de')).venue, 'Rathaus')
  assert.equal((await read(`venues/${id}`)).geo_lat, undefined, 'a field that was emptied in the form is empty')

  const { text } = await edith.get('/admin/venues?search=town')
  assert.match(text, /<td class="number" data-label="Events">1<\/td>/)
  assert.match(text, /English: present/)
  assert.match(text, /German: present/)
})

test('each invalid field of a venue or organizer has an error at the field, and the input is kept', async () => {
  const incomplete = await edith.send('/admin/venues/new?lang=en', { ...venue, venue: '<i>Barn</i>', geo_lat: '51.5' })
  assert.equal(incomplete.status, 422)
  assert.match(incomplete.text, /id="field-geo-lng-error"/)
  assert.match(incomplete.text, /value="&lt;i>Barn&lt;\/i>"/)
  const wrong = await emil.send('/admin/organizers/new?lang=de', {
    organizer: 'Kulturkreis',
    email: 'keine Adresse',
    status: 'publish'
  })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /<a href="#field-email">E-Mail muss eine E-Mail-Adresse sein/)
  assert.match(wrong.text, /value="keine Adresse"/)
})

test('a concurrent change of a venue is a conflict that shows both versions', async () => {
  const { id } = (await admin.post(`${calendar}/venues`, { venue: 'Mill' })).body
  const opened = await edith.get(`/admin/venues/${id}?lang=en`)
  await admin.patch(`${calendar}/venues/${id}`, { city: 'Upstream' })
  const ownInput = { ...venue, venue: 'Mill', slug: 'mill', city: 'Downstream' }
  const conflict = await edith.send(`/admin/venues/${id}?lang=en`, { ...ownInput, etag: readEtag(opened.text) })
  assert.equal(conflict.status, 412)
  assert.match(conflict.text, /<th scope="row">City<\/th><td>Upstream<\/td><td>Downstream<\/td>/)
  assert.doesNotMatch(conflict.text, /<th scope="row">Name<\/th>/)
  await edith.sendAndFollow(`/admin/venues/${id}?lang=en`, { ...ownInput, etag: readEtag(conflict.text) })
  assert.equal((await read(`venues/${id}`)).city, 'Downstream')
})

test('an organizer is moved to the trash and restored', async () => {
  const { id } = (await admin.post(`${calendar}/organizers`, { organizer: 'Choir' })).body
  const trashed = await edith.sendAndFollow(`/admin/organizers/${id}/trash`, { name: 'Choir', status: 'publish' })
  assert.match(trashed.text, /“Choir” was moved to the trash\./)
  assert.equal((await edith.get(`/admin/organizers/${id}`)).status, 410)
  assert.match((await edith.get('/admin/organizers?show=trash')).text, /Choir/)
  await edith.sendAndFollow(`/admin/organizers/${id}/restore`, { name: 'Choir', status: 'publish' })
  assert.equal((await read(`organizers/${id}`)).status, 'publish')
})

test('a category has a parent, and is deleted after a confirmation page', async () => {
  const parent = (await admin.post(`${calendar}/categories`, { name: 'Music' })).body
  const created = await edith.sendAndFollow('/admin/categories/new?lang=en', {
    name: 'Choirs',
    description: 'Voices & more',
    slug: '',
    parent: String(parent.id)
  })
  const id = Number(/action="\/admin\/categories\/(\d+)\?lang=en"/.exec(created.text)?.[1])
  assert.equal((await read(`categories/${id}`)).parent, parent.id)
  assert.match(created.text, />Voices &amp; more<\/textarea>/)
  assert.match((await edith.get('/admin/categories')).text, /<td>Music<\/td>/)

  const confirmation = await edith.get(`/admin/categories/${parent.id}/delete`)
  assert.match(confirmation.text, /Delete the category “Music”\?/)
  assert.equal((await read(`categories/${parent.id}`)).name, 'Music', 'opening the confirmation page deletes nothing')
  await edith.sendAndFollow(`/admin/categories/${parent.id}/delete`, { name: 'Music' })
  assert.equal((await admin.get(`${calendar}/categories/${parent.id}`)).status, 404)
})

test('the text of a tag can be removed in one language, but not in the last', async () => {
  const { id } = (await admin.post(`${calendar}/tags?language=en`, { name: 'outdoors' })).body
  await edith.sendAndFollow(`/admin/tags/${id}?lang=de`, { name: 'draußen', description: '', slug: '' })
  await edith.sendAndFollow(`/admin/tags/${id}/remove-text?lang=en`, {})
  assert.deepEqual((await read(`tags/${id}`)).translations, ['de'])
  const last = await edith.send(`/admin/tags/${id}/remove-text?lang=de`, {})
  assert.equal(last.status, 400)
})

test('lists of the calendar can be downloaded as CSV, in German with semicolons, and without formulas', async () => {
  await admin.post(`${calendar}/venues`, { venue: '@cmd|calc', city: 'Lindenau; Süd' })
  const { text, headers } = await emil.get('/admin/venues.csv?search=Lindenau')
  assert.match(headers['content-disposition'] ?? '', /venues-/)
  assert.match(text, /^\ufeffid;Name;Straße und Hausnummer;/)
  assert.match(text, /'@cmd\|calc/)
  assert.match(text, /"Lindenau; Süd"/)
  for (const list of ['organizers', 'categories', 'tags']) {
    assert.equal((await vera.get(`/admin/${list}.csv`)).status, 200)
  }
})

test('viewers see the lists without buttons, and get 403 for the forms', async () => {
  const { id } = (await admin.post(`${calendar}/venues`, { venue: 'Open barn' })).body
  for (const list of ['venues', 'organizers', 'categories', 'tags']) {
    const { status, text } = await vera.get(`/admin/${list}`)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /\/new"|>Trash|>Delete/)
    assert.equal((await vera.get(`/admin/${list}/new`)).status, 403)
  }
  assert.equal((await vera.get(`/admin/venues/${id}`)).status, 403)
  assert.equal((await vera.get('/admin/images')).status, 403)
  assert.equal((await vera.send(`/admin/venues/${id}/trash`, {})).status, 403)
})

test('several images are uploaded at once; files that are no images are left out', async () => {
  const session = (await visitor.post('/sessions', { email: edith.email, password })).body.token
  const cookie = `kalends_session=${session}`
  const page = await visitor.get('/admin/images', { cookie })
  assert.match(page.text, /There are no images yet/)
  const token = /name="_token" value="([0-9a-f]+)"/.exec(page.text)?.[1] ?? ''
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a5301b' } })
    .png()
    .toBuffer()
  const send = async (files: Buffer[]) => {
    const body = new FormData()
    body.append('_token', token)
    body.append('alt', 'Red & "blue"')
    for (const [index, file] of files.entries())
      body.append('files[]', new Blob([new Uint8Array(file)]), `${index}.png`)
    const request = new Request('http://localhost/', { method: 'POST', body })
    return await visitor.send({
      method: 'POST',
      url: '/admin/images',
      headers: { cookie, 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer())
    })
  }
  assert.equal((await send([])).status, 422)
  assert.equal((await send([Buffer.from('no picture')])).status, 422)
  assert.equal((await send([png, Buffer.from('no picture'), png])).status, 303)
  const { media } = (await admin.get(`${calendar}/media`)).body
  assert.equal(media.length, 2)
  const grid = await edith.get('/admin/images')
  assert.match(grid.text, /<p class="image-alt">Red &amp; "blue"<\/p>|Red &amp; &quot;blue&quot;/)
  const confirmation = await edith.get(`/admin/images/${media[0].id}/delete`)
  assert.match(confirmation.text, /Delete this image\?/)
  await edith.sendAndFollow(`/admin/images/${media[0].id}/delete`, {})
  assert.equal((await admin.get(`${calendar}/media`)).body.total, 1)
})

test('a form with a wrong token or from another origin is refused and changes nothing', async () => {
  const { id } = (await admin.post(`${calendar}/venues`, { venue: 'Steadfast' })).body
  const forged = await edith.send(`/admin/venues/${id}/trash`, { _token: 'wrong' })
  assert.equal(forged.status, 403)
  const foreign = await edith.send(`/admin/venues/${id}/trash`, {}, { origin: 'https://evil.example' })
  assert.equal(foreign.status, 403)
  assert.equal((await read(`venues/${id}`)).status, 'publish')
})
