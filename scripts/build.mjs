// Compiles src to a folder of its own in dist: JavaScript by tsc (types are for `npm run types` to look at), SQL as it is, what
// browsers load by esbuild. The folder is named after its content and never changed: a running process goes on loading from its own.
//   dist/current    the name of the newest folder, replaced at once when that is complete
//   dist/main.js    runs the newest
//   dist/client     the client with its types, a package of its own
// Runs at the end of `npm ci`, and before a command when the source is newer.
import './require-node.mjs'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clientTypes } from './client-types.mjs'
import { removeOldBuilds } from './old-builds.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const pointer = join(dist, 'current')
const lock = join(dist, '.lock')
/** The documents that the types of the client are made of. */
const documents = join(root, 'docs', 'api')

/** Files that run the newest build, and their names in dist. */
const runners = [
  ['require-node.mjs', 'require-node.mjs'],
  ['stop-with-npm.mjs', 'stop-with-npm.mjs'],
  ['main.mjs', 'main.js']
]

/** What the person who started the build can mend: its message is printed without a stack. */
class BuildError extends Error {}

async function buildIfStale() {
  if (isFresh()) return
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  if (!existsSync(compiler)) {
    if (existsSync(pointer)) return
    // Installed without development packages: the build is copied here later.
    if (process.env.npm_lifecycle_event === 'postprepare') return
    throw new BuildError('Not installed yet: run "npm ci" first.')
  }
  // Of several processes that start at once one builds, and the others wait for it.
  while (!takeLock()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  try {
    if (!isFresh()) await build(compiler)
  } finally {
    rmSync(lock, { force: true })
  }
}

function isFresh() {
  if (!existsSync(pointer)) return false
  const built = statSync(pointer).mtimeMs
  return [
    join(root, 'src'),
    documents,
    join(root, 'fonts'),
    join(root, 'messages'),
    join(root, 'tsconfig.build.json'),
    join(root, 'package.json'),
    // The build contains packages.
    join(root, 'package-lock.json'),
    join(root, 'scripts', 'assets.mjs'),
    join(root, 'scripts', 'bundle.mjs'),
    join(root, 'scripts', 'client-types.mjs'),
    join(root, 'scripts', 'message-types.ts'),
    ...runners.map(([file]) => join(root, 'scripts', file))
  ].every(path => findNewest(path) <= built)
}

function takeLock() {
  try {
    mkdirSync(dist, { recursive: true })
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) {
      throw new BuildError(
        `The source in ${root} is newer than what was built of it, and this user cannot write to ${dist}.\n` +
          'Run "npm run build" there as the user that the folder belongs to, then this command again.'
      )
    }
    if (error.code !== 'EEXIST') throw error
    if (!isHeld()) rmSync(lock, { force: true })
    return false
  }
}

/** Not by a process that was killed while it built. */
function isHeld() {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    // Empty for the moment between its making and its writing.
    return pid === 0 || process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function build(compiler) {
  // This process holds the lock, so other folders of this name are left over from builds that were killed.
  for (const left of readdirSync(dist).filter(name => name.startsWith('.building-'))) {
    rmSync(join(dist, left), { recursive: true, force: true })
  }
  const work = join(dist, `.building-${process.pid}`)
  try {
    writeClientTypes()
    // The types of the messages: for editors, and to refuse catalogues that cannot be read.
    await run('--import', import.meta.resolve('tsx'), join(root, 'scripts', 'message-types.ts'))
    // What changes from here on is for the next build.
    const began = new Date()
    await compile(compiler, work)
    publish(work, began)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function compile(compiler, work) {
  const [compiled, program] = [join(work, 'compiled'), join(work, 'program')]
  await Promise.all([
    run(compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', compiled),
    // Others use it in browsers, and compile against it.
    run(compiler, '-p', join(root, 'src', 'client'), '--outDir', join(work, 'client')),
    run(join(root, 'scripts', 'assets.mjs'), join(program, 'web', 'assets'))
  ])
  await run(join(root, 'scripts', 'bundle.mjs'), compiled, program)
  writeClientPackage(join(work, 'client'))
  for (const file of filesIn(join(root, 'src')).filter(name => name.endsWith('.sql'))) {
    const target = join(program, file.slice(join(root, 'src').length + 1))
    mkdirSync(dirname(target), { recursive: true })
    cpSync(file, target)
  }
  cpSync(join(root, 'fonts'), join(program, 'fonts'), { recursive: true })
  cpSync(join(root, 'messages'), join(program, 'messages'), { recursive: true })
  writeFileSync(join(program, 'package.json'), JSON.stringify({ type: 'module', imports: importsInBuild() }))
}

/** The client is installed without the server: a package of its own, with the version of the server. */
function writeClientPackage(folder) {
  const { version, license, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const description = {
    name: 'kalends-client',
    version,
    description:
      'The typed client of Kalends: donation campaigns and an events calendar for non-profits and communities.',
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.19' },
    exports: { '.': { types: './client.d.ts', default: './client.js' } },
    dependencies: { 'openapi-fetch': devDependencies['openapi-fetch'] }
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description, undefined, 2)}\n`)
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(root, 'src', 'client', 'README.md'), join(folder, 'README.md'))
}

/** The names of the parts lead to the same folder: each build is complete in itself. */
function importsInBuild() {
  const { imports, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const names = Object.keys(imports).filter(name => name.endsWith('.ts') && name !== '#test/*.ts')
  return {
    ...Object.fromEntries(names.map(name => [name, name.replace(/^#(.*)\.ts$/, './$1.js')])),
    // Bundled packages have a file each; others are installed with the program.
    '#packages/*': './packages/*.cjs',
    ...Object.fromEntries(Object.keys(dependencies).map(name => [`#packages/${name}`, name]))
  }
}

/** Every step leaves a whole program behind, whenever the process is killed. */
function publish(work, began) {
  const name = hashFolder(join(work, 'program'))
  const previous = existsSync(pointer) ? readFileSync(pointer, 'utf8') : undefined
  if (!existsSync(join(dist, name))) renameSync(join(work, 'program'), join(dist, name))
  mkdirSync(join(dist, 'client'), { recursive: true })
  for (const file of readdirSync(join(work, 'client'))) {
    renameSync(join(work, 'client', file), join(dist, 'client', file))
  }
  for (const [file, target] of runners) replaceFile(work, target, readFileSync(join(root, 'scripts', file), 'utf8'))
  // A package has the newest build only.
  const published = ['current', name, ...runners.map(([, target]) => target)]
  replaceFile(work, '.npmignore', `/*\n${published.map(file => `!/${file}\n`).join('')}`)
  replaceFile(work, 'current', name, began)
  // The first build of this form finds files of another one, from which a process may run: they go with the second.
  if (previous !== undefined && previous !== name) removeOldBuilds(dist, [name, previous])
}

function replaceFile(work, name, text, time = new Date()) {
  const file = join(work, name)
  writeFileSync(file, text)
  utimesSync(file, time, time)
  renameSync(file, join(dist, name))
}

function hashFolder(folder) {
  const hash = createHash('sha256')
  for (const file of filesIn(folder).toSorted()) {
    hash
      .update(`${file.slice(folder.length)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

/** Left alone where nothing changed: a new time would have it built again. */
function writeClientTypes() {
  const file = join(root, 'src', 'client', 'api.ts')
  const text = clientTypes(documents)
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

/** Runs a script of ours or of a package, which tells itself what is wrong. */
async function run(...words) {
  const child = spawn(process.execPath, words, { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new BuildError('The build failed; the last one is still there.')
}

/**
 * When a file, or something in a folder, was changed last. Tests are no part of the build; the folders themselves count,
 * because a file that was removed changes its folder.
 */
function findNewest(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  const inside = readdirSync(path).filter(name => !name.endsWith('.test.ts'))
  return Math.max(stats.mtimeMs, ...inside.map(name => findNewest(`${path}/${name}`)))
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)]
  )
}

/** npm keeps neither links nor rights of files. Whoever installs may write here, and whoever runs the program perhaps not. */
async function completeStore() {
  if (!existsSync(pointer)) return
  const file = join(dist, readFileSync(pointer, 'utf8'), 'platform', 'database', 'embedded', 'bundled-binaries.js')
  const { getNativeFolder, prepareBinaries } = await import(file)
  // A function that was renamed must not look like a PostgreSQL that cannot be prepared.
  if (typeof prepareBinaries !== 'function' || typeof getNativeFolder !== 'function') {
    throw new Error(`${file} does not export what prepares PostgreSQL.`)
  }
  try {
    await prepareBinaries(getNativeFolder())
  } catch (error) {
    // Only a warning: the embedded PostgreSQL may not be used, and if it is, its start reports the error again.
    console.warn(error.message)
  }
}

/** Builds if something has changed; if that does not work, says why and ends the process. */
export async function buildOrExit() {
  try {
    await buildIfStale()
  } catch (error) {
    console.error(error instanceof BuildError ? error.message : error)
    process.exit(1)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildOrExit()
  if (process.env.npm_lifecycle_event === 'postprepare') await completeStore()
}
