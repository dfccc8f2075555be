import { AsyncResource } from 'node:async_hooks'
import { after, describe } from 'node:test'

/** Test files in one process, one after the other, each as a suite: what one has started is ended before the next begins. */
export function runTogether(files, load) {
  let before = Promise.resolve()
  for (const [name, path] of files) {
    const begin = before
    before = new Promise(resolve => {
      describe(name, async () => {
        // Tests find the suite they belong to by where they are called from, which waiting would hide.
        const suite = new AsyncResource('suite')
        await begin
        try {
          await suite.runInAsyncScope(load, undefined, path)
        } finally {
          suite.runInAsyncScope(after, undefined, resolve)
        }
      })
    })
  }
}
