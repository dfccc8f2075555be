import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendar, startCalendar } from '#test/support/services.ts'

const { admin, visitor, withRole, anEvent } = await startCalendar()
const author = await withRole('author')
const otherAuthor = await withRole('author')
const editor = await withRole('editor')

const shared = {
  description: 'Secret words',
  phone: '4711',
  website: 'https://secret.example',
  post_password: 'sesame'
}
const kinds = {
  venue: { ...shared, city: 'Hidden', geo_lat: 1, geo_lng: 2, show_map: false },
  organizer: { ...shared, email: 'hidden@secret.example' }
}

for (const [kind, fields] of Object.entries(kinds)) {
  const path = `${calendar}/${kind}s`
  const make = async () => (await author.post(path, { [kind]: 'Protected', ...fields })).body
  const hidden = Object.keys(fields).filter(name => !/^(geo|show|post)_/.test(name))

  test(`a password hides all of ${kind === 'venue' ? 'a venue' : 'an organizer'} but its name`, async () => {
    const { id, slug, ...made } = await make()
    assert.equal(made.phone, '4711')
    for (const reader of [visitor, otherAuthor]) {
      for (const query of ['', '?password=wrong', '?password=']) {
        const { status, body } = await reader.get(`${path}/${id}${query}`)
        assert.equal(status, 200)
        assert.equal(body[kind], 'Protected')
        for (const name of hidden) assert.equal(body[name], '', name)
        for (const name of ['json_ld', 'geo_lat', 'geo_lng', 'image', 'post_password', 'password']) {
          assert.equal(name in body, false, name)
        }
        if (kind === 'venue') assert.deepEqual([body.show_map, body.show_map_link], [null, null])
        assert.equal(JSON.stringify(body).includes('ecret'), false)
      }
    }
    const open = [
      await visitor.get(`${path}/${id}?password=sesame`),
      await visitor.get(`${path}/by-slug/${slug}?password=sesame`),
      await author.get(`${path}/${id}`),
      await editor.get(`${path}/${id}`),
      await admin.get(`${path}/${id}`)
    ]
    for (const { body } of open) assert.deepEqual([body.phone, body.json_ld.telephone], ['4711', '4711'])
  })

  test(`a password also hides ${kind}s in lists, and what is hidden is not found`, async () => {
    const { id } = await make()
    const item = async (query: string, by = visitor) => (await by.get(`${path}?${query}`)).body[`${kind}s`][0]
    assert.equal((await item(`include=${id}`)).phone, '')
    assert.equal((await item(`include=${id}&password=sesame`)).phone, '4711')
    assert.equal((await item(`include=${id}`, editor)).phone, '4711')
    assert.equal(await item(`include=${id}&search=4711`), undefined)
    assert.equal((await item(`include=${id}&search=4711`, author)).id, id)
    assert.equal((await item(`include=${id}&search=4711&password=sesame`)).id, id)
  })

  test(`a password is set, kept and cleared by post_password; password itself sets nothing`, async () => {
    const { id } = (await admin.post(path, { [kind]: 'Open', phone: '1', password: 'nothing' })).body
    const phone = async () => (await visitor.get(`${path}/${id}`)).body.phone
    assert.equal(await phone(), '1')
    await admin.patch(`${path}/${id}`, { post_password: 'x' })
    assert.equal(await phone(), '')
    await admin.patch(`${path}/${id}`, { [kind]: 'Still closed' })
    assert.equal(await phone(), '')
    await admin.patch(`${path}/${id}`, { post_password: '' })
    assert.equal(await phone(), '1')
    assert.equal((await admin.patch(`${path}/${id}`, { post_password: 'x'.repeat(201) })).status, 400)
  })

  test(`the ${kind}s of an event that is protected are not told`, async () => {
    const { id } = (await admin.post(path, { [kind]: 'Discreet' })).body
    const { id: event } = await anEvent({ post_password: 'sesame', [kind]: id })
    const total = async (query: string, by = visitor) => (await by.get(`${path}?event=${event}${query}`)).body.total
    assert.deepEqual([await total(''), await total('&password=sesame'), await total('', admin)], [0, 1, 1])
  })
}
