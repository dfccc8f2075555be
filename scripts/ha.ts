// Runs the faults of test/ha against a cluster on this machine (deploy/ha) under load, and counts acknowledged writes that were lost.
//   npm run test:ha                        everything, five to fifteen minutes
//   npm run test:ha -- machine api         only these; --quick is the machine alone, 90 s; --json FILE; --keep leaves the logs
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Fault, faults } from '#test/ha/faults.ts'
import { installFromDebian, isInstalled } from '#test/support/debian.ts'
import { type Outcome, startClients } from '#test/support/ha/clients.ts'
import { type Cluster, startCluster, stopCluster } from '#test/support/ha/cluster.ts'
import { runKalends } from '#test/support/kalends-process.ts'

/** The longest interruption that the cluster allows. */
const writeLimitMs = 35_000
const readLimitMs = 5000

interface Row {
  name: string
  measured: string
  limit: string
  passed: boolean
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, json: { type: 'string' }, keep: { type: 'boolean' } }
})
const named = values.quick ? ['machine'] : positionals
const unknown = named.filter(name => !faults.some(fault => fault.name === name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there is ${faults.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}
const packages = ['postgresql', 'patroni', 'python3-etcd', 'etcd-server', 'etcd-client', 'haproxy']
if (!packages.every(isInstalled) && !installFromDebian('a cluster', ...packages)) {
  console.log(`The cluster is left out: it needs ${packages.join(', ')} of Debian, which only root can install.`)
  process.exit(0)
}

const folder = mkdtempSync(join(tmpdir(), 'kalends-ha-'))
chmodSync(folder, 0o755)
const rows: Row[] = []
process.on('exit', () => {
  stopCluster(folder)
  if (!values.keep) rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const begin = Date.now()
const cluster = await startCluster(folder)
await cluster.untilWhole()
console.log(`The cluster is up after ${seconds(Date.now() - begin)}, in ${folder}.`)
// In the order in which they are named, and as often.
const chosen = named.length === 0 ? faults : named.flatMap(name => faults.filter(fault => fault.name === name))
for (const fault of chosen) rows.push(await runFault(cluster, fault))
const doctor = await runKalends(['doctor'], cluster.env)
rows.push({ name: 'doctor', measured: `exit ${doctor.code}`, limit: 'exit 0', passed: doctor.code === 0 })
if (doctor.code !== 0) console.log(doctor.stdout + doctor.stderr)

const width = (column: 'name' | 'measured' | 'limit') => Math.max(...rows.map(row => row[column].length))
console.log('')
for (const { name, measured, limit, passed } of rows) {
  const cells = [name.padEnd(width('name')), measured.padEnd(width('measured')), limit.padEnd(width('limit'))]
  console.log(`${cells.join('  ')}  ${passed ? 'passed' : 'FAILED'}`)
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, undefined, 2)}\n`)
process.exit(rows.every(({ passed }) => passed) ? 0 : 1)

async function runFault(cluster: Cluster, { name, says, heldMs = 0, run }: Fault): Promise<Row> {
  const clients = await startClients(cluster, name)
  await clients.untilAllWrote(30_000)
  await sleep(2000)
  const problems = await run(cluster, clients).catch(error => [String(error)])
  await cluster.untilWhole().catch(error => problems.push(String(error)))
  await sleep(1000)
  const outcome = await clients.stop()
  const { lost, doubled, faults, writeGapMs, readGapMs } = outcome
  const wrong = [...lost, ...doubled, ...faults, ...problems]
  const passed = wrong.length === 0 && writeGapMs <= writeLimitMs + heldMs && readGapMs <= readLimitMs
  console.log(`${passed ? 'passed' : 'FAILED'}  ${name}: ${says}. ${summaryOf(outcome)}`)
  for (const line of wrong.slice(0, 20)) console.log(`        ${line}`)
  const limit = `0 lost, 0 doubled, write gap ${seconds(writeLimitMs + heldMs)}, read gap ${seconds(readLimitMs)}`
  return { name, measured: summaryOf(outcome), limit, passed }
}

function summaryOf({ acknowledged, retried, lost, doubled, read, writeGapMs, readGapMs }: Outcome): string {
  const counts = `${acknowledged} acknowledged, ${retried} sent again, ${read} read, ${lost.length} lost, ${doubled.length} doubled`
  return `${counts}, write gap ${seconds(writeGapMs)}, read gap ${seconds(readGapMs)}`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
