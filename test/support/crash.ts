import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isServerOn, readPidFile } from '#platform/database/embedded/pid-file.ts'
import { type FinishedCommand, type RunningKalends, runKalends, startKalends, waitUntil } from './kalends-process.ts'
import { type LoadReport, newRandom, startLoad } from './load.ts'

/** What came out of killing the program again and again while people donate. */
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
 * Starts the program, has clients donate, kills it without warning after a moment by chance, starts it again at once, and
 * so on; the clients send again, with the same key, what was not answered. Then counts.
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
  const done: Round[] = []
  const leftBehind: string[] = []
  let started: RunningKalends = await startKalends(settings)
  let up: Promise<RunningKalends> = Promise.resolve(started)
  let down = false
  const url = async () => (await up).url
  const load = await startLoad({ url, adminKey, clients, random: chance, isFaultActive: () => down })

  try {
    for (let number = 1; number <= rounds; number += 1) {
      const before = load.acknowledged()
      await sleep(300 + chance() * 900)
      // A machine that is busy with other things gets the time it needs: a crash of an idle program proves nothing.
      await waitUntil(() => load.acknowledged() > before)
      const { postmaster, victims } = await crash()
      const began = Date.now()
      up = startKalends(settings)
      started = await up
      down = false
      const round = { number, victims, acknowledged: load.acknowledged(), restartMs: Date.now() - began }
      done.push(round)
      onRound(round)
      if (postmaster !== undefined && (await isServerOn(postmaster, join(env.DATA_DIR ?? '', 'postgres')))) {
        leftBehind.push(`round ${number}: the PostgreSQL of the killed process is still there`)
      }
    }

    await sleep(500)
    const tally = await load.stopAndVerify()
    tally.faults.push(...leftBehind)
    const code = await started.stop()
    if (code !== 0) tally.faults.push(`it stopped with ${code}:\n${started.output()}`)
    return { ...tally, rounds: done, doctor: await runKalends(['doctor'], env) }
  } finally {
    load.abort()
    await started.kill()
  }

  /** Ends the whole process group at once, and sometimes PostgreSQL in the same moment, before or after. */
  async function crash(): Promise<{ postmaster: number | undefined; victims: string }> {
    const postmaster = await findPostmaster(env)
    const dice = chance()
    const order =
      postmaster === undefined || dice < 0.5 ? ['node'] : dice < 0.75 ? ['node', 'postgres'] : ['postgres', 'node']
    down = true
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
