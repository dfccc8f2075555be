import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, sendForm, startAdmin } from '#test/support/admin-client.ts'
import { calendar, campaign, donation } from '#test/support/services.ts'

const { admin, visitor, signIn, withKey } = await startAdmin()
const anna = await signIn('admin')
const ed = await signIn('editor')

const carl = { name: 'Carl', email: 'carl@example.org', role: 'treasurer', language: 'de', password }

async function findUser(email: string) {
  return (await admin.get('/users')).body.find((user: { email: string }) => user.email === email)
}

test('an admin creates a user, changes it, and removes it after a confirmation page', async () => {
  const created = await anna.sendAndFollow('/admin/users', carl)
  assert.match(created.text, /Carl can sign in now\./)
  const { id } = await findUser(carl.email)
  const page = await anna.get(`/admin/users/${id}`)
  const etag = (/name="etag" value="([^"]+)"/.exec(page.text)?.[1] ?? '').replaceAll('&quot;', '"')
  assert.ok(!page.text.includes(password))

  const changed = { ...carl, name: 'Carla', role: 'viewer', password: '', etag }
  await anna.sendAndFollow(`/admin/users/${id}`, changed)
  const user = await findUser(carl.email)
  assert.deepEqual([user.name, user.role], ['Carla', 'viewer'])
  const kept = await sendForm(visitor, '/admin/sign-in', { email: carl.email, password })
  assert.equal(kept.status, 303, 'an empty password keeps the old one')

  const stale = await anna.send(`/admin/users/${id}`, { ...changed, name: 'Carlos' })
  assert.equal(stale.status, 412)
  assert.match(stale.text, /Another user saved changes in the meantime/)
  assert.match(stale.text, /value="Carlos"/)

  const confirmation = await anna.get(`/admin/users/${id}/remove`)
  assert.match(confirmation.text, /Remove Carla\?/)
  assert.ok(await findUser(carl.email))
  await anna.sendAndFollow(`/admin/users/${id}/remove`, {})
  assert.equal(await findUser(carl.email), undefined)
  assert.equal((await anna.get(`/admin/users/${id}`)).status, 404)
})

test('each invalid field of a user has an error at the field, and the input is kept except for the password', async () => {
  const cases: [fields: object, field: string, message: RegExp][] = [
    [{ email: 'nobody' }, 'email', /Please enter an email address/],
    [{ email: ed.email }, 'email', /with this email address already exists/],
    [{ password: 'short' }, 'password', /Password needs at least 10 characters/],
    [{ name: '' }, 'name', /Name must not be empty/]
  ]
  for (const [fields, field, message] of cases) {
    const { status, text } = await anna.send('/admin/users', { ...carl, name: '"><b>Dora', ...fields })
    assert.equal(status, 422, field)
    assert.match(/id="field-\w+-error">([^<]*)/.exec(text)?.[1] ?? '', message)
    assert.ok(text.includes(`href="#field-${field}"`))
    assert.match(text, /value="treasurer" checked/)
    assert.ok(!text.includes('<b>Dora') && !text.includes('value="short"'))
  }
})

test('the last admin cannot be removed, and the page says why', async () => {
  const alone = await startAdmin()
  const last = await alone.signIn('admin')
  const { id } = (await alone.admin.get('/users')).body[0]
  const refused = await last.send(`/admin/users/${id}/remove`, {})
  assert.equal(refused.status, 409)
  assert.match(refused.text, /At least one user must have the role admin/)
})

test('a new key is shown only on its page, also after sending the form again, and works until it is revoked', async () => {
  const form = await anna.get('/admin/keys/new')
  const idempotencyKey = /name="idempotencyKey" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
  const fields = { idempotencyKey, name: 'Import <i>', role: 'editor', expires: '2099-05-01' }
  const created = await anna.send('/admin/keys', fields)
  assert.equal(created.status, 200)
  assert.equal(created.headers['cache-control'], 'private, no-store')
  const key = /kal_\w+/.exec(created.text)?.[0] ?? ''
  assert.match(created.text, /curl -H/)
  assert.equal((await withKey(key).post(`${calendar}/venues`, { venue: 'Made with the key' })).status, 201)
  assert.ok((await anna.send('/admin/keys', fields)).text.includes(key), 'the same form again gives the same key')

  const list = await anna.get('/admin/keys')
  assert.ok(!list.text.includes(key) && !list.text.includes('<i>'))
  assert.match(list.text, /1 May 2099/)
  const { id } = (await admin.get('/keys')).body.find(({ name }: { name: string }) => name === 'Import <i>')
  await anna.sendAndFollow(`/admin/keys/${id}/revoke`, {})
  assert.equal((await withKey(key).post(`${calendar}/venues`, { venue: 'Too late' })).status, 401)
  assert.equal((await anna.get(`/admin/keys/${id}/revoke`)).status, 404)
})

test('a key with an invalid field is refused with an error at the field', async () => {
  for (const [fields, field] of [
    [{ name: '' }, 'name'],
    [{ expires: '2001-01-01' }, 'expires'],
    [{ expires: 'someday' }, 'expires'],
    [{ expires: '2099-02-31' }, 'expires'],
    [{ role: 'king' }, 'role']
  ] as const) {
    const { status, text } = await anna.send('/admin/keys', { name: 'x', role: 'editor', expires: '', ...fields })
    assert.equal(status, 422, JSON.stringify(fields))
    assert.ok(text.includes(`id="field-${field}-error"`), JSON.stringify(fields))
  }
})

test('the activity log shows sentences without donor names, and can be filtered and downloaded as CSV', async () => {
  const adminClient = await signIn('admin', 'de')
  const { id } = (
    await admin.post(`${calendar}/events`, {
      title: 'Fest 1 < 2',
      start_date: '2099-06-01',
      end_date: '2099-06-02'
    })
  ).body
  await admin.patch(`${calendar}/events/${id}`, { cost: '5' })
  const { id: campaignId } = (await admin.post('/campaigns', { ...campaign, name: '=1+1' })).body
  await visitor.post(`/campaigns/${campaignId}/donations`, { ...donation, donorName: 'Mrs Secret' })

  const { text } = await adminClient.get('/admin/activity')
  assert.match(text, /Der Serverschlüssel \(ADMIN_KEY\) hat den Termin Fest 1 &lt; 2 geändert/)
  assert.match(text, /The admin of the tests hat sich angemeldet/)
  assert.match(text, /Eine Besucherin oder ein Besucher hat eine Spende über 25,00\s€ für =1\+1 eingetragen/)
  assert.ok(!text.includes('Mrs Secret'))

  const filtered = await anna.get('/admin/activity?action=event.updated&subject=event&actor=ADMIN_KEY')
  assert.match(filtered.text, /<td><span class="muted">Changed: Cost [^<]+ → “5”/)
  assert.ok(!filtered.text.includes('signed in</span>'))
  assert.match(
    filtered.text,
    /href="\/admin\/activity\.csv\?action=event\.updated&amp;subject=event&amp;actor=ADMIN_KEY"/
  )

  const csv = await adminClient.get('/admin/activity.csv?subject=campaign')
  assert.match(String(csv.headers['content-disposition']), /attachment; filename="activity\.csv"/)
  assert.match(csv.text, /^\ufeffWann;Wer;Was;/)
  assert.match(csv.text, /campaign\.created;campaign;/)
  assert.ok(!csv.text.includes('event.created'))
  assert.equal((await anna.get('/admin/activity?cursor=nonsense')).status, 400)
})

test('the pages of the activity log contain each record exactly once', async () => {
  for (let count = 0; count < 55; count += 1) await admin.post(`${calendar}/tags`, { name: `tag ${count}` })
  const first = await anna.get('/admin/activity?action=tag.created')
  const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  assert.match(next, /action=tag\.created/)
  const second = await anna.get(next)
  const shown = [first, second].flatMap(({ text }) =>
    [...text.matchAll(/created the tag (tag \d+)/g)].map(([, tag]) => tag)
  )
  assert.deepEqual([shown.length, new Set(shown).size], [55, 55])
  assert.equal((await anna.get('/admin/activity.csv?action=tag.created')).text.trim().split('\r\n').length, 56)
})

test('only admins can open users, keys, the activity log and the settings', async () => {
  for (const path of [
    '/admin/users',
    '/admin/users/new',
    '/admin/keys',
    '/admin/activity',
    '/admin/activity.csv',
    '/admin/settings'
  ]) {
    const { status, text } = await ed.get(path)
    assert.equal(status, 403, path)
    assert.match(text, /have access to this page/)
  }
  for (const path of ['/admin/users', '/admin/keys', '/admin/settings']) {
    assert.equal((await ed.send(path, { ...carl, email: 'never@example.org' })).status, 403, path)
  }
  assert.equal(await findUser('never@example.org'), undefined)
})

test('a form without the token of its session is refused and changes nothing', async () => {
  for (const _token of ['', 'x'.repeat(32)]) {
    const { status } = await anna.send('/admin/users', { ...carl, email: 'never@example.org', _token })
    assert.equal(status, 403)
  }
  assert.equal(await findUser('never@example.org'), undefined)
})

test('removing a user lists the keys that the user created, and revokes them or hands them over', async () => {
  for (const isKept of [false, true]) {
    const { email } = await signIn('admin')
    const { token } = (await visitor.post('/sessions', { email, password })).body
    const { body: key } = await withKey(token).post('/keys', { name: 'Newsletter <b>', role: 'treasurer' })
    const { id } = await findUser(email)
    assert.match((await anna.get(`/admin/users/${id}`)).text, /API keys that this user created[\s\S]*Newsletter &lt;b/)
    const confirmation = await anna.get(`/admin/users/${id}/remove`)
    assert.match(
      confirmation.text,
      /API keys that this user created[\s\S]*Newsletter[\s\S]*name="keys" value="end" checked/
    )
    assert.ok(!confirmation.text.includes('<b>'))
    await anna.sendAndFollow(`/admin/users/${id}/remove`, { keys: isKept ? 'handover' : 'end' })
    assert.equal((await withKey(key.key).get('/campaigns')).status, isKept ? 200 : 401)
    const list = await anna.get('/admin/keys')
    assert.equal(/Newsletter/.test(list.text), isKept)
  }
})
