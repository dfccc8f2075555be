// test: own process, long, full
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { root } from '../support/project-root.ts'

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
  'kalends'
]
for (const name of parts) {
  await cp(join(root, name), join(checkout, name), { recursive: true })
}
// It is made by the build.
await rm(join(checkout, 'src', 'client', 'api.ts'), { force: true })
await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'))

const version = async () => (await promisify(execFile)(join(checkout, 'kalends'), ['version'])).stdout
const built = async () => (await readdir(checkout)).filter(name => name.startsWith('dist'))

test('commands that are started at once in a fresh checkout build it once and all work', async () => {
  const answers = await Promise.all([version(), version(), version()])
  assert.deepEqual(new Set(answers), new Set(['0.1.0\n']))
  assert.deepEqual(await built(), ['dist'])
})

test('a changed source is built before the next command runs, and an unchanged one is not', async () => {
  await version()
  const stamp = join(checkout, 'dist', 'not-built-again')
  await writeFile(stamp, '')
  await version()
  assert.deepEqual(await readFile(stamp, 'utf8'), '')
  await appendFile(join(checkout, 'src', 'main.ts'), "\nconsole.log('changed')\n")
  assert.match(await version(), /changed/)
  assert.deepEqual(await built(), ['dist'])
})

test('a build that was killed does not keep the next one waiting, and what it left is cleared away', async () => {
  await appendFile(join(checkout, 'src', 'main.ts'), "\nconsole.log('changed again')\n")
  // No process has this number: it is above what Linux gives out.
  await writeFile(join(checkout, 'dist-lock'), '4194305')
  await mkdir(join(checkout, 'dist-4194305'))
  await mkdir(join(checkout, 'dist-4194305-assets'))
  assert.match(await version(), /changed again/)
  assert.deepEqual(await built(), ['dist'])
})

test('a source that does not compile stops the command, says where, and leaves the last build alone', async () => {
  await appendFile(join(checkout, 'src', 'main.ts'), '\nthis is no TypeScript\n')
  await assert.rejects(version(), (error: { stdout: string }) => /src\/main\.ts\(\d+,\d+\): error/.test(error.stdout))
  assert.deepEqual(await built(), ['dist'])
})
