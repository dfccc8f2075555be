// test: own process, full
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runKalends, waitUntil } from '#test/support/kalends-process.ts'
import { root } from '#test/support/project-root.ts'

const folder = await mkdtemp(join(tmpdir(), 'kalends-start-'))
after(async () => await rm(folder, { recursive: true }))

test('serve waits for a database that cannot be reached, logs the reason without the password, and stops on SIGTERM while it waits', async () => {
  for (const more of [{}, { WORKERS: '2' }]) {
    const { PATH = '' } = process.env
    const env = { PATH, PORT: '0', DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/kalends', ...more }
    const child = spawn(process.execPath, [join(root, 'scripts', 'kalends.mjs'), 'serve'], { cwd: folder, env })
    let log = ''
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      log += part
    })
    await waitUntil(() => log.includes('waiting for the database (DATABASE_URL)'))
    assert.match(log, /"level":40,.*ECONNREFUSED/)
    assert.doesNotMatch(log, /hush/)
    child.kill('SIGTERM')
    const [code] = await once(child, 'close')
    assert.equal(code, 0, log)
  }
})

test('an .env file that cannot be read, or has a misspelt setting, stops the start before anything is created', async () => {
  const cwd = await mkdtemp(join(folder, 'env-'))
  const file = join(cwd, '.env')
  await mkdir(file)
  const unreadable = await runKalends(['serve'], {}, { cwd })
  assert.deepEqual([unreadable.code, unreadable.stdout], [1, ''])
  assert.match(
    unreadable.stderr,
    /^Kalends cannot start with these settings:\n {2}\.env: cannot read \/.*\/\.env \(EISDIR\)/
  )
  await rmdir(file)
  await writeFile(file, 'DATABSE_URL=postgres://db/kalends\nLOG_LEVEL=warn\n')
  const misspelt = await runKalends(['serve'], { TRUST_PROXI: '1' }, { cwd })
  assert.deepEqual([misspelt.code, misspelt.stdout], [1, ''])
  assert.match(
    misspelt.stderr,
    /^ {2}DATABSE_URL in \.env: .* Did you mean DATABASE_URL\?\n {2}TRUST_PROXI: .* Did you mean TRUST_PROXY\?\n$/m
  )
  assert.deepEqual(await readdir(cwd), ['.env'])
})

test('a message of the site that cannot be used stops the start before anything is created', async () => {
  const cwd = await mkdtemp(join(folder, 'messages-'))
  await mkdir(join(cwd, 'messages', 'de'), { recursive: true })
  await writeFile(join(cwd, 'messages', 'de', 'layout.json'), '{ "skip": "Zu {nothing}", "skipp": "Weiter" }')
  const { code, stdout, stderr } = await runKalends(['serve'], {}, { cwd })
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^ {2}messages: .*: de\/layout\.json: skip: English has no argument nothing\.$/m)
  assert.match(stderr, /^ {2}messages: .*: de\/layout\.json: skipp: there is no such message in English\.$/m)
  assert.deepEqual(await readdir(cwd), ['messages'])
})

test('migrate and doctor exit with a one-line error when the database cannot be reached', async t => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  for (const host of ['127.0.0.1:1', 'localhost:1', `127.0.0.1:${port}`]) {
    const env = { DATABASE_URL: `postgres://me:hush@${host}/kalends` }
    const results = await Promise.all([runKalends(['migrate'], env), runKalends(['doctor'], env)])
    for (const { code, stdout, stderr } of results) {
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, /^The database is unavailable: \S.*\n$/)
      assert.doesNotMatch(stderr, /hush/)
    }
  }
})
