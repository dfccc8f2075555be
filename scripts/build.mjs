// Compiles src to dist: JavaScript by tsc, SQL as it is, what browsers load by esbuild. Builds beside and swaps, so that a running process never
// finds half of it.
import { spawnSync } from 'node:child_process'
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

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const stamp = join(dist, '.built')
const lock = join(root, 'dist-lock')

export async function buildIfStale() {
  if (isFresh()) return
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  if (!existsSync(compiler)) {
    if (existsSync(stamp)) return
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
    newest([join(root, 'src'), join(root, 'tsconfig.build.json'), join(root, 'scripts', 'assets.mjs')]) <=
      statSync(stamp).mtimeMs
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
  // What changes from here on is for the next build.
  const began = new Date()
  const beside = `${dist}-${process.pid}`
  rmSync(beside, { recursive: true, force: true })
  const project = join(root, 'tsconfig.build.json')
  const { status } = spawnSync(process.execPath, [compiler, '-p', project, '--outDir', beside], { stdio: 'inherit' })
  if (status !== 0) {
    rmSync(beside, { recursive: true, force: true })
    rmSync(lock, { force: true })
    process.exit(status ?? 1)
  }
  for (const file of filesIn(join(root, 'src')).filter(name => name.endsWith('.sql'))) {
    const target = join(beside, file.slice(join(root, 'src').length + 1))
    mkdirSync(dirname(target), { recursive: true })
    cpSync(file, target)
  }
  const { buildAssets } = await import('./assets.mjs')
  await buildAssets(join(beside, 'web', 'assets'))
  writeFileSync(join(beside, '.built'), '')
  utimesSync(join(beside, '.built'), began, began)
  const old = `${dist}-old-${process.pid}`
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(beside, dist)
  rmSync(old, { recursive: true, force: true })
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

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildIfStale()
