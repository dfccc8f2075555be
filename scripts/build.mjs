// Compiles src to dist: JavaScript by tsc, SQL as it is. Builds beside and swaps, so that a running process never
// finds half of it.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const stamp = join(dist, '.built')

export function buildIfStale() {
  if (existsSync(stamp) && newest([join(root, 'src'), join(root, 'tsconfig.build.json')]) <= statSync(stamp).mtimeMs)
    return
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  if (!existsSync(compiler)) {
    if (existsSync(stamp)) return
    throw new Error('Not installed yet: run "npm ci" first.')
  }
  build(compiler)
}

function build(compiler) {
  const beside = `${dist}-${process.pid}`
  rmSync(beside, { recursive: true, force: true })
  const project = join(root, 'tsconfig.build.json')
  const { status } = spawnSync(process.execPath, [compiler, '-p', project, '--outDir', beside], { stdio: 'inherit' })
  if (status !== 0) {
    rmSync(beside, { recursive: true, force: true })
    process.exit(status ?? 1)
  }
  for (const file of filesIn(join(root, 'src')).filter(name => name.endsWith('.sql'))) {
    const target = join(beside, file.slice(join(root, 'src').length + 1))
    mkdirSync(dirname(target), { recursive: true })
    cpSync(file, target)
  }
  writeFileSync(join(beside, '.built'), '')
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

if (process.argv[1] === fileURLToPath(import.meta.url)) buildIfStale()
