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
// An author names categories and tags that are there.
await admin.post(`${calendar}/categories`, { name: 'Secrets' })
await admin.post(`${calendar}/tags`, { name: 'cake' })
const made = await anEvent({ ...secret, slug: 'surprise' }, author)
const paths = [`${events}/${made.id}`, `${events}/by-slug/surprise`]

test('who writes an event sees it whole in the answer, and never its password', async () => {
  assert.equal(made.description, '<p>The cake is in the cellar</p>')
  assert.equal(made.venue.venue, 'Cellar')
  const changed = await author.patch(paths[0] ?? '', { cost: 7 })
  assert.equal(changed.body.description, made.description)
  assert.equal(JSON.stringify([made, changed.body]).includes('sesame'), false)
})

test('nobody reads it without the password, whoever they are', async () => {
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
      const open = await by.get(`${path}?password=sesame`)
      assert.deepEqual([open.status, open.body.description, open.body.venue.venue], [200, made.description, 'Cellar'])
    }
  }
})

test('context=edit opens it for those who may edit it and for nobody else', async () => {
  for (const path of paths) {
    for (const by of [author, editor, admin]) assert.equal((await by.get(`${path}?context=edit`)).status, 200)
    for (const by of [visitor, viewer, contributor]) assert.equal((await by.get(`${path}?context=edit`)).status, 403)
    assert.equal((await author.get(`${path}?context=view`)).status, 403)
  }
})

test('in lists it stays, with title and dates and nothing else', async () => {
  const list = async (query: string, by = visitor) =>
    (await by.get(`${events}?include=${made.id}${query}`)).body.events[0]
  for (const by of [visitor, admin]) {
    const blank = await list('', by)
    assert.deepEqual([blank.title, blank.slug, blank.start_date], ['Surprise party', 'surprise', event.start_date])
    for (const member of ['description', 'excerpt', 'cost', 'website']) assert.equal(blank[member], '', member)
    for (const member of [
      'all_day',
      'show_map',
      'show_map_link',
      'hide_from_listings',
      'sticky',
      'featured',
      'ticketed'
    ]) {
      assert.equal(blank[member], null, member)
    }
    for (const member of ['categories', 'tags', 'venue', 'organizer', 'custom_fields']) {
      assert.deepEqual(blank[member], [], member)
    }
    assert.equal(blank.image, false)
    assert.deepEqual(blank.cost_details, { currency_symbol: '', currency_code: '', currency_position: '', values: [] })
    assert.equal(JSON.stringify(blank).includes('cake'), false)
  }
  const whole = await list('&password=sesame')
  assert.deepEqual([whole.description, whole.featured, whole.venue.venue], [made.description, true, 'Cellar'])
  assert.equal((await list('&password=wrong')).description, '')
})

test('a password is set, changed and cleared by writers', async () => {
  const { id } = await anEvent({ description: 'Open' }, author)
  const path = `${events}/${id}`
  const reads = async (query = '') => (await visitor.get(path + query)).status
  assert.equal(await reads(), 200)
  await author.patch(path, { post_password: 'one' })
  assert.deepEqual([await reads(), await reads('?password=one')], [403, 200])
  await author.patch(path, { title: 'Still protected' })
  assert.equal(await reads(), 403)
  await author.patch(path, { post_password: 'two' })
  assert.deepEqual([await reads('?password=one'), await reads('?password=two')], [403, 200])
  for (const nothing of ['', null]) {
    await author.patch(path, { post_password: 'three' })
    assert.equal(await reads(), 403)
    await author.patch(path, { post_password: nothing })
    assert.equal(await reads(), 200)
  }
  await author.patch(path, { post_password: 1234 })
  assert.deepEqual([await reads(), await reads('?password=1234')], [403, 200])
})

test('writing needs no password, a password sets none, and who may not write learns nothing', async () => {
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
  assert.deepEqual([deleted.status, deleted.body.description], [200, made.description])
  assert.equal((await visitor.get(path)).status, 404)
})
