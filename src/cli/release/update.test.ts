// test: own process, full
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { runKalends } from '#test/support/kalends-process.ts'

test('update --check asks the registry for the latest release and compares it with this one', async t => {
  const requestedPaths: (string | undefined)[] = []
  const registry = createServer((request, response) => {
    requestedPaths.push(request.url)
    const body = {
      name: 'kalends',
      'dist-tags': { latest },
      versions: { [latest]: { name: 'kalends', version: latest } }
    }
    response.writeHead(request.url === '/npm/kalends' ? 200 : 404).end(JSON.stringify(body))
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
  for (const [from, message] of [
    [`${url}/other`, /^The npm registry has no releases of Kalends\.\n$/],
    ['http://127.0.0.1:1', /^npm did not report the newest release: \S.*\n$/]
  ] as const) {
    const { code, stdout, stderr } = await check(from)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, message)
  }
  assert.deepEqual(requestedPaths, [...Array(3).fill('/npm/kalends'), '/other/kalends'])
})
