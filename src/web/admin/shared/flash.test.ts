import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, sendForm, startAdmin } from '#test/support/admin-client.ts'
import { calendar, event } from '#test/support/services.ts'
import { signFlash } from './flash.ts'

const { visitor, admin } = await startAdmin()

let count = 0
async function aSession(): Promise<string> {
  count += 1
  const email = `flash${count}@example.org`
  await admin.post('/users', { name: 'Flash', email, role: 'admin', password })
  return (await visitor.post('/sessions', { email, password })).body.token
}

const openWithFlash = async (session: string, notice: string) =>
  await visitor.get('/admin/account', {
    cookie: `kalends_session=${session}; kalends_flash=${encodeURIComponent(notice)}`
  })

const newAdminFields = { name: 'Eve', email: 'eve@example.org', role: 'admin', password: 'eves own password' }
const harmless = { kind: 'restore-campaign', params: { id: '1' }, fields: { name: 'Roof' } }

test('a flash message is shown once, to its session, with its undo button', async () => {
  const session = await aSession()
  const { text, headers } = await openWithFlash(
    session,
    signFlash(session, JSON.stringify({ text: 'Deleted.', undo: harmless }))
  )
  assert.match(text, /Deleted\./)
  assert.match(text, /<form method="post" action="\/admin\/campaigns\/1\/restore">/)
  assert.match(String(headers['set-cookie']), /kalends_flash=; [^,]*Max-Age=0/)
})

test('a forged flash cookie is ignored: unsigned, with a wrong signature, or signed for another session', async () => {
  const [session, other] = [await aSession(), await aSession()]
  const content = JSON.stringify({ text: 'Planted', undo: harmless })
  const proof = signFlash(session, content).slice(0, 32)
  const planted = [
    content,
    `${'0'.repeat(32)}${content}`,
    signFlash('', content),
    signFlash('kalends_session', content),
    signFlash(other, content),
    `${proof}${content} `,
    `${proof.toUpperCase()}${content}`,
    `${proof.slice(1)}${content}`,
    `${proof}${JSON.stringify({ text: 'Planted' })}`
  ]
  for (const notice of planted) {
    const { status, text } = await openWithFlash(session, notice)
    assert.equal(status, 200, notice)
    assert.ok(!text.includes('Planted') && !text.includes('/campaigns/1/restore'), notice)
  }
})

test('a signed flash message offers only known undo actions with valid parameters', async () => {
  const session = await aSession()
  const fields = { name: 'Roof' }
  const undos = [
    { action: '/admin/users', fields: newAdminFields },
    { kind: 'create-user', params: {}, fields: newAdminFields },
    { kind: '__proto__', params: {}, fields: {} },
    { kind: 'constructor', params: {}, fields: {} },
    { kind: 'restore-campaign', params: {}, fields },
    { kind: 'restore-campaign', params: { id: '../users' }, fields },
    { kind: 'restore-campaign', params: { id: '1/restore?x=' }, fields },
    { kind: 'restore-campaign', params: { id: '' }, fields },
    { kind: 'restore-campaign', params: { id: '1' }, fields: { ...fields, ...newAdminFields } },
    { kind: 'restore-campaign', params: { id: '1' }, fields: { ...fields, _token: 'x' } },
    { kind: 'restore-campaign', params: { id: 1 }, fields },
    { kind: 'restore-campaign', params: ['1'], fields },
    { kind: 'revert-entry', params: { id: '1', entry: '2' }, fields: { do: 'donate-all', back: '' } }
  ]
  for (const undo of undos) {
    const { status, text } = await openWithFlash(session, signFlash(session, JSON.stringify({ text: 'Said', undo })))
    assert.equal(status, 200)
    assert.match(text, /<p>Said<\/p>/)
    assert.doesNotMatch(text, /class="small quiet">\s*Undo/, JSON.stringify(undo))
  }
})

test('with an https PUBLIC_URL every cookie is __Host- and Secure, also without TRUST_PROXY, and other names are ignored', async () => {
  const site = await startAdmin({ env: { PUBLIC_URL: 'https://kalends.example' } })
  const email = 'secure@example.org'
  await site.admin.post('/users', { name: 'Sec', email, role: 'admin', password })
  const signedIn = await sendForm(site.visitor, '/admin/sign-in', { email, password })
  assert.equal(signedIn.status, 303, signedIn.text)
  const cookies = [signedIn.headers['set-cookie'] ?? []].flat()
  assert.ok(cookies.length > 0)
  for (const cookie of cookies) {
    assert.match(cookie, /^__Host-kalends_\w+=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/)
  }
  const [, token = ''] = /__Host-kalends_session=([^;]+)/.exec(cookies.join('\n')) ?? []
  const seconds = Number(/__Host-kalends_session=.*Max-Age=(\d+)/.exec(cookies.join('\n'))?.[1])
  assert.ok(Math.abs(seconds - 14 * 86_400) < 60, String(seconds))

  const inside = await site.visitor.get('/admin', { cookie: `__Host-kalends_session=${token}` })
  assert.equal(inside.status, 200)
  assert.match(String(inside.headers['set-cookie']), /__Host-kalends_session=.*Max-Age=1209\d{3}/)
  for (const cookie of [`kalends_session=${token}`, `__Secure-kalends_session=${token}`]) {
    assert.equal((await site.visitor.get('/admin', { cookie })).status, 303, cookie)
  }

  // Other forms set their cookies in the same way.
  const party = await site.admin.post(`${calendar}/events`, event)
  const proof = /name="_token" value="([0-9a-f]+)"/.exec(inside.text)?.[1] ?? ''
  const cookie = `__Host-kalends_session=${token}`
  for (const path of [`/admin/events/${party.body.id}/trash`, '/admin/checklist', '/admin/sign-out']) {
    const { headers, status } = await sendForm(site.visitor, path, { _token: proof }, { cookie })
    assert.equal(status, 303, path)
    const setCookies = [headers['set-cookie'] ?? []].flat()
    assert.ok(
      setCookies.length > 0 && setCookies.every(one => /^__Host-kalends_\w+=.*; Path=\/; .*; Secure;/.test(one)),
      path
    )
  }
})

test('over plain http cookies have neither prefix nor Secure, because browsers refuse both', async () => {
  const email = 'plain@example.org'
  await admin.post('/users', { name: 'Plain', email, role: 'viewer', password })
  const { headers } = await sendForm(visitor, '/admin/sign-in', { email, password })
  for (const cookie of [headers['set-cookie'] ?? []].flat()) {
    assert.match(cookie, /^kalends_\w+=[^;]+; Path=\/admin; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
  }
})
