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
  'messages',
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
// The build generates it.
await rm(join(checkout, 'src', 'client', 'api.ts'), { force: true })
await rm(join(checkout, 'src', 'platform', 'messages', 'catalogue.ts'), { force: true })
await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'))
// One of the tests runs commands as another user, who needs read access.
await chmod(checkout, 0o755)

const dist = join(checkout, 'dist')
/** From another folder, as a service or a job of cron runs it. */
const runVersion = async () => (await promisify(execFile)(join(checkout, 'kalends'), ['version'], { cwd: '/' })).stdout
/** Changes the program: it prints the marker before its other output. */
async function changeSource(marker: string): Promise<void> {
  const path = join(checkout, 'src/main.ts')
  await writeFile(path, (await readFile(path, 'utf8')).replace('\n', `\nconsole.log('${marker}')\n`))
}
const readCurrent = async () => await readFile(join(dist, 'current'), 'utf8')
const runners = ['.npmignore', 'client', 'current', 'main.js', 'require-node.mjs', 'stop-with-npm.mjs']
/** The folders of builds, and unexpected files in dist. */
const listBuilds = async () => (await readdir(dist)).filter(name => !runners.includes(name)).toSorted()

test('commands that are started concurrently in a fresh checkout build it once, and all work', async () => {
  const answers = await Promise.all([runVersion(), runVersion(), runVersion()])
  assert.deepEqual(
    new Set(answers),
    new Set([`${JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version}\n`])
  )
  assert.deepEqual(await listBuilds(), [await readCurrent()])
})

test('a changed source is built before the next command runs, and an unchanged one is not', async () => {
  await runVersion()
  const first = await readCurrent()
  const markerFile = join(dist, first, 'not-built-again')
  await writeFile(markerFile, '')
  await runVersion()
  assert.equal(await readCurrent(), first)
  assert.equal(await readFile(markerFile, 'utf8'), '')
  await changeSource('changed')
  assert.match(await runVersion(), /changed/)
  assert.deepEqual(await listBuilds(), [first, await readCurrent()].toSorted())
})

test('the lock of a killed build does not block the next build, and its files are deleted', async () => {
  await runVersion()
  const before = await readCurrent()
  await changeSource('changed again')
  // No process has this id: it is above the maximum of Linux.
  await writeFile(join(dist, '.lock'), '4194305')
  await mkdir(join(dist, '.building-4194305', 'program'), { recursive: true })
  assert.match(await runVersion(), /changed again/)
  assert.deepEqual(await listBuilds(), [before, await readCurrent()].toSorted())
})

test('builds keep the folder of a running server, and delete it after the server has stopped', async () => {
  const dataLocation = await createDataLocation()
  after(dataLocation.remove)
  await runVersion()
  const ownBuild = await readCurrent()
  const program = join(checkout, 'scripts', 'kalends.mjs')
  const server = await startKalends({ ...dataLocation.env, ADMIN_KEY: adminKey }, ['serve'], { program })
  try {
    for (const marker of ['first update', 'second update']) {
      await changeSource(marker)
      assert.match(await runVersion(), new RegExp(marker))
    }
    assert.ok((await listBuilds()).includes(ownBuild))
    assert.notEqual(await readCurrent(), ownBuild)
    // The code for CSV files is loaded with the first import, styles with their first request.
    await importTable(server)
    const { text: page } = await sendRead(`${server.url}/en/events`)
    const styles = /href="(\/assets\/site-[^"]+\.css)"/.exec(page)?.[1]
    assert.equal((await sendRead(`${server.url}${styles}`)).status, 200)
  } finally {
    assert.equal(await server.stop(), 0)
  }
  const previous = await readCurrent()
  await changeSource('after the stop')
  await runVersion()
  assert.deepEqual(await listBuilds(), [previous, await readCurrent()].toSorted())
})

test('restarted workers run the build that the server was started with', async () => {
  const dataLocation = await createDataLocation()
  after(dataLocation.remove)
  await runVersion()
  const ownBuild = await readCurrent()
  const program = join(checkout, 'scripts', 'kalends.mjs')
  const server = await startKalends({ ...dataLocation.env, WORKERS: '2' }, ['serve'], { program })
  try {
    await changeSource('while workers run')
    await runVersion()
    const [worker] = await listChildren(server.pid)
    assert.ok(worker)
    process.kill(worker, 'SIGKILL')
    let others: number[] = []
    while (others.length < 2) {
      await sleep(100)
      others = (await listChildren(server.pid)).filter(pid => pid !== worker)
    }
    for (const pid of others) {
      assert.ok((await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes(join(dist, ownBuild, 'main.js')))
    }
  } finally {
    assert.equal(await server.stop(), 0)
  }
})

test('a user who cannot write to dist gets a message how to build', { skip: process.getuid?.() !== 0 }, async () => {
  await runVersion()
  await changeSource('by root')
  const asNobody = promisify(execFile)(join(checkout, 'kalends'), ['version'], { uid: 65_534, gid: 65_534, cwd: '/' })
  await assert.rejects(asNobody, ({ code, stderr }: { code: number; stderr: string }) => {
    assert.equal(code, 1)
    assert.match(stderr, /newer than what was built of it, and this user cannot write to .*dist/)
    assert.match(stderr, /npm run build/)
    assert.doesNotMatch(stderr, /EACCES| {4}at /)
    return true
  })
  assert.match(await runVersion(), /by root/)
  assert.equal(
    (await promisify(execFile)(join(checkout, 'kalends'), ['version'], { uid: 65_534, gid: 65_534, cwd: '/' })).stdout,
    await runVersion()
  )
})

test('a source that does not compile fails the command with its location, and keeps the last build', async () => {
  await runVersion()
  const before = await listBuilds()
  await appendFile(join(checkout, 'src', 'main.ts'), '\nthis is no TypeScript\n')
  await assert.rejects(runVersion(), (error: { stdout: string }) =>
    /src\/main\.ts\(\d+,\d+\): error/.test(error.stdout)
  )
  assert.deepEqual(await listBuilds(), before)
})

async function importTable({ url, output }: RunningKalends): Promise<void> {
  const form = new FormData()
  form.set('source', 'csv')
  form.set('dry_run', 'false')
  form.set('file', new Blob(['Title;Date\r\nReading;2031-06-14']), 'programme.csv')
  const created = await sendRead(`${url}${calendar}/imports`, { method: 'POST', body: form })
  assert.equal(created.status, 201, created.text)
  const { id } = JSON.parse(created.text)
  for (;;) {
    const { status, counts, error } = JSON.parse((await sendRead(`${url}${calendar}/imports/${id}`)).text)
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

async function sendRead(url: string, options: RequestInit = {}): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, { ...options, headers: { authorization: `Bearer ${adminKey}` } })
  return { status: answer.status, text: await answer.text() }
}

/** The processes of Node that a process has started. */
async function listChildren(pid: number): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number)
  const commands = await Promise.all(children.map(async child => await readFile(`/proc/${child}/cmdline`, 'utf8')))
  return children.filter((_, index) => commands[index]?.includes('main.js'))
}
