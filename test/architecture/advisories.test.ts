// test: own process
// The check of advisories in `npm run check`, with a registry of the test.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { skipUnlessFull } from '../support/full-run.ts'
import { root } from '../support/project-root.ts'

let respond: (response: ServerResponse) => void = response => response.end()
const registry = createServer((request, response) => {
  if (request.url === '/-/npm/v1/security/advisories/bulk') return respond(response)
  response.writeHead(404).end()
}).listen(0, '127.0.0.1')
await once(registry, 'listening')
const cache = await mkdtemp(join(tmpdir(), 'kalends-npm-'))
after(async () => {
  await rm(cache, { recursive: true })
  registry.closeAllConnections()
  registry.close()
})

async function runCheck(timeoutMs = 60_000): Promise<{ code: number; stdout: string }> {
  const { port } = registry.address() as AddressInfo
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: cache,
    ADVISORIES_PATIENCE_MS: String(timeoutMs)
  }
  const running = promisify(execFile)(process.execPath, [join(root, 'scripts', 'advisories.mjs')], { cwd: root, env })
  return await running.then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }) => ({ code, stdout })
  )
}

const respondWith = (severity: string) => (response: ServerResponse) => {
  const title = 'Values end up in the text of a statement'
  // npm caches advisories by id.
  const one = { id: severity.length, url: 'https://example.org/advisory', title, severity, vulnerable_versions: '*' }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ pg: [one] }))
}

test('an advisory of severity high fails the check and is printed; a low one does not', async () => {
  respond = respondWith('high')
  const found = await runCheck()
  assert.equal(found.code, 1, found.stdout)
  assert.match(
    found.stdout,
    /^pg: high: Values end up in the text of a statement \(https:\/\/example\.org\/advisory\)/m
  )
  respond = respondWith('low')
  assert.deepEqual(await runCheck(), { code: 0, stdout: '0 high or critical advisories\n' })
})

test('a registry without advisories, or one that does not respond, does not fail the check, and the output says so', {
  skip: skipUnlessFull
}, async () => {
  const stdout = 'not available here: the registry does not answer which advisories are known\n'
  respond = response => void response.writeHead(404).end('{}')
  assert.deepEqual(await runCheck(), { code: 0, stdout })
  respond = () => undefined
  assert.deepEqual(await runCheck(2000), { code: 0, stdout })
})
