import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { InjectOptions } from 'fastify'
import { adminKey, calendar, campaign, event, startSite } from '#test/support/services.ts'

const { server, admin } = await startSite()
const { id } = (await admin.post('/campaigns', { ...campaign, description: 'Every euro helps. '.repeat(100) })).body
for (let count = 0; count < 12; count += 1)
  await admin.post(`${calendar}/events`, { ...event, title: `Concert ${count}` })

const one = `/campaigns/${id}`
const list = `${calendar}/events?start_date=2027-01-01`
const bearer = { authorization: `Bearer ${adminKey}` }

async function send(options: InjectOptions) {
  const { statusCode: status, headers, rawPayload: bytes } = await server.app.inject(options)
  return { status, headers: headers as Record<string, string | undefined>, bytes }
}
const get = async (url: string, coding?: string, headers: Record<string, string> = {}) =>
  await send({ url, headers: { ...headers, ...(coding === undefined ? {} : { 'accept-encoding': coding }) } })
const decode = { br: brotliDecompressSync, gzip: gunzipSync }

async function countCachedBytes(): Promise<number> {
  return Number(/^kalends_cached_bytes (\d+)$/m.exec(await server.metrics.render())?.[1])
}

test('reads are compressed for clients that accept it, with and without the cache', async () => {
  for (const url of [one, list, '/en', '/en/calendar/list', '/en/events.ics', '/openapi.json']) {
    const plain = await get(url)
    assert.equal(plain.status, 200, url)
    assert.equal(plain.headers['content-encoding'], undefined, url)
    assert.match(plain.headers.vary ?? '', /\bAccept-Encoding\b/, url)
    for (const coding of ['br', 'gzip'] as const) {
      for (const headers of [{}, {}, {}, url.startsWith('/en') ? {} : bearer]) {
        const response = await get(url, coding, headers)
        assert.equal(response.headers['content-encoding'], coding, url)
        assert.equal(response.headers['content-length'], String(response.bytes.length), url)
        assert.match(response.headers.vary ?? '', /\bAuthorization\b.*\bAccept-Encoding\b|^Accept-Encoding$/, url)
        assert.ok(response.bytes.length < plain.bytes.length / 1.5, url)
        if (!('authorization' in headers) && plain.headers.etag === response.headers.etag?.replace(`+${coding}`, ''))
          assert.equal(decode[coding](response.bytes).toString(), plain.bytes.toString(), url)
      }
    }
  }
})

test('the decoded body and the ETag are those of the uncompressed response', async () => {
  const plain = await get(one)
  for (const coding of ['br', 'gzip'] as const) {
    const response = await get(one, coding)
    assert.equal(decode[coding](response.bytes).toString(), plain.bytes.toString())
    assert.equal(response.headers.etag, plain.headers.etag?.replace(/"$/, `+${coding}"`))
  }
})

test('the ETag of every coding gets 304 with the same ETag', async () => {
  for (const url of [one, '/en']) {
    const tags = await Promise.all([undefined, 'br', 'gzip'].map(async coding => (await get(url, coding)).headers.etag))
    assert.equal(new Set(tags).size, 3)
    for (const tag of tags) {
      for (const headers of [{}, url === one ? bearer : {}]) {
        const response = await get(url, 'br, gzip', { ...headers, 'if-none-match': `"other", W/${tag}` })
        assert.equal(response.status, 304, `${url} ${tag}`)
        assert.equal(response.headers.etag, tag)
        assert.equal(response.bytes.length, 0)
        assert.equal(response.headers['content-encoding'], undefined)
        assert.match(response.headers.vary ?? '', /Accept-Encoding/)
      }
    }
    const other = tags[0]?.replace(/"$/, 'x+br"') ?? ''
    assert.equal((await get(url, 'br', { 'if-none-match': other })).status, 200)
  }
})

test('HEAD has the headers of GET', async () => {
  for (const coding of ['', 'br', 'gzip']) {
    const [response, head] = [
      await get(one, coding),
      await send({ method: 'HEAD', url: one, headers: { 'accept-encoding': coding } })
    ]
    assert.equal(head.bytes.length, 0)
    for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary']) {
      assert.equal(head.headers[name], response.headers[name], `${coding}: ${name}`)
    }
  }
})

test('the ETag of a compressed response is valid in If-Match', async () => {
  const { headers } = await get(one, 'gzip', bearer)
  assert.match(headers.etag ?? '', /\+gzip"$/)
  const change = (etag: string) =>
    admin.send({
      method: 'PATCH',
      url: one,
      headers: { 'content-type': 'application/merge-patch+json', 'if-match': etag },
      payload: JSON.stringify({ name: 'Renamed' })
    })
  assert.equal((await change(headers.etag ?? '')).status, 200)
  assert.equal((await change(headers.etag ?? '')).status, 412)
})

test('small responses are not compressed unless the client refuses uncompressed ones', async () => {
  const small = await get('/health', 'br, gzip')
  assert.equal(small.headers['content-encoding'], undefined)
  const { bytes, headers } = await get('/health', 'gzip, identity;q=0')
  assert.equal(headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(bytes).toString(), small.bytes.toString())
})

test('pages with sessions or forms, responses to Basic credentials and to writes are never compressed', async () => {
  const donationForm = (await get(`/en/donate/${id}`)).headers.location ?? `/en/donate/${id}`
  const basic = { authorization: `Basic ${Buffer.from(`any:${adminKey}`).toString('base64')}` }
  for (const [url, headers] of [
    ['/admin/setup', {}],
    [donationForm, {}],
    [one, basic],
    [list, basic]
  ] as const) {
    const response = await get(url, 'br, gzip', headers)
    assert.equal(response.status, 200, url)
    assert.equal(response.headers['content-encoding'], undefined, url)
    assert.ok(response.bytes.length > 1024, url)
  }
  const written = await admin.send({
    method: 'POST',
    url: '/campaigns',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
    payload: JSON.stringify({ ...campaign, description: 'Every euro helps. '.repeat(100) })
  })
  assert.equal(written.status, 201)
  assert.equal(written.headers['content-encoding'], undefined)
})

test('images are not compressed again', async () => {
  const response = await get(`${one}/qr.png`, 'br, gzip')
  assert.equal(response.status, 200)
  assert.equal(response.headers['content-encoding'], undefined)
})

test('exports are compressed while they are sent', async () => {
  const url = `${calendar}/events.csv`
  const plain = await get(url, undefined, bearer)
  for (const coding of ['br', 'gzip'] as const) {
    const response = await get(url, coding, bearer)
    assert.equal(response.headers['content-encoding'], coding)
    assert.equal(response.headers['content-length'], undefined)
    assert.equal(decode[coding](response.bytes).toString(), plain.bytes.toString())
  }
})

test('a cached response is compressed once for each coding, and the cache counts its size', async () => {
  // When the cache polls, it finds the writes above again and invalidates their entries.
  for (const pauseMs of [300, 100]) {
    await get(one)
    await sleep(pauseMs)
  }
  for (let count = 0; count < 3; count += 1) await get(one)
  const before = await countCachedBytes()
  const brotli = await get(one, 'br')
  const withBrotli = await countCachedBytes()
  assert.equal(withBrotli, before + brotli.bytes.length)
  for (let count = 0; count < 3; count += 1) await get(one, 'br')
  assert.equal(await countCachedBytes(), withBrotli)
  const gzip = await get(one, 'gzip')
  assert.equal(await countCachedBytes(), withBrotli + gzip.bytes.length)
})
