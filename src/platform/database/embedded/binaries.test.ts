// test: own process, long
import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { log, newScenario, query, trackStore } from '#test/support/embedded-store.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { chooseBinaries } from './binaries.ts'
import { type Binaries, getNativeFolder, prepareBinaries } from './bundled-binaries.ts'
import { findNewerRelease, parseVersion } from './postgresql-versions.ts'
import { serveEmbedded } from './store.ts'

const bundled = await prepareBinaries(getNativeFolder())

/** Scripts that report another version, run the bundled programs, and write to a file that they were run. */
async function installSystem(folder: string, { major, version }: { major: string; version: string }): Promise<string> {
  const bin = join(folder, major, 'bin')
  await mkdir(bin, { recursive: true })
  for (const name of ['initdb', 'postgres'] as const) {
    const path = join(bin, name)
    const versionLine = `if [ "$1" = --version ]; then echo "${name} (PostgreSQL) ${version}"; exit; fi`
    await writeFile(path, `#!/bin/sh\n${versionLine}\necho ${name} >>'${folder}/used'\nexec '${bundled[name]}' "$@"\n`)
    await chmod(path, 0o755)
  }
  await writeFile(join(folder, 'used'), '')
  await chmod(join(folder, 'used'), 0o666)
  return bin
}

const newer = `${bundled.major}.${bundled.minor + 1} (Debian ${bundled.major}.${bundled.minor + 1}-0+deb13u1)`

test('the embedded store runs the PostgreSQL of the system if it is newer in the same major version', {
  skip: skipUnlessFull
}, async t => {
  const { dataDir, base: root } = await newScenario(t)
  const systemFolder = join(root, 'system')
  await installSystem(systemFolder, { major: bundled.major, version: newer })
  const first = await trackStore(serveEmbedded({ dataDir, log, systemFolder }))
  await query(first, 'create table note (text text)')
  await first.stop()
  assert.deepEqual((await readFile(join(systemFolder, 'used'), 'utf8')).split('\n').slice(0, 2), ['initdb', 'postgres'])

  const second = await trackStore(serveEmbedded({ dataDir, log, systemFolder: join(root, 'none') }))
  await query(second, 'select text from note')
  await second.stop()
})

test('the bundled PostgreSQL is used if that of the system is older, missing, of another major version, or broken', async t => {
  const { base: root } = await newScenario(t)
  const choose = async (systemFolder: string, dataFolder = join(root, 'none')): Promise<Binaries> =>
    await chooseBinaries(undefined, { log, dataFolder, systemFolder })
  for (const [name, major, version] of [
    ['older', bundled.major, `${bundled.major}.0`],
    ['same', bundled.major, `${bundled.major}.${bundled.minor}`],
    ['wrong', bundled.major, `${Number(bundled.major) + 1}.9`],
    ['broken', bundled.major, 'what?'],
    ['other', '17', '17.99']
  ] as const) {
    const folder = join(root, name)
    await installSystem(folder, { major, version })
    assert.deepEqual(await choose(folder), bundled, name)
  }
  assert.deepEqual(await choose(join(root, 'nowhere')), bundled)

  // A data folder of another major version is refused later, with instructions.
  const dataFolder = join(root, 'old')
  await mkdir(dataFolder)
  await writeFile(join(dataFolder, 'PG_VERSION'), '17\n')
  assert.deepEqual(await choose(join(root, 'other'), dataFolder), bundled)
})

test('POSTGRES_BIN overrides all other programs, and the error says so if they do not run', async t => {
  const { base: root } = await newScenario(t)
  const postgresBin = await installSystem(join(root, 'chosen'), { major: '17', version: '17.12' })
  const options = { log, dataFolder: join(root, 'none'), postgresBin }
  const { postgres, major, minor } = await chooseBinaries(undefined, options)
  assert.deepEqual([postgres, major, minor], [join(postgresBin, 'postgres'), '17', 12])
  await assert.rejects(
    chooseBinaries(undefined, { ...options, postgresBin: join(root, 'nowhere') }),
    /nowhere\/postgres is not there or does not run on this system/
  )
})

test('a release is compared with the latest known release of its major version', () => {
  assert.equal(findNewerRelease({ major: 15, minor: 19 }), '15.20')
  assert.equal(findNewerRelease({ major: 18, minor: 4 }), '18.6')
  for (const one of [
    { major: 18, minor: 6 },
    { major: 17, minor: 99 },
    { major: 19, minor: 0 }
  ]) {
    assert.equal(findNewerRelease(one), undefined)
  }
  assert.deepEqual(parseVersion('postgres (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)'), { major: 15, minor: 20 })
  assert.deepEqual(parseVersion('postgres (PostgreSQL) 19beta1'), { major: 19, minor: 0 })
  assert.equal(parseVersion('no such file'), undefined)
})
