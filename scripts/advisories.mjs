// Asks the registry for advisories of all packages, because a release contains most of them in its bundle; high and critical ones fail the check.
// Not every registry answers that, and a check of our own code must not depend on an external server: then it prints that and passes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const patienceMs = Number(process.env.ADVISORIES_PATIENCE_MS ?? 20_000)
const levels = ['high', 'critical']

const words = ['audit', '--audit-level=high', '--audit=true', '--json', '--fetch-retries=0']
const child = spawn('npm', words, { stdio: ['ignore', 'pipe', 'ignore'], shell: process.platform === 'win32' })
const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
let said = ''
child.stdout.setEncoding('utf8').on('data', text => {
  said += text
})
await once(child, 'close')
clearTimeout(timer)

const answer = read(said)
if (answer?.metadata?.vulnerabilities === undefined) {
  console.log('not available here: the registry does not answer which advisories are known')
} else {
  const found = Object.values(answer.vulnerabilities).filter(({ severity }) => levels.includes(severity))
  for (const { name, severity, via } of found) {
    const titles = via.map(one => (typeof one === 'string' ? `by way of ${one}` : `${one.title} (${one.url})`))
    console.log(`${name}: ${severity}: ${titles.join('; ')}`)
  }
  console.log(`${found.length} high or critical advisories`)
  if (found.length > 0) process.exitCode = 1
}

/** Undefined if npm was stopped or printed an error in another format. */
function read(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
