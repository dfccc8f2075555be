import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isServerOn, readPidFile } from '#platform/embedded/process.ts'
import { type Ended, kalends, type Started, send, startKalends, until } from './process.ts'
import { campaign, donation } from './support.ts'

/** What came out of killing the program again and again while people donate. */
export interface CrashReport {
  rounds: Round[]
  /** Donations that were answered with 201. */
  acknowledged: number
  /** Requests that had to be sent again with the same key. */
  retried: number
  /** Of those, how many had been done before the crash, so that only the answer came again. */
  replayed: number
  /** Acknowledged, and not there any more, or with another amount. */
  lost: string[]
  /** Keys with more than one donation, and donations that nobody was told of. */
  doubled: string[]
  /** Everything else that must not be: wrong answers, connections that broke without a crash, wrong totals. */
  faults: string[]
  doctor: Ended
}

export interface Round {
  number: number
  /** What was killed. */
  victims: string
  acknowledged: number
  restartMs: number
}

interface Post {
  key: string
  path: string
  amount: number
}

interface Listed {
  id: string
  amount: number
  message: string
}

const adminKey = 'the-key-of-the-crash-harness'
const headers = { authorization: `Bearer ${adminKey}` }

/**
 * Starts the program, has clients donate, kills it without warning after a moment by chance, starts it again at once, and
 * so on; the clients send again, with the same key, what was not answered. Then counts.
 */
export async function crashRounds({
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
  const chance = generator(seed)
  const settings = { LOG_LEVEL: 'warn', ...env, ADMIN_KEY: adminKey }
  const report: CrashReport = {
    rounds: [],
    acknowledged: 0,
    retried: 0,
    replayed: 0,
    lost: [],
    doubled: [],
    faults: [],
    doctor: { code: null, stdout: '', stderr: '' }
  }
  const acknowledged = new Map<string, { id: string; amount: number; path: string }>()
  let started: Started = await startKalends(settings)
  let up: Promise<Started> = Promise.resolve(started)
  let down = false
  let enough = false

  try {
    const paths: string[] = []
    for (const name of ['Flood', 'Fire']) {
      const made = await send(`${started.url}/campaigns`, { method: 'POST', body: { ...campaign, name }, headers })
      paths.push(`/campaigns/${made.body.id}`)
    }
    const people = Array.from({ length: clients }, (_, number) => donate(number, paths))

    for (let number = 1; number <= rounds; number += 1) {
      const before = acknowledged.size
      await sleep(300 + chance() * 900)
      // A machine that is busy with other things gets the time it needs: a crash of an idle program proves nothing.
      await until(() => acknowledged.size > before)
      const { postmaster, victims } = await crash()
      const began = Date.now()
      up = startKalends(settings)
      started = await up
      down = false
      const round = { number, victims, acknowledged: acknowledged.size, restartMs: Date.now() - began }
      report.rounds.push(round)
      onRound(round)
      if (postmaster !== undefined && (await isServerOn(postmaster, join(env.DATA_DIR ?? '', 'postgres')))) {
        report.faults.push(`round ${number}: the PostgreSQL of the killed process is still there`)
      }
    }

    await sleep(500)
    enough = true
    await Promise.all(people)
    report.acknowledged = acknowledged.size
    for (const path of paths) await count(path)
    const code = await started.stop()
    if (code !== 0) report.faults.push(`it stopped with ${code}:\n${started.output()}`)
    report.doctor = await kalends(['doctor'], env)
    return report
  } finally {
    enough = true
    await started.kill()
  }

  /** Ends the whole process group at once, and sometimes PostgreSQL in the same moment, before or after. */
  async function crash(): Promise<{ postmaster: number | undefined; victims: string }> {
    const postmaster = await postmasterOf(env)
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

  async function donate(client: number, paths: string[]): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let number = 0; !enough; number += 1) {
      const post = {
        key: `client-${client}-donation-${number}`,
        path: paths[number % paths.length] ?? '',
        amount: (500 + Math.floor(chance() * 10_000)) / 100
      }
      await untilAcknowledged(post, agent)
    }
    agent.destroy()
  }

  async function untilAcknowledged({ key, path, amount }: Post, agent: Agent): Promise<void> {
    const request = {
      method: 'POST',
      body: { ...donation, amount, message: key },
      headers: { 'idempotency-key': key },
      agent
    }
    for (let attempt = 1; ; attempt += 1) {
      if (attempt > 1) report.retried += 1
      const { url } = await up
      try {
        const { status, body, headers } = await send(`${url}${path}/donations`, request)
        if (status === 201) {
          if (headers['idempotent-replayed'] === 'true') report.replayed += 1
          acknowledged.set(key, { id: body.id, amount, path })
          return
        }
        // Being worked on by a transaction that is about to die with its process, or PostgreSQL was the first to go.
        if (status !== 409 && !(status === 503 && down)) report.faults.push(`${key}: ${status} ${JSON.stringify(body)}`)
      } catch (error) {
        if (!down) report.faults.push(`${key}: ${error}`)
      }
      await sleep(20)
    }
  }

  async function count(path: string): Promise<void> {
    const listed = await listAll(started.url + path)
    const byId = new Map(listed.map(one => [one.id, one]))
    for (const [key, { id, amount, path: to }] of acknowledged) {
      const kept = byId.get(id)
      if (to === path && (kept?.message !== key || kept.amount !== amount)) report.lost.push(`${key}: ${id}, ${amount}`)
    }
    for (const { id, message: key } of listed) {
      if (acknowledged.get(key)?.id !== id) report.doubled.push(`${key}: ${id}`)
    }

    const { body } = await send(started.url + path)
    const cents = listed.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
    if (body.amountDonatedSoFar !== cents / 100 || body.donationCount !== listed.length) {
      const shown = `${body.donationCount} donations, ${body.amountDonatedSoFar}`
      report.faults.push(`${path} shows ${shown}, but has ${listed.length} donations, ${cents / 100}`)
    }
  }
}

/** The pid of the embedded PostgreSQL that runs on the data folder, if that is the store. */
async function postmasterOf({ DATA_DIR, DATABASE_URL }: Record<string, string>): Promise<number | undefined> {
  if (DATA_DIR === undefined || DATABASE_URL !== undefined) return undefined
  const folder = join(DATA_DIR, 'postgres')
  const file = await readPidFile(folder)
  return file !== undefined && (await isServerOn(file.pid, folder)) ? file.pid : undefined
}

async function listAll(url: string): Promise<Listed[]> {
  const all: Listed[] = []
  let next: string | undefined = `${url}/donations?limit=200`
  while (next !== undefined) {
    const page = await send(next, { headers })
    all.push(...page.body)
    next = /<([^>]+)>; rel="next"/.exec(page.headers.link ?? '')?.[1]
  }
  return all
}

/** Numbers from 0 up to 1 by chance, the same ones for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
