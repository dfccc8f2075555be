import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { type AdminClient, startAdmin } from '#test/support/admin-client.ts'

const { admin, signIn } = await startAdmin()
const editor = await signIn('editor')

async function readEtag(client: AdminClient, path: string): Promise<string> {
  const { text } = await client.get(path)
  return (/name="etag" value="([^"]*)"/.exec(text)?.[1] ?? '').replaceAll('&quot;', '"')
}

const fields = { status: 'published', place: 'header', order: '40', slug: '' }

test('an editor creates a page in two languages, which is sanitized and listed, and deletes it', async () => {
  const created = await editor.sendAndFollow('/admin/pages/new?lang=en', {
    ...fields,
    etag: '',
    title: 'Our team',
    content: '<h2>Hello</h2><script>alert(1)</script>'
  })
  assert.match(created.text, /Page created\./)
  const [page] = (await admin.get('/pages')).body.filter((one: { kind: string | null }) => one.kind === null)
  const path = `/admin/pages/${page.id}`
  await editor.sendAndFollow(`${path}?lang=de`, {
    ...fields,
    etag: await readEtag(editor, `${path}?lang=de`),
    title: 'Unser Team',
    content: '<p>Hallo</p>'
  })
  const { body } = await admin.get(`/pages/${page.id}`)
  assert.deepEqual(body.texts, {
    en: { title: 'Our team', slug: 'our-team', content: '<h2>Hello</h2>' },
    de: { title: 'Unser Team', slug: 'unser-team', content: '<p>Hallo</p>' }
  })
  const list = await editor.get('/admin/pages')
  assert.match(list.text, /Our team/)
  assert.match(list.text, /Built-in text/)
  assert.doesNotMatch(list.text, /pages\.csv/)
  assert.match((await editor.get(`${path}/delete`)).text, /Delete “Our team”\?/)
  assert.match((await editor.sendAndFollow(`${path}/delete`, { name: 'Our team' })).text, /Deleted: Our team/)
  assert.equal((await admin.get(`/pages/${page.id}`)).status, 404)
})

test('a preview shows the text as it would be saved, and saves nothing', async () => {
  const before = (await admin.get('/pages')).text
  const { text } = await editor.send('/admin/pages/preview?lang=de', {
    ...fields,
    title: 'Nur ein Versuch',
    content: '<h1>Kopf</h1><img src=x onerror=steal()>'
  })
  assert.match(text, /<html lang="de">/)
  assert.match(text, /This version is not saved/)
  assert.match(text, /<h1 dir="auto">Nur ein Versuch<\/h1>.*<h2>Kopf<\/h2>/s)
  assert.doesNotMatch(text, /steal\(\)/)
  assert.equal((await admin.get('/pages')).text, before)
})

test('each invalid field of a page has an error at the field, and the input is kept', async () => {
  const { status, text } = await editor.send('/admin/pages/new?lang=en', {
    ...fields,
    etag: '',
    title: 'A page',
    content: '<p>Long work</p>',
    slug: 'calendar'
  })
  assert.equal(status, 422)
  assert.match(text, /id="field-slug-error">Last part of the address must be another one/)
  assert.match(text, /Long work/)
  const untitled = await editor.send('/admin/pages/new?lang=en', { ...fields, etag: '', title: '', content: 'x' })
  assert.match(untitled.text, /id="field-title-error">Title must/)
})

test('the legal notice has neither status nor slug, and saving it empty removes its text', async () => {
  const path = '/admin/pages/2?lang=de'
  const { text } = await editor.get(path)
  assert.doesNotMatch(text, /name="slug"|<select[^>]*name="status"|value="none"/)
  const notice = { status: 'published', place: 'footer', order: '10', title: 'Impressum', content: '<p>Wir</p>' }
  await editor.sendAndFollow(path, { ...notice, etag: await readEtag(editor, path) })
  assert.equal((await admin.get('/pages/2')).body.texts.de.content, '<p>Wir</p>')
  const stale = await editor.send(path, { ...notice, title: 'Anders', etag: '"1-old"' })
  assert.equal(stale.status, 412)
  assert.match(stale.text, /<td>Impressum<\/td><td>Anders<\/td>/)
  await editor.sendAndFollow(path, { ...notice, title: '', content: '', etag: await readEtag(editor, path) })
  assert.deepEqual((await admin.get('/pages/2')).body.texts, {})
})

test('an editor changes colours, logo, image and networks of the site', async () => {
  const path = '/admin/appearance'
  const logo = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#3366cc' } })
    .png()
    .toBuffer()
  const photo = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#33cc66' } })
    .jpeg()
    .toBuffer()
  const sent = {
    theme: 'plum',
    accent: '#0b6e4f',
    logoUrl: '',
    'heroAlt-en': 'A garden',
    'heroAlt-de': 'Ein Garten',
    socialLinks: 'https://mastodon.social/@us\r\n\r\nhttps://www.instagram.com/us'
  }
  const saved = await editor.sendFiles(path, { ...sent, etag: await readEtag(editor, path) }, { logo, hero: photo })
  assert.equal(saved.status, 303, saved.text)
  const { theme, accent, logoUrl, hero, socialLinks } = (await admin.get('/site')).body
  assert.deepEqual(
    [theme, accent, socialLinks],
    ['plum', null, ['https://mastodon.social/@us', 'https://www.instagram.com/us']]
  )
  assert.match(logoUrl, /^\/media\/\d+\//)
  assert.deepEqual([hero.width, hero.height, hero.alt], [1600, 900, { en: 'A garden', de: 'Ein Garten' }])
  assert.deepEqual(
    hero.sizes.map(({ width }: { width: number }) => width),
    [300, 768, 1024, 1536]
  )

  const kept = await editor.sendFiles(
    path,
    { ...sent, logoUrl, etag: await readEtag(editor, path), removeHero: 'yes' },
    {}
  )
  assert.equal(kept.status, 303)
  const after = (await admin.get('/site')).body
  assert.deepEqual([after.logoUrl, after.hero], [logoUrl, null])

  const refused = await editor.sendFiles(
    path,
    { ...sent, etag: await readEtag(editor, path), socialLinks: 'javascript:alert(1)' },
    { logo: Buffer.from('<svg/>') }
  )
  assert.equal(refused.status, 422)
  assert.match(refused.text, /id="field-logo-error"/)
  const wrong = await editor.sendFiles(path, { ...sent, etag: '*', socialLinks: 'javascript:alert(1)' }, {})
  assert.match(wrong.text, /id="field-socialLinks-error">Addresses of your profiles/)
  assert.equal((await admin.get('/site')).body.logoUrl, logoUrl)
})
