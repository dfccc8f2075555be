// test: both stores
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { adminKey, type Client, calendar, startCalendar, type TestResponse } from '#test/support/services.ts'

const { admin, visitor, withRole, anEvent, aVenue } = await startCalendar({
  env: { ALLOW_PRIVATE_ADDRESSES: 'true' }
})
const media = `${calendar}/media`
const png = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#3366cc' } })
  .png()
  .toBuffer()

async function upload(
  by: Client,
  bytes: Buffer,
  { type = 'image/png', name = 'A sunset.png', headers = {} } = {}
): Promise<TestResponse> {
  const disposition = `attachment; filename="${name}"`
  return await by.send({
    method: 'POST',
    url: media,
    payload: bytes,
    headers: { 'content-type': type, 'content-disposition': disposition, ...headers }
  })
}

function buildForm(fields: Record<string, string>, file: Buffer): { payload: Buffer; headers: Record<string, string> } {
  const boundary = 'a-boundary-of-the-tests'
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="Chor Köln.png"\r\nContent-Type: image/png\r\n\r\n`
  return {
    payload: Buffer.concat([Buffer.from(parts.join('') + head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }
  }
}

test('an image is uploaded as the request body, and the response has its sizes as in the contract', async () => {
  const created = await upload(admin, png)
  assert.equal(created.status, 201, created.text)
  assert.match(created.headers.location ?? '', new RegExp(`${media}/${created.body.id}$`))
  const { url, extension, width, height, filesize, sizes } = created.body
  assert.deepEqual({ extension, width, height }, { extension: 'png', width: 900, height: 600 })
  assert.match(url, /^http:\/\/localhost:80\/media\/\d+\/[0-9a-f]{16}\/full\/a-sunset\.png$/)
  assert.ok(filesize > 0)
  assert.deepEqual(Object.keys(sizes).sort(), ['medium', 'medium_large', 'thumbnail'])
  assert.deepEqual([sizes.thumbnail.width, sizes.thumbnail.height], [150, 150])
  assert.deepEqual([sizes.medium.width, sizes.medium.height], [300, 200])
  assert.equal(sizes.medium['mime-type'], 'image/png')
})

test('an image is uploaded as the field file of a form, with an alternative text', async () => {
  const created = await admin.send({ method: 'POST', url: media, ...buildForm({ alt: 'The choir <b>sings</b>' }, png) })
  assert.equal(created.status, 201, created.text)
  assert.equal(created.body.alt, 'The choir sings')
  assert.match(created.body.url, /chor-koln\.png$/)
})

test('image files are served with their type and as immutable, and URLs with another key or size are 404', async () => {
  const { body } = await upload(admin, png)
  const path = new URL(body.sizes.medium.url).pathname
  const file = await visitor.send({ method: 'GET', url: path })
  assert.equal(file.status, 200)
  assert.equal(file.headers['content-type'], 'image/png')
  assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(file.headers['x-content-type-options'], 'nosniff')
  const again = await visitor.get(path, { 'if-none-match': file.headers.etag ?? '' })
  assert.equal(again.status, 304)
  assert.equal((await visitor.get(path.replace(/[0-9a-f]{16}/, '0123456789abcdef'))).status, 404)
  assert.equal((await visitor.get(path.replace('medium', 'enormous'))).status, 404)
  assert.equal((await visitor.get(path.replace(/media\/\d+/, 'media/999999'))).status, 404)
})

test('the sizes of an image are public for those who know its key, until it is deleted', async () => {
  const { body } = await upload(admin, png, { name: 'Sizes.png' })
  const [path = ''] = /\/media\/\d+\/[0-9a-f]{16}/.exec(body.url) ?? []
  const found = await visitor.get(path)
  assert.deepEqual([found.status, found.body], [200, body])
  assert.equal((await visitor.get(path.replace(/[0-9a-f]{16}/, '0123456789abcdef'))).status, 404)
  assert.equal((await visitor.get(path.replace(/media\/\d+/, 'media/999999'))).status, 404)
  assert.equal((await admin.delete(`${media}/${body.id}`)).status, 200)
  assert.equal((await visitor.get(path)).status, 404)
})

test('an event has its image until the image is deleted', async () => {
  const { body: image } = await upload(admin, png)
  const { id } = await anEvent({ image: image.id })
  assert.equal((await visitor.get(`${calendar}/events/${id}`)).body.image.url, image.url)
  assert.equal((await admin.delete(`${media}/${image.id}`)).status, 200)
  assert.equal((await visitor.get(`${calendar}/events/${id}`)).body.image, false)
  assert.equal((await admin.delete(`${media}/${image.id}`)).status, 404)
  assert.equal((await visitor.get(new URL(image.url).pathname)).status, 404)
})

test('an unknown image id is refused with the name of the field', async () => {
  const refused = await admin.post(`${calendar}/events`, {
    title: 'x',
    start_date: '2027-01-01',
    end_date: '2027-01-02',
    image: 999_999
  })
  assert.equal(refused.status, 400)
  assert.deepEqual(Object.keys(refused.body.data.params), ['image'])
})

test('SVG files, images with too many pixels, truncated files, text and empty uploads are refused', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const bomb = await sharp({
    create: { width: 15_000, height: 4000, channels: 3, background: 'white' },
    limitInputPixels: false
  })
    .png()
    .toBuffer()
  for (const [kind, bytes] of Object.entries({
    svg,
    bomb,
    broken: png.subarray(0, 300),
    words: Buffer.from('hello')
  })) {
    const refused = await upload(admin, bytes)
    assert.equal(refused.status, 400, kind)
    assert.equal(refused.body.code, 'rest_upload_not_an_image', kind)
  }
  assert.equal((await admin.send({ method: 'POST', url: media })).status, 400)
  assert.equal((await admin.post(media, { file: 'not a file' })).status, 400)
})

test('an upload of more than 10 MB is 413', async () => {
  const refused = await upload(admin, Buffer.alloc(11 * 1024 * 1024))
  assert.equal(refused.status, 413)
})

test('authors and editors can upload images; authors see only their own, editors all', async () => {
  const [author, other, editor, contributor] = await Promise.all(
    (['author', 'author', 'editor', 'contributor'] as const).map(withRole)
  )
  assert.ok(author && other && editor && contributor)
  assert.equal((await upload(visitor, png)).status, 401)
  assert.equal((await upload(contributor, png)).status, 403)
  const { body } = await upload(author, png)
  assert.equal((await author.get(`${media}/${body.id}`)).status, 200)
  assert.equal((await other.get(`${media}/${body.id}`)).status, 403)
  assert.equal((await other.delete(`${media}/${body.id}`)).status, 403)
  assert.equal((await visitor.get(media)).status, 401)
  assert.equal((await author.get(media)).body.total, 1)
  assert.ok((await editor.get(media)).body.total > 1)
  assert.equal((await editor.delete(`${media}/${body.id}`)).status, 200)
})

test('a repeated upload with the same Idempotency-Key stores one image; another file with this key is refused', async () => {
  const headers = { 'idempotency-key': 'an-upload', authorization: `Bearer ${adminKey}` }
  const one = await upload(admin, png, { headers })
  const again = await upload(admin, png, { headers })
  assert.equal(again.body.id, one.body.id)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  const jpeg = await sharp(png).jpeg().toBuffer()
  assert.equal((await upload(admin, jpeg, { headers })).status, 422)
})

/** Starts a web server with this handler and returns its URL. */
async function startWeb(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('an image URL is fetched once and stored; URLs of our own images are recognised', async () => {
  let fetched = 0
  const web = await startWeb((_, response) => {
    fetched += 1
    response.writeHead(200, { 'content-type': 'image/png' }).end(png)
  })
  const first = await anEvent({ image: `${web}/pictures/choir%20night.png` })
  const second = await aVenue({ image: `${web}/pictures/choir%20night.png` })
  assert.equal(first.image.id, second.image.id)
  assert.equal(fetched, 1)
  assert.match(first.image.url, /choir-night\.png$/)
  const third = await anEvent({ image: first.image.url })
  assert.equal(third.image.id, first.image.id)
})

test('an image that was fetched for a refused event is not stored', async () => {
  const web = await startWeb((_, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(png)
  })
  const before = (await admin.get(media)).body.total
  const refused = await admin.post(`${calendar}/events`, {
    title: 'x',
    start_date: '2027-01-01',
    end_date: '2027-01-02',
    image: `${web}/fetched.png`,
    venue: 999_999
  })
  assert.equal(refused.status, 400)
  assert.equal((await admin.get(media)).body.total, before)
})

test('contributors cannot set an image by URL', async () => {
  const contributor = await withRole('contributor')
  const refused = await contributor.post(`${calendar}/events`, {
    title: 'x',
    start_date: '2027-01-01',
    end_date: '2027-01-02',
    image: 'https://example.org/a.png'
  })
  assert.equal(refused.status, 403)
})

test('a URL that is not an image is refused, and nothing is stored', async () => {
  const web = await startWeb((request, response) => {
    if (request.url === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
    else if (request.url === '/liar') response.writeHead(200, { 'content-type': 'image/png' }).end('no image')
    else response.writeHead(404).end()
  })
  const countImages = async () => (await admin.get(media)).body.total
  const before = await countImages()
  for (const path of ['/page', '/liar', '/missing']) {
    const refused = await admin.post(`${calendar}/venues`, { venue: 'x', image: web + path })
    assert.equal(refused.status, 400, path)
    assert.deepEqual(Object.keys(refused.body.data.params), ['image'], path)
  }
  assert.equal(await countImages(), before)
})

test('without ALLOW_PRIVATE_ADDRESSES no private address is fetched, in any notation', async () => {
  let requests = 0
  const web = await startWeb((_, response) => {
    requests += 1
    response.writeHead(200, { 'content-type': 'image/png' }).end(png)
  })
  const strict = await startCalendar()
  const port = new URL(web).port
  for (const host of [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '0.0.0.0',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    '169.254.169.254',
    '10.0.0.1'
  ]) {
    const refused = await strict.admin.post(`${calendar}/venues`, { venue: 'x', image: `http://${host}:${port}/a.png` })
    assert.equal(refused.status, 400, host)
  }
  assert.equal(requests, 0)
})
