import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/fast-passwords.ts'
import { startCampaigns } from '#test/support/services.ts'

const { admin, visitor, withKey } = await startCampaigns()
await admin.patch('/site', { name: 'Musikschule Lindenhof' })
const person = { name: 'Jörg Überreuther', email: 'joerg.u@beispiel-verein.org', role: 'viewer' }

const refused = [
  'Lindenhof-2026!',
  'lindenhof lindenhof',
  'L1nd3nh0f!!2026',
  'MusikschuleLindenhof1',
  'Kalends2026!',
  'k4lends!!!!',
  'joerg.beispiel1',
  'ÜBERREUTHER99',
  'uberreuther_1',
  'verein-verein'
]
const accepted = [
  'Lindenhof braucht ein Dach',
  'correct horse battery',
  'joerg mag Kuchen sehr',
  'Mein Verein, mein Zuhause',
  '2026!2026!2026!'
]

test('a password of words from the context is refused wherever one is chosen; the error names the field, in both languages', async () => {
  const user = (await admin.post('/users', { ...person, password: accepted[1] })).body
  const session = (await visitor.post('/sessions', { email: person.email, password: accepted[1] })).body
  for (const password of refused) {
    const responses = [
      await admin.post('/users', { ...person, email: 'joerg.x@beispiel-verein.org', password }),
      await admin.patch(`/users/${user.id}`, { password }, { 'accept-language': 'de' })
    ]
    for (const { status, body } of responses) {
      assert.deepEqual(
        [status, body.code, body.errors?.[0].pointer],
        [422, 'password-guessable', '/password'],
        password
      )
    }
    assert.match(responses[1]?.body.detail, /Das Passwort darf nicht aus/)
  }
  const own = { currentPassword: accepted[1], newPassword: refused[0] }
  const changed = await withKey(session.token).put('/users/me/password', own)
  assert.deepEqual([changed.status, changed.body.errors[0].pointer], [422, '/newPassword'])
  const tokenIn = (link: string) => new URL(link).searchParams.get('token')
  const reset = tokenIn((await admin.post(`/users/${user.id}/reset-link`)).body.link)
  const invited = { ...person, email: 'joerg.i@beispiel-verein.org' }
  const invitation = tokenIn((await admin.post('/invitations', invited)).body.link)
  for (const [path, token] of [
    ['/password-resets/use', reset],
    ['/invitations/accept', invitation]
  ] as const) {
    const { status, body } = await visitor.post(path, { token, password: refused[0] })
    assert.deepEqual([status, body.code], [422, 'password-guessable'], path)
  }
})

test('a longer sentence may contain such a word', async () => {
  const user = (await admin.post('/users', { ...person, email: 'j2@beispiel-verein.org', password: accepted[1] })).body
  for (const password of accepted) {
    assert.equal((await admin.patch(`/users/${user.id}`, { password })).status, 200, password)
  }
})
