// Runs the command line from the built files, which it builds first if the source is newer.
import { buildIfStale } from './build.mjs'

await buildIfStale()
await import('../dist/main.js')
