import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isServerOn, readPidFile } from '#platform/database/embedded/pid-file.ts'
import { type FinishedCommand, type RunningKalends, runKalends, startKalends, waitUntil } from './kalends-process.ts'
import { type LoadReport, newRandom, startLoad } from './load.ts'

/** The result of killing the program repeatedly while clients donate. */
export interface CrashReport extends LoadReport {
  rounds: Round[]
  doctor: FinishedCommand
}

export interface Round {
  number: number
  /** The killed processes. */
  victims: string
  acknowledged: number
  restartMs: number
}

const adminKey = 'the-key-of-the-crash-harness'

/**
 * Starts the program, lets clients donate, kills it after a random time, restarts it at once, and
 * so on; the clients repeat requests without a response, with the same idempotency key. Then it counts.
 */
export async function runCrashRounds({
  rounds,
  clients = 16,
  seed,
  env,
  onRound = () => undefined
}: {
  rounds: number
  clients?: number
  seed: number
  /** Where the program keeps its data: DATA_DIR or DATABASE_URL. */
  env: Record<string, string>
  onRound?: (round: Round) => void
}): Promise<CrashReport> {
  const chance = newRandom(seed)
  const settings = { LOG_LEVEL: 'warn', ...env, ADMIN_KEY: adminKey }
  const finishedRounds: Round[] = []
  const orphans: string[] = []
  let started: RunningKalends = await startKalends(settings)
  let running: Promise<RunningKalends> = Promise.resolve(started)
  let isDown = false
  const url = async () => (await running).url
  const load = await startLoad({ url, adminKey, clients, random: chance, isFaultActive: () => isDown })

  try {
    for (let number = 1; number <= rounds; number += 1) {
      const before = load.acknowledged()
      await sleep(300 + chance() * 900)
      // Waits for a donation, also on a busy machine: a crash of an idle program proves nothing.
      await waitUntil(() => load.acknowledged() > before)
      const { postmaster, victims } = await crash()
      const began = Date.now()
      running = startKalends(settings)
      started = await running
      isDown = false
      const round = { number, victims, acknowledged: load.acknowledged(), restartMs: Date.now() - began }
      finishedRounds.push(round)
      onRound(round)
      if (postmaster !== undefined && (await isServerOn(postmaster, join(env.DATA_DIR ?? '', 'postgres')))) {
        orphans.push(`round ${number}: the PostgreSQL of the killed process is still running`)
      }
    }

    await sleep(500)
    const tally = await load.stopAndVerify()
    tally.faults.push(...orphans)
    const code = await started.stop()
    if (code !== 0) tally.faults.push(`it stopped with ${code}:\n${started.output()}`)
    return { ...tally, rounds: finishedRounds, doctor: await runKalends(['doctor'], env) }
  } finally {
    load.abort()
    await started.kill()
  }

  /** Kills the whole process group, and sometimes PostgreSQL immediately before or after it. */
  async function crash(): Promise<{ postmaster: number | undefined; victims: string }> {
    const postmaster = await findPostmaster(env)
    const dice = chance()
    const order =
      postmaster === undefined || dice < 0.5 ? ['node'] : dice < 0.75 ? ['node', 'postgres'] : ['postgres', 'node']
    isDown = true
    for (const victim of order) {
      if (victim === 'node') process.kill(-started.pid, 'SIGKILL')
      else if (postmaster !== undefined) process.kill(postmaster, 'SIGKILL')
    }
    return { postmaster, victims: order.join(', ') }
  }
}

/** The pid of the embedded PostgreSQL that runs on the data folder, if that is the store. */
export async function findPostmaster({ DATA_DIR, DATABASE_URL }: Record<string, string>): Promise<number | undefined> {
  if (DATA_DIR === undefined || DATABASE_URL !== undefined) return undefined
  const folder = join(DATA_DIR, 'postgres')
  const file = await readPidFile(folder)
  return file !== undefined && (await isServerOn(file.pid, folder)) ? file.pid : undefined
}
