// What CI runs: types, lint, advisories and tests. With --all the tests run in full, which takes about an hour: for releases. Types, lint and
// advisories run while the tests are being prepared, which keeps only one processor busy.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readChildCpuSeconds } from './cpu-time.mjs'

const begin = performance.now()
const runScript = (name, stdio, words = []) =>
  spawn('npm', ['run', '--silent', name, '--', ...words], { stdio, shell: process.platform === 'win32' })

/** Runs a script and prints its output in one piece when it has ended, so that it does not mix with that of the tests. */
async function runQuietly(name) {
  const before = readChildCpuSeconds()
  const child = runScript(name, ['ignore', 'pipe', 'pipe'])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
  const [code] = await once(child, 'close')
  const seconds = readChildCpuSeconds() - before
  console.log(`\n${name}: ${code === 0 ? 'passed' : 'FAILED'}, ${seconds} s of processor time\n${output}`)
  return code === 0
}

const tests = once(runScript('test', 'inherit', process.argv.includes('--all') ? ['--full'] : []), 'exit')
for (const name of ['types', 'lint', 'advisories']) if (!(await runQuietly(name))) process.exitCode = 1
const [code] = await tests
if (code !== 0) process.exitCode = 1
const minutes = ((performance.now() - begin) / 60_000).toFixed(1)
console.log(
  `\n${process.exitCode === 1 ? 'FAILED' : 'Passed'} after ${minutes} minutes, ${readChildCpuSeconds()} s of processor time`
)
