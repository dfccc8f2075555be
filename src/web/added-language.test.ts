// test: own process
// A language that the package does not have, added by a folder of catalogues with a dozen messages. Languages are read when
// modules are loaded, from the working folder of the process.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Language } from '#platform/language.ts'

const home = process.cwd()
process.chdir(join(import.meta.dirname, '../../test/support/site-with-french'))
const { languages } = await import('#platform/language.ts')
process.chdir(home)
const { calendar, startSite } = await import('#test/support/services.ts')
const { checkCatalogues } = await import('#platform/messages/check-catalogues.ts')
const { getMessages } = await import('#platform/messages/messages.ts')

const french = 'fr' as Language
const { visitor, admin } = await startSite()

test('a site offers a language that has catalogues', async () => {
  assert.deepEqual(languages, ['en', 'de', 'fr'])
  const { status, body } = await admin.patch('/site', {
    languages: ['de', 'fr'],
    defaultLanguage: 'fr',
    tagline: { fr: 'Ensemble au jardin' }
  })
  assert.deepEqual(
    [status, body.languages, body.defaultLanguage, body.tagline.fr],
    [200, ['de', 'fr'], 'fr', 'Ensemble au jardin']
  )
  const unknown = await admin.patch('/site', { languages: ['it'] })
  assert.equal(unknown.status, 400)
})

test('pages are shown in the added language, with its plural forms, dates and amounts', async () => {
  const made = await admin.post('/campaigns', {
    name: 'Toit',
    language: 'fr',
    donationMinimum: 1,
    targetAmount: 12_000,
    startsAt: '2099-05-01T00:00:00Z',
    account: { iban: 'DE89370400440532013000', name: 'Garten', nameOfBank: 'Bank' }
  })
  assert.deepEqual([made.status, made.body.language], [201, 'fr'])
  const { status, text, headers } = await visitor.get('/fr/dons')
  assert.equal(status, 200)
  assert.equal(headers['content-language'], 'fr')
  assert.match(text, /<html lang="fr">/)
  assert.match(text, /<title>Faire un don · /)
  assert.match(text, /Aller au contenu/)
  assert.match(text, /Commence le 1 mai 2099/)
  assert.match(text, /12[\u202f\u00a0]000[\u202f\u00a0]€/)
  assert.match(text, /<meta property="og:locale" content="fr_FR"\/>/)
  assert.match(text, /Ensemble au jardin/)
  const { donations } = getMessages('donate', french)
  assert.deepEqual(
    [0, 1, 2, 1000].map(count => donations({ count }).replaceAll('\u202f', ' ')),
    ['0 don', '1 don', '2 dons', '1 000 dons']
  )
})

test('pages name their addresses in the other languages of the site', async () => {
  const { text } = await visitor.get('/fr/dons')
  assert.match(text, /<link rel="alternate" hreflang="fr" href="[^"]*\/fr\/dons"\/>/)
  assert.match(text, /<link rel="alternate" hreflang="de" href="[^"]*\/de\/spenden"\/>/)
  assert.doesNotMatch(text, /hreflang="en"/)
  assert.match(
    text,
    /<a href="\/de\/spenden" hreflang="de" lang="de" aria-label="Diese Seite auf Deutsch">Deutsch<\/a>/
  )
  const german = await visitor.get('/de/spenden')
  assert.match(
    german.text,
    /<a href="\/fr\/dons" hreflang="fr" lang="fr" aria-label="Cette page en français">Français<\/a>/
  )
})

test('what is not translated is in the fallback language, and paths of pages too', async () => {
  const { text } = await visitor.get('/fr/dons')
  assert.match(text, new RegExp(getMessages('layout', 'de').privacy))
  assert.equal((await visitor.get('/fr/datenschutz')).status, 200)
  assert.ok(checkCatalogues(french).missing.includes('layout: privacy'))
  assert.deepEqual(checkCatalogues(french).wrong, [])
})

test('events have texts in the added language, and messages of the API are in its fallback', async () => {
  const event = { title: 'Fête du jardin', start_date: '2099-06-12 15:00:00', end_date: '2099-06-12 18:00:00' }
  const made = await admin.post(`${calendar}/events?language=fr`, { ...event, status: 'publish' })
  assert.deepEqual([made.status, made.body.language, made.body.translations], [201, 'fr', ['fr']])
  const page = await visitor.get(`/fr/evenement/${made.body.slug}`)
  assert.equal(page.status, 200)
  assert.match(page.text, /Fête du jardin/)
  assert.match(page.text, /12 juin 2099/)
  const german = await visitor.get('/campaigns/999999', { 'accept-language': 'fr' })
  assert.equal(german.body.detail, 'Die Spendenaktion 999999 gibt es nicht.')
})

test('users and donors have the added language', async () => {
  const user = await admin.post('/users', {
    ...{ name: 'Amélie', email: 'amelie@example.org', password: 'quinze chevaux bleus' },
    ...{ role: 'editor', language: 'fr' }
  })
  assert.deepEqual([user.status, user.body.language], [201, 'fr'])
})
