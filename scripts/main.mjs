#!/usr/bin/env node
// The command `kalends` of a package, copied to dist/main.js by the build: runs the newest build, the folder that the file "current" names.
import './require-node.mjs'
import { readFileSync } from 'node:fs'
import { stopWithNpm } from './stop-with-npm.mjs'

if (process.env.npm_lifecycle_event === 'npx') stopWithNpm()
await import(`./${readFileSync(new URL('current', import.meta.url), 'utf8')}/main.js`)
