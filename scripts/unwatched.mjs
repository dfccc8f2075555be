// Loaded before a test file. Node's test runner watches every promise of a process to know which suite a test belongs to, a tenth of all
// the time that tests take. Files whose tests all stand at the top have no suites; those that share a process have (run-together.mjs).
import { createRequire } from 'node:module'

// What a test starts is left alone.
delete process.env.NODE_OPTIONS
if (/[\\/]dist-test[\\/](?:src|test)[\\/]/.test(process.argv[1] ?? '')) {
  const hooks = createRequire(import.meta.url)('node:async_hooks')
  const unwatched = { enable: () => unwatched, disable: () => unwatched }
  hooks.createHook = () => unwatched
}
