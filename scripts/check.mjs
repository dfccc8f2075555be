// Everything that has to hold, as CI asks for it: types, style, advisories, tests. The first three are looked at while the tests get
// ready, which leaves a processor with nothing to do.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

// Every value at every route, every page in all combinations, every statement of every write failing once.
if (process.argv.includes('--all')) Object.assign(process.env, { TEST_DEPTH: 'all', EVERY_WRITE: 'yes' })

const npm = (name, stdio) => spawn('npm', ['run', '--silent', name], { stdio, shell: process.platform === 'win32' })

/** What it says is shown in one piece when it is over. */
async function quietly(name) {
  const child = npm(name, ['ignore', 'pipe', 'pipe'])
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (said += text))
  const [code] = await once(child, 'close')
  console.log(`\n${name}: ${code === 0 ? 'nothing is wrong' : 'FAILED'}\n${said}`)
  return code === 0
}

const tests = once(npm('test', 'inherit'), 'exit')
for (const name of ['types', 'lint', 'advisories']) if (!(await quietly(name))) process.exitCode = 1
const [code] = await tests
if (code !== 0) process.exitCode = 1
