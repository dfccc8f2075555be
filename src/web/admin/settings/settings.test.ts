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

async function readEtag(adminClient: AdminClient, path: string): Promise<string> {
  const { text } = await adminClient.get(path)
  return (/name="etag" value="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&quot;', '"')
}

const readSite = async () => (await admin.get('/site')).body

test('settings are saved, and emptied fields are cleared', async () => {
  const full = {
    ...fields,
    'tagline/en': 'Music for all',
    contactEmail: 'hello@example.org',
    'account/name': 'Verein',
    'account/iban': 'DE89 3704 0044 0532 0130 00'
  }
  const saved = await anna.sendAndFollow('/admin/settings', { etag: await readEtag(anna, '/admin/settings'), ...full })
  assert.match(saved.text, /Saved\./)
  const { name, contactEmail, defaultLanguage, timezone, weekStart, tagline, account } = await readSite()
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
  await anna.sendAndFollow('/admin/settings', { etag: await readEtag(anna, '/admin/settings'), ...fields })
  const emptied = await readSite()
  assert.deepEqual([emptied.contactEmail, emptied.tagline.en, emptied.account], [null, '', null])
})

test('a setting from the environment is disabled, and the page names its variable', async () => {
  const { text } = await anna.get('/admin/settings')
  const field = /<input[^>]*name="currency"[^>]*>|<input[^>]*id="field-currency"[^>]*>/.exec(text)?.[0] ?? ''
  assert.match(field, /disabled/)
  assert.match(text, /Set by CURRENCY on the server/)
})

test('an IBAN with wrong check digits is refused by the settings, and nothing is changed', async () => {
  const before = await readSite()
  const account = { 'account/name': 'Verein', 'account/iban': 'DE88 3704 0044 0532 0130 00' }
  const etag = await readEtag(anna, '/admin/settings')
  const { status, text } = await anna.send('/admin/settings', { ...fields, ...account, etag })
  assert.equal(status, 422)
  assert.match(text, /id="field-account-iban-error">IBAN is not a valid IBAN: its check digits/)
  assert.match(text, /value="DE88 3704 0044 0532 0130 00"/)
  assert.deepEqual(await readSite(), before)
})

test('each invalid field has an error with its label, and nothing is changed', async () => {
  const before = await readSite()
  const { status, text } = await anna.send('/admin/settings', {
    ...fields,
    etag: await readEtag(anna, '/admin/settings'),
    name: '',
    contactEmail: 'nobody',
    timezone: 'Nowhere/"><b>',
    'tagline/en': `${'x'.repeat(201)}<i>`,
    'account/iban': 'x'
  })
  assert.equal(status, 422)
  for (const [id, message] of [
    ['name', 'Name of the organisation must'],
    ['contactEmail', 'Please enter an email address'],
    ['timezone', 'Time zone must'],
    ['tagline-en', 'Tagline in English must'],
    ['account-iban', 'IBAN must'],
    ['account-name', 'Account holder must']
  ]) {
    assert.ok(text.includes(`id="field-${id}-error">${message}`), id)
    assert.ok(text.includes(`href="#field-${id}"`), id)
  }
  assert.ok(!text.includes('<b>') && !text.includes('<i>'))
  assert.deepEqual(await readSite(), before)
})

test('settings without a language are refused with an error at the field', async () => {
  const { text } = await anna.send('/admin/settings', {
    ...fields,
    'languages[]': [],
    etag: await readEtag(anna, '/admin/settings')
  })
  assert.match(text, /id="field-languages-error">Please choose at least one language/)
})

test('a concurrent change of the settings is a conflict that shows both versions, and saving again overwrites', async () => {
  const etag = await readEtag(anna, '/admin/settings')
  await admin.patch('/site', { name: 'By somebody else' })
  const conflict = await anna.send('/admin/settings', { ...fields, etag, name: 'By Anna' })
  assert.equal(conflict.status, 412)
  assert.match(conflict.text, /<td>By somebody else<\/td><td>By Anna<\/td>/)
  assert.match(conflict.text, /name="name"[^>]*value="By Anna"|value="By Anna"[^>]*name="name"/)
  assert.equal((await readSite()).name, 'By somebody else')

  const fresh = (/name="etag" value="([^"]+)"/.exec(conflict.text)?.[1] ?? '').replaceAll('&quot;', '"')
  await anna.sendAndFollow('/admin/settings', { ...fields, etag: fresh, name: 'By Anna' })
  assert.equal((await readSite()).name, 'By Anna')
})
