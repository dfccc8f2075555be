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

/** The cluster that deploy/ha/start starts, with operations on it. */
export interface Cluster {
  url: string
  /** The settings of the database, for commands. */
  env: Record<string, string>
  /** The role of each node, as Patroni reports it. */
  roles(): Promise<Record<string, string>>
  /** The primary, its synchronous standby, and the third node. */
  places(): Promise<{ primary: NodeName; standby: NodeName; third: NodeName }>
  /** Waits until all nodes run, one of them is the synchronous standby, and both Kalends processes are ready. */
  untilWhole(): Promise<void>
  /** Sends a signal to all processes of a machine, or to some of them. */
  signal(signal: NodeJS.Signals, name: Name, only?: 'patroni' | 'postmaster' | 'senders'): void
  /** Starts the given processes that do not run; without names, all. */
  start(...names: Name[]): Promise<void>
  query<Row>(statement: string): Promise<Row[]>
}

/** A long timeout: it is reached only if the cluster is broken. */
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
  /** Asynchronous, because the clients run in this process. */
  async function start(...names: Name[]): Promise<void> {
    const env = { ...process.env, ...settings }
    const child = spawn(program('start'), [folder, ...names], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    starting.add(child)
    const [code] = await once(child, 'exit')
    starting.delete(child)
    if (code !== 0) throw new Error(`deploy/ha/start ended with ${code}; its logs are in ${folder}/log.`)
  }
  await start()
  const readSecret = (role: string) => readFileSync(join(folder, `${role}.secret`), 'utf8')
  const database = `postgres://kalends:${readSecret('kalends')}@${front}:5432/kalends`

  async function roles(): Promise<Record<string, string>> {
    for (const name of nodes) {
      const response = await fetchText(`http://${getAddress(name)}:8008/cluster`)
      if (response === undefined) continue
      const { members } = JSON.parse(response) as { members: { name: string; role: string; state: string }[] }
      return Object.fromEntries(members.map(({ name, role, state }) => [name, isUp(state) ? role : state]))
    }
    return {}
  }

  /** The number of streaming standbys, from the primary: the roles from Patroni can be outdated by one lease. */
  async function countStandbys(): Promise<number> {
    const url = `postgres://postgres:${readSecret('superuser')}@${front}:5432/postgres`
    const rows = await query<{ count: string }>(
      url,
      `select count(*) from pg_stat_replication where state = 'streaming'`
    ).catch(() => [])
    return Number(rows[0]?.count)
  }

  return {
    url: `http://${front}:8080`,
    env: { DATABASE_URL: database, ENCRYPTION_KEY: readSecret('encryption') },
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
        const responses = await Promise.all(apis.map(address => fetchText(`http://${address}:8080/readyz`)))
        const isWhole = found.join() === 'leader,replica,sync_standby' && !responses.includes(undefined)
        return isWhole && (await countStandbys()) === 2
      }, wholeMs),

    signal: (signal, name, only) => {
      for (const pid of findProcesses(folder, name, only)) kill(pid, signal)
    },
    start,

    query: async <Row>(statement: string) => await query<Row>(database, statement)
  }
}

/** Without rate limits: the few clients send many requests, all from one address. */
const settings = {
  ADMIN_KEY: adminKey,
  LOG_LEVEL: 'warn',
  RATE_LIMIT: '0',
  RATE_LIMIT_DONATIONS: '0',
  RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0'
}
const apis = ['127.0.0.14', '127.0.0.15']
const getAddress = (name: NodeName) => `127.0.0.1${name.at(-1)}`
const isUp = (state: string) => state === 'running' || state === 'streaming'

async function query<Row>(connectionString: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000, query_timeout: 20_000 })
  // A broken connection also rejects the statement.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows as Row[]
  } finally {
    await client.end()
  }
}

async function fetchText(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1000) })
    return response.ok ? await response.text() : undefined
  } catch {
    // The node is stopped, frozen or refuses connections, which the caller expects.
    return undefined
  }
}

/** The ids of all processes of one "machine", or of some of them. */
function findProcesses(folder: string, name: Name, only?: 'patroni' | 'postmaster' | 'senders'): number[] {
  const main = readPid(join(folder, 'run', `${name}.pid`))
  const postmaster = readPid(join(folder, name, 'data', 'postmaster.pid'))
  const children = postmaster.flatMap(findChildren)
  if (only === 'patroni') return main
  if (only === 'postmaster') return postmaster
  if (only === 'senders') return children.filter(pid => /walsender/.test(readTitle(pid)))
  // Patroni first, because it would react to the end of the others.
  return [...main, ...postmaster, ...main.flatMap(findChildren), ...children]
}

function readPid(file: string): number[] {
  try {
    const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0])
    return pid > 1 ? [pid] : []
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function findChildren(parent: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1]) === parent)
}

const readTitle = (pid: number) => read(`/proc/${pid}/cmdline`)

/** Empty if the process has ended in the meantime. */
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
