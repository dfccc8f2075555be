// Does to the program what happens to programs, and looks what becomes of it.
//   npm run test:faults                      everything, some 25 minutes
//   npm run test:faults -- --quick           the same with fewer rounds, some 4 minutes
//   npm run test:faults -- overload stopping only these parts; --list names them
//   … --json FILE --seed 1 --minutes 2       the table as JSON; the same chances again; how long the steady load lasts
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { misbehavingClients } from '#test/faults/clients.ts'
import { clockSet } from '#test/faults/clock.ts'
import { collidingWrites } from '#test/faults/collisions.ts'
import { connectionsTaken } from '#test/faults/connections.ts'
import { databaseFrozen } from '#test/faults/database-frozen.ts'
import { databaseKilled } from '#test/faults/database-killed.ts'
import { diskFull } from '#test/faults/disk-full.ts'
import { migrationUnderLoad } from '#test/faults/migration.ts'
import { overload } from '#test/faults/overload.ts'
import { programKilled } from '#test/faults/program-killed.ts'
import { badReceivers } from '#test/faults/receivers.ts'
import { failingStatements } from '#test/faults/statements.ts'
import { steadyLoad } from '#test/faults/steady.ts'
import { stopping } from '#test/faults/stopping.ts'
import { isRoot } from '#test/support/debian.ts'
import type { FaultScenario, Result, ScenarioContext } from '#test/support/faults/scenario.ts'

const parts: FaultScenario[] = [
  programKilled,
  databaseKilled,
  databaseFrozen,
  diskFull,
  connectionsTaken,
  failingStatements,
  collidingWrites,
  stopping,
  migrationUnderLoad,
  clockSet,
  misbehavingClients,
  badReceivers,
  overload,
  steadyLoad
]

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    json: { type: 'string' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    minutes: { type: 'string' }
  },
  allowPositionals: true
})
const unknown = positionals.filter(name => !parts.some(part => part.name === name))
if (values.list || unknown.length > 0) {
  console.log(`${unknown.length > 0 ? `There is no part ${unknown.join(', ')}. ` : ''}The parts are:`)
  for (const { name } of parts) console.log(`  ${name}`)
  process.exit(unknown.length > 0 ? 1 : 0)
}

// Else the first start would be one that builds.
if (spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' }).status !== 0) process.exit(1)

let isEnding = false
let endings: (() => Promise<unknown> | undefined)[] = []
for (const end of ['SIGINT', 'SIGTERM', 'uncaughtException'] as const) {
  process.on(end, async (reason: unknown) => {
    if (isEnding) return
    isEnding = true
    console.log(`\n${end}: stopping what was started …`, reason instanceof Error ? reason : '')
    await endAll()
    process.exit(1)
  })
}

const seed = Number(values.seed)
const minutes = Number(values.minutes ?? (values.quick ? 0.5 : 10))
const machine = `${availableParallelism()} processors, Node ${process.version}, ${process.platform} ${process.arch}`
const rows: (Result & { part: string })[] = []
const leftOut: string[] = []
console.log(`Faults: ${values.quick ? 'quick' : 'in full'}, seed ${seed}; ${machine}`)
const began = Date.now()

for (const part of parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  if (part.needsRoot && !isRoot) {
    leftOut.push(part.name)
    console.log(`${part.name}: left out, it needs root`)
    continue
  }
  const partBegan = Date.now()
  process.stdout.write(`${part.name} …\n`)
  const given: ScenarioContext = {
    quick: values.quick,
    minutes,
    seed,
    log: text => console.log(`  ${text}`),
    onCleanup: work => endings.push(work)
  }
  const results = await part.run(given).catch((error: unknown): Result[] => {
    console.log(error)
    return [{ what: 'came to its end', measured: String(error).split('\n', 1)[0] ?? '', limit: 'so', passed: false }]
  })
  await endAll()
  rows.push(...results.map(result => ({ part: part.name, ...result })))
  const failed = results.filter(({ passed }) => !passed).length
  const seconds = Math.round((Date.now() - partBegan) / 1000)
  console.log(`${part.name}: ${failed === 0 ? 'passed' : `${failed} of ${results.length} FAILED`} in ${seconds} s`)
  for (const { what, measured, limit, passed } of results) {
    if (!passed) console.log(`  FAILED: ${what}: ${measured} (limit ${limit})`)
  }
}

print()
if (values.json !== undefined) {
  const about = { date: new Date().toISOString(), machine, seed, quick: values.quick, leftOut }
  writeFileSync(values.json, `${JSON.stringify({ ...about, rows }, undefined, 2)}\n`)
}
process.exit(rows.every(({ passed }) => passed) && rows.length > 0 ? 0 : 1)

/** The last first; what fails must not keep the rest running. */
async function endAll(): Promise<void> {
  const works = endings.reverse()
  endings = []
  for (const work of works) {
    try {
      await work()
    } catch (error) {
      console.log('not everything could be stopped:', error)
    }
  }
}

function print(): void {
  const head = { part: 'part', what: 'what', measured: 'measured', limit: 'limit', passed: true }
  const width = (of: 'part' | 'what' | 'measured' | 'limit') =>
    Math.min(90, Math.max(...[head, ...rows].map(row => row[of].length)))
  const widths = { part: width('part'), what: width('what'), measured: width('measured'), limit: width('limit') }
  console.log('')
  for (const row of [head, ...rows]) {
    const cells = (['part', 'what', 'measured', 'limit'] as const).map(of => row[of].padEnd(widths[of]))
    console.log(`${cells.join('  ')}  ${row === head ? '' : row.passed ? 'passed' : 'FAILED'}`)
  }
  const minutesTaken = Math.round((Date.now() - began) / 6000) / 10
  const failed = rows.filter(({ passed }) => !passed).length
  console.log(`\n${rows.length} rows in ${minutesTaken} min, ${failed} failed; seed ${seed}; ${machine}`)
  if (leftOut.length > 0) console.log(`Left out, because they need root: ${leftOut.join(', ')}`)
}
