import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/database/sql.ts'
import { newAdminClient, password, sendForm, startAdmin } from '#test/support/admin-client.ts'
import { parseForms } from '#test/support/html.ts'
import { campaign } from '#test/support/services.ts'

const { admin, visitor, signIn, store } = await startAdmin()
const anna = await signIn('admin')

/** No session has confirmed its password recently. */
const expireConfirmations = async () => await store.run(sql`update platform.sessions set confirmed_at = null`)
const listKeyNames = async () => (await admin.get('/keys')).body.map(({ name }: { name: string }) => name)

/** The fields of the form of a page that has this action. */
function findForm(text: string, action: string): Record<string, string[]> {
  const found = parseForms(text).find(form => form.action.split('?')[0] === action)
  assert.ok(found, `no form to ${action}`)
  return found.fields
}

test('a change that needs the password shows a page that asks for it, and continues with the input', async () => {
  await expireConfirmations()
  const fields = { name: 'Import "old" <site>', role: 'viewer', expires: '', idempotencyKey: 'confirm-1' }
  const prompt = await anna.send('/admin/keys', fields)
  assert.equal(prompt.status, 403)
  assert.match(prompt.text, /Please confirm your password/)
  assert.ok(!(await listKeyNames()).includes(fields.name))
  const resentFields = findForm(prompt.text, '/admin/keys')
  assert.deepEqual([resentFields.name, resentFields.role, resentFields._password], [[fields.name], ['viewer'], ['']])

  const wrong = await anna.send('/admin/keys', { ...fields, _password: 'wrong' })
  assert.equal(wrong.status, 422)
  assert.match(/id="field--password-error">([^<]*)/.exec(wrong.text)?.[1] ?? '', /password is wrong/)
  assert.deepEqual(findForm(wrong.text, '/admin/keys').name, [fields.name])
  const done = await anna.send('/admin/keys', { ...fields, _password: password })
  assert.equal(done.status, 200)
  assert.match(done.text, /Your new key/)
  assert.ok((await listKeyNames()).includes(fields.name))
  assert.equal((await anna.send('/admin/keys', { ...fields, name: 'Next', idempotencyKey: 'confirm-2' })).status, 200)
})

test('a password field of the form is emptied on that page, and has to be entered again', async () => {
  const { id } = (await admin.post('/users', { name: 'Kim', email: 'kim@example.org', role: 'viewer', password })).body
  await expireConfirmations()
  const fields = { name: 'Kim', email: 'kim@example.org', role: 'viewer', language: 'en', etag: '*' }
  const prompt = await anna.send(`/admin/users/${id}`, { ...fields, password: 'secret of the form' })
  assert.equal(prompt.status, 403)
  assert.ok(!prompt.text.includes('secret of the form'))
  assert.deepEqual(findForm(prompt.text, `/admin/users/${id}`).password, [''])
  const sent = { ...fields, password: 'secret of the form', _password: password }
  assert.equal((await anna.send(`/admin/users/${id}`, sent)).status, 303)
  const signedIn = await sendForm(visitor, '/admin/sign-in', {
    email: 'kim@example.org',
    password: 'secret of the form'
  })
  assert.equal(signedIn.status, 303)
})

test('changing the IBAN of a campaign asks for the password, in the language of the user, and keeps all fields', async () => {
  const berta = await signIn('treasurer', 'de')
  const { id } = (await admin.post('/campaigns', campaign)).body
  const form = (await berta.get(`/admin/campaigns/${id}`)).text
  await expireConfirmations()
  const { _token, ...all } = findForm(form, `/admin/campaigns/${id}`)
  // A browser sends one of several radio buttons.
  const fields = Object.fromEntries(Object.entries(all).map(([name, values]) => [name, values.slice(-1)]))
  const [ibanName = ''] = Object.keys(fields).filter(name => /iban/i.test(name))
  const withNewIban = { ...fields, [ibanName]: ['GB82 WEST 1234 5698 7654 32'] }
  const prompt = await berta.send(`/admin/campaigns/${id}`, withNewIban)
  assert.equal(prompt.status, 403)
  assert.match(prompt.text, /Bitte bestätigen Sie Ihr Passwort/)
  const resentFields = findForm(prompt.text, `/admin/campaigns/${id}`)
  for (const [name, values] of Object.entries(withNewIban)) {
    if (values.join('') !== '') assert.deepEqual(resentFields[name], values, name)
  }
  const done = await berta.send(`/admin/campaigns/${id}`, { ...resentFields, _password: password })
  assert.equal(done.status, 303)
  assert.equal((await admin.get(`/campaigns/${id}`)).body.account.iban, 'GB82WEST12345698765432')
})

test('a form that is sent after the session has expired is kept through sign-in, also after a wrong password', async () => {
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
    const { _pendingForm = [] } = findForm(expired.text, '/admin/sign-in')
    const wrong = await sendForm(visitor, '/admin/sign-in', { email: ed.email, password: 'wrong', _pendingForm })
    assert.equal(wrong.status, 422)
    assert.deepEqual(findForm(wrong.text, '/admin/sign-in')._pendingForm, _pendingForm, 'also after a wrong password')

    const back = await sendForm(visitor, '/admin/sign-in', { email: ed.email, password, _pendingForm })
    assert.equal(back.status, 200)
    assert.match(back.text, /has not been sent yet/)
    const resumed = findForm(back.text, '/admin/venues/new')
    assert.deepEqual(resumed.description?.join('').replaceAll('\r', ''), story)
    assert.deepEqual([resumed.venue, resumed['list[]'], resumed['deep[x][y]']], [['Town Hall'], ['a', 'b'], ['z']])
    const session = /kalends_session=([^;]+)/.exec(String(back.headers['set-cookie']))?.[1] ?? ''
    const again = newAdminClient(visitor, ed.email, session)
    const [token] = resumed._token ?? []
    assert.match((await again.get('/admin/account')).text, new RegExp(`name="_token" value="${token}"`))
  }
})

test('a form with the token of an earlier session is not executed, and offered to be sent again', async () => {
  const fields = { name: 'Nobody', email: 'nobody@example.org', role: 'admin', language: 'en', idempotencyKey: 'x-1' }
  const earlier = await anna.send('/admin/invitations', { ...fields, _token: '0'.repeat(32) })
  assert.equal(earlier.status, 403)
  assert.match(earlier.text, /opened before you signed in again/)
  assert.deepEqual(findForm(earlier.text, '/admin/invitations').email, [fields.email])
  assert.equal((await admin.get('/invitations')).body.length, 0)
})

test('forms from another origin, forms that are too long, and forged pending forms are not kept', async () => {
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

test('users see and end their own sessions on their account page; admins end those of other users', async () => {
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
