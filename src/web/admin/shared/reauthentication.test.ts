import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { newAdminClient, password, sendForm, startAdmin } from '#test/support/admin-client.ts'
import { parseForms } from '#test/support/html.ts'
import { campaign } from '#test/support/services.ts'

const { admin, visitor, signIn, store } = await startAdmin()
const anna = await signIn('admin')

/** Nobody has proved a password lately. */
const forgetProofs = async () => await store.run(sql`update platform.sessions set confirmed_at = null`)
const keyNames = async () => (await admin.get('/keys')).body.map(({ name }: { name: string }) => name)

/** The fields of the one form of a page whose address is this. */
function formTo(text: string, action: string): Record<string, string[]> {
  const found = parseForms(text).find(form => form.action.split('?')[0] === action)
  assert.ok(found, `no form to ${action}`)
  return found.fields
}

test('a change that needs the password asks for it on a page of its own, and goes on with what was typed', async () => {
  await forgetProofs()
  const fields = { name: 'Import "old" <site>', role: 'viewer', expires: '', idempotencyKey: 'confirm-1' }
  const asked = await anna.send('/admin/keys', fields)
  assert.equal(asked.status, 403)
  assert.match(asked.text, /Please confirm your password/)
  assert.ok(!(await keyNames()).includes(fields.name))
  const carried = formTo(asked.text, '/admin/keys')
  assert.deepEqual([carried.name, carried.role, carried._password], [[fields.name], ['viewer'], ['']])

  const wrong = await anna.send('/admin/keys', { ...fields, _password: 'wrong' })
  assert.equal(wrong.status, 422)
  assert.match(/id="field--password-error">([^<]*)/.exec(wrong.text)?.[1] ?? '', /password is wrong/)
  assert.deepEqual(formTo(wrong.text, '/admin/keys').name, [fields.name])
  const done = await anna.send('/admin/keys', { ...fields, _password: password })
  assert.equal(done.status, 200)
  assert.match(done.text, /Your new key/)
  assert.ok((await keyNames()).includes(fields.name))
  assert.equal((await anna.send('/admin/keys', { ...fields, name: 'Next', idempotencyKey: 'confirm-2' })).status, 200)
})

test('a password in the form is not carried but asked for again, and no page shows one', async () => {
  const { id } = (await admin.post('/users', { name: 'Kim', email: 'kim@example.org', role: 'viewer', password })).body
  await forgetProofs()
  const fields = { name: 'Kim', email: 'kim@example.org', role: 'viewer', language: 'en', etag: '*' }
  const asked = await anna.send(`/admin/users/${id}`, { ...fields, password: 'secret of the form' })
  assert.equal(asked.status, 403)
  assert.ok(!asked.text.includes('secret of the form'))
  assert.deepEqual(formTo(asked.text, `/admin/users/${id}`).password, [''])
  const sent = { ...fields, password: 'secret of the form', _password: password }
  assert.equal((await anna.send(`/admin/users/${id}`, sent)).status, 303)
  const signedIn = await sendForm(visitor, '/admin/sign-in', {
    email: 'kim@example.org',
    password: 'secret of the form'
  })
  assert.equal(signedIn.status, 303)
})

test('another IBAN of a campaign asks for the password in the language of the person, another name does not', async () => {
  const berta = await signIn('treasurer', 'de')
  const { id } = (await admin.post('/campaigns', campaign)).body
  const form = (await berta.get(`/admin/campaigns/${id}`)).text
  await forgetProofs()
  const { _token, ...all } = formTo(form, `/admin/campaigns/${id}`)
  // Of several choices a browser sends one.
  const fields = Object.fromEntries(Object.entries(all).map(([name, values]) => [name, values.slice(-1)]))
  const [ibanName = ''] = Object.keys(fields).filter(name => /iban/i.test(name))
  const moved = { ...fields, [ibanName]: ['GB82 WEST 1234 5698 7654 32'] }
  const asked = await berta.send(`/admin/campaigns/${id}`, moved)
  assert.equal(asked.status, 403)
  assert.match(asked.text, /Bitte bestätigen Sie Ihr Passwort/)
  const carried = formTo(asked.text, `/admin/campaigns/${id}`)
  for (const [name, values] of Object.entries(moved)) {
    if (values.join('') !== '') assert.deepEqual(carried[name], values, name)
  }
  const done = await berta.send(`/admin/campaigns/${id}`, { ...carried, _password: password })
  assert.equal(done.status, 303)
  assert.equal((await admin.get(`/campaigns/${id}`)).body.account.iban, 'GB82WEST12345698765432')
})

test('a form that is sent after the session has ended asks to sign in, and loses nothing', async () => {
  const ed = await signIn('editor')
  const story = `A long story\nwith lines, "quotes" & <tags>. ${'x'.repeat(20_000)}`
  const fields = { venue: 'Town Hall', description: story, 'list[]': ['a', 'b'], 'deep[x][y]': 'z' }
  await store.run(
    sql`delete from platform.sessions where user_id in (select id from platform.users where email = ${ed.email})`
  )
  const proof = '0123456789abcdef0123456789abcdef'
  const cookie = `kalends_session=kls_${'a'.repeat(10)}_${'b'.repeat(32)}`
  for (const headers of [{ cookie }, {}]) {
    const expired = await sendForm(visitor, '/admin/venues/new', { ...fields, _token: proof }, headers)
    assert.equal(expired.status, 401)
    assert.match(expired.text, /Your session has ended/)
    const { _pendingForm = [] } = formTo(expired.text, '/admin/sign-in')
    const wrong = await sendForm(visitor, '/admin/sign-in', { email: ed.email, password: 'wrong', _pendingForm })
    assert.equal(wrong.status, 422)
    assert.deepEqual(formTo(wrong.text, '/admin/sign-in')._pendingForm, _pendingForm, 'also after a wrong password')

    const back = await sendForm(visitor, '/admin/sign-in', { email: ed.email, password, _pendingForm })
    assert.equal(back.status, 200)
    assert.match(back.text, /has not been sent yet/)
    const resumed = formTo(back.text, '/admin/venues/new')
    assert.deepEqual(resumed.description?.join('').replaceAll('\r', ''), story)
    assert.deepEqual([resumed.venue, resumed['list[]'], resumed['deep[x][y]']], [['Town Hall'], ['a', 'b'], ['z']])
    const session = /kalends_session=([^;]+)/.exec(String(back.headers['set-cookie']))?.[1] ?? ''
    const again = newAdminClient(visitor, ed.email, session)
    const [token] = resumed._token ?? []
    assert.match((await again.get('/admin/account')).text, new RegExp(`name="_token" value="${token}"`))
  }
})

test('a form of an earlier session is offered to be sent again, and does nothing until somebody does', async () => {
  const fields = { name: 'Nobody', email: 'nobody@example.org', role: 'admin', language: 'en', idempotencyKey: 'x-1' }
  const earlier = await anna.send('/admin/invitations', { ...fields, _token: '0'.repeat(32) })
  assert.equal(earlier.status, 403)
  assert.match(earlier.text, /opened before you signed in again/)
  assert.deepEqual(formTo(earlier.text, '/admin/invitations').email, [fields.email])
  assert.equal((await admin.get('/invitations')).body.length, 0)
})

test('forms from elsewhere, too long ones and forged ones are carried nowhere', async () => {
  const foreign = await sendForm(visitor, '/admin/venues/new', { venue: 'X' }, { origin: 'https://evil.example' })
  assert.equal(foreign.status, 303)
  const long = await sendForm(visitor, '/admin/venues/new', { description: 'x'.repeat(70_000) })
  assert.equal(long.status, 401)
  assert.ok(long.text.length < 20_000)
  assert.match(long.text, /too long to be kept/)
  for (const _pendingForm of [
    '{"path":"https://evil.example","fields":[],"passwords":[],"files":[]}',
    '{"path":"/admin/../en","fields":[],"passwords":[],"files":[]}',
    '{"path":"/admin/venues","fields":[["a"]],"passwords":[],"files":[]}',
    '{"path":"/admin/venues","fields":[],"passwords":[1],"files":[]}',
    'null',
    '{'
  ]) {
    const { status, headers } = await sendForm(visitor, '/admin/sign-in', { email: anna.email, password, _pendingForm })
    assert.deepEqual([status, headers.location], [303, '/admin'], _pendingForm)
  }
})

test('people see their sessions on their page and end them; admins end those of others', async () => {
  const ed = await signIn('editor')
  const agent = 'Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0'
  const other = await sendForm(visitor, '/admin/sign-in', { email: ed.email, password }, { 'user-agent': agent })
  const session = /kalends_session=([^;]+)/.exec(String(other.headers['set-cookie']))?.[1] ?? ''
  const windows = newAdminClient(visitor, ed.email, session)
  const page = (await ed.get('/admin/account')).text
  assert.match(page, /Where you are signed in[\s\S]*Firefox on Windows/)
  const [, id] = /action="(\/admin\/account\/sessions\/\d+)"/.exec(page) ?? []
  assert.match((await ed.sendAndFollow(id ?? '', {})).text, /That session has ended\./)
  assert.equal((await windows.get('/admin/account')).status, 303)
  await visitor.post('/sessions', { email: ed.email, password })
  assert.match((await ed.sendAndFollow('/admin/account/sessions/others', {})).text, /signed out everywhere else/)
  const user = (await admin.get('/users')).body.find(({ email }: { email: string }) => email === ed.email)
  assert.match((await anna.sendAndFollow(`/admin/users/${user.id}/sign-out`, {})).text, /is signed out everywhere/)
  assert.equal((await ed.get('/admin/account')).status, 303)
})
