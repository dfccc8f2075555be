// Runs test files, in the order in which they are given, some at a time; exits with 1 if one fails. The command line would sort them.
import { resolve } from 'node:path'
import { run } from 'node:test'
import { spec as Spec } from 'node:test/reporters'

const files = process.argv.slice(2).map(file => resolve(file))
const atOnce = 3
/** For a file as a whole: it only decides how long a broken one is waited for. */
const timeout = 600_000

run({ files, concurrency: atOnce, timeout })
  .on('test:fail', () => {
    process.exitCode = 1
  })
  .compose(new Spec())
  .pipe(process.stdout)
