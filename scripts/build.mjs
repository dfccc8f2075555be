// Compiles src to dist: JavaScript by tsc (types are for `npm run types` to look at), SQL as it is, what browsers load by esbuild, and the client with its types. Builds beside and swaps, so that a running process never
// finds half of it. Runs at the end of `npm ci`, and before a command when the source is newer.
import { spawn } from 'node:child_process'
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

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const stamp = join(dist, '.built')
const lock = join(root, 'dist-lock')
/** The documents that the types of the client are made of. */
const documents = join(root, 'docs', 'api')

export async function buildIfStale() {
  if (isFresh()) return
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  if (!existsSync(compiler)) {
    if (existsSync(stamp)) return
    // An installation without what builds: what is built elsewhere comes later.
    if (process.env.npm_lifecycle_event === 'prepare') return
    throw new Error('Not installed yet: run "npm ci" first.')
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
  return (
    existsSync(stamp) &&
    newest([
      join(root, 'src'),
      documents,
      join(root, 'fonts'),
      join(root, 'tsconfig.build.json'),
      // Packages are a part of what is built.
      join(root, 'package-lock.json'),
      join(root, 'scripts', 'assets.mjs'),
      join(root, 'scripts', 'bundle.mjs'),
      join(root, 'scripts', 'client-types.mjs')
    ]) <= statSync(stamp).mtimeMs
  )
}

function takeLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
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
  writeClientTypes()
  // What changes from here on is for the next build.
  const began = new Date()
  const beside = `${dist}-${process.pid}`
  // Nobody else builds while this process holds the lock: what is left of others is of those that were killed.
  for (const left of readdirSync(root).filter(name => /^dist-(?:old-)?\d+(?:-assets)?$/.test(name))) {
    rmSync(join(root, left), { recursive: true, force: true })
  }
  const project = join(root, 'tsconfig.build.json')
  const assets = join(root, 'scripts', 'assets.mjs')
  const codes = await Promise.all([
    run(compiler, '-p', project, '--outDir', beside),
    // Others use it in browsers, and compile against it.
    run(compiler, '-p', join(root, 'src', 'client'), '--outDir', join(beside, 'client')),
    // Beside it until all are done: the compiler would not mind, but neither should have to know.
    run(assets, `${beside}-assets`)
  ])
  if (codes.every(code => code === 0)) codes.push(await run(join(root, 'scripts', 'bundle.mjs'), beside))
  if (codes.some(code => code !== 0)) {
    for (const made of [beside, `${beside}-assets`, lock]) rmSync(made, { recursive: true, force: true })
    process.exit(1)
  }
  renameSync(`${beside}-assets`, join(beside, 'web', 'assets'))
  for (const file of filesIn(join(root, 'src')).filter(name => name.endsWith('.sql'))) {
    const target = join(beside, file.slice(join(root, 'src').length + 1))
    mkdirSync(dirname(target), { recursive: true })
    cpSync(file, target)
  }
  cpSync(join(root, 'fonts'), join(beside, 'fonts'), { recursive: true })
  writeFileSync(join(beside, '.built'), '')
  utimesSync(join(beside, '.built'), began, began)
  const old = `${dist}-old-${process.pid}`
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(beside, dist)
  rmSync(old, { recursive: true, force: true })
}

/** Left alone where nothing changed: a new time would have it built again. */
function writeClientTypes() {
  const file = join(root, 'src', 'client', 'api.ts')
  const text = clientTypes(documents)
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

/** Runs a script of ours or of a package; answers its exit code. */
async function run(...words) {
  const child = spawn(process.execPath, words, { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return code ?? 1
}

function newest(paths) {
  return Math.max(
    ...paths
      .flatMap(path => (statSync(path).isDirectory() ? filesIn(path, true) : [path]))
      .map(file => statSync(file).mtimeMs)
  )
}

/** Folders count for the time: a file that was removed changes its folder. */
function filesIn(folder, foldersToo = false) {
  const inside = readdirSync(folder, { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() ? filesIn(join(folder, entry.name), foldersToo) : [join(folder, entry.name)]
  )
  return foldersToo ? [folder, ...inside] : inside
}

/** npm keeps neither links nor rights of files. Whoever installs may write here, and whoever runs the program perhaps not. */
async function completeStore() {
  const file = join(dist, 'platform', 'embedded', 'process.js')
  if (!existsSync(file)) return
  const { nativeFolder, prepareBinaries } = await import(file)
  try {
    await prepareBinaries(nativeFolder())
  } catch (error) {
    // Of no matter to those who have a PostgreSQL of their own; others hear it again at the start.
    console.warn(error.message)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildIfStale()
  if (process.env.npm_lifecycle_event === 'prepare') await completeStore()
}
