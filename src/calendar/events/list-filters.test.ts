import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { type Client, calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, withRole, store, anEvent, aVenue, anOrganizer, aCategory, aTag } = await startCalendar()
const path = `${calendar}/events`

async function listIds(query: string, by: Client = visitor): Promise<number[]> {
  const { status, body, text } = await by.get(`${path}?per_page=50&${query}`)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.events.length)
  return body.events.map((one: { id: number }) => one.id)
}

async function listRefusedParams(query: string, by: Client = visitor): Promise<string[]> {
  const { status, body, text } = await by.get(`${path}?${query}`)
  assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], `${query}: ${text}`)
  return Object.keys(body.data.params)
}

/** Creates one event for each object of fields, in this order. */
async function createEvents(...fields: object[]): Promise<number[]> {
  const createdIds: number[] = []
  for (const one of fields) createdIds.push((await anEvent(one)).id)
  return createdIds
}

test('a filter by categories accepts ids, slugs and names, combines them with OR and includes subcategories', async () => {
  const music = await aCategory({ name: 'Music & Dance' })
  const jazz = await aCategory({ name: 'Jazz', parent: music.id })
  const bebop = await aCategory({ name: 'Bebop', parent: jazz.id })
  const sport = await aCategory({ name: 'Sport' })
  const [inMusic, inBebop, inSport, inBoth] = await createEvents(
    { categories: music.id },
    { categories: bebop.id },
    { categories: sport.id },
    { categories: [sport.id, jazz.id] },
    {}
  )
  const musical = [inMusic, inBebop, inBoth]
  await admin.patch(`${calendar}/categories/${music.id}?language=de`, { name: 'Töne' })
  for (const named of [music.id, 'music-dance', 'Music %26 Dance', 'MÚSIC %26 dance', 'MUSIC-DANCE', 'Töne', 'toene']) {
    assert.deepEqual(await listIds(`categories=${named}`), musical, String(named))
    assert.deepEqual(await listIds(`categories[]=${named}`), musical, String(named))
  }
  assert.deepEqual(await listIds(`categories=${jazz.id}`), [inBebop, inBoth])
  assert.deepEqual(await listIds(`categories=${bebop.id},sport`), [inBebop, inSport, inBoth])
  assert.deepEqual(await listIds(`categories[]=${bebop.id}&categories[]=sport`), [inBebop, inSport, inBoth])
  assert.deepEqual(await listIds('categories= bebop , Sport'), [inBebop, inSport, inBoth])
  assert.deepEqual(await listIds('categories[0]=bebop&categories[1]=bebop'), [inBebop])
  assert.deepEqual(await listIds(`categories[id]=${bebop.id}`), [inBebop])
  for (const wrong of ['', ',', 'nosuch', '987654', 'music-dance,nosuch', '%2500']) {
    assert.deepEqual(await listRefusedParams(`categories=${wrong}`), ['categories'], wrong)
  }
})

test('author filters by one or several ids, and links to other pages keep the filter', async () => {
  const createKey = async (name: string) => (await admin.post('/keys', { name, role: 'author' })).body
  const [ada, grace] = [await createKey('Ada'), await createKey('Grace')]
  const [first, second] = await createEvents({ author: ada.id }, { author: ada.id })
  const [third] = await createEvents({ author: grace.id })
  assert.deepEqual(await listIds(`author=${ada.id}`), [first, second])
  assert.deepEqual(await listIds(`author=${ada.id},${grace.id}`), [first, second, third])
  assert.deepEqual(await listIds('author=987654'), [])
  for (const wrong of ['', 'Ada', '0']) assert.deepEqual(await listRefusedParams(`author=${wrong}`), ['author'], wrong)
  const { next_rest_url } = (await visitor.get(`${path}?per_page=1&author=${ada.id}`)).body
  assert.match(next_rest_url, new RegExp(`author=${ada.id}\\b`))

  const { authors } = (await admin.get(`${calendar}/authors`)).body
  const named = authors.filter(({ id }: { id: number }) => [1, ada.id, grace.id].includes(id))
  assert.deepEqual(named, [
    { id: 1, name: null },
    { id: ada.id, name: 'Ada' },
    { id: grace.id, name: 'Grace' }
  ])
})

test('several tags are combined with OR; ids of categories are refused as tags', async () => {
  const one = await aTag({ name: 'Open air' })
  const two = await aTag({ name: 'Free entry' })
  const category = await aCategory({ name: 'Only a category' })
  const [first, second, both] = await createEvents(
    { tags: [one.id] },
    { tags: [two.id] },
    { tags: [one.id, two.id], categories: [category.id] },
    {}
  )
  assert.deepEqual(await listIds(`tags=${one.id}`), [first, both])
  assert.deepEqual(await listIds(`tags=open-air,${two.id}`), [first, second, both])
  assert.deepEqual(await listIds('tags[]=Open air&tags[]=free-entry'), [first, second, both])
  assert.deepEqual(await listIds(`tags=${two.id}&categories=${category.id}`), [both])
  assert.deepEqual(await listIds(`tags=${one.id},${two.id}&categories=${category.id}`), [both])
  assert.deepEqual(await listRefusedParams(`tags=${category.id}`), ['tags'])
  assert.deepEqual(await listRefusedParams(`categories=${one.id}&tags=nosuch`), ['categories', 'tags'])
})

for (const kind of ['venue', 'organizer'] as const) {
  test(`${kind} filters by one or several ids with OR, and unknown ids are refused`, async () => {
    const make = kind === 'venue' ? aVenue : anOrganizer
    const [one, two, idle] = [await make(), await make(), await make()]
    const [first, second, both] = await createEvents(
      { [kind]: one.id },
      { [kind]: two.id },
      { [kind]: [one.id, two.id] },
      {}
    )
    assert.deepEqual(await listIds(`${kind}=${one.id}`), [first, both])
    assert.deepEqual(await listIds(`${kind}=${one.id},${two.id}`), [first, second, both])
    assert.deepEqual(await listIds(`${kind}[]=${one.id}&${kind}[]=${two.id}`), [first, second, both])
    assert.deepEqual(await listIds(`${kind}=${idle.id}`), [])
    const draft = await make({ status: 'draft' })
    const hidden = await anEvent({ [kind]: [draft.id, one.id] })
    for (const wrong of ['', '0', 'x', '-1', '987654', `${one.id},987654`, `${one.id},x`, String(draft.id), '1.5']) {
      assert.deepEqual(await listRefusedParams(`${kind}=${wrong}`), [kind], wrong)
    }
    assert.deepEqual(await listIds(`${kind}=${draft.id}`, admin), [hidden.id])
    const shown = (await visitor.get(`${path}?include=${hidden.id}`)).body.events[0]
    assert.deepEqual(
      [shown[kind]].flat().map(({ id }) => id),
      [one.id],
      'a draft is left out of a public event'
    )
  })
}

test('featured and ticketed filter by true and by false', async () => {
  const tag = await aTag({ name: 'flags' })
  const [plain, featured, ticketed] = await createEvents(
    { tags: tag.id },
    { tags: tag.id, featured: true },
    { tags: tag.id, ticketed: true }
  )
  for (const yes of ['true', '1', 'TRUE']) {
    assert.deepEqual(await listIds(`tags=flags&featured=${yes}`), [featured])
    assert.deepEqual(await listIds(`tags=flags&ticketed=${yes}`), [ticketed])
  }
  for (const no of ['false', '0', 'False']) {
    assert.deepEqual(await listIds(`tags=flags&featured=${no}`), [plain, ticketed])
    assert.deepEqual(await listIds(`tags=flags&ticketed=${no}`), [plain, featured])
  }
  assert.deepEqual(await listIds('tags=flags&featured=0&ticketed=0'), [plain])
  for (const name of ['featured', 'ticketed', 'geoloc']) {
    for (const wrong of ['', 'yes', 'on', '2', 'x'])
      assert.deepEqual(await listRefusedParams(`${name}=${wrong}`), [name])
  }
})

test('post_parent finds the direct children of an event; an event that the caller cannot see is refused', async () => {
  const festival = await anEvent({ title: 'Festival' })
  const day = await anEvent({ title: 'Day', post_parent: festival.id })
  const hour = await anEvent({ title: 'Hour', post_parent: day.id })
  assert.deepEqual(await listIds(`post_parent=${festival.id}`), [day.id])
  assert.deepEqual(await listIds(`post_parent=${day.id}`), [hour.id])
  assert.deepEqual(await listIds(`post_parent=${hour.id}`), [])
  const draft = await anEvent({ status: 'draft' })
  for (const wrong of ['', '0', 'x', '987654', String(draft.id)]) {
    assert.deepEqual(await listRefusedParams(`post_parent=${wrong}`), ['post_parent'], wrong)
  }
  assert.deepEqual(await listIds(`post_parent=${draft.id}`, admin), [])
})

test('include lists the events with these ids, without those that the caller may not see', async () => {
  const [one, two] = await createEvents({}, {})
  const draft = await anEvent({ status: 'draft' })
  const hidden = await anEvent({ hide_from_listings: true })
  const all = `${two},${one},${draft.id},${hidden.id},987654`
  assert.deepEqual(await listIds(`include=${all}`), [one, two])
  assert.deepEqual(await listIds(`include=${all}`, admin), [one, two, draft.id])
  assert.deepEqual(await listIds(`include[]=${one}&include[]=${two}`), [one, two])
  for (const wrong of ['', '0', 'x', `${one},x`, '-1', '9e99'])
    assert.deepEqual(await listRefusedParams(`include=${wrong}`), ['include'])
})

test('filters are combined with AND', async () => {
  const venue = await aVenue()
  const organizer = await anOrganizer()
  const category = await aCategory({ name: 'Combined' })
  const all = {
    venue: venue.id,
    organizer: organizer.id,
    categories: category.id,
    tags: 'combined',
    featured: true,
    ticketed: true,
    title: 'Alphorn',
    start_date: '2027-09-01 10:00',
    end_date: '2027-09-01 11:00'
  }
  const [match] = await createEvents(
    all,
    ...Object.keys(all).flatMap(name => {
      if (name === 'end_date') return []
      if (name === 'start_date') return [{ ...all, start_date: '2027-08-01' }]
      return [Object.fromEntries(Object.entries(all).filter(([other]) => other !== name))]
    })
  )
  const query = [
    `venue=${venue.id}&organizer=${organizer.id}&categories=${category.id}&tags=combined`,
    'featured=1&ticketed=1&search=alphorn&starts_after=2027-08-31'
  ].join('&')
  assert.deepEqual(await listIds(query), [match])
  assert.equal((await listIds(query.replace('&featured=1', ''))).length, 2)
})

test('an event with hide_from_listings is in no list, for visitors and admins', async () => {
  const hidden = await anEvent({ hide_from_listings: true, tags: 'unlisted', featured: true })
  for (const by of [visitor, admin]) {
    assert.deepEqual(await listIds('tags=unlisted', by), [])
    assert.deepEqual(await listIds(`include=${hidden.id}`, by), [])
    assert.deepEqual(await listIds('tags=unlisted&ends_after=now', by), [])
  }
  assert.deepEqual(await listIds('tags=unlisted&status=publish,draft', admin), [])
  await admin.patch(`${path}/${hidden.id}`, { hide_from_listings: false })
  assert.deepEqual(await listIds('tags=unlisted'), [hidden.id])
})

test('a list has the events that the caller may see, and status selects among them', async () => {
  const author = await withRole('author')
  const contributor = await withRole('contributor')
  const viewer = await withRole('viewer')
  const tag = await aTag({ name: 'states' })
  const all: Record<string, number> = {}
  const make = async (name: string, by: Client, states: string[]) => {
    for (const status of states) {
      const date = status === 'future' ? { date: '2099-01-01' } : {}
      all[`${name} ${status}`] = (await anEvent({ status, tags: tag.id, ...date }, by)).id
    }
  }
  const unpublished = ['draft', 'pending', 'private', 'future']
  await make('author', author, ['publish', ...unpublished, 'trash'])
  await make('contributor', contributor, ['draft', 'pending'])
  await make('admin', admin, ['publish', ...unpublished, 'trash'])
  const listNames = async (by: Client, query = '') => {
    const found = await listIds(`tags=states&${query}`, by)
    return Object.keys(all).filter(name => found.includes(all[name] ?? 0))
  }
  const buildNames = (name: string, ...states: string[]) => states.map(status => `${name} ${status}`)
  const published = [...buildNames('author', 'publish'), ...buildNames('admin', 'publish')]

  for (const reader of [visitor, viewer]) {
    assert.deepEqual(await listNames(reader), published)
    assert.deepEqual(await listNames(reader, 'status=publish'), published)
    for (const status of [...unpublished, 'trash', 'publish,draft', 'any', '']) {
      assert.deepEqual(await listRefusedParams(`status=${status}`, reader), ['status'], status)
    }
  }
  assert.deepEqual(await listNames(contributor), [
    ...buildNames('author', 'publish'),
    ...buildNames('contributor', 'draft', 'pending'),
    ...buildNames('admin', 'publish')
  ])
  assert.deepEqual(await listNames(author), [
    ...buildNames('author', 'publish', ...unpublished),
    ...buildNames('admin', 'publish')
  ])
  assert.deepEqual(
    await listNames(admin),
    Object.keys(all).filter(name => !name.endsWith('trash'))
  )
  for (const status of [...unpublished, 'trash']) {
    assert.deepEqual(await listNames(author, `status=${status}`), buildNames('author', status))
    assert.deepEqual(
      await listNames(admin, `status=${status}`),
      Object.keys(all).filter(name => name.endsWith(` ${status}`))
    )
  }
  assert.deepEqual(await listNames(author, 'status=publish'), published)
  assert.deepEqual(await listNames(author, 'status[]=draft&status[]=publish'), [
    ...buildNames('author', 'publish', 'draft'),
    ...buildNames('admin', 'publish')
  ])
  assert.deepEqual(await listNames(admin, 'status=trash, draft'), [
    ...buildNames('author', 'draft', 'trash'),
    ...buildNames('contributor', 'draft'),
    ...buildNames('admin', 'draft', 'trash')
  ])
  for (const status of ['any', '', 'auto-draft', 'Publish']) {
    assert.deepEqual(await listRefusedParams(`status=${status}`, admin), ['status'], status)
  }
})

test('a scheduled event is listed after its publication time', async () => {
  const { id } = await anEvent({ date: '2099-01-01', tags: 'scheduled' })
  assert.deepEqual(await listIds('tags=scheduled'), [])
  assert.deepEqual(await listIds('tags=scheduled&status=future', admin), [id])
  assert.deepEqual(await listIds('tags=scheduled&status=publish', admin), [])
  await store.run(sql`update calendar.events set published_at = now() - interval '1 second' where id = ${id}`)
  // Another filter, so that the total is not taken from the cache.
  assert.deepEqual(await listIds('tags=scheduled&featured=false'), [id])
  assert.deepEqual(await listIds('tags=scheduled&status=publish&featured=false', admin), [id])
  assert.deepEqual(await listIds('tags=scheduled&status=future&featured=false', admin), [])
  const [shown] = (await visitor.get(`${path}?include=${id}`)).body.events
  assert.equal(shown.status, 'publish')
})

test('a list has only title and dates of a protected event, and all its fields with the password', async () => {
  const secret = {
    title: 'Secret',
    description: 'in the cellar',
    excerpt: 'cellar',
    cost: '10',
    website: 'https://example.org',
    venue: { venue: 'Cellar' },
    organizer: { organizer: 'Mole' },
    categories: 'Underground',
    tags: 'protected',
    featured: true,
    post_password: 'p&s+w'
  }
  const { id } = await anEvent(secret)
  const readListed = async (query: string, by = visitor) =>
    (await by.get(`${path}?include=${id}${query}`)).body.events[0]
  for (const by of [visitor, admin]) {
    const closed = await readListed('&password=wrong', by)
    assert.deepEqual(closed, await readListed('', by))
    assert.equal(closed.title, 'Secret')
    assert.equal(closed.start_date, '2027-06-01 19:00:00')
    for (const name of ['description', 'excerpt', 'cost', 'website']) assert.equal(closed[name], '', name)
    for (const name of ['categories', 'tags', 'venue', 'organizer', 'custom_fields']) assert.deepEqual(closed[name], [])
    for (const name of ['all_day', 'show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured']) {
      assert.equal(closed[name], null, name)
    }
    assert.equal(closed.image, false)
    assert.deepEqual(closed.cost_details, {
      currency_symbol: '',
      currency_code: '',
      currency_position: '',
      values: []
    })
  }
  const open = await readListed('&password=p%26s%2Bw')
  assert.match(open.description, /in the cellar/)
  assert.equal(open.venue.venue, 'Cellar')
  assert.equal(open.organizer[0].organizer, 'Mole')
  assert.deepEqual([open.featured, open.all_day, open.categories[0].name], [true, false, 'Underground'])
  assert.deepEqual(await listRefusedParams('password='), ['password'])
})
