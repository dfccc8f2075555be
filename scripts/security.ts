// Runs the security checks of test/security, and prints their findings as a table.
//   npm run test:security                                       everything, with a new seed
//   npm run test:security -- fuzz model-events                  only these checks
//   npm run test:security -- fuzz --seed 7 --cases 1000         the same attempts again, or more of them
//   npm run test:security -- fuzz --only 'PATCH /donations'     only operations with these words in their name
//   npm run test:security -- --json FILE                        the table as a file, too
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { installBrowser } from '#test/support/browser.ts'
import { createTemplate } from '#test/support/database.ts'
import { startPostgresServer } from '#test/support/postgres-server.ts'
import { type Effort, type Finding, securityChecks } from '#test/support/security/checks.ts'

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    cases: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    json: { type: 'string' }
  },
  allowPositionals: true
})
const effort: Effort = {
  seed: Number(values.seed),
  cases: Number(values.cases),
  minutes: Number(values.minutes),
  only: values.only
}
const unknown = positionals.filter(name => securityChecks[name] === undefined)
if (unknown.length > 0) {
  console.error(`There is no check ${unknown.join(', ')}. There are ${Object.keys(securityChecks).join(', ')}.`)
  process.exit(1)
}
const names = positionals.length > 0 ? positionals : Object.keys(securityChecks)
const build = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
if (build.status !== 0) process.exit(1)
if (names.includes('browser')) installBrowser()

let running: ChildProcess | undefined
const server = await startPostgresServer()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stopAll())

const findings: Finding[] = []
try {
  await createTemplate(server.url)
  for (const name of names) findings.push(...(await run(name)))
} finally {
  await server.stop()
}
tell()

async function run(name: string): Promise<Finding[]> {
  const start = performance.now()
  const words = ['--import', 'tsx', 'test/support/security/run-check.ts', name, JSON.stringify(effort)]
  const env = { ...process.env, TEST_STORE: 'server', TEST_DATABASE_URL: server.url }
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true })
  running = child
  let found: Finding[] | undefined
  let said = ''
  child.on('message', message => {
    found = message as Finding[]
  })
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', part => (said += part))
  const [code] = await once(child, 'close')
  running = undefined
  const seconds = Math.round((performance.now() - start) / 1000)
  if (found === undefined || code !== 0) {
    const broken = { name, measured: 'did not come to an end', limit: '', passed: false, faults: [said.slice(-3000)] }
    found = [...(found ?? []), broken]
  }
  for (const { name: what, passed, measured, faults = [] } of found) {
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${what} (${seconds} s): ${measured}`)
    for (const fault of faults.slice(0, 30)) console.log(`         ${fault.slice(0, 1500)}`)
    if (faults.length > 30) console.log(`         and ${faults.length - 30} more`)
  }
  return found
}

function tell(): void {
  const width = Math.max(...findings.map(({ name }) => name.length))
  console.log(`\nseed ${effort.seed}, ${effort.cases} cases of each`)
  for (const { name, measured, limit, passed } of findings) {
    console.log(
      `${passed ? 'ok    ' : 'FAILED'}  ${name.padEnd(width)}  ${measured}${limit === '' ? '' : `  [${limit}]`}`
    )
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(findings, undefined, 2)}\n`)
  if (findings.some(({ passed }) => !passed)) process.exitCode = 1
}

/** Kills the process group, which includes the browser and the tools that the check started. */
async function stopAll(): Promise<void> {
  if (running?.pid !== undefined) process.kill(-running.pid, 'SIGKILL')
  await server.stop()
  process.exit(1)
}
