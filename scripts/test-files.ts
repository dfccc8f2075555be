import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'

const compiledFolder = 'dist-test'
/** The packages with most files, a thousand together. Another copy of them does no harm, as it would of `pg` or `preact`. */
const joined = [
  ...['fast-check', 'fast-json-stringify', 'fastify', 'graphile-worker', 'pino', 'prom-client'],
  ...['rate-limiter-flexible', 'typebox']
]

/**
 * Compiles program and tests once, so that the hundreds of processes which run them need not. Answers where the
 * compiled form of a test file is. Wrong types do not matter here: `npm run types` is about them.
 */
export async function compileTests(): Promise<(file: string) => string> {
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
  await Promise.all(joined.map(joinPackage))
  return file => {
    const path = join(compiledFolder, file.replace(/\.tsx?$/, '.js'))
    if (!existsSync(path)) throw new Error(`${file} could not be compiled.`)
    return path
  }
}

/** Makes one file of a package, for whoever is compiled: loading it takes half of the time that a process needs to begin. */
async function joinPackage(name: string): Promise<void> {
  const folder = join(compiledFolder, 'node_modules', name)
  const names = Object.keys(await import(name)).filter(exported => /^(?!default$)\w+$/.test(exported))
  const contents = `import * as all from '${name}'
export { default } from '${name}'
export const { ${names.join(', ')} } = all`
  await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    external: ['pg'],
    format: 'esm',
    platform: 'node',
    outfile: join(folder, 'index.js'),
    logLevel: 'warning',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" }
  })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, type: 'module', exports: './index.js' }))
}

/** Of files that share a process. It takes a second to load the program, and there are hundreds of them. */
const groupSize = 10

/**
 * What to run: a file that starts processes, or changes what others in its process would notice, by itself; the others
 * some together, one after the other, each as a suite of its own. Begun last, what takes long would run on alone while
 * the machine has nothing else to do.
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
  const isLong = (file: string) => takesLong.test(file)
  return [...alone.filter(isLong).map(compiled), ...groups, ...alone.filter(file => !isLong(file)).map(compiled)]
}

const takesLong =
  /books|pages|hostile|journeys|roles|security|crash|build|main\.test|src.cli|embedded|outage|unavailable|jobs/

function needsProcess(file: string): boolean {
  const conspicuous = /#test.(browser|process|embedded)|database.embedded|node:child_process|\bmock\b|areQuick/
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
