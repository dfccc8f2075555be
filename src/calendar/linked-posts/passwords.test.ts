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
  const createProtected = async () => (await author.post(path, { [kind]: 'Protected', ...fields })).body
  const hidden = Object.keys(fields).filter(name => !/^(geo|show|post)_/.test(name))

  test(`of ${kind === 'venue' ? 'a protected venue' : 'a protected organizer'} only the name is returned without the password`, async () => {
    const { id, slug, ...created } = await createProtected()
    assert.equal(created.phone, '4711')
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
    const unlocked = [
      await visitor.get(`${path}/${id}?password=sesame`),
      await visitor.get(`${path}/by-slug/${slug}?password=sesame`),
      await author.get(`${path}/${id}`),
      await editor.get(`${path}/${id}`),
      await admin.get(`${path}/${id}`)
    ]
    for (const { body } of unlocked) assert.deepEqual([body.phone, body.json_ld.telephone], ['4711', '4711'])
  })

  test(`lists and searches do not reveal the fields of protected ${kind}s without the password`, async () => {
    const { id } = await createProtected()
    const readInList = async (query: string, by = visitor) => (await by.get(`${path}?${query}`)).body[`${kind}s`][0]
    assert.equal((await readInList(`include=${id}`)).phone, '')
    assert.equal((await readInList(`include=${id}&password=sesame`)).phone, '4711')
    assert.equal((await readInList(`include=${id}`, editor)).phone, '4711')
    assert.equal(await readInList(`include=${id}&search=4711`), undefined)
    assert.equal((await readInList(`include=${id}&search=4711`, author)).id, id)
    assert.equal((await readInList(`include=${id}&search=4711&password=sesame`)).id, id)
  })

  test(`post_password sets and clears the password of ${kind}s; the parameter password does not set one`, async () => {
    const { id } = (await admin.post(path, { [kind]: 'Open', phone: '1', password: 'nothing' })).body
    const readPhone = async () => (await visitor.get(`${path}/${id}`)).body.phone
    assert.equal(await readPhone(), '1')
    await admin.patch(`${path}/${id}`, { post_password: 'x' })
    assert.equal(await readPhone(), '')
    await admin.patch(`${path}/${id}`, { [kind]: 'Still closed' })
    assert.equal(await readPhone(), '')
    await admin.patch(`${path}/${id}`, { post_password: '' })
    assert.equal(await readPhone(), '1')
    assert.equal((await admin.patch(`${path}/${id}`, { post_password: 'x'.repeat(201) })).status, 400)
  })

  test(`the ${kind}s of a protected event are listed only with the password`, async () => {
    const { id } = (await admin.post(path, { [kind]: 'Discreet' })).body
    const { id: event } = await anEvent({ post_password: 'sesame', [kind]: id })
    const readTotal = async (query: string, by = visitor) => (await by.get(`${path}?event=${event}${query}`)).body.total
    assert.deepEqual([await readTotal(''), await readTotal('&password=sesame'), await readTotal('', admin)], [0, 1, 1])
  })
}
