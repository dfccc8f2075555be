import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { waitUntil } from '../kalends-process.ts'
import { root } from '../project-root.ts'
import { adminKey } from '../services.ts'

export type NodeName = 'node1' | 'node2' | 'node3'
export type ApiName = 'kalends1' | 'kalends2'
export type Name = NodeName | ApiName | 'etcd1' | 'etcd2' | 'etcd3' | 'haproxy'

export const nodes: NodeName[] = ['node1', 'node2', 'node3']
export const members: Name[] = ['etcd1', 'etcd2', 'etcd3']

/** What deploy/ha/start brings up, and what can be done to it. */
export interface Cluster {
  url: string
  /** The settings that lead to the database, for commands. */
  env: Record<string, string>
  /** What Patroni says of each node that answers. */
  roles(): Promise<Record<string, string>>
  /** The primary, its synchronous standby, and the third. */
  places(): Promise<{ primary: NodeName; standby: NodeName; third: NodeName }>
  /** Until all nodes run, one of them confirms what the primary writes, and both processes answer. */
  untilWhole(): Promise<void>
  /** Sends a signal to all processes of a machine, or to some of them. */
  signal(signal: NodeJS.Signals, name: Name, only?: 'patroni' | 'postmaster' | 'senders'): void
  /** Starts what does not run any more. */
  start(...names: Name[]): Promise<void>
  query<Row>(statement: string): Promise<Row[]>
}

/** Generous: it only decides how long a broken cluster is waited for. */
const wholeMs = 120_000
const front = '127.0.0.10'

const program = (name: 'start' | 'stop') => join(root, 'deploy', 'ha', name)
const starting = new Set<ChildProcess>()

/** Also stops processes that are still starting. Synchronous, because it runs when the process exits. */
export function stopCluster(folder: string): void {
  for (const child of starting) child.kill()
  spawnSync(program('stop'), [folder], { stdio: ['ignore', 'ignore', 'inherit'] })
}

export async function startCluster(folder: string): Promise<Cluster> {
  /** Not waited for by standing still: the clients live in this process. */
  async function start(...names: Name[]): Promise<void> {
    const env = { ...process.env, ...settings }
    const child = spawn(program('start'), [folder, ...names], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    starting.add(child)
    const [code] = await once(child, 'exit')
    starting.delete(child)
    if (code !== 0) throw new Error(`deploy/ha/start ended with ${code}; its logs are in ${folder}/log.`)
  }
  await start()
  const secretOf = (role: string) => readFileSync(join(folder, `${role}.secret`), 'utf8')
  const database = `postgres://kalends:${secretOf('kalends')}@${front}:5432/kalends`

  async function roles(): Promise<Record<string, string>> {
    for (const name of nodes) {
      const answer = await ask(`http://${addressOf(name)}:8008/cluster`)
      if (answer === undefined) continue
      const { members } = JSON.parse(answer) as { members: { name: string; role: string; state: string }[] }
      return Object.fromEntries(members.map(({ name, role, state }) => [name, isUp(state) ? role : state]))
    }
    return {}
  }

  /** What Patroni says of a node may be a lease old; the primary knows who is with it now. */
  async function followers(): Promise<number> {
    const url = `postgres://postgres:${secretOf('superuser')}@${front}:5432/postgres`
    const rows = await query<{ count: string }>(
      url,
      `select count(*) from pg_stat_replication where state = 'streaming'`
    ).catch(() => [])
    return Number(rows[0]?.count)
  }

  return {
    url: `http://${front}:8080`,
    env: { DATABASE_URL: database, ENCRYPTION_KEY: secretOf('encryption') },
    roles,

    places: async () => {
      const found = await roles()
      const primary = nodes.find(name => found[name] === 'leader')
      const standby = nodes.find(name => found[name] === 'sync_standby')
      const third = nodes.find(name => name !== primary && name !== standby)
      if (primary === undefined || standby === undefined || third === undefined) {
        throw new Error(`The cluster is not whole: ${JSON.stringify(found)}`)
      }
      return { primary, standby, third }
    },

    untilWhole: async () =>
      await waitUntil(async () => {
        const found = Object.values(await roles()).sort()
        const answers = await Promise.all(apis.map(address => ask(`http://${address}:8080/readyz`)))
        const isWhole = found.join() === 'leader,replica,sync_standby' && !answers.includes(undefined)
        return isWhole && (await followers()) === 2
      }, wholeMs),

    signal: (signal, name, only) => {
      for (const pid of processesOf(folder, name, only)) kill(pid, signal)
    },
    start,

    query: async <Row>(statement: string) => await query<Row>(database, statement)
  }
}

/** Clients here are few and quick, and all from one address. */
const settings = {
  ADMIN_KEY: adminKey,
  LOG_LEVEL: 'warn',
  RATE_LIMIT: '0',
  RATE_LIMIT_DONATIONS: '0',
  RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0'
}
const apis = ['127.0.0.14', '127.0.0.15']
const addressOf = (name: NodeName) => `127.0.0.1${name.at(-1)}`
const isUp = (state: string) => state === 'running' || state === 'streaming'

async function query<Row>(connectionString: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000, query_timeout: 20_000 })
  // Whoever breaks it says so to the statement too.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows as Row[]
  } finally {
    await client.end()
  }
}

async function ask(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1000) })
    return answer.ok ? await answer.text() : undefined
  } catch {
    // Dead, frozen or refusing: no answer is an answer here.
    return undefined
  }
}

/** Everything that runs on one "machine", or what is asked for of it. */
function processesOf(folder: string, name: Name, only?: 'patroni' | 'postmaster' | 'senders'): number[] {
  const main = pidIn(join(folder, 'run', `${name}.pid`))
  const postmaster = pidIn(join(folder, name, 'data', 'postmaster.pid'))
  const children = postmaster.flatMap(childrenOf)
  if (only === 'patroni') return main
  if (only === 'postmaster') return postmaster
  if (only === 'senders') return children.filter(pid => /walsender/.test(titleOf(pid)))
  // The one that would notice first and tell goes first.
  return [...main, ...postmaster, ...main.flatMap(childrenOf), ...children]
}

function pidIn(file: string): number[] {
  try {
    const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0])
    return pid > 1 ? [pid] : []
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1]) === parent)
}

const titleOf = (pid: number) => read(`/proc/${pid}/cmdline`)

/** Empty for a process that has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
