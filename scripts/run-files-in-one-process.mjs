import { AsyncResource } from 'node:async_hooks'
import { after, describe } from 'node:test'
import { recordCpuTime } from './cpu-time.mjs'

/** Runs test files one after the other in this process, each as a suite whose `after` hooks end before the next file begins. */
export function runFilesInOneProcess(files, load) {
  let previous = Promise.resolve()
  for (const [name, path] of files) {
    const begin = previous
    previous = new Promise(resolve => {
      describe(name, async () => {
        // The test runner finds the suite of a test through the async context, which the `await` below would lose.
        const suite = new AsyncResource('suite')
        await begin
        const before = process.cpuUsage()
        try {
          await suite.runInAsyncScope(load, undefined, path)
        } finally {
          suite.runInAsyncScope(after, undefined, () => {
            const { user, system } = process.cpuUsage(before)
            recordCpuTime(name, (user + system) / 1_000_000)
            resolve()
          })
        }
      })
    })
  }
}
