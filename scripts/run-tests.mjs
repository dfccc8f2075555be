// Runs test files in the given order, several at a time, and exits with 1 if one fails. `node --test` would sort them.
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec as Spec } from 'node:test/reporters'

const files = process.argv.slice(2).map(file => resolve(file))
/** More than processors: most test processes wait for the database or for another process. */
const concurrency = Number(process.env.TEST_CONCURRENCY ?? 4)
/** For a whole process, which may run dozens of files. It only limits how long the run waits for a broken one. */
const timeout = 2_400_000

const cpuTimes = mkdtempSync(join(tmpdir(), 'kalends-cpu-'))
process.env.TEST_CPU_TIMES = cpuTimes
process.env.NODE_OPTIONS = ['disable-async-hooks', 'record-statements', 'report-cpu-time']
  .map(name => `--import ${new URL(`${name}.mjs`, import.meta.url)}`)
  // Many short-lived objects: fewer collections of garbage.
  .concat('--max-semi-space-size=64')
  .join(' ')

// Without this, test processes would go on after the run was interrupted.
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interruption.abort())

const events = run({ files, concurrency, timeout, signal: interruption.signal }).on('test:fail', failure => {
  process.exitCode = 1
  recordFailure(failure)
})
events.compose(new Spec()).pipe(process.stdout)
process.on('exit', () => {
  printMostExpensive()
  rmSync(cpuTimes, { recursive: true, force: true })
})

/** Only tests that failed themselves, not the files and groups around them. */
function recordFailure({ name, file, details }) {
  const { error } = details
  if (process.env.TEST_FAILURES === undefined || error.failureType === 'subtestsFailed') return
  const reason = String(error.cause?.message ?? error.cause ?? error.message)
    .split('\n')
    .slice(0, 40)
    .join('\n    ')
  appendFileSync(process.env.TEST_FAILURES, `✖ ${file}: ${name}\n    ${reason}\n`)
}

/** Shows who makes the suite slow. */
function printMostExpensive() {
  const all = readdirSync(cpuTimes).map(name => JSON.parse(readFileSync(join(cpuTimes, name), 'utf8')))
  if (all.length < 10) return
  console.log('\nThe processes that took most processor time')
  for (const { file, seconds } of all.toSorted((one, other) => other.seconds - one.seconds).slice(0, 60))
    console.log(`${seconds.toFixed(0).padStart(6)} s  ${file}`)
}
