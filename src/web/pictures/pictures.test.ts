import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, startSite } from '#test/support/services.ts'
import { drawPreview, hashPreview } from './preview-image.ts'
import { drawText, toDrawableText, wrapText } from './text-paths.ts'

const { admin, visitor, server } = await startSite()
const site = { name: 'Lindenhof', theme: 'forest', accent: null } as const

const fetchBytes = async (url: string) => await server.app.inject({ url })
const findImage = (html: string) =>
  /property="og:image" content="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail('no og:image')

test('every public page has an og:image: a PNG of 1200 by 630 pixels that may be cached permanently', {
  skip: skipUnlessFull
}, async () => {
  for (const path of ['/en', '/de/kalender', '/en/donate', '/de/datenschutz', '/en/api']) {
    const { text } = await visitor.get(path)
    assert.match(text, /name="twitter:card" content="summary_large_image"/)
    assert.match(text, /property="og:(?:title|locale)"/)
    const address = new URL(findImage(text))
    const image = await fetchBytes(address.pathname + address.search)
    assert.equal(image.statusCode, 200, path)
    assert.equal(image.headers['content-type'], 'image/png')
    assert.equal(image.headers['cache-control'], 'public, max-age=31536000, immutable')
    const { format, width, height } = await sharp(image.rawPayload).metadata()
    assert.deepEqual([format, width, height], ['png', 1200, 630], path)
    assert.ok(image.rawPayload.length < 60_000, `${path}: ${image.rawPayload.length} bytes`)
  }
})

test('a preview image is at the URL with the hash of its content; other hashes redirect there', async () => {
  const { headers, statusCode } = await fetchBytes('/en/donate?preview-image=0123')
  assert.equal(statusCode, 302)
  assert.equal((await fetchBytes(String(headers.location))).headers['content-type'], 'image/png')
  assert.equal((await fetchBytes('/en/nothing?preview-image=0123')).statusCode, 404)
  assert.equal((await fetchBytes('/de/impressum?preview-image=0123')).statusCode, 404)
})

test('the hash of a preview image changes with title, site name, theme and accent colour', () => {
  const hashes = [
    hashPreview(site, 'A'),
    hashPreview(site, 'B'),
    hashPreview({ ...site, theme: 'plum' }, 'A'),
    hashPreview({ ...site, accent: '#0b6e4f' }, 'A'),
    hashPreview({ ...site, name: 'Other' }, 'A')
  ]
  assert.equal(new Set(hashes).size, 5)
})

test('any title can be drawn: markup, long words, other scripts, emoji, an empty title', async () => {
  for (const title of [
    '</svg><script>alert(1)</script>&"\'',
    'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(5),
    'word '.repeat(200),
    'مهرجان الصيف',
    '🎉🎉🎉',
    'Łódź, Αθήνα и Київ',
    '',
    '\u0000\ud800'
  ]) {
    const { format, width } = await sharp(await drawPreview(site, title)).metadata()
    assert.deepEqual([format, width], ['png', 1200], title)
  }
  assert.match(
    drawText('<b>&"', { x: 0, y: 0, size: 10, fill: '#000000' }),
    /^<g fill="#000000"[^<>]*>(?:<path [^<>&]*>)+<\/g>$/
  )
  assert.equal(toDrawableText('Summer 🎉 party'), 'Summer party')
  assert.match(wrapText('one two three', 100, 400, 1).join('|'), /^one tw?o?…$/)
})

test('different titles give different images, and equal titles equal ones', async () => {
  const [one, other, again] = await Promise.all(
    ['One', 'Other', 'One'].map(async title => await drawPreview(site, title))
  )
  assert.ok(one !== undefined && other !== undefined && again !== undefined)
  assert.ok(!one.equals(other))
  assert.ok(one.equals(again))
})

test('without a logo, icons and manifest have the colour of the theme', async () => {
  await admin.patch('/site', { name: 'Lindenhof', theme: 'ocean' })
  const { text, headers } = await visitor.get('/favicon.svg')
  assert.match(headers['content-type'] ?? '', /image\/svg\+xml/)
  assert.match(text, /fill="#14608c"/)
  for (const [path, side] of [
    ['/apple-touch-icon.png', 180],
    ['/icon-192.png', 192],
    ['/icon-512.png', 512]
  ] as const) {
    const { rawPayload, headers: iconHeaders } = await fetchBytes(path)
    assert.equal(iconHeaders['content-type'], 'image/png')
    const { width, height, hasAlpha } = await sharp(rawPayload).metadata()
    assert.deepEqual([width, height], [side, side], path)
    if (side === 180) assert.equal(hasAlpha, false)
  }
  const ico = await fetchBytes('/favicon.ico')
  assert.equal(ico.rawPayload.readUInt32LE(14), ico.rawPayload.length - 22)
  assert.equal((await sharp(ico.rawPayload.subarray(22)).metadata()).width, 32)
  const { body, headers: manifest } = await visitor.get('/site.webmanifest')
  assert.match(manifest['content-type'] ?? '', /application\/manifest\+json/)
  const { name, theme_color: colour, icons } = typeof body === 'string' ? JSON.parse(body) : body
  assert.deepEqual([name, colour, icons.length], ['Lindenhof', '#14608c', 2])
  assert.match((await visitor.get('/en')).headers['content-security-policy'] ?? '', /manifest-src 'self'/)
})

test('icons are generated from an uploaded logo, never from an image of another site', async () => {
  const picture = await sharp({ create: { width: 300, height: 100, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer()
  const { body } = await admin.send({
    method: 'POST',
    url: `${calendar}/media`,
    payload: picture,
    headers: { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="logo.png"' }
  })
  const readMiddle = async () => {
    const { rawPayload } = await fetchBytes('/icon-192.png')
    const { data } = await sharp(rawPayload)
      .extract({ left: 20, top: 96, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    return [...data.subarray(0, 3)]
  }
  await admin.patch('/site', { logoUrl: new URL(body.url).pathname })
  assert.deepEqual(await readMiddle(), [0, 255, 0])
  await admin.patch('/site', { logoUrl: 'https://127.0.0.1:1/logo.png' })
  assert.notDeepEqual(await readMiddle(), [0, 255, 0])
})
