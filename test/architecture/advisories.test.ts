// test: own process
// What `npm run check` says of advisories, with a registry of the test.
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

let answer: (response: ServerResponse) => void = response => response.end()
const registry = createServer((request, response) => {
  if (request.url === '/-/npm/v1/security/advisories/bulk') return answer(response)
  response.writeHead(404).end()
}).listen(0, '127.0.0.1')
await once(registry, 'listening')
const cache = await mkdtemp(join(tmpdir(), 'kalends-npm-'))
after(async () => {
  await rm(cache, { recursive: true })
  registry.closeAllConnections()
  registry.close()
})

async function look(timeoutMs = 60_000): Promise<{ code: number; stdout: string }> {
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

const known = (severity: string) => (response: ServerResponse) => {
  const title = 'Values end up in the text of a statement'
  // By its number npm remembers what it heard of an advisory.
  const one = { id: severity.length, url: 'https://example.org/advisory', title, severity, vulnerable_versions: '*' }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ pg: [one] }))
}

test('an advisory that is high fails the check and is named; a lower one does not', async () => {
  answer = known('high')
  const found = await look()
  assert.equal(found.code, 1, found.stdout)
  assert.match(
    found.stdout,
    /^pg: high: Values end up in the text of a statement \(https:\/\/example\.org\/advisory\)/m
  )
  answer = known('low')
  assert.deepEqual(await look(), { code: 0, stdout: '0 high or critical advisories\n' })
})

test('a registry that does not offer advisories, or hangs, does not fail the check, and that is said', {
  skip: skipUnlessFull
}, async () => {
  const stdout = 'not available here: the registry does not answer which advisories are known\n'
  answer = response => void response.writeHead(404).end('{}')
  assert.deepEqual(await look(), { code: 0, stdout })
  answer = () => undefined
  assert.deepEqual(await look(2000), { code: 0, stdout })
})
