// Runs the command line from the built files, which it builds first if the source is newer.
import './require-node.mjs'
import { buildOrExit } from './build.mjs'
import { stopWithNpm } from './stop-with-npm.mjs'

if (process.env.npm_lifecycle_event === 'start') stopWithNpm()
await buildOrExit()
await import('../dist/main.js')
