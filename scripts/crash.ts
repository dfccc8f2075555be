// Kills the program again and again while people donate, and counts what became of their donations.
//   node --conditions=source --import tsx scripts/crash.ts --rounds 10 --clients 16 --seed 1 --on server
// The embedded store is the default; there PostgreSQL is killed too, by chance. With DATABASE_URL that database is used.
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { crashRounds } from '#test/crash.ts'
import { startServer } from '#test/server.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    clients: { type: 'string', default: '16' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    on: { type: 'string', default: 'embedded' }
  }
})
const [rounds, clients, seed] = [Number(values.rounds), Number(values.clients), Number(values.seed)]
const { env, remove } = await placeFor(values.on)
console.log(`${rounds} rounds, ${clients} clients, seed ${seed}, on ${env.DATABASE_URL ?? env.DATA_DIR}`)
try {
  const report = await crashRounds({
    rounds,
    clients,
    seed,
    env,
    onRound: ({ number, victims, acknowledged, restartMs }) =>
      console.log(
        `round ${number}: ${acknowledged} acknowledged, killed ${victims}, answered again after ${restartMs} ms`
      )
  })
  const times = report.rounds.map(({ restartMs }) => restartMs).sort((one, other) => one - other)
  const { acknowledged, retried, replayed, lost, doubled, faults, doctor } = report
  console.log(`
acknowledged  ${acknowledged}
retried       ${retried}, of which ${replayed} had been done before the crash
lost          ${lost.length}
doubled       ${doubled.length}
other faults  ${faults.length}
restart       ${times[0]} to ${times.at(-1)} ms, median ${times[Math.floor(times.length / 2)]} ms
doctor        exit ${doctor.code}`)
  for (const line of [...lost, ...doubled, ...faults].slice(0, 50)) console.log(line)
  if (lost.length + doubled.length + faults.length > 0 || doctor.code !== 0) process.exitCode = 1
} finally {
  await remove()
}

async function placeFor(store: string): Promise<{ env: Record<string, string>; remove: () => Promise<void> }> {
  const { DATABASE_URL } = process.env
  if (DATABASE_URL !== undefined) return { env: { DATABASE_URL }, remove: async () => undefined }
  if (store === 'server') {
    const server = await startServer()
    return { env: { DATABASE_URL: server.url }, remove: server.stop }
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'kalends-crash-'))
  return { env: { DATA_DIR: dataDir }, remove: async () => await rm(dataDir, { recursive: true, maxRetries: 10 }) }
}
