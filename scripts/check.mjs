// What CI runs: types, lint, advisories and tests. With --all the tests run in full, which takes about an hour: for releases. Types, lint and
// advisories run while the tests are being prepared, which keeps only one processor busy.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readChildCpuSeconds } from './cpu-time.mjs'

const begin = performance.now()
const runScript = (name, stdio, words = []) =>
  spawn('npm', ['run', '--silent', name, '--', ...words], { stdio, shell: process.platform === 'win32' })

/** Runs a script and prints its output in one piece when it has ended, so that it does not mix with that of the tests. Returns the failure. */
async function runQuietly(name) {
  const before = readChildCpuSeconds()
  const child = runScript(name, ['ignore', 'pipe', 'pipe'])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
  const [code] = await once(child, 'close')
  const seconds = readChildCpuSeconds() - before
  console.log(`\n${name}: ${code === 0 ? 'passed' : 'FAILED'}, ${seconds} s of processor time\n${output}`)
  return code === 0 ? undefined : { name, output }
}

const tests = once(runScript('test', 'inherit', process.argv.includes('--all') ? ['--full'] : []), 'exit')
const failures = []
for (const name of ['types', 'lint', 'advisories']) {
  const failure = await runQuietly(name)
  if (failure !== undefined) failures.push(failure)
}
const [code] = await tests
// Again at the end, where one looks first: thousands of lines came after it.
for (const { name, output } of failures) console.log(`\n${name}: FAILED\n${output}`)
const failed = failures.map(({ name }) => name).concat(code === 0 ? [] : 'tests')
if (failed.length > 0) process.exitCode = 1
const minutes = ((performance.now() - begin) / 60_000).toFixed(1)
const result = failed.length > 0 ? `FAILED (${failed.join(', ')})` : 'Passed'
console.log(`\n${result} after ${minutes} minutes, ${readChildCpuSeconds()} s of processor time`)
