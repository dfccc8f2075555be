// Makes a release of the current commit: the version in every file that has one, the section of the CHANGELOG, a commit and a tag.
//   npm run release -- 0.2.0          needs a clean working tree and entries under "Unreleased"
//   npm run release -- notes 0.2.0    prints the section of a release, for its notes
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is wrong with the request or the repository: its message is printed without a stack. */
class ReleaseError extends Error {}

const root = process.cwd()
const versionForm = /^\d+\.\d+\.\d+$/

const [word = '', ...rest] = process.argv.slice(2)
try {
  if (word === 'notes') console.log(findSection(readText('CHANGELOG.md'), requireVersion(rest[0])).text)
  else release(requireVersion(word))
} catch (error) {
  console.error(error instanceof ReleaseError ? error.message : error)
  process.exitCode = 1
}

function release(version) {
  const previous = JSON.parse(readText('package.json')).version
  const changelog = readText('CHANGELOG.md')
  const { text: notes } = findSection(changelog, 'Unreleased')
  if (compareVersions(version, previous) < 0) {
    throw new ReleaseError(`${version} is older than ${previous}, the version of package.json.`)
  }
  if (notes === '') throw new ReleaseError('CHANGELOG.md has nothing under "Unreleased".')
  if (git('tag', '--list', `v${version}`) !== '') throw new ReleaseError(`The tag v${version} exists already.`)
  if (git('status', '--porcelain') !== '') throw new ReleaseError('There are uncommitted changes: commit them first.')

  for (const [file, replace] of versionFiles()) writeText(file, replace(readText(file), previous, version))
  const today = new Date().toISOString().slice(0, 10)
  writeText('CHANGELOG.md', changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version} (${today})\n`))
  git('commit', '--all', '--quiet', '--allow-empty', '--message', `Release ${version}`)
  // Lines that begin with # are headings of the notes, not comments.
  git('tag', '--annotate', '--cleanup=verbatim', '--message', `Kalends ${version}\n\n${notes}\n`, `v${version}`)
  console.log(`Tagged v${version}. Next:
  npm run check:all
  npm pack && npm pack ./dist/client      the packages; "npm publish FILE" publishes one
  npm run deb                             the Debian package
  git push --follow-tags`)
}

/** Every file with the version, and how it is replaced there. */
function versionFiles() {
  const first = (text, previous, version) => replaceOnce(text, `"version": "${previous}"`, `"version": "${version}"`)
  return [
    ['package.json', first],
    ['package-lock.json', replaceInLockFile],
    ['src/platform/version.ts', (text, previous, version) => replaceOnce(text, `'${previous}'`, `'${version}'`)],
    ['Dockerfile', (text, previous, version) => replaceOnce(text, `VERSION=${previous}`, `VERSION=${version}`)],
    ...readdirSync(join(root, 'docs', 'api'))
      .filter(name => JSON.parse(readText(`docs/api/${name}`)).info !== undefined)
      .map(name => [`docs/api/${name}`, first])
  ]
}

/** It has the version twice: of the file, and of the package. */
function replaceInLockFile(text, previous, version) {
  const lock = JSON.parse(text)
  if (lock.version !== previous) throw new ReleaseError('package-lock.json has another version than package.json.')
  lock.version = version
  lock.packages[''].version = version
  return `${JSON.stringify(lock, undefined, 2)}\n`
}

function replaceOnce(text, from, to) {
  if (!text.includes(from)) throw new ReleaseError(`A file has no ${from}: its version differs from package.json.`)
  return text.replace(from, to)
}

function findSection(changelog, name) {
  const lines = changelog.split('\n')
  const begin = lines.findIndex(line => line === `## ${name}` || line.startsWith(`## ${name} (`))
  if (begin < 0) throw new ReleaseError(`CHANGELOG.md has no section ${name}.`)
  const length = lines.slice(begin + 1).findIndex(line => line.startsWith('## '))
  const end = length < 0 ? lines.length : begin + 1 + length
  return {
    text: lines
      .slice(begin + 1, end)
      .join('\n')
      .trim()
  }
}

function compareVersions(one, other) {
  const [numbers, others] = [one, other].map(text => text.split('.').map(Number))
  return numbers.map((number, place) => number - others[place]).find(difference => difference !== 0) ?? 0
}

function requireVersion(text) {
  if (text !== undefined && versionForm.test(text)) return text
  throw new ReleaseError('Usage: npm run release -- 0.2.0, or: npm run release -- notes 0.2.0')
}

function git(...words) {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
}

function readText(file) {
  return readFileSync(join(root, file), 'utf8')
}

function writeText(file, text) {
  writeFileSync(join(root, file), text)
}
