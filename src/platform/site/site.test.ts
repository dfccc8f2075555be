// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { createDatabase } from '#test/support/database.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { waitUntil } from '#test/support/kalends-process.ts'
import { calendar, campaign, event, startCampaigns, startCampaignsAndCalendar } from '#test/support/services.ts'
import { sql } from '../database/sql.ts'

const { admin, visitor, store, withRole, settings } = await startCampaignsAndCalendar()
const account = { iban: 'DE89 3704 0044 0532 0130 00', name: 'Music School' }

test('a site that nobody has changed has a name, both languages, and the default settings', async () => {
  const { visitor: first } = await startCampaigns()
  const { status, body, headers } = await first.get('/site')
  assert.equal(status, 200)
  const none = { en: '', de: '' }
  assert.deepEqual(body, {
    name: 'Kalends',
    tagline: none,
    contactEmail: null,
    languages: ['en', 'de'],
    defaultLanguage: 'en',
    timezone: 'UTC',
    currency: 'EUR',
    accent: null,
    theme: 'brick',
    weekStart: 'monday',
    logoUrl: null,
    hero: null,
    socialLinks: [],
    pages: [
      { id: 1, kind: 'about', place: 'header', texts: {} },
      { id: 2, kind: 'imprint', place: 'footer', texts: {} },
      { id: 3, kind: 'privacy', place: 'footer', texts: {} }
    ],
    suggestions: true,
    suggestionsProofOfWork: false,
    suggestionRetentionDays: 90,
    fixed: [],
    version: 1,
    updatedAt: null
  })
  assert.match(headers.etag ?? '', /^"1-/)
})

test('an admin changes what is given, and the rest stays, also of texts in two languages', async () => {
  const texts = { tagline: { de: 'Musik für alle' } }
  const first = await admin.patch('/site', { name: ' Lindenhof ', ...texts, accent: '#AA00ff', logoUrl: '/logo.svg' })
  assert.equal(first.status, 200, first.text)
  assert.equal(first.body.name, 'Lindenhof')
  assert.deepEqual(first.body.tagline, { en: '', de: 'Musik für alle' })
  const second = await admin.patch('/site', { tagline: { en: 'Music for all' }, weekStart: 'sunday', accent: null })
  const { version, updatedAt, ...rest } = second.body
  assert.equal(version, first.body.version + 1)
  assert.ok(Math.abs(Date.parse(updatedAt) - Date.now()) < 60_000)
  assert.deepEqual(rest.tagline, { en: 'Music for all', de: 'Musik für alle' })
  assert.deepEqual([rest.accent, rest.logoUrl, rest.weekStart, rest.name], [null, '/logo.svg', 'sunday', 'Lindenhof'])
  const { account: _, secondPersonForAccounts: __, ...open } = second.body
  assert.deepEqual((await visitor.get('/site')).body, open)
})

test('what is read can be sent back, and what changes nothing is no change', async () => {
  const { body, headers } = await admin.get('/site')
  const again = await admin.patch('/site', body, { 'if-match': headers.etag ?? '' })
  assert.deepEqual([again.status, again.body], [200, body])
})

test('who changes a site that was changed meanwhile is told so', async () => {
  const { etag = '' } = (await visitor.get('/site')).headers
  assert.equal((await admin.patch('/site', { name: 'First' }, { 'if-match': etag })).status, 200)
  assert.equal((await admin.patch('/site', { name: 'Second' }, { 'if-match': etag })).status, 412)
  assert.equal((await visitor.get('/site')).body.name, 'First')
  assert.equal((await visitor.get('/site', { 'if-none-match': etag })).status, 200)
})

test('the account is for those who write campaigns; only admins change anything', async () => {
  const { body } = await admin.patch('/site', { account })
  const shown = { iban: 'DE89370400440532013000', name: 'Music School', nameOfBank: 'Commerzbank' }
  assert.deepEqual(body.account, shown)
  for (const role of ['editor', 'treasurer'] as const) {
    const client = await withRole(role)
    assert.deepEqual((await client.get('/site')).body.account, shown, role)
    assert.equal((await client.patch('/site', { name: 'x' })).status, 403, role)
  }
  for (const client of [visitor, await withRole('viewer'), await withRole('author')]) {
    const { body: open } = await client.get('/site')
    assert.ok(!('account' in open) && !('secondPersonForAccounts' in open))
  }
  assert.equal((await visitor.patch('/site', { name: 'x' })).status, 401)
  assert.equal((await admin.patch('/site', { account: null })).body.account, null)
})

const refused: [changes: object, status: number, pointer: string][] = [
  [{ name: '' }, 400, '/name'],
  [{ name: null }, 400, '/name'],
  [{ tagline: 'text' }, 400, '/tagline'],
  [{ tagline: { en: 'two\nlines' } }, 400, '/tagline/en'],
  [{ theme: 'neon' }, 400, '/theme'],
  [{ hero: { url: 'javascript:x', width: 9, height: 9, alt: { en: '', de: '' }, sizes: [] } }, 400, '/hero/url'],
  [{ hero: { url: '/x.jpg', width: 0, height: 9, alt: { en: '', de: '' }, sizes: [] } }, 400, '/hero/width'],
  [{ socialLinks: ['http://example.org/'] }, 400, '/socialLinks/0'],
  [{ socialLinks: ['javascript:alert(1)'] }, 400, '/socialLinks/0'],
  [{ socialLinks: ['https://me:secret@example.org/'] }, 400, '/socialLinks/0'],
  [{ socialLinks: Array(11).fill('https://example.org/') }, 400, '/socialLinks'],
  [{ contactEmail: 'nobody' }, 400, '/contactEmail'],
  [{ languages: [] }, 400, '/languages'],
  [{ languages: ['fr'] }, 400, '/languages/0'],
  [{ languages: ['de'], defaultLanguage: 'en' }, 422, '/defaultLanguage'],
  [{ timezone: 'Mars/Olympus' }, 400, '/timezone'],
  [{ currency: 'JPY' }, 400, '/currency'],
  [{ currency: 'eur' }, 400, '/currency'],
  [{ accent: 'red' }, 400, '/accent'],
  [{ accent: '#fff' }, 400, '/accent'],
  [{ accent: '#ffffff;background:url(x)' }, 400, '/accent'],
  [{ weekStart: 'friday' }, 400, '/weekStart'],
  [{ logoUrl: 'javascript:alert(1)' }, 400, '/logoUrl'],
  [{ logoUrl: '//evil.example/logo.svg' }, 400, '/logoUrl'],
  [{ logoUrl: '/\\evil.example/logo.svg' }, 400, '/logoUrl'],
  [{ logoUrl: 'https://me:secret@example.org/' }, 400, '/logoUrl'],
  [{ logoUrl: 'logo.svg' }, 400, '/logoUrl'],
  [{ account: { name: 'No IBAN' } }, 400, '/account/iban'],
  [{ account: { iban: 'DE8', name: 'Short' } }, 400, '/account/iban'],
  [{ account: { iban: 'DE88 3704 0044 0532 0130 00', name: 'Wrong check digits' } }, 400, '/account/iban'],
  [{ account: { iban: 'DE893704004405320130', name: 'Too short for Germany' } }, 400, '/account/iban']
]

test('what is wrong is refused by name and changes nothing', async () => {
  const before = (await admin.get('/site')).text
  for (const [changes, status, pointer] of refused) {
    const { body, ...answer } = await admin.patch('/site', { weekStart: 'monday', name: 'Changed', ...changes })
    assert.equal(answer.status, status, JSON.stringify(changes) + answer.text)
    assert.equal(body.errors[0].pointer, pointer, JSON.stringify(changes))
  }
  assert.equal((await admin.get('/site')).text, before)
})

test('a change is recorded with the names of what was changed', async () => {
  await admin.patch('/site', { name: 'Recorded', contactEmail: 'office@example.org', account })
  const { body, text } = await admin.get('/activity?subject=site&limit=1')
  assert.deepEqual(
    [body[0].action, body[0].actor, body[0].details],
    ['site.changed', 'ADMIN_KEY', { fields: ['account', 'contactEmail', 'name'] }]
  )
  assert.doesNotMatch(text, /office@|DE89/)
})

test('a new zone, language and currency take effect at once', async () => {
  const changes = { timezone: 'america/new_york', defaultLanguage: 'de', currency: 'CHF' }
  assert.deepEqual((await admin.patch('/site', changes)).body.timezone, 'America/New_York')
  assert.equal((await admin.post('/campaigns', campaign)).body.currency, 'CHF')
  const made = await admin.post(`${calendar}/events`, event)
  assert.deepEqual([made.body.timezone, made.body.language], ['America/New_York', 'de'])
  assert.equal((await visitor.get('/campaigns/999999')).headers['content-language'], 'de')
  await admin.patch('/site', { timezone: 'UTC', defaultLanguage: 'en', currency: 'EUR' })
  assert.equal(settings.timezone, 'UTC')
})

test('what the environment sets is answered, named, and not to be changed', async () => {
  const service = await startCampaigns({ env: { TIMEZONE: 'Europe/Vienna', CURRENCY: 'CHF' } })
  await service.store.run(sql`update platform.site set timezone = 'Asia/Tokyo', currency = 'USD'`)
  const { body } = await service.visitor.get('/site')
  assert.deepEqual([body.timezone, body.currency, body.fixed], ['Europe/Vienna', 'CHF', ['timezone', 'currency']])
  const refusal = await service.admin.patch('/site', { name: 'Changed', currency: 'EUR' })
  assert.deepEqual([refusal.status, refusal.body.code], [409, 'set-by-environment'])
  assert.match(refusal.body.detail, /CURRENCY/)
  assert.equal(refusal.body.errors[0].pointer, '/currency')
  const sameAsRead = await service.admin.patch('/site', { ...body, name: 'Changed', defaultLanguage: 'de' })
  assert.deepEqual([sameAsRead.status, sameAsRead.body.name, sameAsRead.body.defaultLanguage], [200, 'Changed', 'de'])
  const row = await service.store.one<{ timezone: string }>(sql`select timezone from platform.site`)
  assert.equal(row.timezone, 'Asia/Tokyo')
})

test('the language that the environment sets is offered, and cannot be taken away', async () => {
  const service = await startCampaigns({ env: { DEFAULT_LANGUAGE: 'de' } })
  await service.store.run(sql`update platform.site set languages = '{en}'`)
  const { body } = await service.visitor.get('/site')
  assert.deepEqual([body.languages, body.defaultLanguage], [['en', 'de'], 'de'])
  assert.equal((await service.admin.patch('/site', { languages: ['en'] })).status, 422)
})

test('a process reads what was set before it started, and soon what another one sets', {
  skip: skipUnlessFull
}, async () => {
  const database = await createDatabase()
  const one = await startCampaigns({ database })
  await one.admin.patch('/site', { timezone: 'Europe/Berlin' })
  const other = await startCampaigns({ database: { ...database, remove: async () => {} } })
  assert.equal(other.settings.timezone, 'Europe/Berlin')
  await one.admin.patch('/site', { timezone: 'Europe/Rome', currency: 'CHF' })
  await waitUntil(() => other.settings.timezone === 'Europe/Rome')
  assert.equal((await other.admin.post('/campaigns', campaign)).body.currency, 'CHF')
})

test('a database without the row answers the defaults to the rest of the program', async () => {
  const service = await startCampaigns()
  await service.store.run(sql`delete from platform.site`)
  const database = { url: service.databaseUrl, remove: async () => {} }
  const { settings: other } = await startCampaigns({ database })
  assert.deepEqual([other.timezone, other.defaultLanguage, other.currency], ['UTC', 'en', 'EUR'])
})

test('two changes at once are both kept', async () => {
  const answers = await Promise.all([
    admin.patch('/site', { name: 'Both' }),
    admin.patch('/site', { contactEmail: 'both@example.org' })
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200]
  )
  const { body } = await visitor.get('/site')
  assert.deepEqual([body.name, body.contactEmail], ['Both', 'both@example.org'])
  assert.equal((await store.all(sql`select id from platform.site`)).length, 1)
})

test('editors change the appearance and nothing else', async () => {
  const editor = await withRole('editor')
  const { name } = (await admin.get('/site')).body
  const hero = { url: '/media/1/x.jpg', width: 1600, height: 900, alt: { en: 'Garden', de: 'Garten' }, sizes: [] }
  const changes = { theme: 'forest', accent: '#0b6e4f', hero, socialLinks: ['https://mastodon.social/@us'] }
  const changed = await editor.patch('/site/appearance', { ...changes, name: 'Taken over', currency: 'CHF' })
  assert.equal(changed.status, 200, changed.text)
  const { body } = await visitor.get('/site')
  assert.deepEqual([body.theme, body.accent, body.hero, body.socialLinks], Object.values(changes))
  assert.deepEqual([body.name, body.currency], [name, 'EUR'])
  assert.equal((await editor.patch('/site/appearance', { theme: 'neon' })).body.errors[0].pointer, '/theme')
  assert.equal((await (await withRole('treasurer')).patch('/site/appearance', changes)).status, 403)
})

test('a logo that is deleted from the images is no longer the logo', async () => {
  const picture = await sharp({ create: { width: 80, height: 80, channels: 3, background: '#3366cc' } })
    .png()
    .toBuffer()
  const { body: image } = await admin.send({
    method: 'POST',
    url: `${calendar}/media`,
    payload: picture,
    headers: { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="logo.png"' }
  })
  const logoUrl = new URL(image.url).pathname
  await admin.patch('/site', { logoUrl, theme: 'ocean' })
  assert.equal((await admin.delete(`${calendar}/media/${image.id}`)).status, 200)
  const { body } = await visitor.get('/site')
  assert.deepEqual([body.logoUrl, body.theme], [null, 'ocean'])
})
