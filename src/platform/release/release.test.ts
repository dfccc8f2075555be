import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { after, test } from 'node:test'
import { startCampaigns } from '#test/support/services.ts'
import type { Log } from '../log.ts'
import { version } from '../version.ts'
import { checkForRelease, isNewer } from './newest-release.ts'

const requests: { path: string | undefined; headers: IncomingHttpHeaders }[] = []
let answer: [status: number, body: string] = [200, '']
const registry = createServer((request, response) => {
  requests.push({ path: request.url, headers: request.headers })
  response.writeHead(answer[0]).end(answer[1])
}).listen(0, '127.0.0.1')
await once(registry, 'listening')
after(() => registry.close())
const address = registry.address()
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

const warnings: unknown[] = []
const log = { debug: () => {}, info: () => {}, warn: (...words: unknown[]) => warnings.push(words), error: () => {} }
const env = { UPDATE_REGISTRY: `${url}/npm/`, ALLOW_PRIVATE_ADDRESSES: 'true', PUBLIC_URL: 'https://give.example.org' }
const { admin, withRole, store, settings } = await startCampaigns({ env })
const check = async (changed: object = {}) => await checkForRelease(store, { ...settings, ...changed }, log as Log)

test('the newest release is asked for, stored and compared; the request has nothing about the site', async () => {
  const before = await admin.get('/release')
  assert.deepEqual(before.body, {
    ...{ version, registry: `${url}/npm`, newest: null, checkedAt: null, isUpdateAvailable: false }
  })
  for (const [newest, isUpdateAvailable] of [
    ['999.0.0', true],
    [version, false],
    ['0.0.1-beta.1', false]
  ] as const) {
    answer = [200, JSON.stringify({ name: 'kalends', version: newest })]
    await check()
    const { body } = await admin.get('/release')
    assert.deepEqual([body.newest, body.isUpdateAvailable], [newest, isUpdateAvailable])
    assert.ok(Date.parse(body.checkedAt) > 0)
  }
  assert.equal((await (await withRole('editor')).get('/release')).status, 403)
  assert.deepEqual(new Set(requests.map(({ path }) => path)), new Set(['/npm/kalends/latest']))
  assert.doesNotMatch(JSON.stringify(requests), /give\.example\.org/)
})

test('without UPDATE_REGISTRY nothing is asked, and what was found before is not reported', async () => {
  const count = requests.length
  await check({ updateRegistry: undefined })
  assert.equal(requests.length, count)
  const { admin: other, store: data } = await startCampaigns()
  await data.script(`insert into platform.observations (name, seen_at, details)
    values ('newest-release', now(), '999.0.0')`)
  const { body } = await other.get('/release')
  assert.deepEqual([body.registry, body.newest, body.isUpdateAvailable], [null, null, false])
})

test('a registry that fails or answers nonsense changes nothing, and the log says so', async () => {
  answer = [200, JSON.stringify({ version: '999.2.0' })]
  await check()
  const nonsense: [number, string][] = [
    [500, JSON.stringify({ version: '999.3.0' })],
    [404, '{}'],
    [200, 'no json'],
    [200, 'null'],
    [200, JSON.stringify({ version: '<script>' })],
    [200, JSON.stringify({ version: 5 })]
  ]
  for (answer of nonsense) await check()
  await check({ allowPrivateAddresses: false })
  assert.equal(warnings.length, nonsense.length + 1)
  assert.match(JSON.stringify(warnings[0]), /failed to find the newest release/)
  assert.equal((await admin.get('/release')).body.newest, '999.2.0')
})

test('versions are compared by their numbers', () => {
  assert.deepEqual(
    [
      isNewer('1.10.0', '1.9.9'),
      isNewer('2.0.0-beta.1', '2.0.0'),
      isNewer('1.2.3', '1.2.3'),
      isNewer('0.9.9', '1.0.0')
    ],
    [true, false, false, false]
  )
})
