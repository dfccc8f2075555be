// test: own process
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { runKalends } from '#test/support/kalends-process.ts'

test('update --check says which release is newer, and that is the only time that Kalends asks', async t => {
  const asked: (string | undefined)[] = []
  const registry = createServer((request, response) => {
    asked.push(request.url)
    response.writeHead(request.url === '/npm/kalends' ? 200 : 404).end(JSON.stringify({ 'dist-tags': { latest } }))
  }).listen(0, '127.0.0.1')
  await once(registry, 'listening')
  t.after(() => registry.close())
  const address = registry.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const check = async (from: string) => await runKalends(['update', '--check', '--registry', from], {})
  let latest = '999.0.0'
  assert.match((await check(`${url}/npm`)).stdout, /^Kalends 999\.0\.0 is newer than this one, /)
  for (latest of ['0.0.1', '0.0.1-beta.1'])
    assert.match((await check(`${url}/npm/`)).stdout, /^Kalends \S+ is the newest release\.\n$/)
  latest = 'newest'
  for (const [from, message] of [
    [`${url}/npm`, /^127\.0\.0\.1:\d+ does not say which release is the newest \(status 200\)\.\n$/],
    [`${url}/other`, /^127\.0\.0\.1:\d+ has no releases of Kalends\.\n$/],
    ['http://127.0.0.1:1', /^127\.0\.0\.1:1 does not answer: \S.*\n$/]
  ] as const) {
    const { code, stdout, stderr } = await check(from)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, message)
  }
  assert.deepEqual(asked, [...Array(4).fill('/npm/kalends'), '/other/kalends'])
})
