#!/usr/bin/env node
// The command `kalends` of a package, copied to dist/main.js by the build: runs the newest build, the folder that the file "current" names.
import './require-node.mjs'
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { stopWithNpm } from './stop-with-npm.mjs'

// The space for new objects begins with 1 MB and would double with each collection until it has 16: a start would collect
// garbage several times, for a twentieth of its processor time. Under load it has its full size either way.
setFlagsFromString('--semi-space-growth-factor=16')
if (process.env.npm_lifecycle_event === 'npx') stopWithNpm()
await import(`./${readFileSync(new URL('current', import.meta.url), 'utf8')}/main.js`)
