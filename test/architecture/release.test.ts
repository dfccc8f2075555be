// test: own process
// The release script, on a repository with only the files that it changes.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { skipUnlessFull } from '../support/full-run.ts'
import { root } from '../support/project-root.ts'

const run = promisify(execFile)
const files = ['package.json', 'package-lock.json', 'src/platform/version.ts', 'Dockerfile', 'docs/api']
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const next = version.replace(/^\d+/, (major: string) => String(Number(major) + 1))

const identity = ['GIT_AUTHOR_NAME', 'GIT_COMMITTER_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_EMAIL']
const env = { ...process.env, ...Object.fromEntries(identity.map(name => [name, 'test@example.org'])) }

async function newRepository(t: TestContext, changelog: string) {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-release-'))
  t.after(async () => await rm(folder, { recursive: true }))
  for (const name of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await cp(join(root, name), join(folder, name), { recursive: true })
  }
  await writeFile(join(folder, 'CHANGELOG.md'), changelog)
  const git = async (...words: string[]) => (await run('git', words, { cwd: folder, env })).stdout.trim()
  await git('init', '--quiet')
  await git('add', '.')
  await git('commit', '--quiet', '--message', 'Begin')
  return {
    folder,
    git,
    release: async (...words: string[]) =>
      (await run(process.execPath, [join(root, 'scripts/release.mjs'), ...words], { cwd: folder, env })).stdout,
    read: async (name: string) => await readFile(join(folder, name), 'utf8')
  }
}

const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n\n- Releases.\n\n## 0.0.1 (2026-01-01)\n\n- The first.\n'

test('a release sets the version in all files, and has a section of the CHANGELOG and a tag with its notes', {
  skip: skipUnlessFull
}, async t => {
  const { git, release, read } = await newRepository(t, changelog)
  assert.match(await release(next), new RegExp(`^Tagged v${next}`))
  for (const name of ['package.json', 'package-lock.json']) assert.equal(JSON.parse(await read(name)).version, next)
  assert.equal(JSON.parse(await read('package-lock.json')).packages[''].version, next)
  assert.match(await read('src/platform/version.ts'), new RegExp(`version = '${next}'`))
  assert.match(await read('Dockerfile'), new RegExp(`^ARG VERSION=${next}$`, 'm'))
  for (const name of ['campaigns', 'calendar', 'platform']) {
    assert.equal(JSON.parse(await read(`docs/api/${name}.json`)).info.version, next)
  }
  assert.match(
    await read('CHANGELOG.md'),
    new RegExp(`\n## Unreleased\n\n## ${next} \\(\\d{4}-\\d\\d-\\d\\d\\)\n\n### Added\n\n- Releases\\.\n\n## 0\\.0\\.1`)
  )
  assert.equal(await git('status', '--porcelain'), '')
  assert.equal(await git('log', '-1', '--format=%s'), `Release ${next}`)
  assert.equal(await git('describe'), `v${next}`)
  assert.match(await git('tag', '--list', '--format=%(contents)', `v${next}`), /### Added\n\n- Releases\.$/)
  assert.equal(await release('notes', next), '### Added\n\n- Releases.\n')
  assert.equal(await release('notes', '0.0.1'), '- The first.\n')
})

test('a refused release changes nothing and prints the reason', { skip: skipUnlessFull }, async t => {
  const { folder, git, release } = await newRepository(t, changelog)
  const assertRefused = async (words: string[], message: RegExp) =>
    await assert.rejects(release(...words), ({ stderr }: { stderr: string }) => {
      assert.match(stderr, message)
      assert.doesNotMatch(stderr, /^ +at /m)
      return true
    })
  const before = await git('rev-parse', 'HEAD')
  await assertRefused([], /^Usage/)
  await assertRefused(['next'], /^Usage/)
  await assertRefused(['0.0.1'], /0\.0\.1 is older than/)
  await assertRefused(['notes', '7.0.0'], /no section 7\.0\.0/)
  await writeFile(join(folder, 'new.txt'), '')
  await assertRefused([next], /uncommitted changes/)
  await rm(join(folder, 'new.txt'))
  await git('tag', `v${next}`)
  await assertRefused([next], /exists already/)
  assert.equal(await git('rev-parse', 'HEAD'), before)
  assert.equal(await git('status', '--porcelain'), '')

  const empty = await newRepository(t, changelog.replace('### Added\n\n- Releases.\n\n', ''))
  await assert.rejects(empty.release(next), /nothing under "Unreleased"/)
})

test('package, lock file, program and image have the same version', async () => {
  const read = async (name: string) => await readFile(join(root, name), 'utf8')
  assert.equal(JSON.parse(await read('package-lock.json')).version, version)
  assert.match(await read('src/platform/version.ts'), new RegExp(`version = '${version}'`))
  assert.match(await read('Dockerfile'), new RegExp(`^ARG VERSION=${version}$`, 'm'))
})

test('a packed release has the newest build, the deployment files, and nothing else', {
  skip: skipUnlessFull
}, async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root })
  const files: string[] = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path)
  const build = await readFile(join(root, 'dist/current'), 'utf8')
  for (const name of [
    'dist/main.js',
    'dist/current',
    `dist/${build}/main.js`,
    'deploy/kalends.service',
    '.env.example'
  ]) {
    assert.ok(files.includes(name), name)
  }
  const known =
    /^(dist\/(main\.js|current|require-node\.mjs|stop-with-npm\.mjs)|deploy\/.*|[A-Z]+(\.md)?|package\.json|\.env\.example)$/
  assert.deepEqual(
    files.filter(name => !name.startsWith(`dist/${build}/`) && !known.test(name)),
    []
  )
})
