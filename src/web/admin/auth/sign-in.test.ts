import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSetupToken } from '#platform/setup/setup.ts'
import { newAdminClient, password, sendForm, startAdmin } from '#test/support/admin-client.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { startSite } from '#test/support/services.ts'

const { visitor, admin, signIn } = await startAdmin()
const anna = await signIn('editor')

const firstRun = {
  'site/name': 'Verein <b>Lindenau</b>',
  'site/tagline/en': 'Culture for a small town',
  'site/tagline/de': 'Kultur für eine kleine Stadt',
  'site/languages[]': ['en', 'de'],
  'site/defaultLanguage': 'de',
  'site/timezone': 'Europe/Vienna',
  'site/account/name': 'Verein Lindenau',
  'site/account/iban': 'DE89 3704 0044 0532 0130 00',
  'user/name': 'Anna',
  'user/email': 'anna@example.org',
  'user/password': password
}

test('the first run creates the site, its account and the first admin, and redirects to the console', async () => {
  const site = await startSite()
  const token = (await newSetupToken(site.store)) ?? ''
  const page = await site.visitor.get(`/admin/setup?token=${token}`)
  assert.equal(page.status, 200)
  assert.match(page.text, new RegExp(`name="token" value="${token}"`))
  assert.match(page.text, /<option[^>]* value="Europe\/Vienna"/)

  const done = await sendForm(site.visitor, '/admin/setup', { token, ...firstRun, sample: 'yes' })
  assert.equal(done.status, 303)
  assert.equal(done.headers.location, '/admin?welcome=yes')
  const session = /kalends_session=([^;]+); Path=\/admin; HttpOnly; SameSite=Lax/.exec(
    String(done.headers['set-cookie'])
  )
  const { body } = await site.admin.get('/site')
  assert.equal(body.name, firstRun['site/name'])
  assert.deepEqual(body.tagline, { en: firstRun['site/tagline/en'], de: firstRun['site/tagline/de'] })
  assert.equal(body.timezone, 'Europe/Vienna')
  assert.equal(body.account.iban, 'DE89370400440532013000')
  assert.ok((await site.visitor.get('/campaigns')).body.length > 0, 'the sample content exists')

  const inside = await newAdminClient(site.visitor, '', session?.[1] ?? '').get('/admin?welcome=yes')
  assert.equal(inside.status, 200)
  assert.match(inside.text, /Welcome!/)
  assert.match(inside.text, /Verein &lt;b>Lindenau|Verein &lt;b&gt;Lindenau/)

  assert.equal((await site.visitor.get('/admin/setup')).headers.location, '/admin/sign-in')
  const again = await sendForm(site.visitor, '/admin/setup', { token, ...firstRun })
  assert.equal(again.headers.location, '/admin/sign-in')
})

test('a first run with wrong check digits in the IBAN is refused', { skip: skipUnlessFull }, async () => {
  const site = await startSite()
  const token = (await newSetupToken(site.store)) ?? ''
  const wrong = { 'site/account/iban': 'DE88 3704 0044 0532 0130 00' }
  const { status, text } = await sendForm(site.visitor, '/admin/setup', { token, ...firstRun, ...wrong })
  assert.equal(status, 422)
  assert.match(text, /id="field-site-account-iban-error">IBAN is not a valid IBAN/)
  assert.equal((await site.visitor.get('/setup')).body.needed, true)
})

test('a refused first run keeps the input, shows each error at its field, and never shows the password', async () => {
  const site = await startSite()
  const token = (await newSetupToken(site.store)) ?? ''
  const { status, text } = await sendForm(site.visitor, '/admin/setup', {
    token,
    ...firstRun,
    'site/languages[]': [],
    'site/account/iban': 'nonsense',
    'user/email': 'nobody',
    'user/password': 'too short'
  })
  assert.equal(status, 422)
  assert.match(text, /href="#field-user-email"/)
  assert.match(text, /id="field-user-email"[^>]*aria-describedby="field-user-email-error"[^>]*aria-invalid="true"/)
  assert.match(text, /<p class="field-error" id="field-site-account-iban-error">IBAN must be/)
  assert.match(text, /value="Kultur für eine kleine Stadt"/)
  assert.match(text, new RegExp(`name="token" value="${token}"`))
  assert.ok(!text.includes('too short'))
  assert.equal((await site.visitor.get('/setup')).body.needed, true)
})

test('without the setup token from the log there is no form, but a hint where to find the link', async () => {
  const site = await startSite()
  const redirected = await site.visitor.get('/admin')
  assert.equal(redirected.headers.location, '/admin/setup')
  for (const answer of [
    await site.visitor.get('/admin/setup'),
    await sendForm(site.visitor, '/admin/setup', { token: 'kst_wrong', ...firstRun })
  ]) {
    assert.match(answer.text, /\.\/kalends user create/)
    assert.ok(!answer.text.includes('name="user/password"'))
  }
  assert.equal((await site.visitor.get('/setup')).body.needed, true)
})

test('signing in redirects to the page that was requested, and signing out ends the session', async () => {
  const redirected = await visitor.get('/admin/search?q=a%26b')
  assert.equal(redirected.headers.location, `/admin/sign-in?next=${encodeURIComponent('/admin/search?q=a%26b')}`)
  const page = await visitor.get(String(redirected.headers.location))
  assert.match(page.text, /name="next" value="\/admin\/search\?q=a%26b"/)

  const fields = { email: anna.email.toUpperCase(), password, next: '/admin/search?q=a%26b' }
  const signedIn = await sendForm(visitor, '/admin/sign-in', fields)
  assert.equal(signedIn.status, 303)
  assert.equal(signedIn.headers.location, '/admin/search?q=a%26b')
  const session = /kalends_session=([^;]+)/.exec(String(signedIn.headers['set-cookie']))?.[1] ?? ''

  const adminClient = newAdminClient(visitor, '', session)
  assert.equal((await adminClient.get('/admin')).status, 200)
  const out = await adminClient.send('/admin/sign-out', {})
  assert.equal(out.headers.location, '/admin/sign-in?out=yes')
  assert.match(String(out.headers['set-cookie']), /kalends_session=; Path=\/admin; HttpOnly; SameSite=Lax; Max-Age=0/)
  assert.match(String((await adminClient.get('/admin')).headers.location), /^\/admin\/sign-in/)
})

test('signing in redirects only to pages of the console', async () => {
  for (const next of [
    '//evil.example',
    'https://evil.example/admin',
    '/admin@evil.example',
    '/administrator',
    '/\\evil',
    '/admin/\\evil',
    '/en',
    '/admin/sign-out',
    ''
  ]) {
    const { headers } = await sendForm(visitor, '/admin/sign-in', { email: anna.email, password, next })
    assert.equal(headers.location, '/admin', next)
  }
})

test('all wrong sign-ins get the same error, and the page does not contain the password', async () => {
  const wrong = [
    { email: anna.email, password: 'not the password' },
    { email: 'nobody@example.org', password: 'not the password' },
    { email: '"><script>alert(1)</script>', password: 'not the password' },
    { email: '', password: '' }
  ]
  for (const fields of wrong) {
    const { status, text } = await sendForm(visitor, '/admin/sign-in', fields)
    assert.equal(status, 422)
    assert.match(text, /Incorrect email or password\./)
    assert.ok(!text.includes('not the password') && !text.includes('<script>alert'))
  }
})

test('after 10 wrong passwords the correct one is refused with 429 and the waiting time, in the language of the visitor', async () => {
  const { email } = await signIn('viewer')
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await sendForm(visitor, '/admin/sign-in', { email, password: 'not the password' })
  }
  const { status, text } = await sendForm(visitor, '/admin/sign-in', { email, password }, { 'accept-language': 'de' })
  assert.equal(status, 429)
  assert.match(text, /in (?:einer Sekunde|\d+ Sekunden) noch einmal/)
})

test('a sign-in form from another site is refused with 403 and sets no cookie', async () => {
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    const answer = await sendForm(visitor, '/admin/sign-in', { email: anna.email, password }, headers)
    assert.equal(answer.status, 403)
    assert.equal(answer.headers['set-cookie'], undefined)
  }
})

test('behind a proxy that forwards another Host, a form of exactly the origin of PUBLIC_URL is accepted', {
  skip: skipUnlessFull
}, async () => {
  const site = await startAdmin({ env: { PUBLIC_URL: 'https://give.example.org:8443' } })
  const { email } = await site.signIn('editor')
  const send = async (headers: Record<string, string>) =>
    (await sendForm(site.visitor, '/admin/sign-in', { email, password }, headers)).status
  // nginx with $host drops the port, Apache and a plain proxy_pass send their own address.
  for (const host of ['give.example.org', '127.0.0.1:8080', 'upstream']) {
    assert.equal(
      await send({ host, origin: 'https://give.example.org:8443', 'sec-fetch-site': 'same-origin' }),
      303,
      host
    )
  }
  for (const origin of [
    'https://give.example.org',
    'http://give.example.org:8443',
    'https://give.example.org:8443.evil.example',
    'https://evil.example:8443',
    'https://sub.give.example.org:8443',
    'null'
  ]) {
    assert.equal(await send({ host: '127.0.0.1:8080', origin }), 403, origin)
  }
  const crossSite = { host: 'upstream', origin: 'https://give.example.org:8443', 'sec-fetch-site': 'same-site' }
  assert.equal(await send(crossSite), 403)
})

test('users can change their own name, language and password, but not their role', async () => {
  const bert = await signIn('viewer')
  const saved = await bert.sendAndFollow('/admin/account', { name: 'Bert <i>', language: 'de', role: 'admin' })
  assert.match(saved.text, /<html lang="de">/)
  assert.match(saved.text, /Gespeichert\./)
  assert.match(saved.text, /value="Bert &lt;i>"|value="Bert &lt;i&gt;"/)
  const user = (await admin.get('/users')).body.find(({ email }: { email: string }) => email === bert.email)
  assert.equal(user.role, 'viewer')

  const wrong = await bert.send('/admin/account/password', { currentPassword: 'no', newPassword: 'a new one of mine' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /id="field-currentPassword-error">Das bisherige Passwort ist falsch/)
  const short = await bert.send('/admin/account/password', { currentPassword: password, newPassword: 'short' })
  assert.match(short.text, /id="field-newPassword-error">Neues Passwort braucht mindestens 10 Zeichen/)

  const changed = { currentPassword: password, newPassword: 'a new one of mine' }
  assert.equal((await bert.sendAndFollow('/admin/account/password', changed)).status, 200)
  const before = await sendForm(visitor, '/admin/sign-in', { email: bert.email, password })
  assert.equal(before.status, 422)
  const after = await sendForm(visitor, '/admin/sign-in', { email: bert.email, password: 'a new one of mine' })
  assert.equal(after.status, 303)
})
