import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { calendar, startCalendar } from '#test/support/services.ts'
import { ParamError } from '../contract/param-definition.ts'
import { organizerFields } from './schema.ts'

const { admin, visitor, anOrganizer } = await startCalendar()
const organizers = `${calendar}/organizers`

test('an organizer needs only a name, and responses leave out empty fields', async () => {
  const created = await admin.post(organizers, { organizer: 'Ann Lee' })
  assert.equal(created.status, 201)
  const { id, date, date_utc, modified, modified_utc, ...rest } = created.body
  assert.deepEqual([date, modified, modified_utc], [date_utc, date, date])
  assert.deepEqual(rest, {
    author: '1',
    status: 'publish',
    url: 'http://localhost:80/organizer/ann-lee/',
    organizer: 'Ann Lee',
    slug: 'ann-lee',
    global_id: `localhost?id=${id}`,
    global_id_lineage: [`localhost?id=${id}`],
    language: 'en',
    translations: ['en']
  })

  const { json_ld, ...item } = (await visitor.get(`${organizers}/${id}`)).body
  assert.deepEqual(item, created.body)
  assert.deepEqual(json_ld, {
    '@type': 'Person',
    name: 'Ann Lee',
    description: '',
    url: '',
    telephone: '',
    email: '',
    sameAs: ''
  })
})

const everything = {
  organizer: 'Music & More',
  description: '<p>About us</p>',
  phone: '+49 30 1',
  website: 'https://music.example',
  email: 'info@music.example',
  status: 'publish',
  date_utc: '2026-01-02 03:04:05'
}

test('every field of the specification is stored, returned and found by search', async () => {
  const { id, ...created } = await anOrganizer(everything)
  for (const [name, value] of Object.entries(everything)) assert.equal(created[name], value, name)
  for (const search of ['+49 30', 'music.example', 'info@', 'about us', 'more']) {
    const found = await visitor.get(`${organizers}?search=${encodeURIComponent(search)}`)
    assert.deepEqual(
      found.body.organizers.map((item: { id: number }) => item.id),
      [id],
      search
    )
  }
  const { json_ld } = (await visitor.get(`${organizers}/${id}`)).body
  assert.deepEqual(
    [json_ld.email, json_ld.sameAs, json_ld.description],
    ['info@music.example', 'https://music.example', 'About us']
  )
})

test('an update changes only the fields of the request; null and an empty text clear a field', async () => {
  const { id } = await anOrganizer({ ...everything, organizer: 'Changing' })
  const { modified, modified_utc, ...before } = (await visitor.get(`${organizers}/${id}`)).body
  const renamed = await admin.put(`${organizers}/${id}`, { organizer: 'Changed' })
  assert.equal(renamed.status, 200)
  const { json_ld: _, ...kept } = before
  assert.deepEqual(
    { ...renamed.body, modified: undefined, modified_utc: undefined },
    { ...kept, organizer: 'Changed', modified: undefined, modified_utc: undefined }
  )

  const cleared = await admin.patch(`${organizers}/${id}`, { description: '', phone: null, website: null, email: '' })
  for (const name of ['description', 'phone', 'website', 'email']) assert.equal(name in cleared.body, false, name)
  assert.equal((await admin.patch(`${organizers}/${id}`, { organizer: '' })).status, 400)
})

test('an email address must be valid or empty', async () => {
  for (const email of ['a@b.example', "o'neil+x@sub.b.example", 'ä@münchen.example', '', null, ' a@b.example ']) {
    const created = await admin.post(organizers, { organizer: 'Mail', email })
    assert.equal(created.status, 201, String(email))
    assert.equal(created.body.email ?? '', (email ?? '').trim())
  }
  for (const email of [
    'a',
    'a@',
    '@b.example',
    'a@b',
    'a b@c.example',
    'a@b@c.example',
    'a@b..example',
    5,
    ['a@b.c']
  ]) {
    const refused = await admin.post(organizers, { organizer: 'Mail', email })
    assert.equal(refused.status, 400, String(email))
    assert.deepEqual(Object.keys(refused.body.data.params), ['email'])
  }
})

test('email addresses that are too long are refused, and generated valid ones accepted', () => {
  const context = { zone: 'UTC', now: new Date() }
  for (const text of ['a'.repeat(1_000_000), `${'a.'.repeat(500)}@`, `a@${'b.'.repeat(240)}`, `a@${'-'.repeat(250)}`]) {
    assert.ok(organizerFields.email.parse(text, context) instanceof ParamError, text.slice(0, 20))
  }
  fc.assert(
    fc.property(fc.emailAddress({ size: 'small' }), email => {
      assert.equal(organizerFields.email.parse(email, context), email)
    })
  )
})

test('a name is required on create and cannot be blank', async () => {
  const missing = await admin.post(organizers, { email: 'a@b.example' })
  assert.deepEqual(
    [missing.status, missing.body.code, missing.body.data.params],
    [400, 'rest_missing_callback_param', ['organizer']]
  )
  for (const organizer of ['', ' ', '<i></i>', 'x'.repeat(501), {}, []]) {
    assert.equal((await admin.post(organizers, { organizer })).status, 400, JSON.stringify(organizer))
  }
})
