// Runs the fault scenarios of test/faults against the real program, and prints a table of the results.
//   npm run test:faults                      everything, some 25 minutes
//   npm run test:faults -- --quick           the same with fewer rounds, some 4 minutes
//   npm run test:faults -- overload stopping only these scenarios; --list names them
//   … --json FILE --seed 1 --minutes 2       the table as JSON; the random seed; how long the steady load lasts
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

const scenarios: FaultScenario[] = [
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
const unknown = positionals.filter(name => !scenarios.some(scenario => scenario.name === name))
if (values.list || unknown.length > 0) {
  console.log(`${unknown.length > 0 ? `There is no scenario ${unknown.join(', ')}. ` : ''}The scenarios are:`)
  for (const { name } of scenarios) console.log(`  ${name}`)
  process.exit(unknown.length > 0 ? 1 : 0)
}

// Otherwise the first start of the program would build it, which takes longer than a scenario allows.
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
const skipped: string[] = []
console.log(`Faults: ${values.quick ? 'quick' : 'in full'}, seed ${seed}; ${machine}`)
const began = Date.now()

for (const scenario of scenarios.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  if (scenario.needsRoot && !isRoot) {
    skipped.push(scenario.name)
    console.log(`${scenario.name}: skipped, it needs root`)
    continue
  }
  const scenarioBegan = Date.now()
  process.stdout.write(`${scenario.name} …\n`)
  const context: ScenarioContext = {
    quick: values.quick,
    minutes,
    seed,
    log: text => console.log(`  ${text}`),
    onCleanup: work => endings.push(work)
  }
  const results = await scenario.run(context).catch((error: unknown): Result[] => {
    console.log(error)
    return [{ what: 'ran to its end', measured: String(error).split('\n', 1)[0] ?? '', limit: 'so', passed: false }]
  })
  await endAll()
  rows.push(...results.map(result => ({ part: scenario.name, ...result })))
  const failed = results.filter(({ passed }) => !passed).length
  const seconds = Math.round((Date.now() - scenarioBegan) / 1000)
  console.log(`${scenario.name}: ${failed === 0 ? 'passed' : `${failed} of ${results.length} FAILED`} in ${seconds} s`)
  for (const { what, measured, limit, passed } of results) {
    if (!passed) console.log(`  FAILED: ${what}: ${measured} (limit ${limit})`)
  }
}

print()
if (values.json !== undefined) {
  const about = { date: new Date().toISOString(), machine, seed, quick: values.quick, skipped }
  writeFileSync(values.json, `${JSON.stringify({ ...about, rows }, undefined, 2)}\n`)
}
process.exit(rows.every(({ passed }) => passed) && rows.length > 0 ? 0 : 1)

/** In reverse order; a cleanup that fails must not prevent the others. */
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
  if (skipped.length > 0) console.log(`Skipped, because they need root: ${skipped.join(', ')}`)
}
