// Loaded before a test file. Node's test runner tracks every promise with async hooks to know the suite of a test, which takes a tenth of
// the time of all tests. No file has suites: those that share a process are tests with subtests (run-files-in-one-process.mjs).
import { createRequire } from 'node:module'

// Processes that a test starts load none of this.
delete process.env.NODE_OPTIONS
if (/[\\/]dist-test[\\/]/.test(process.argv[1] ?? '')) {
  const hooks = createRequire(import.meta.url)('node:async_hooks')
  const disabledHook = { enable: () => disabledHook, disable: () => disabledHook }
  hooks.createHook = () => disabledHook
}
