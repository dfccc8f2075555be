import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { password, startAdmin } from '#test/support/admin-client.ts'
import { calendar, event } from '#test/support/services.ts'

const { admin, visitor, signIn } = await startAdmin({ env: { TIMEZONE: 'Europe/Berlin' } })
const edith = await signIn('editor')
const vera = await signIn('viewer')

/** The fields of the form as a browser sends them. */
const form = {
  title: 'Summer concert',
  description: '<p>Bring a chair.</p>',
  excerpt: '',
  slug: '',
  start_date: '2027-06-01',
  start_time: '19:00',
  end_date: '2027-06-01',
  end_time: '21:00',
  timezone: 'Europe/Berlin',
  venue: '',
  cost: '',
  website: '',
  image: '',
  event_status: 'scheduled',
  status: 'publish',
  etag: ''
}

const anEvent = async (fields: object = {}, language = 'en') =>
  (await admin.post(`${calendar}/events?language=${language}`, { ...event, ...fields })).body
const read = async (id: number, language = 'en') =>
  (await admin.get(`${calendar}/events/${id}?language=${language}&context=edit`)).body
const readEtag = (html: string) => /name="etag" value="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? ''

test('one form creates an event with its new venue, organizer and terms, and the editor stays open', async () => {
  const created = await edith.sendAndFollow('/admin/events/new?lang=de', {
    ...form,
    title: 'Sommerfest & Flohmarkt',
    excerpt: 'Essen & Trinken',
    new_venue_venue: 'Gemeindehaus',
    new_venue_city: 'Lindenau',
    new_organizer_organizer: 'Kulturkreis',
    new_categories: 'Feste, 2027',
    new_tags: 'draußen',
    cost: '5 €',
    featured: 'yes'
  })
  assert.equal(created.status, 200)
  assert.match(created.text, /Event created\./)
  assert.match(created.text, /View on site/)
  const id = Number(/action="\/admin\/events\/(\d+)\?lang=de"/.exec(created.text)?.[1])
  const saved = await read(id, 'de')
  assert.equal(saved.title, 'Sommerfest & Flohmarkt')
  assert.equal(saved.language, 'de')
  assert.deepEqual(saved.translations, ['de'])
  assert.equal(saved.excerpt, '<p>Essen &amp; Trinken</p>')
  assert.equal(saved.start_date, '2027-06-01 19:00:00')
  assert.equal(saved.venue.venue, 'Gemeindehaus')
  assert.equal(saved.organizer[0].organizer, 'Kulturkreis')
  assert.deepEqual(
    saved.categories.map(({ name }: { name: string }) => name),
    ['2027', 'Feste']
  )
  assert.equal(saved.featured, true)
  assert.match(created.text, /<textarea[^>]*name="excerpt"[^>]*>Essen &amp; Trinken<\/textarea>/)
})

test('an invalid field has an error with the label of the form, the input is kept, and nothing is created', async () => {
  const { status, text } = await edith.send('/admin/events/new?lang=en', {
    ...form,
    title: 'Concert <script>alert(1)</script>',
    end_date: '2027-05-01',
    new_venue_venue: 'A new hall',
    new_venue_city: 'Lindenau',
    new_tags: 'loud'
  })
  assert.equal(status, 422)
  assert.match(text, /<a href="#field-end-date">Last day must not be before the start/)
  assert.match(text, /aria-describedby="[^"]*field-end-date-error" aria-invalid="true"/)
  assert.match(text, /value="Concert &lt;script>alert\(1\)&lt;\/script>"|value="Concert &lt;script&gt;/)
  assert.doesNotMatch(text, /<script>alert/)
  assert.match(text, /name="new_venue_venue"[^>]*value="A new hall"|value="A new hall"[^>]*name="new_venue_venue"/)
  assert.match(text, /<details class="new-one" open>/)
  assert.match(text, /value="loud"/)
  const { body } = await admin.get(`${calendar}/venues?search=A%20new%20hall`)
  assert.equal(body.total, 0, 'a refused form creates no venue')
})

test('the form refuses a missing time, a new venue without a name, and a publication date in the past', async () => {
  const { status, text } = await edith.send('/admin/events/new?lang=en', {
    ...form,
    start_time: '',
    new_venue_city: 'Lindenau',
    status: 'future',
    publish_at: '2020-01-01T10:00'
  })
  assert.equal(status, 422)
  assert.match(text, /id="field-start-time-error"/)
  assert.match(text, /The new venue needs a name\./)
  assert.match(text, /Publish on must be a day and time in the future\./)
})

test('one language is edited without changing the other, and removed after a confirmation page', async () => {
  const { id } = await anEvent({ title: 'Open day' })
  const german = await edith.get(`/admin/events/${id}?lang=de`)
  assert.match(german.text, /There is no German text yet/)
  assert.match(german.text, /data-copy-into="title" data-text="Open day"/)
  assert.match(german.text, /<input type="text" value required[^>]*name="title"/)

  await edith.sendAndFollow(`/admin/events/${id}?lang=de`, {
    ...form,
    title: 'Tag der offenen Tür',
    etag: readEtag(german.text)
  })
  assert.equal((await read(id, 'en')).title, 'Open day')
  assert.equal((await read(id, 'de')).title, 'Tag der offenen Tür')

  const question = await edith.get(`/admin/events/${id}/remove-text?lang=de`)
  assert.match(question.text, /Remove the German text “Tag der offenen Tür”\?/)
  await edith.sendAndFollow(`/admin/events/${id}/remove-text?lang=de`, {})
  assert.deepEqual((await read(id, 'de')).translations, ['en'])
})

test('a concurrent change is a conflict that shows both versions, and saving again overwrites', async () => {
  const { id } = await anEvent({ title: 'Choir rehearsal', cost: '3€' })
  const opened = await edith.get(`/admin/events/${id}?lang=en`)
  await admin.patch(`${calendar}/events/${id}?language=en`, { title: 'Choir rehearsal moved', cost: '4€' })

  const ownInput = { ...form, title: 'Choir rehearsal for all', cost: '4€', description: '' }
  const conflict = await edith.send(`/admin/events/${id}?lang=en`, { ...ownInput, etag: readEtag(opened.text) })
  assert.equal(conflict.status, 412)
  assert.match(conflict.text, /Another user saved changes in the meantime/)
  assert.match(
    conflict.text,
    /<th scope="row">Title<\/th><td>Choir rehearsal moved<\/td><td>Choir rehearsal for all<\/td>/
  )
  assert.doesNotMatch(conflict.text, /<th scope="row">Cost<\/th>/, 'equal fields are not shown')
  assert.match(conflict.text, /value="Choir rehearsal for all"/)
  assert.equal((await read(id)).title, 'Choir rehearsal moved')

  await edith.sendAndFollow(`/admin/events/${id}?lang=en`, { ...ownInput, etag: readEtag(conflict.text) })
  assert.equal((await read(id)).title, 'Choir rehearsal for all')
})

test('a duplicated event has all fields in both languages, is a draft, and opens in the editor', async () => {
  const { id } = await anEvent({ title: 'Workshop', venue: { venue: 'Barn' }, tags: 'clay', featured: true })
  await admin.patch(`${calendar}/events/${id}?language=de`, { title: 'Werkstatt', description: 'Mit Ton.' })
  const copy = await edith.sendAndFollow(`/admin/events/${id}/duplicate`, {})
  assert.match(copy.text, /It is a draft until you publish it/)
  const copied = Number(/action="\/admin\/events\/(\d+)\?lang=/.exec(copy.text)?.[1])
  assert.notEqual(copied, id)
  const [english, german] = [await read(copied, 'en'), await read(copied, 'de')]
  assert.equal(english.title, 'Workshop (copy)')
  assert.equal(german.title, 'Werkstatt (Kopie)')
  assert.equal(german.description, '<p>Mit Ton.</p>')
  assert.equal(english.status, 'draft')
  assert.equal(english.venue.venue, 'Barn')
  assert.equal(english.tags[0].name, 'clay')
  assert.equal(english.featured, true)
})

test('undo restores a trashed event with its status; restoring without a status makes it a draft; deleting removes it', async () => {
  const { id } = await anEvent({ title: 'Bazaar' })
  const trashed = await edith.sendAndFollow(`/admin/events/${id}/trash`, {
    title: 'Bazaar',
    status: 'publish',
    back: '?show=all'
  })
  assert.match(trashed.text, /“Bazaar” was moved to the trash\./)
  assert.match(trashed.text, new RegExp(`action="/admin/events/${id}/restore"`))
  assert.equal((await edith.get(`/admin/events/${id}`)).status, 410)
  assert.match((await edith.get('/admin/events?show=trash')).text, /Bazaar/)

  await edith.sendAndFollow(`/admin/events/${id}/restore`, { title: 'Bazaar', status: 'publish', back: '?show=all' })
  assert.equal((await read(id)).status, 'publish')
  await edith.sendAndFollow(`/admin/events/${id}/trash`, { title: 'Bazaar' })
  await edith.sendAndFollow(`/admin/events/${id}/restore`, { title: 'Bazaar' })
  assert.equal((await read(id)).status, 'draft')
  await edith.sendAndFollow(`/admin/events/${id}/trash`, { title: 'Bazaar' })
  await edith.sendAndFollow(`/admin/events/${id}/delete`, { title: 'Bazaar' })
  assert.equal((await admin.get(`${calendar}/events/${id}`)).status, 404)
})

test('a form of the list redirects only to the list', async () => {
  const { id } = await anEvent()
  const answer = await edith.send(`/admin/events/${id}/trash`, { back: '?x=1&next=//evil.example\r\nSet-Cookie: a' })
  assert.equal(answer.headers.location, '/admin/events')
})

test('the list is filtered and sorted by its query string', async () => {
  await anEvent({ title: 'Yesterday’s dance', start_date: '2020-01-01 10:00:00', end_date: '2020-01-01 11:00:00' })
  await anEvent({ title: 'Sketch of a plan', status: 'draft' })
  await anEvent({ title: 'Secret dinner', hide_from_listings: true })
  await anEvent({ title: 'Nur auf Deutsch' }, 'de')
  const titles = async (query: string) => (await edith.get(`/admin/events${query}`)).text
  assert.doesNotMatch(await titles(''), /Yesterday’s dance|Secret dinner/)
  assert.match(await titles('?show=past'), /Yesterday’s dance/)
  assert.match(await titles('?show=draft'), /Sketch of a plan/)
  assert.match(await titles('?show=hidden'), /Secret dinner/)
  const untranslated = await titles('?show=without-en')
  assert.match(untranslated, /Nur auf Deutsch/)
  assert.match(untranslated, /English: missing/)
  assert.doesNotMatch(untranslated, /Sketch of a plan/)
  assert.doesNotMatch(await titles('?show=all&search=dance'), /Sketch of a plan/)
  const sorted = await titles('?show=all&sort=title&order=desc')
  assert.ok(sorted.indexOf('Yesterday’s dance') < sorted.indexOf('Sketch of a plan'))
  assert.match(sorted, /aria-sort="descending"/)
  assert.equal((await edith.get('/admin/events?category=999999')).status, 200)
  assert.equal((await edith.get('/admin/events?page=99')).status, 200)
})

test('the CSV file has the filters of the list, all pages, and no formulas', async () => {
  for (let number = 0; number < 52; number += 1)
    await anEvent({ title: `=Row ${number}`, start_date: '2031-01-01', end_date: '2031-01-01' })
  const { headers, text } = await edith.get('/admin/events.csv?show=all&search=Row')
  assert.match(headers['content-type'] ?? '', /^text\/csv/)
  assert.match(headers['content-disposition'] ?? '', /attachment; filename="events-/)
  assert.equal(text.trim().split('\r\n').length, 53)
  assert.match(text, /,'=Row 51,/, 'no cell is a formula')
})

test('viewers see only the list of published events; treasurers get 403', async () => {
  const { id } = await anEvent({ title: 'For everybody' })
  await anEvent({ title: 'Not yet for everybody', status: 'draft' })
  const { status, text } = await vera.get('/admin/events?show=draft')
  assert.equal(status, 200)
  assert.match(text, /For everybody/)
  assert.doesNotMatch(text, /Not yet for everybody|New event|Duplicate/)
  assert.equal((await vera.get(`/admin/events/${id}`)).status, 403)
  assert.equal((await vera.send(`/admin/events/${id}/trash`, {})).status, 403)
  assert.equal((await (await signIn('treasurer')).get('/admin/events')).status, 403)
  assert.equal((await read(id)).status, 'publish')
})

test('the preview shows drafts and unsaved input as on the site, sanitized, and saves nothing', async () => {
  const { id } = await anEvent({ title: 'A draft', status: 'draft', description: '<p>Soon.</p>' })
  const saved = await edith.get(`/admin/events/${id}/preview?lang=en`)
  assert.equal(saved.status, 200)
  assert.match(saved.text, /class="h-event event-page/)
  assert.match(saved.text, /Preview: only you see this page/)
  const unsaved = await edith.send(`/admin/events/${id}/preview?lang=en`, {
    ...form,
    title: 'Renamed & <b>bold</b>',
    description: '<p>Hello</p><script>alert(1)</script><img src=x onerror=alert(1)>',
    start_date: '2027-08-08'
  })
  assert.equal(unsaved.status, 200)
  assert.match(unsaved.text, /Renamed &amp; &lt;b/)
  assert.match(unsaved.text, /8 August 2027/)
  assert.doesNotMatch(unsaved.text, /alert\(1\)/)
  assert.equal((await read(id)).title, 'A draft', 'a preview saves nothing')
})

test('saving with an empty password field keeps the password; it can be removed, and is never shown', async () => {
  const { id } = await anEvent({ title: 'Members only', post_password: 'Linden 27' })
  const opened = await edith.get(`/admin/events/${id}?lang=en`)
  assert.match(opened.text, /It has a password\. Leave the field empty to keep it\./)
  assert.doesNotMatch(opened.text, /Linden 27/)
  await edith.sendAndFollow(`/admin/events/${id}?lang=en`, {
    ...form,
    title: 'Members only',
    etag: readEtag(opened.text)
  })
  assert.equal((await visitor.get(`${calendar}/events/${id}`)).status, 403)
  await edith.sendAndFollow(`/admin/events/${id}?lang=en`, { ...form, title: 'Members only', remove_password: 'yes' })
  assert.equal((await visitor.get(`${calendar}/events/${id}`)).status, 200)
})

test('an event can be scheduled for publication, and published earlier', async () => {
  const later = await edith.sendAndFollow('/admin/events/new?lang=en', {
    ...form,
    status: 'future',
    publish_at: '2090-01-01T10:00'
  })
  const id = Number(/action="\/admin\/events\/(\d+)\?lang=en"/.exec(later.text)?.[1])
  assert.equal((await read(id)).status, 'future')
  assert.match(later.text, /value="2090-01-01T10:00"/)
  await edith.sendAndFollow(`/admin/events/${id}?lang=en`, { ...form, status: 'publish', planned: 'yes' })
  assert.equal((await read(id)).status, 'publish')
})

test('an image is uploaded with the form, and kept if another field is invalid', async () => {
  const session = (await visitor.post('/sessions', { email: edith.email, password })).body.token
  const cookie = `kalends_session=${session}`
  const page = await visitor.get('/admin/events/new', { cookie })
  const token = /name="_token" value="([0-9a-f]+)"/.exec(page.text)?.[1] ?? ''
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a5301b' } })
    .png()
    .toBuffer()
  const sendWith = async (fields: Record<string, string>, file: Buffer) => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ ...form, ...fields, _token: token })) body.append(name, value)
    body.append('upload', new Blob([new Uint8Array(file)], { type: 'image/png' }), 'roter Würfel.png')
    const request = new Request('http://localhost/', { method: 'POST', body })
    return await visitor.send({
      method: 'POST',
      url: '/admin/events/new?lang=en',
      headers: { cookie, 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer())
    })
  }
  const refused = await sendWith({ title: '', upload_alt: 'A red box' }, png)
  assert.equal(refused.status, 422)
  assert.match(refused.text, /<img class="image-current"[^>]*alt="A red box"/)
  const notAnImage = await sendWith({}, Buffer.from('<svg onload="alert(1)"/>'))
  assert.equal(notAnImage.status, 422)
  assert.match(notAnImage.text, /id="field-upload-error"/)
  const done = await sendWith({ title: 'With a picture', upload_alt: 'A red box' }, png)
  assert.equal(done.status, 303)
  const id = Number(/\/admin\/events\/(\d+)/.exec(done.headers.location ?? '')?.[1])
  assert.equal((await read(id)).image.alt, 'A red box')
})

test('an unknown event is 404', async () => {
  assert.equal((await edith.get('/admin/events/999999')).status, 404)
  assert.equal((await edith.get('/admin/events/nonsense')).status, 404)
})
