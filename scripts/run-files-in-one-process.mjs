import { createRequire, syncBuiltinESMExports } from 'node:module'
import { recordCpuTime } from './cpu-time.mjs'

/**
 * Runs test files one after the other in this process. Each is a test with those of the file as its subtests, and its `after`
 * hooks end before the next file begins.
 */
export async function runFilesInOneProcess(files, load) {
  const runner = createRequire(import.meta.url)('node:test')
  const { test } = runner
  let file
  let tests = []
  // Without async hooks (disable-async-hooks.mjs), Node takes the tests and hooks of a file for those of the whole process.
  runner.test = (...words) => void tests.push(words)
  for (const hook of ['before', 'after', 'beforeEach', 'afterEach']) runner[hook] = (...words) => file[hook](...words)
  syncBuiltinESMExports()

  for (const [name, path] of files) {
    const begin = process.cpuUsage()
    await test(name, async context => {
      file = context
      tests = []
      await load(path)
      // They begin when the file is loaded, because they may use what it declares below them.
      for (const words of tests) await context.test(...words)
    })
    const { user, system } = process.cpuUsage(begin)
    recordCpuTime(name, (user + system) / 1_000_000)
  }
}
