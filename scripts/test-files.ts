import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const compiled = 'dist-test'

/**
 * Compiles program and tests once, so that the hundreds of processes which run them need not. Answers where the
 * compiled form of a test file is. Wrong types do not matter here: `npm run types` is about them.
 */
export function compileTests(): (file: string) => string {
  rmSync(compiled, { recursive: true, force: true })
  spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json'], { stdio: 'ignore' })
  for (const file of ['src', 'test'].flatMap(filesIn).filter(name => !/\.tsx?$/.test(name))) {
    mkdirSync(join(compiled, dirname(file)), { recursive: true })
    cpSync(file, join(compiled, file))
  }
  // The same names as everywhere, but for the files beside.
  const { name, imports } = JSON.parse(readFileSync('package.json', 'utf8'))
  const toCompiled = Object.keys(imports).map(from => {
    const part = /^#(\w+)\//.exec(from)?.[1] ?? ''
    return [from, `./${part === 'test' ? 'test' : `src/${part}`}/*.js`]
  })
  const exported = { './client': './src/client/client.js' }
  const about = { name, type: 'module', exports: exported, imports: Object.fromEntries(toCompiled) }
  writeFileSync(join(compiled, 'package.json'), JSON.stringify(about))
  // What browsers load is looked for beside src.
  symlinkSync('../dist', join(compiled, 'dist'))
  return file => {
    const path = join(compiled, file.replace(/\.tsx?$/, '.js'))
    if (!existsSync(path)) throw new Error(`${file} could not be compiled.`)
    return path
  }
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
