import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const compiledFolder = 'dist-test'

/**
 * Compiles program and tests once, so that the hundreds of processes which run them need not. Answers where the
 * compiled form of a test file is. Wrong types do not matter here: `npm run types` is about them.
 */
export function compileTests(): (file: string) => string {
  rmSync(compiledFolder, { recursive: true, force: true })
  spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json'], { stdio: 'ignore' })
  for (const file of ['src', 'test'].flatMap(filesIn).filter(name => !/\.tsx?$/.test(name))) {
    mkdirSync(join(compiledFolder, dirname(file)), { recursive: true })
    cpSync(file, join(compiledFolder, file))
  }
  // The same names as everywhere, but for the files beside.
  const { name, imports } = JSON.parse(readFileSync('package.json', 'utf8'))
  const toCompiled = Object.keys(imports).map(from => {
    const part = /^#(\w+)\//.exec(from)?.[1] ?? ''
    return [from, `./${part === 'test' ? 'test' : `src/${part}`}/*.js`]
  })
  const exported = { './client': './src/client/client.js' }
  const about = { name, type: 'module', exports: exported, imports: Object.fromEntries(toCompiled) }
  writeFileSync(join(compiledFolder, 'package.json'), JSON.stringify(about))
  // What browsers load and what receipts are set in is looked for beside src.
  for (const beside of ['dist', 'fonts']) symlinkSync(`../${beside}`, join(compiledFolder, beside))
  return file => {
    const path = join(compiledFolder, file.replace(/\.tsx?$/, '.js'))
    if (!existsSync(path)) throw new Error(`${file} could not be compiled.`)
    return path
  }
}

/** Of files that share a process. It takes a second to load the program, and there are hundreds of them. */
const groupSize = 10

/**
 * What to run, in the same order: a file that starts processes, or changes what others in its process would notice, by
 * itself; the others some together, one after the other, each as a suite of its own.
 */
export function inGroups(files: string[], compiled: (file: string) => string): string[] {
  const alone = files.filter(needsProcess)
  const shared = files.filter(file => !alone.includes(file))
  mkdirSync(join(compiledFolder, 'groups'), { recursive: true })
  const groups = Array.from({ length: Math.ceil(shared.length / groupSize) }, (_, index) => {
    const group = join(compiledFolder, 'groups', `${index + 1}.test.mjs`)
    const members = shared.slice(index * groupSize, (index + 1) * groupSize)
    const paths = members.map(file => [file, `../${relative(compiledFolder, compiled(file))}`])
    writeFileSync(
      group,
      `import { runTogether } from '../../scripts/run-together.mjs'
runTogether(${JSON.stringify(paths)}, path => import(path))
`
    )
    return group
  })
  return [...alone.map(compiled), ...groups]
}

function needsProcess(file: string): boolean {
  const conspicuous = /#test.(browser|process|embedded)|platform.embedded|node:child_process|\bmock\b|areQuick/
  return file.startsWith('test') || conspicuous.test(readFileSync(file, 'utf8'))
}

export function testFiles(): string[] {
  return ['src', 'test'].flatMap(filesIn).filter(name => name.endsWith('.test.ts'))
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}
