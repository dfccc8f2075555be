// test: both stores
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '#test/support/project-root.ts'
import { startCampaigns } from '#test/support/services.ts'
import { sql } from '../database/sql.ts'

const { admin, visitor, store, withRole } = await startCampaigns()
const editor = await withRole('editor')
const team = { en: { title: 'Our team', content: '<h2>Hello</h2><script>alert(1)</script>' } }

test('an editor writes a page in two languages, and visitors read it once it is published', async () => {
  const made = await editor.post('/pages', { texts: team })
  assert.equal(made.status, 201, made.text)
  const { id, status, place, order, texts } = made.body
  assert.deepEqual([status, place, order], ['draft', 'none', 50])
  assert.deepEqual(texts, { en: { title: 'Our team', slug: 'our-team', content: '<h2>Hello</h2>' } })
  assert.match(made.headers.location ?? '', new RegExp(`/pages/${id}$`))
  assert.equal((await visitor.get(`/pages/${id}`)).status, 404)
  assert.ok(!(await visitor.get('/pages')).text.includes('Our team'))

  const de = { title: 'Über das Team', content: '<p>Hallo</p>' }
  const changed = await editor.patch(`/pages/${id}`, { status: 'published', place: 'header', texts: { de } })
  assert.deepEqual(changed.body.texts.de, { ...de, slug: 'ueber-das-team' })
  assert.deepEqual(changed.body.texts.en, texts.en)
  assert.deepEqual((await visitor.get(`/pages/${id}`)).body, changed.body)
  const { pages } = (await visitor.get('/site')).body
  assert.deepEqual(pages.at(-1), {
    id,
    kind: null,
    place: 'header',
    texts: { en: { title: 'Our team', slug: 'our-team' }, de: { title: de.title, slug: 'ueber-das-team' } }
  })

  const { body: removed } = await editor.patch(`/pages/${id}`, { texts: { de: null } })
  assert.deepEqual(Object.keys(removed.texts), ['en'])
  const { body: activity } = await admin.get('/activity?subject=page&limit=3')
  assert.deepEqual(
    activity.map((one: { action: string; details: object }) => [one.action, one.details]),
    [
      ['page.updated', { name: 'Our team', fields: ['de.title', 'de.slug', 'de.content'] }],
      ['page.updated', { name: 'Our team', fields: ['status', 'place', 'de.title', 'de.slug', 'de.content'] }],
      ['page.created', { name: 'Our team' }]
    ]
  )
  assert.equal((await editor.delete(`/pages/${id}`)).status, 204)
  assert.equal((await editor.get(`/pages/${id}`)).status, 404)
})

test('addresses are unique in a language, and never those of other parts of the site', async () => {
  const slugs = []
  for (let count = 0; count < 3; count += 1)
    slugs.push((await editor.post('/pages', { texts: team })).body.texts.en.slug)
  assert.deepEqual(slugs, ['our-team', 'our-team-2', 'our-team-3'])
  const titled = async (title: string) => (await editor.post('/pages', { texts: { de: { title } } })).body.texts.de.slug
  assert.deepEqual(
    [await titled('Kalender'), await titled('فريق'), await titled('Grüße & mehr')],
    ['kalender-2', 'page-2', 'gruesse-mehr']
  )
  for (const slug of ['our-team', 'calendar', 'imprint', 'donate']) {
    const refused = await editor.post('/pages', { texts: { en: { title: 'x', slug } } })
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.errors[0].pointer],
      [422, 'slug-taken', '/texts/en/slug']
    )
  }
})

const refusedPages: [body: object, status: number, pointer: string][] = [
  [{}, 400, '/texts'],
  [{ texts: {} }, 422, '/texts'],
  [{ texts: { en: {} } }, 400, '/texts/en/title'],
  [{ texts: { en: { title: '' } } }, 400, '/texts/en/title'],
  [{ texts: { en: { title: 'a\nb' } } }, 400, '/texts/en/title'],
  [{ texts: { en: { title: 'x', slug: '../admin' } } }, 400, '/texts/en/slug'],
  [{ texts: { en: { title: 'x', slug: 'a--b' } } }, 400, '/texts/en/slug'],
  [{ texts: { en: { title: 'x', content: 'x'.repeat(100_001) } } }, 400, '/texts/en/content'],
  [{ texts: { en: { title: 'x', content: '<b>x</b>'.repeat(3000) } } }, 400, '/texts/en/content'],
  [{ texts: team, place: 'side' }, 400, '/place'],
  [{ texts: team, status: 'hidden' }, 400, '/status'],
  [{ texts: team, order: -1 }, 400, '/order']
]

test('what is wrong with a page is refused by field, and nothing is stored', async () => {
  const before = (await editor.get('/pages')).text
  for (const [body, status, pointer] of refusedPages) {
    const refused = await editor.post('/pages', body)
    assert.deepEqual(
      [refused.status, refused.body.errors[0].pointer],
      [status, pointer],
      JSON.stringify(body).slice(0, 99)
    )
  }
  assert.equal((await editor.get('/pages')).text, before)
})

test('about us, legal notice and privacy always exist at their addresses', async () => {
  const { body: pages } = await visitor.get('/pages')
  assert.deepEqual(
    pages.slice(0, 3).map(({ id, kind, place }: { id: number; kind: string; place: string }) => [id, kind, place]),
    [
      [1, 'about', 'header'],
      [2, 'imprint', 'footer'],
      [3, 'privacy', 'footer']
    ]
  )
  const { body } = await editor.patch('/pages/2', { texts: { de: { title: 'Impressum', content: '<p>Wir</p>' } } })
  assert.equal(body.texts.de.slug, 'impressum')
  for (const [changes, pointer] of [
    [{ status: 'draft' }, '/status'],
    [{ place: 'none' }, '/place'],
    [{ texts: { de: { slug: 'anders' } } }, '/texts/de/slug'],
    [{ texts: { en: { content: 'x' } } }, '/texts/en/title']
  ] as const) {
    const refused = await editor.patch('/pages/2', changes)
    assert.equal(refused.body.errors?.[0].pointer, pointer, refused.text)
  }
  assert.deepEqual([(await editor.delete('/pages/2')).body.code], ['built-in-page'])
  assert.equal((await editor.patch('/pages/1', { place: 'none' })).status, 200)
})

test('two editors do not overwrite each other, and a text that is sent back unchanged stays', async () => {
  const { body, headers } = await editor.post('/pages', { texts: team })
  const etag = headers.etag ?? ''
  const same = await editor.patch(`/pages/${body.id}`, { texts: { en: body.texts.en } }, { 'if-match': etag })
  assert.deepEqual([same.status, same.body.version], [200, body.version])
  assert.equal((await editor.patch(`/pages/${body.id}`, { order: 1 }, { 'if-match': etag })).status, 200)
  assert.equal((await editor.patch(`/pages/${body.id}`, { order: 2 }, { 'if-match': etag })).status, 412)
})

test('the texts of a site from before become pages, with headings, lists and links', async () => {
  const texts = {
    about: {
      en: '## Who we are\nA choir,\r\nand friends.\n\n- sing\n- dance\n\n# Contact #\nhttps://example.org/a?b=1&c=2, or <mail>: us@example.org.',
      de: ''
    },
    imprint: { en: ' \n ', de: 'Verein <b>e. V.</b>' },
    privacy: { en: '', de: '' }
  }
  const file = join(root, 'src/platform/database/migrations/031_pages.sql')
  const migration = readFileSync(file, 'utf8')
  const fresh = await startCampaigns()
  await fresh.store.run(sql`
    update platform.site
    set about = ${JSON.stringify(texts.about)}, imprint = ${JSON.stringify(texts.imprint)},
      privacy = ${JSON.stringify(texts.privacy)}`)
  await fresh.store.run(sql`drop table platform.page_texts, platform.pages`)
  await fresh.store.transaction(async tx => await tx.script(migration))
  const pages = await fresh.store.all(sql`
    select kind, language, title, slug, content
    from platform.page_texts
    join platform.pages on pages.id = page_texts.page_id
    order by kind, language`)
  const rel = 'rel="noopener nofollow ugc"'
  assert.deepEqual(pages, [
    {
      kind: 'about',
      language: 'en',
      title: 'About us',
      slug: 'about',
      content: [
        '<h2>Who we are</h2>',
        '<p>A choir,<br />and friends.</p>',
        '<ul><li>sing</li><li>dance</li></ul>',
        '<h2>Contact</h2>',
        `<p><a href="https://example.org/a?b=1&amp;c=2" ${rel}>https://example.org/a?b=1&amp;c=2</a>, or &lt;mail&gt;: <a href="mailto:us@example.org" ${rel}>us@example.org</a>.</p>`
      ].join('\n')
    },
    {
      kind: 'imprint',
      language: 'de',
      title: 'Impressum',
      slug: 'impressum',
      content: '<p>Verein &lt;b&gt;e. V.&lt;/b&gt;</p>'
    }
  ])
  assert.equal((await store.all(sql`select from platform.pages where kind is not null`)).length, 3)
})
