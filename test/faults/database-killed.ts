import { setTimeout as sleep } from 'node:timers/promises'
import { findPostmaster } from '../support/crash.ts'
import {
  adminKey,
  checkAtMost,
  checkNothingLost,
  checkThat,
  createDataDir,
  type FaultScenario,
  measureUntil,
  type Result,
  readStatus,
  type ScenarioContext,
  startDatabaseServer,
  startProgram
} from '../support/faults/scenario.ts'
import { runKalends, waitUntil } from '../support/kalends-process.ts'
import { newRandom, startLoad } from '../support/load.ts'

/** A database that can be killed, and waits until it is restarted. */
interface Victim {
  kill(chance: number): Promise<string>
  comeBack(): Promise<void>
}

/** kill -9 of PostgreSQL under load, while the program keeps running. */
export const databaseKilled: FaultScenario = {
  name: 'database-killed',
  run: async context => {
    const dataDir = await createDataDir(context)
    const server = await startDatabaseServer(context)
    return [
      ...(await runRounds(context, 'embedded store', { DATA_DIR: dataDir }, newEmbeddedVictim(dataDir))),
      ...(await runRounds(context, 'server', { DATABASE_URL: server.databaseUrl }, newServerVictim(server)))
    ]
  }
}

/** The program itself restarts it. */
function newEmbeddedVictim(dataDir: string): Victim {
  let killed: number | undefined
  return {
    kill: async () => {
      killed = await findPostmaster({ DATA_DIR: dataDir })
      if (killed === undefined) throw new Error('The embedded PostgreSQL is not running.')
      process.kill(killed, 'SIGKILL')
      return 'the first process'
    },
    comeBack: async () =>
      await waitUntil(async () => {
        const now = await findPostmaster({ DATA_DIR: dataDir })
        return now !== undefined && now !== killed
      })
  }
}

/** The supervisor restarts the server; if only one backend was killed, the postmaster recovers by itself. */
function newServerVictim({ pid, pids, start }: Awaited<ReturnType<typeof startDatabaseServer>>): Victim {
  return {
    kill: async chance => {
      const all = pids()
      const [victims, what] =
        chance < 0.4
          ? [[pid()], 'the first process']
          : chance < 0.7
            ? [all.toReversed(), 'all processes']
            : [[all[Math.floor(chance * all.length)] ?? pid()], 'one process']
      for (const victim of victims) process.kill(victim, 'SIGKILL')
      return what
    },
    comeBack: start
  }
}

async function runRounds(
  context: ScenarioContext,
  store: string,
  env: Record<string, string>,
  victim: Victim
): Promise<Result[]> {
  const count = context.quick ? 4 : 25
  const chance = newRandom(context.seed)
  const program = await startProgram(context, env)
  let isKilled = false
  const load = await startLoad({
    url: async () => program.url,
    adminKey,
    random: chance,
    isFaultActive: () => isKilled
  })
  context.onCleanup(async () => load.abort())
  const recoveries: number[] = []
  let aliveCount = 0

  for (let number = 1; number <= count; number += 1) {
    const before = load.acknowledged()
    await sleep(200 + chance() * 600)
    await waitUntil(() => load.acknowledged() > before)
    isKilled = true
    const what = await victim.kill(chance())
    if ((await readStatus(`${program.url}/livez`)) === 200) aliveCount += 1
    await victim.comeBack()
    const then = load.acknowledged()
    const recovery = await measureUntil(async () => load.acknowledged() > then, 20_000)
    await waitUntil(async () => (await readStatus(`${program.url}/readyz`)) === 200)
    // Responses to earlier requests may still arrive.
    await sleep(100)
    isKilled = false
    recoveries.push(recovery)
    context.log(
      `${store}, round ${number}: killed ${what}, donations work ${Math.round(recovery)} ms after the restart`
    )
  }

  const tally = await load.stopAndVerify()
  const code = await program.stop()
  const doctor = await runKalends(['doctor'], env)
  return [
    { ...checkNothingLost(tally), what: `${store}, ${count} times: each donation is stored once and in the totals` },
    checkAtMost(
      `${store}: time until donations work after the restart of PostgreSQL`,
      Math.max(...recoveries),
      10_000,
      'ms'
    ),
    checkThat(
      `${store}: the program keeps running`,
      aliveCount === count && code === 0,
      `${aliveCount} of ${count}, then exit ${code}`
    ),
    checkThat(`${store}: doctor finds no problem`, doctor.code === 0, `exit ${doctor.code}`, 'exit 0')
  ]
}
