// Finds and compiles the test files, and decides which of them share a process.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'
import { parseTestDeclaration, type Store, type TestFile } from './test-declaration.ts'

const compiledFolder = 'dist-test'
/** The packages with most files, a thousand together. A second copy of them does no harm, unlike one of `pg` or `preact`. */
const bundledPackages = [
  ...['fast-check', 'fast-json-stringify', 'fastify', 'graphile-worker', 'pino', 'prom-client'],
  ...['rate-limiter-flexible', 'typebox']
]

/**
 * Compiles program and tests once for all test processes. Returns a function that maps a test file to its compiled form.
 * Type errors are ignored here: `npm run types` reports them.
 */
export async function compileTests(): Promise<(file: string) => string> {
  rmSync(compiledFolder, { recursive: true, force: true })
  spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json'], { stdio: 'ignore' })
  for (const file of ['src', 'test'].flatMap(listFiles).filter(name => !/\.tsx?$/.test(name))) {
    mkdirSync(join(compiledFolder, dirname(file)), { recursive: true })
    cpSync(file, join(compiledFolder, file))
  }
  // The import map of the package, with the compiled files as targets.
  const { name, imports } = JSON.parse(readFileSync('package.json', 'utf8'))
  const toCompiled = Object.entries(imports).map(([from, to]) => {
    if (!from.endsWith('.ts')) return [from, to]
    const part = /^#(\w+)\//.exec(from)?.[1] ?? ''
    return [from, `./${part === 'test' ? 'test' : `src/${part}`}/*.js`]
  })
  const manifest = { name, type: 'module', imports: Object.fromEntries(toCompiled) }
  writeFileSync(join(compiledFolder, 'package.json'), JSON.stringify(manifest))
  // The program looks for browser assets, fonts and messages beside src.
  for (const folder of ['dist', 'fonts', 'messages']) symlinkSync(`../${folder}`, join(compiledFolder, folder))
  await Promise.all(bundledPackages.map(bundlePackage))
  return file => {
    const path = join(compiledFolder, file.replace(/\.tsx?$/, '.js'))
    if (!existsSync(path)) throw new Error(`${file} could not be compiled.`)
    return path
  }
}

/** `npm run check` tries the same random values every time: who changed nothing sees no failure. `npm run check:all` tries others. */
const useFixedSeed = "if (process.env.TEST_FULL !== 'yes') all.configureGlobal({ seed: 20_261_118 })"

/** Test files that share a process start dozens of servers with the same schemas: each is compiled once. */
const compileOnce = `const compiled = new Map(); export default (schema, options) => {
  if (options !== undefined) return all.default(schema, options)
  const key = JSON.stringify(schema)
  if (!compiled.has(key)) compiled.set(key, all.default(schema))
  return compiled.get(key)
}`

/** Bundles a package into one file: reading its files takes half of the start of a test process. */
async function bundlePackage(name: string): Promise<void> {
  const folder = join(compiledFolder, 'node_modules', name)
  const names = Object.keys(await import(name)).filter(exported => /^(?!default$)\w+$/.test(exported))
  const contents = `import * as all from '${name}'
${name === 'fast-json-stringify' ? compileOnce : `export { default } from '${name}'`}
export const { ${names.join(', ')} } = all
${name === 'fast-check' ? useFixedSeed : ''}`
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

/** Files that share a process save its start, a second of processor time each, and run code that is compiled already. */
const groupsMax = 4
const groupSizeMin = 10

/**
 * The files to pass to the test runner, in order: first long ones with their own process, then groups that share one, then
 * the rest.
 */
export function groupFiles(files: TestFile[], store: Store, compiled: (file: string) => string): string[] {
  const alone = files.filter(({ needsOwnProcess }) => needsOwnProcess)
  const grouped = files.filter(({ needsOwnProcess }) => !needsOwnProcess)
  const count = Math.min(groupsMax, Math.ceil(grouped.length / groupSizeMin))
  mkdirSync(join(compiledFolder, 'groups'), { recursive: true })
  const groups = Array.from({ length: count }, (_, index) => {
    const group = join(compiledFolder, 'groups', `${store}-${index + 1}.test.mjs`)
    // Every fourth file: neighbours take similar time, so the groups end at about the same time.
    const members = grouped.filter((_, position) => position % count === index)
    const paths = members.map(({ path }) => [path, `../${relative(compiledFolder, compiled(path))}`])
    writeFileSync(
      group,
      `import { runFilesInOneProcess } from '../../scripts/run-files-in-one-process.mjs'
await runFilesInOneProcess(${JSON.stringify(paths)}, path => import(path))
`
    )
    return group
  })
  const toCompiled = ({ path }: TestFile) => compiled(path)
  return [
    ...alone.filter(({ isLong }) => isLong).map(toCompiled),
    ...groups,
    ...alone.filter(({ isLong }) => !isLong).map(toCompiled)
  ]
}

export function listTestFiles(): TestFile[] {
  return ['src', 'test']
    .flatMap(listFiles)
    .filter(name => name.endsWith('.test.ts'))
    .map(path => parseTestDeclaration(path, readFileSync(path, 'utf8')))
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? listFiles(path) : [path]
  })
}
