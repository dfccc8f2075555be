// test: both stores
// Clients of The Events Calendar, over HTTP: only the host differs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminKey, startCalendar } from '../support/services.ts'

const { server, anEvent, aCategory } = await startCalendar({ env: { TIMEZONE: 'Europe/Berlin' } })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })

const ownRoot = `${origin}/calendar/events/v1`
const aliasRoot = `${origin}/wp-json/tribe/events/v1`
const nextYear = new Date().getFullYear() + 1

// biome-ignore lint/suspicious/noExplicitAny: a client of another program has no types.
type Json = any

async function fetchJson(
  url: string,
  options: RequestInit = {}
): Promise<{ status: number; headers: Headers; body: Json }> {
  const answer = await fetch(url, options)
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

const buildBasicAuth = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
})

const category = await aCategory({ name: 'Lectures & Talks' })
const lectures: number[] = []
for (let day = 1; day <= 7; day += 1) {
  const at = `${nextYear}-03-0${day}`
  const { id } = await anEvent({
    title: `Lecture ${day}`,
    start_date: `${at} 18:00:00`,
    end_date: `${at} 19:00:00`,
    categories: [category.id]
  })
  lectures.push(id)
  await anEvent({ title: `Something else ${day}`, start_date: `${at} 10:00:00`, end_date: `${at} 11:00:00` })
}

for (const root of [ownRoot, aliasRoot]) {
  const at = root.slice(origin.length)

  test(`a client that follows next_rest_url at ${at} gets every event of its filter once, and no other`, async () => {
    const ids: number[] = []
    const filter = new URLSearchParams({ categories: category.slug, per_page: '3', start_date: `${nextYear}-01-01` })
    let next: string | undefined = `${root}/events?${filter}`
    let pages = 0
    while (next !== undefined) {
      assert.ok(next.startsWith(`${root}/events`), `${next} has another root.`)
      const { status, body } = await fetchJson(next)
      assert.equal(status, 200)
      ids.push(...body.events.map((event: Json) => event.id))
      pages += 1
      next = body.next_rest_url
    }
    assert.deepEqual(ids, lectures)
    assert.equal(pages, 3)
  })

  test(`a client that follows previous_rest_url at ${at} gets every event, and ends at the first page`, async () => {
    const filter = new URLSearchParams({ categories: String(category.id), per_page: '3', page: '3' })
    let previous: string | undefined = `${root}/events?${filter}`
    const ids: number[] = []
    while (previous !== undefined) {
      const { body } = await fetchJson(previous)
      ids.unshift(...body.events.map((event: Json) => event.id))
      previous = body.previous_rest_url
    }
    assert.deepEqual(ids, lectures)
  })
}

test('a client that counts pages by X-TEC-TotalPages gets every event, and 404 after the last page; per_page is limited to 50', async () => {
  const first = await fetchJson(`${aliasRoot}/events?per_page=4`)
  const pages = Number(first.headers.get('x-tec-totalpages'))
  assert.equal(pages, Math.ceil(Number(first.headers.get('x-tec-total')) / 4))
  const ids = new Set<number>()
  for (let page = 1; page <= pages; page += 1) {
    const { body } = await fetchJson(`${aliasRoot}/events?per_page=4&page=${page}`)
    for (const event of body.events) ids.add(event.id)
  }
  assert.equal(ids.size, first.body.total)

  const beyond = await fetchJson(`${aliasRoot}/events?per_page=4&page=${pages + 1}`)
  assert.equal(beyond.status, 404)
  assert.equal(beyond.body.code, 'event-archive-page-not-found')

  const tooMany = await fetchJson(`${aliasRoot}/events?per_page=100`)
  assert.equal(new URL(tooMany.body.rest_url).searchParams.get('per_page'), '50')
})

test('a form with brackets and an application password with spaces creates an event with venue and organizers', async () => {
  const form = new URLSearchParams()
  const fields = {
    title: 'Dorffest – mit Musik & Tanz',
    start_date: `${nextYear}-07-10 15:00:00`,
    end_date: `${nextYear}-07-10 23:00:00`,
    all_day: '0',
    featured: '1',
    cost: '5 €',
    'venue[venue]': 'Festwiese',
    'venue[city]': 'Müllheim',
    'venue[show_map]': '1',
    'organizer[0][organizer]': 'Heimatverein',
    'organizer[0][email]': 'fest@example.org',
    'organizer[1][organizer]': 'Feuerwehr',
    'categories[]': String(category.id),
    'tags[]': 'open air'
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const grouped = (adminKey.match(/.{1,4}/g) ?? []).join(' ')

  const created = await fetchJson(`${aliasRoot}/events`, {
    method: 'POST',
    headers: buildBasicAuth('ada@example.org', grouped),
    body: form
  })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  assert.equal(created.body.title, 'Dorffest – mit Musik & Tanz')
  assert.deepEqual([created.body.all_day, created.body.featured, created.body.cost], [false, true, '5€'])

  const { body } = await fetchJson(`${aliasRoot}/events/${created.body.id}`)
  assert.equal(body.venue.venue, 'Festwiese')
  assert.equal(body.venue.city, 'Müllheim')
  assert.deepEqual(
    body.organizer.map((one: Json) => [one.organizer, one.email]),
    [
      ['Heimatverein', 'fest@example.org'],
      ['Feuerwehr', undefined]
    ]
  )
  assert.deepEqual(
    [...body.categories, ...body.tags].map((term: Json) => term.name),
    ['Lectures & Talks', 'open air']
  )

  const listed = await fetchJson(`${ownRoot}/events?venue=${body.venue.id}`)
  assert.deepEqual(
    listed.body.events.map((event: Json) => event.id),
    [created.body.id]
  )
})

test('a wrong application password is refused with 401 and creates nothing', async () => {
  const form = new URLSearchParams({ title: 'Mischief' })
  const created = await fetchJson(`${aliasRoot}/events`, {
    method: 'POST',
    headers: buildBasicAuth('ada', 'wrong wrong'),
    body: form
  })
  assert.equal(created.status, 401)
  assert.equal(created.body.code, 'incorrect_password')
  assert.equal((await fetchJson(`${aliasRoot}/events?search=Mischief`)).body.total, 0)
})

test('a multipart form sent with PUT changes only its fields', async () => {
  const { id } = await anEvent({ title: 'Reading', excerpt: 'Stays.' })
  const form = new FormData()
  form.append('title', 'Lesung')
  form.append('venue[venue]', 'Bücherei')
  const changed = await fetchJson(`${ownRoot}/events/${id}`, {
    method: 'PUT',
    headers: buildBasicAuth('x', adminKey),
    body: form
  })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  assert.deepEqual([changed.body.title, changed.body.venue.venue], ['Lesung', 'Bücherei'])
  assert.match(changed.body.excerpt, /Stays\./)
})

test('a client edits the German texts of an English event, and both languages are returned by Accept-Language', async () => {
  const { id } = await anEvent({
    title: 'Street festival',
    description: 'Come all.',
    start_date: `${nextYear}-05-01`,
    end_date: `${nextYear}-05-01`,
    all_day: true
  })
  const editor = { headers: { ...buildBasicAuth('editor', adminKey), 'content-type': 'application/json' } }
  const german = { title: 'Straßenfest', description: 'Kommt alle.', slug: '' }
  const url = `${aliasRoot}/events/${id}`
  const changed = await fetchJson(`${url}?language=de`, { ...editor, method: 'POST', body: JSON.stringify(german) })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))

  const read = async (language: string) => (await fetchJson(url, { headers: { 'accept-language': language } })).body
  const [en, de] = [await read('en-GB'), await read('de-AT, en;q=0.5')]
  assert.deepEqual([en.title, en.slug, en.language], ['Street festival', 'street-festival', 'en'])
  assert.deepEqual([de.title, de.slug, de.language], ['Straßenfest', 'strassenfest', 'de'])
  assert.match(de.description, /Kommt alle\./)
  assert.deepEqual([...de.translations].sort(), ['de', 'en'])
  assert.deepEqual([de.start_date, de.id, de.all_day], [en.start_date, en.id, true])

  const bySlug = await fetchJson(`${aliasRoot}/events/by-slug/strassenfest?language=de`)
  assert.equal(bySlug.body.id, id)
  const found = await fetchJson(`${aliasRoot}/events?search=stra%C3%9Fenfest&language=de&per_page=1`)
  assert.deepEqual(
    found.body.events.map((event: Json) => event.title),
    ['Straßenfest']
  )
  assert.equal(new URL(found.body.rest_url).searchParams.get('language'), 'de')
})

test('the key of a viewer is accepted as password, and a write is refused with 403', async () => {
  const issued = await fetchJson(`${origin}/keys`, {
    method: 'POST',
    headers: { ...buildBasicAuth('admin', adminKey), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'a subscriber', role: 'viewer' })
  })
  const refused = await fetchJson(`${aliasRoot}/tags`, {
    method: 'POST',
    headers: buildBasicAuth('subscriber', issued.body.key),
    body: new URLSearchParams({ name: 'No' })
  })
  assert.equal(refused.status, 403)
  assert.equal(refused.body.code, 'rest_forbidden')
  assert.equal(refused.headers.get('allow'), 'GET')
})
