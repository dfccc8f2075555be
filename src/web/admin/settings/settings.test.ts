import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AdminClient, startAdmin } from '#test/support/admin-client.ts'

const { admin, signIn } = await startAdmin({ env: { CURRENCY: 'EUR' } })
const anna = await signIn('admin')

const fields = {
  name: 'Verein',
  contactEmail: '',
  'languages[]': ['en', 'de'],
  defaultLanguage: 'de',
  timezone: 'Europe/Vienna',
  weekStart: 'sunday',
  'tagline/en': '',
  'tagline/de': '',
  'account/name': '',
  'account/iban': '',
  'account/nameOfBank': ''
}

async function etagOf(adminClient: AdminClient, path: string): Promise<string> {
  const { text } = await adminClient.get(path)
  return (/name="etag" value="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&quot;', '"')
}

const site = async () => (await admin.get('/site')).body

test('settings are saved and seen at once, and what is emptied is gone', async () => {
  const full = {
    ...fields,
    'tagline/en': 'Music for all',
    contactEmail: 'hello@example.org',
    'account/name': 'Verein',
    'account/iban': 'DE89 3704 0044 0532 0130 00'
  }
  const saved = await anna.sendAndFollow('/admin/settings', { etag: await etagOf(anna, '/admin/settings'), ...full })
  assert.match(saved.text, /Saved\./)
  const { name, contactEmail, defaultLanguage, timezone, weekStart, tagline, account } = await site()
  assert.deepEqual(
    { name, contactEmail, defaultLanguage, timezone, weekStart, tagline, account },
    {
      name: 'Verein',
      contactEmail: 'hello@example.org',
      defaultLanguage: 'de',
      timezone: 'Europe/Vienna',
      weekStart: 'sunday',
      tagline: { en: 'Music for all', de: '' },
      account: { iban: 'DE89370400440532013000', name: 'Verein', nameOfBank: 'Commerzbank' }
    }
  )
  await anna.sendAndFollow('/admin/settings', { etag: await etagOf(anna, '/admin/settings'), ...fields })
  const emptied = await site()
  assert.deepEqual([emptied.contactEmail, emptied.tagline.en, emptied.account], [null, '', null])
})

test('what the environment has decided is shown as such', async () => {
  const { text } = await anna.get('/admin/settings')
  const field = /<input[^>]*name="currency"[^>]*>|<input[^>]*id="field-currency"[^>]*>/.exec(text)?.[0] ?? ''
  assert.match(field, /disabled/)
  assert.match(text, /Set by CURRENCY on the server/)
})

test('an IBAN with wrong check digits is refused by the settings, and nothing is changed', async () => {
  const before = await site()
  const account = { 'account/name': 'Verein', 'account/iban': 'DE88 3704 0044 0532 0130 00' }
  const etag = await etagOf(anna, '/admin/settings')
  const { status, text } = await anna.send('/admin/settings', { ...fields, ...account, etag })
  assert.equal(status, 422)
  assert.match(text, /id="field-account-iban-error">IBAN is not a valid IBAN: its check digits/)
  assert.match(text, /value="DE88 3704 0044 0532 0130 00"/)
  assert.deepEqual(await site(), before)
})

test('everything that is wrong is said at its field in the words of the form, and nothing is changed', async () => {
  const before = await site()
  const { status, text } = await anna.send('/admin/settings', {
    ...fields,
    etag: await etagOf(anna, '/admin/settings'),
    name: '',
    contactEmail: 'nobody',
    timezone: 'Nowhere/"><b>',
    'tagline/en': `${'x'.repeat(201)}<i>`,
    'account/iban': 'x'
  })
  assert.equal(status, 422)
  for (const [id, words] of [
    ['name', 'Name of the organisation must'],
    ['contactEmail', 'Please enter an email address'],
    ['timezone', 'Time zone must'],
    ['tagline-en', 'Tagline in English must'],
    ['account-iban', 'IBAN must'],
    ['account-name', 'Account holder must']
  ]) {
    assert.ok(text.includes(`id="field-${id}-error">${words}`), id)
    assert.ok(text.includes(`href="#field-${id}"`), id)
  }
  assert.ok(!text.includes('<b>') && !text.includes('<i>'))
  assert.deepEqual(await site(), before)
})

test('no language at all is refused in plain words', async () => {
  const { text } = await anna.send('/admin/settings', {
    ...fields,
    'languages[]': [],
    etag: await etagOf(anna, '/admin/settings')
  })
  assert.match(text, /id="field-languages-error">Please choose at least one language/)
})

test('who saves later sees what was saved meanwhile beside the own, and can save all the same', async () => {
  const etag = await etagOf(anna, '/admin/settings')
  await admin.patch('/site', { name: 'By somebody else' })
  const conflict = await anna.send('/admin/settings', { ...fields, etag, name: 'By Anna' })
  assert.equal(conflict.status, 412)
  assert.match(conflict.text, /<td>By somebody else<\/td><td>By Anna<\/td>/)
  assert.match(conflict.text, /name="name"[^>]*value="By Anna"|value="By Anna"[^>]*name="name"/)
  assert.equal((await site()).name, 'By somebody else')

  const fresh = (/name="etag" value="([^"]+)"/.exec(conflict.text)?.[1] ?? '').replaceAll('&quot;', '"')
  await anna.sendAndFollow('/admin/settings', { ...fields, etag: fresh, name: 'By Anna' })
  assert.equal((await site()).name, 'By Anna')
})
