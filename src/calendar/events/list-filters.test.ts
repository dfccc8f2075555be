import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { type Client, calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, withRole, store, anEvent, aVenue, anOrganizer, aCategory, aTag } = await startCalendar()
const path = `${calendar}/events`

async function ids(query: string, by: Client = visitor): Promise<number[]> {
  const { status, body, text } = await by.get(`${path}?per_page=50&${query}`)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.events.length)
  return body.events.map((one: { id: number }) => one.id)
}

async function refused(query: string, by: Client = visitor): Promise<string[]> {
  const { status, body, text } = await by.get(`${path}?${query}`)
  assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], `${query}: ${text}`)
  return Object.keys(body.data.params)
}

/** So many events, one after the other. */
async function events(...fields: object[]): Promise<number[]> {
  const made: number[] = []
  for (const one of fields) made.push((await anEvent(one)).id)
  return made
}

test('several categories are OR, with all that is below them, by id, slug or name', async () => {
  const music = await aCategory({ name: 'Music & Dance' })
  const jazz = await aCategory({ name: 'Jazz', parent: music.id })
  const bebop = await aCategory({ name: 'Bebop', parent: jazz.id })
  const sport = await aCategory({ name: 'Sport' })
  const [inMusic, inBebop, inSport, inBoth] = await events(
    { categories: music.id },
    { categories: bebop.id },
    { categories: sport.id },
    { categories: [sport.id, jazz.id] },
    {}
  )
  const musical = [inMusic, inBebop, inBoth]
  await admin.patch(`${calendar}/categories/${music.id}?language=de`, { name: 'Töne' })
  for (const named of [music.id, 'music-dance', 'Music %26 Dance', 'MÚSIC %26 dance', 'MUSIC-DANCE', 'Töne', 'toene']) {
    assert.deepEqual(await ids(`categories=${named}`), musical, String(named))
    assert.deepEqual(await ids(`categories[]=${named}`), musical, String(named))
  }
  assert.deepEqual(await ids(`categories=${jazz.id}`), [inBebop, inBoth])
  assert.deepEqual(await ids(`categories=${bebop.id},sport`), [inBebop, inSport, inBoth])
  assert.deepEqual(await ids(`categories[]=${bebop.id}&categories[]=sport`), [inBebop, inSport, inBoth])
  assert.deepEqual(await ids('categories= bebop , Sport'), [inBebop, inSport, inBoth])
  assert.deepEqual(await ids('categories[0]=bebop&categories[1]=bebop'), [inBebop])
  assert.deepEqual(await ids(`categories[id]=${bebop.id}`), [inBebop])
  for (const wrong of ['', ',', 'nosuch', '987654', 'music-dance,nosuch', '%2500']) {
    assert.deepEqual(await refused(`categories=${wrong}`), ['categories'], wrong)
  }
})

test('authors are a filter, and links to other pages keep it', async () => {
  const issued = async (name: string) => (await admin.post('/keys', { name, role: 'author' })).body
  const [ada, grace] = [await issued('Ada'), await issued('Grace')]
  const [first, second] = await events({ author: ada.id }, { author: ada.id })
  const [third] = await events({ author: grace.id })
  assert.deepEqual(await ids(`author=${ada.id}`), [first, second])
  assert.deepEqual(await ids(`author=${ada.id},${grace.id}`), [first, second, third])
  assert.deepEqual(await ids('author=987654'), [])
  for (const wrong of ['', 'Ada', '0']) assert.deepEqual(await refused(`author=${wrong}`), ['author'], wrong)
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

test('several tags are OR; a tag is no category', async () => {
  const one = await aTag({ name: 'Open air' })
  const two = await aTag({ name: 'Free entry' })
  const category = await aCategory({ name: 'Only a category' })
  const [first, second, both] = await events(
    { tags: [one.id] },
    { tags: [two.id] },
    { tags: [one.id, two.id], categories: [category.id] },
    {}
  )
  assert.deepEqual(await ids(`tags=${one.id}`), [first, both])
  assert.deepEqual(await ids(`tags=open-air,${two.id}`), [first, second, both])
  assert.deepEqual(await ids('tags[]=Open air&tags[]=free-entry'), [first, second, both])
  assert.deepEqual(await ids(`tags=${two.id}&categories=${category.id}`), [both])
  assert.deepEqual(await ids(`tags=${one.id},${two.id}&categories=${category.id}`), [both])
  assert.deepEqual(await refused(`tags=${category.id}`), ['tags'])
  assert.deepEqual(await refused(`categories=${one.id}&tags=nosuch`), ['categories', 'tags'])
})

for (const kind of ['venue', 'organizer'] as const) {
  test(`a ${kind} or several of them filter with OR, and unknown ones are refused`, async () => {
    const make = kind === 'venue' ? aVenue : anOrganizer
    const [one, two, idle] = [await make(), await make(), await make()]
    const [first, second, both] = await events({ [kind]: one.id }, { [kind]: two.id }, { [kind]: [one.id, two.id] }, {})
    assert.deepEqual(await ids(`${kind}=${one.id}`), [first, both])
    assert.deepEqual(await ids(`${kind}=${one.id},${two.id}`), [first, second, both])
    assert.deepEqual(await ids(`${kind}[]=${one.id}&${kind}[]=${two.id}`), [first, second, both])
    assert.deepEqual(await ids(`${kind}=${idle.id}`), [])
    const draft = await make({ status: 'draft' })
    const hidden = await anEvent({ [kind]: [draft.id, one.id] })
    for (const wrong of ['', '0', 'x', '-1', '987654', `${one.id},987654`, `${one.id},x`, String(draft.id), '1.5']) {
      assert.deepEqual(await refused(`${kind}=${wrong}`), [kind], wrong)
    }
    assert.deepEqual(await ids(`${kind}=${draft.id}`, admin), [hidden.id])
    const shown = (await visitor.get(`${path}?include=${hidden.id}`)).body.events[0]
    assert.deepEqual(
      [shown[kind]].flat().map(({ id }) => id),
      [one.id],
      'a draft is left out of a public event'
    )
  })
}

test('featured and ticketed are filters both ways', async () => {
  const tag = await aTag({ name: 'flags' })
  const [plain, featured, ticketed] = await events(
    { tags: tag.id },
    { tags: tag.id, featured: true },
    { tags: tag.id, ticketed: true }
  )
  for (const yes of ['true', '1', 'TRUE']) {
    assert.deepEqual(await ids(`tags=flags&featured=${yes}`), [featured])
    assert.deepEqual(await ids(`tags=flags&ticketed=${yes}`), [ticketed])
  }
  for (const no of ['false', '0', 'False']) {
    assert.deepEqual(await ids(`tags=flags&featured=${no}`), [plain, ticketed])
    assert.deepEqual(await ids(`tags=flags&ticketed=${no}`), [plain, featured])
  }
  assert.deepEqual(await ids('tags=flags&featured=0&ticketed=0'), [plain])
  for (const name of ['featured', 'ticketed', 'geoloc']) {
    for (const wrong of ['', 'yes', 'on', '2', 'x']) assert.deepEqual(await refused(`${name}=${wrong}`), [name])
  }
})

test('post_parent finds the direct children of an event that is there', async () => {
  const festival = await anEvent({ title: 'Festival' })
  const day = await anEvent({ title: 'Day', post_parent: festival.id })
  const hour = await anEvent({ title: 'Hour', post_parent: day.id })
  assert.deepEqual(await ids(`post_parent=${festival.id}`), [day.id])
  assert.deepEqual(await ids(`post_parent=${day.id}`), [hour.id])
  assert.deepEqual(await ids(`post_parent=${hour.id}`), [])
  const draft = await anEvent({ status: 'draft' })
  for (const wrong of ['', '0', 'x', '987654', String(draft.id)]) {
    assert.deepEqual(await refused(`post_parent=${wrong}`), ['post_parent'], wrong)
  }
  assert.deepEqual(await ids(`post_parent=${draft.id}`, admin), [])
})

test('include keeps the events that are named, and skips what is not there for the reader', async () => {
  const [one, two] = await events({}, {})
  const draft = await anEvent({ status: 'draft' })
  const hidden = await anEvent({ hide_from_listings: true })
  const all = `${two},${one},${draft.id},${hidden.id},987654`
  assert.deepEqual(await ids(`include=${all}`), [one, two])
  assert.deepEqual(await ids(`include=${all}`, admin), [one, two, draft.id])
  assert.deepEqual(await ids(`include[]=${one}&include[]=${two}`), [one, two])
  for (const wrong of ['', '0', 'x', `${one},x`, '-1', '9e99'])
    assert.deepEqual(await refused(`include=${wrong}`), ['include'])
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
  const [match] = await events(
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
  assert.deepEqual(await ids(query), [match])
  assert.equal((await ids(query.replace('&featured=1', ''))).length, 2)
})

test('an event that is hidden from lists is in none, whoever asks', async () => {
  const hidden = await anEvent({ hide_from_listings: true, tags: 'unlisted', featured: true })
  for (const by of [visitor, admin]) {
    assert.deepEqual(await ids('tags=unlisted', by), [])
    assert.deepEqual(await ids(`include=${hidden.id}`, by), [])
    assert.deepEqual(await ids('tags=unlisted&ends_after=now', by), [])
  }
  assert.deepEqual(await ids('tags=unlisted&status=publish,draft', admin), [])
  await admin.patch(`${path}/${hidden.id}`, { hide_from_listings: false })
  assert.deepEqual(await ids('tags=unlisted'), [hidden.id])
})

test('a list has what its reader may see, and status asks for part of it', async () => {
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
  const names = async (by: Client, query = '') => {
    const found = await ids(`tags=states&${query}`, by)
    return Object.keys(all).filter(name => found.includes(all[name] ?? 0))
  }
  const of = (name: string, ...states: string[]) => states.map(status => `${name} ${status}`)
  const published = [...of('author', 'publish'), ...of('admin', 'publish')]

  for (const reader of [visitor, viewer]) {
    assert.deepEqual(await names(reader), published)
    assert.deepEqual(await names(reader, 'status=publish'), published)
    for (const status of [...unpublished, 'trash', 'publish,draft', 'any', '']) {
      assert.deepEqual(await refused(`status=${status}`, reader), ['status'], status)
    }
  }
  assert.deepEqual(await names(contributor), [
    ...of('author', 'publish'),
    ...of('contributor', 'draft', 'pending'),
    ...of('admin', 'publish')
  ])
  assert.deepEqual(await names(author), [...of('author', 'publish', ...unpublished), ...of('admin', 'publish')])
  assert.deepEqual(
    await names(admin),
    Object.keys(all).filter(name => !name.endsWith('trash'))
  )
  for (const status of [...unpublished, 'trash']) {
    assert.deepEqual(await names(author, `status=${status}`), of('author', status))
    assert.deepEqual(
      await names(admin, `status=${status}`),
      Object.keys(all).filter(name => name.endsWith(` ${status}`))
    )
  }
  assert.deepEqual(await names(author, 'status=publish'), published)
  assert.deepEqual(await names(author, 'status[]=draft&status[]=publish'), [
    ...of('author', 'publish', 'draft'),
    ...of('admin', 'publish')
  ])
  assert.deepEqual(await names(admin, 'status=trash, draft'), [
    ...of('author', 'draft', 'trash'),
    ...of('contributor', 'draft'),
    ...of('admin', 'draft', 'trash')
  ])
  for (const status of ['any', '', 'auto-draft', 'Publish']) {
    assert.deepEqual(await refused(`status=${status}`, admin), ['status'], status)
  }
})

test('a scheduled event is shown when its time comes', async () => {
  const { id } = await anEvent({ date: '2099-01-01', tags: 'scheduled' })
  assert.deepEqual(await ids('tags=scheduled'), [])
  assert.deepEqual(await ids('tags=scheduled&status=future', admin), [id])
  assert.deepEqual(await ids('tags=scheduled&status=publish', admin), [])
  await store.run(sql`update calendar.events set published_at = now() - interval '1 second' where id = ${id}`)
  // Another filter, so that nobody remembers how many there were.
  assert.deepEqual(await ids('tags=scheduled&featured=false'), [id])
  assert.deepEqual(await ids('tags=scheduled&status=publish&featured=false', admin), [id])
  assert.deepEqual(await ids('tags=scheduled&status=future&featured=false', admin), [])
  const [shown] = (await visitor.get(`${path}?include=${id}`)).body.events
  assert.equal(shown.status, 'publish')
})

test('a protected event is in lists with title and dates, and whole for who knows the password', async () => {
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
  const listed = async (query: string, by = visitor) => (await by.get(`${path}?include=${id}${query}`)).body.events[0]
  for (const by of [visitor, admin]) {
    const closed = await listed('&password=wrong', by)
    assert.deepEqual(closed, await listed('', by))
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
  const open = await listed('&password=p%26s%2Bw')
  assert.match(open.description, /in the cellar/)
  assert.equal(open.venue.venue, 'Cellar')
  assert.equal(open.organizer[0].organizer, 'Mole')
  assert.deepEqual([open.featured, open.all_day, open.categories[0].name], [true, false, 'Underground'])
  assert.deepEqual(await refused('password='), ['password'])
})
