// test: own process, long, full
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { createDataLocation, sendRequest, startKalends } from '../support/kalends-process.ts'
import { root } from '../support/project-root.ts'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'kalends-deb-'))
after(async () => await rm(folder, { recursive: true }))

test('the Debian package contains the program, its packages, the systemd unit and the command, and starts', async () => {
  await run(process.execPath, [join(root, 'scripts/deb.mjs'), folder], { cwd: root })
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const architecture = (await run('dpkg', ['--print-architecture'])).stdout.trim()
  const file = join(folder, `kalends_${version}_${architecture}.deb`)
  const { stdout: fields } = await run('dpkg-deb', ['--field', file])
  assert.match(fields, new RegExp(`^Package: kalends\nVersion: ${version}\n`))
  assert.match(fields, /^Depends: nodejs \(>= 20\.19\)/m)
  const tree = join(folder, 'tree')
  await run('dpkg-deb', ['--extract', file, tree])
  await run('dpkg-deb', ['--control', file, join(folder, 'control')])
  for (const name of ['postinst', 'prerm', 'postrm']) await run('sh', ['-n', join(folder, 'control', name)])
  const unit = await readFile(join(tree, 'usr/lib/systemd/system/kalends.service'), 'utf8')
  assert.match(unit, /^ExecStart=\/usr\/bin\/node \/usr\/lib\/kalends\/dist\/main\.js serve$/m)
  assert.equal((await run(join(tree, 'usr/bin/kalends'), ['version'])).stdout, `${version}\n`)

  const dataLocation = await createDataLocation()
  after(dataLocation.remove)
  const program = join(tree, 'usr/lib/kalends/dist/main.js')
  const started = await startKalends(dataLocation.env, ['serve'], { program })
  assert.equal((await sendRequest(`${started.url}/readyz`)).status, 200)
  assert.equal(await started.stop(), 0)
})
