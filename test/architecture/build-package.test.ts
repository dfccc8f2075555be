// test: own process, long, full
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { build as bundle } from 'esbuild'
import { skipUnlessFull } from '../support/full-run.ts'
import { createDataLocation, sendRequest, startKalends } from '../support/kalends-process.ts'
import { root } from '../support/project-root.ts'

const run = promisify(execFile)

// Somebody else's project, which has installed the package.
const elsewhere = await mkdtemp(join(tmpdir(), 'kalends-elsewhere-'))
after(async () => await rm(elsewhere, { recursive: true }))
const packages = join(elsewhere, 'node_modules')
await mkdir(join(packages, 'kalends'), { recursive: true })
await run('npm', ['pack', '--ignore-scripts', '--pack-destination', elsewhere], { cwd: root })
const build = await readFile(join(root, 'dist', 'current'), 'utf8')
const archive = join(elsewhere, 'kalends-0.1.0.tgz')
await run('tar', ['-xzf', archive, '-C', join(packages, 'kalends'), '--strip-components=1'])
for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
  await symlink(join(root, 'node_modules', name), join(packages, name))
}
await writeFile(join(elsewhere, 'package.json'), '{ "type": "module" }')

test('the package has the program and the client, and nothing that only we need', async () => {
  const { stdout } = await run('tar', ['-tzf', archive])
  const files = stdout.split('\n')
  const wanted = ['main.js', 'current', `${build}/main.js`, 'client/client.js', 'client/client.d.ts', 'client/api.d.ts']
  for (const file of wanted) assert.ok(files.includes(`package/dist/${file}`), file)
  assert.deepEqual(
    files.filter(file => /\.test\.|^package\/(test|bench|data|docs|\.)/.test(file)),
    []
  )
  // Builds before the last one stay on the machine.
  const folders = files.map(file => /^package\/dist\/([^/]+)\//.exec(file)?.[1]).filter(name => name !== undefined)
  assert.deepEqual(new Set(folders), new Set([build, 'client']))
})

test('the licences of the packages that are built in go along', async () => {
  const { stdout } = await run('tar', ['-xzOf', archive, `package/dist/${build}/program/LICENSES.txt`])
  for (const name of ['fastify', 'pg', 'typebox', 'pino']) {
    const notice = new RegExp(
      `^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)\\n\\n[\\s\\S]{0,400}Permission is hereby granted`,
      'm'
    )
    assert.match(stdout, notice, name)
  }
})

test('the program runs where its packages are behind a link, with its output in a pipe', async () => {
  const dataLocation = await createDataLocation()
  after(dataLocation.remove)
  await symlink(join(root, 'node_modules'), join(packages, 'kalends', 'node_modules'))
  const started = await startKalends(dataLocation.env, ['serve'], {
    program: join(packages, 'kalends', 'dist', 'main.js')
  })
  assert.equal((await sendRequest(`${started.url}/readyz`)).status, 200)
  assert.equal(await started.stop(), 0)
})

const program = `
import { type Campaign, unwrap, newClient } from 'kalends/client'

const client = newClient({ baseUrl: 'https://give.example.org', language: 'de' })
export const campaigns: Campaign[] = await unwrap(client.GET('/campaigns'))
// @ts-expect-error There is no such address.
await client.GET('/campains')
`

test('kalends/client compiles elsewhere, with and without a bundler, and needs no types of Node', {
  skip: skipUnlessFull
}, async () => {
  await writeFile(join(elsewhere, 'program.ts'), program)
  for (const module of ['nodenext', 'preserve']) {
    await writeFile(
      join(elsewhere, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, target: 'es2022', lib: ['es2022', 'dom'], types: [], module },
        files: ['program.ts']
      })
    )
    const compiled = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], { cwd: elsewhere })
    await assert.doesNotReject(
      compiled.catch(error => Promise.reject(new Error(error.stdout))),
      module
    )
  }
})

test('kalends/client runs elsewhere', async () => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify([{ name: `${request.method} ${request.url} ${request.headers.authorization}` }]))
  }).listen(0, '127.0.0.1')
  after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const script = `
    import { unwrap, newClient } from 'kalends/client'
    const client = newClient({ baseUrl: 'http://127.0.0.1:${port}', key: 'kal_key' })
    console.log((await unwrap(client.GET('/campaigns', { params: { query: { limit: 2 } } })))[0].name)`
  await writeFile(join(elsewhere, 'program.mjs'), script)
  const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: elsewhere })
  assert.equal(stdout, 'GET /campaigns?limit=2 Bearer kal_key\n')
})

test('kalends/client is small in a browser, and asks for nothing that is not there', async () => {
  const contents = "import { newClient } from 'kalends/client'; console.log(newClient)"
  const { outputFiles } = await bundle({
    stdin: { contents, resolveDir: elsewhere },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    minify: true,
    write: false
  })
  assert.ok((outputFiles[0]?.contents.length ?? 0) < 12_000, `${outputFiles[0]?.contents.length} bytes`)
})
