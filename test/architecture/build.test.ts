// test: own process, long, full
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFile, chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createDataLocation, type RunningKalends, startKalends } from '../support/kalends-process.ts'
import { root } from '../support/project-root.ts'
import { calendar } from '../support/services.ts'

const checkout = await mkdtemp(join(tmpdir(), 'kalends-checkout-'))
after(async () => await rm(checkout, { recursive: true }))
const parts = [
  'src',
  'docs/api',
  'fonts',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'kalends',
  'LICENSE'
]
for (const name of parts) {
  await cp(join(root, name), join(checkout, name), { recursive: true })
}
// It is made by the build.
await rm(join(checkout, 'src', 'client', 'api.ts'), { force: true })
await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'))
// One of the tests runs commands as a user who may read it.
await chmod(checkout, 0o755)

const dist = join(checkout, 'dist')
const version = async () => (await promisify(execFile)(join(checkout, 'kalends'), ['version'])).stdout
const change = async (what: string) => await appendFile(join(checkout, 'src/main.ts'), `\nconsole.log('${what}')\n`)
const current = async () => await readFile(join(dist, 'current'), 'utf8')
const runners = ['.npmignore', 'client', 'current', 'main.js', 'require-node.mjs', 'stop-with-npm.mjs']
/** The folders of builds, and whatever else is in dist that should not be. */
const builds = async () => (await readdir(dist)).filter(name => !runners.includes(name)).toSorted()

test('commands that are started at once in a fresh checkout build it once and all work', async () => {
  const answers = await Promise.all([version(), version(), version()])
  assert.deepEqual(
    new Set(answers),
    new Set([`${JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version}\n`])
  )
  assert.deepEqual(await builds(), [await current()])
})

test('a changed source is built before the next command runs, and an unchanged one is not', async () => {
  await version()
  const first = await current()
  const stamp = join(dist, first, 'not-built-again')
  await writeFile(stamp, '')
  await version()
  assert.equal(await current(), first)
  assert.equal(await readFile(stamp, 'utf8'), '')
  await change('changed')
  assert.match(await version(), /changed/)
  assert.deepEqual(await builds(), [first, await current()].toSorted())
})

test('a build that was killed does not keep the next one waiting, and what it left is cleared away', async () => {
  await version()
  const before = await current()
  await change('changed again')
  // No process has this number: it is above what Linux gives out.
  await writeFile(join(dist, '.lock'), '4194305')
  await mkdir(join(dist, '.building-4194305', 'program'), { recursive: true })
  assert.match(await version(), /changed again/)
  assert.deepEqual(await builds(), [before, await current()].toSorted())
})

test('builds do not take files from a running server; its folder goes when it has stopped', async () => {
  const place = await createDataLocation()
  after(place.remove)
  await version()
  const own = await current()
  const program = join(checkout, 'scripts', 'kalends.mjs')
  const server = await startKalends({ ...place.env, ADMIN_KEY: adminKey }, ['serve'], { program })
  try {
    for (const what of ['first update', 'second update']) {
      await change(what)
      assert.match(await version(), new RegExp(what))
    }
    assert.ok((await builds()).includes(own))
    assert.notEqual(await current(), own)
    // What reads tables is loaded with the first import, styles with their first request.
    await importTable(server)
    const { text: page } = await read(`${server.url}/en/events`)
    const styles = /href="(\/assets\/site-[^"]+\.css)"/.exec(page)?.[1]
    assert.equal((await read(`${server.url}${styles}`)).status, 200)
  } finally {
    assert.equal(await server.stop(), 0)
  }
  const previous = await current()
  await change('after the stop')
  await version()
  assert.deepEqual(await builds(), [previous, await current()].toSorted())
})

test('workers that are started again run the build that they were started with', async () => {
  const place = await createDataLocation()
  after(place.remove)
  await version()
  const own = await current()
  const program = join(checkout, 'scripts', 'kalends.mjs')
  const server = await startKalends({ ...place.env, WORKERS: '2' }, ['serve'], { program })
  try {
    await change('while workers run')
    await version()
    const [worker] = await childrenOf(server.pid)
    assert.ok(worker)
    process.kill(worker, 'SIGKILL')
    let others: number[] = []
    while (others.length < 2) {
      await sleep(100)
      others = (await childrenOf(server.pid)).filter(pid => pid !== worker)
    }
    for (const pid of others) {
      assert.ok((await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes(join(dist, own, 'main.js')))
    }
  } finally {
    assert.equal(await server.stop(), 0)
  }
})

test('a user who cannot write to dist is told who has to build', { skip: process.getuid?.() !== 0 }, async () => {
  await version()
  await change('by root')
  const asNobody = promisify(execFile)(join(checkout, 'kalends'), ['version'], { uid: 65_534, gid: 65_534, cwd: '/' })
  await assert.rejects(asNobody, ({ code, stderr }: { code: number; stderr: string }) => {
    assert.equal(code, 1)
    assert.match(stderr, /newer than what was built of it, and this user cannot write to .*dist/)
    assert.match(stderr, /npm run build/)
    assert.doesNotMatch(stderr, /EACCES| {4}at /)
    return true
  })
  assert.match(await version(), /by root/)
  assert.equal(
    (await promisify(execFile)(join(checkout, 'kalends'), ['version'], { uid: 65_534, gid: 65_534, cwd: '/' })).stdout,
    await version()
  )
})

test('a source that does not compile stops the command, says where, and leaves the last build alone', async () => {
  await version()
  const before = await builds()
  await appendFile(join(checkout, 'src', 'main.ts'), '\nthis is no TypeScript\n')
  await assert.rejects(version(), (error: { stdout: string }) => /src\/main\.ts\(\d+,\d+\): error/.test(error.stdout))
  assert.deepEqual(await builds(), before)
})

async function importTable({ url, output }: RunningKalends): Promise<void> {
  const form = new FormData()
  form.set('source', 'csv')
  form.set('dry_run', 'false')
  form.set('file', new Blob(['Title;Date\r\nReading;2031-06-14']), 'programme.csv')
  const made = await read(`${url}${calendar}/imports`, { method: 'POST', body: form })
  assert.equal(made.status, 201, made.text)
  const { id } = JSON.parse(made.text)
  for (;;) {
    const { status, counts, error } = JSON.parse((await read(`${url}${calendar}/imports/${id}`)).text)
    assert.notEqual(status, 'failed', `${error}\n${output()}`)
    if (status !== 'done') {
      await sleep(100)
      continue
    }
    assert.equal(counts.new, 1)
    return
  }
}

const adminKey = 'the-key-of-a-server-that-goes-on'

async function read(url: string, options: RequestInit = {}): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, { ...options, headers: { authorization: `Bearer ${adminKey}` } })
  return { status: answer.status, text: await answer.text() }
}

/** The processes of Node that a process has started. */
async function childrenOf(pid: number): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number)
  const commands = await Promise.all(children.map(async child => await readFile(`/proc/${child}/cmdline`, 'utf8')))
  return children.filter((_, index) => commands[index]?.includes('main.js'))
}
