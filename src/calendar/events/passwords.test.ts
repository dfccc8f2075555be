import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, visitor, store, anEvent, withRole } = await startCalendar()
const author = await withRole('author')
const contributor = await withRole('contributor')
const editor = await withRole('editor')
const viewer = await withRole('viewer')
const events = `${calendar}/events`

const secret = {
  title: 'Surprise party',
  description: 'The cake is in the cellar',
  excerpt: 'cake',
  cost: 7,
  website: 'https://secret.example',
  featured: true,
  sticky: true,
  show_map: true,
  ticketed: true,
  categories: ['Secrets'],
  tags: ['cake'],
  venue: { venue: 'Cellar', city: 'Bonn' },
  organizer: { organizer: 'Ann' },
  post_password: 'sesame'
}
// Authors cannot create tags: both exist before.
await admin.post(`${calendar}/categories`, { name: 'Secrets' })
await admin.post(`${calendar}/tags`, { name: 'cake' })
const created = await anEvent({ ...secret, slug: 'surprise' }, author)
const paths = [`${events}/${created.id}`, `${events}/by-slug/surprise`]

test('the response to a write has all fields of a protected event, but never its password', async () => {
  assert.equal(created.description, '<p>The cake is in the cellar</p>')
  assert.equal(created.venue.venue, 'Cellar')
  const changed = await author.patch(paths[0] ?? '', { cost: 7 })
  assert.equal(changed.body.description, created.description)
  assert.equal(JSON.stringify([created, changed.body]).includes('sesame'), false)
})

test('a protected event is 403 without the right password, for every role', async () => {
  for (const path of paths) {
    for (const by of [visitor, viewer, contributor, author, editor, admin]) {
      for (const query of ['', '?password=wrong', '?password=SESAME', '?password=sesame%20', '?password[]=sesame']) {
        const refused = await by.get(path + query)
        if (query.includes('[]')) {
          assert.deepEqual([refused.status, refused.body.code], [400, 'rest_invalid_param'])
          continue
        }
        assert.deepEqual([refused.status, refused.body.code], [403, 'event-password-protected'], path + query)
        assert.equal(refused.text.includes('cake') || refused.text.includes('Cellar'), false)
      }
      const empty = await by.get(`${path}?password=`)
      assert.deepEqual([empty.status, Object.keys(empty.body.data.params)], [400, ['password']])
      const unlocked = await by.get(`${path}?password=sesame`)
      assert.deepEqual(
        [unlocked.status, unlocked.body.description, unlocked.body.venue.venue],
        [200, created.description, 'Cellar']
      )
    }
  }
})

test('context=edit returns a protected event to callers who may edit it, and is 403 for others', async () => {
  for (const path of paths) {
    for (const by of [author, editor, admin]) assert.equal((await by.get(`${path}?context=edit`)).status, 200)
    for (const by of [visitor, viewer, contributor]) assert.equal((await by.get(`${path}?context=edit`)).status, 403)
    assert.equal((await author.get(`${path}?context=view`)).status, 403)
  }
})

test('lists have only title and dates of a protected event', async () => {
  const readInList = async (query: string, by = visitor) =>
    (await by.get(`${events}?include=${created.id}${query}`)).body.events[0]
  for (const by of [visitor, admin]) {
    const redacted = await readInList('', by)
    assert.deepEqual(
      [redacted.title, redacted.slug, redacted.start_date],
      ['Surprise party', 'surprise', event.start_date]
    )
    for (const member of ['description', 'excerpt', 'cost', 'website']) assert.equal(redacted[member], '', member)
    for (const member of [
      'all_day',
      'show_map',
      'show_map_link',
      'hide_from_listings',
      'sticky',
      'featured',
      'ticketed'
    ]) {
      assert.equal(redacted[member], null, member)
    }
    for (const member of ['categories', 'tags', 'venue', 'organizer', 'custom_fields']) {
      assert.deepEqual(redacted[member], [], member)
    }
    assert.equal(redacted.image, false)
    assert.deepEqual(redacted.cost_details, {
      currency_symbol: '',
      currency_code: '',
      currency_position: '',
      values: []
    })
    assert.equal(JSON.stringify(redacted).includes('cake'), false)
  }
  const unlocked = await readInList('&password=sesame')
  assert.deepEqual(
    [unlocked.description, unlocked.featured, unlocked.venue.venue],
    [created.description, true, 'Cellar']
  )
  assert.equal((await readInList('&password=wrong')).description, '')
})

test('an author can set, change and remove the password of an event', async () => {
  const { id } = await anEvent({ description: 'Open' }, author)
  const path = `${events}/${id}`
  const readStatus = async (query = '') => (await visitor.get(path + query)).status
  assert.equal(await readStatus(), 200)
  await author.patch(path, { post_password: 'one' })
  assert.deepEqual([await readStatus(), await readStatus('?password=one')], [403, 200])
  await author.patch(path, { title: 'Still protected' })
  assert.equal(await readStatus(), 403)
  await author.patch(path, { post_password: 'two' })
  assert.deepEqual([await readStatus('?password=one'), await readStatus('?password=two')], [403, 200])
  for (const emptyValue of ['', null]) {
    await author.patch(path, { post_password: 'three' })
    assert.equal(await readStatus(), 403)
    await author.patch(path, { post_password: emptyValue })
    assert.equal(await readStatus(), 200)
  }
  await author.patch(path, { post_password: 1234 })
  assert.deepEqual([await readStatus(), await readStatus('?password=1234')], [403, 200])
})

test('writes need no password, the parameter password does not set one, and refused writes do not reveal the event', async () => {
  const path = paths[0] ?? ''
  const before = await readCalendarState(store)
  const refused = await contributor.patch(path, { password: 'sesame', title: 'x' })
  assert.deepEqual([refused.status, refused.text.includes('cake')], [403, false])
  assert.equal((await visitor.patch(path, { password: 'sesame', title: 'x' })).status, 401)
  assert.equal((await author.patch(path, { password: '' })).status, 400)
  for (const wrong of [{}, [], true, '0', 0]) {
    const answer = await author.patch(path, { post_password: wrong })
    assert.deepEqual([answer.status, Object.keys(answer.body.data.params)], [400, ['post_password']])
  }
  assert.equal((await author.patch(path, { post_password: 'x'.repeat(201) })).status, 400)
  assert.deepEqual(await readCalendarState(store), before)
  const { id } = await anEvent({ password: 'none' })
  assert.equal((await visitor.get(`${events}/${id}`)).status, 200)
  const deleted = await author.delete(path)
  assert.deepEqual([deleted.status, deleted.body.description], [200, created.description])
  assert.equal((await visitor.get(path)).status, 404)
})
