// Runs test files, in the order in which they are given, some at a time; exits with 1 if one fails. The command line would sort them.
import { relative, resolve } from 'node:path'
import { run } from 'node:test'
import { spec as Spec } from 'node:test/reporters'

const files = process.argv.slice(2).map(file => resolve(file))
/** More than processors, because many of them wait for something most of the time. */
const atOnce = 4
/** For a file as a whole: it only decides how long a broken one is waited for. */
const timeout = 600_000

const spent = new Map()
process.env.NODE_OPTIONS = ['unwatched', 'tell-statements']
  .map(name => `--import ${new URL(`${name}.mjs`, import.meta.url)}`)
  .join(' ')

const events = run({ files, concurrency: atOnce, timeout })
  .on('test:fail', event => {
    process.exitCode = 1
    note(event)
  })
  .on('test:pass', note)
events.compose(new Spec()).pipe(process.stdout)
process.on('exit', tellSlowest)

function note({ nesting, file, details }) {
  if (nesting === 0 && file !== undefined) spent.set(file, (spent.get(file) ?? 0) + details.duration_ms)
}

/** So that whoever makes the suite slow sees it. */
function tellSlowest() {
  if (spent.size < 20) return
  const slowest = [...spent].toSorted(([, one], [, other]) => other - one).slice(0, 15)
  console.log('\nThe files that took longest')
  for (const [file, ms] of slowest)
    console.log(`${(ms / 1000).toFixed(0).padStart(6)} s  ${relative('dist-test', file)}`)
}
