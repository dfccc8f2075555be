// Databases of tests on a Citus cluster that exists already: CITUS_DATABASE_URL is a database on its coordinator.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { root } from './project-root.ts'

/** A node of the cluster, as its coordinator reaches it. */
interface Node {
  host: string
  port: number
  isCoordinator: boolean
}

/** Why the tests cannot run on Citus, in one sentence; undefined if they can. */
export async function findCitusProblem(url: string | undefined): Promise<string | undefined> {
  if (!url) return 'CITUS_DATABASE_URL is not set: it names a database on the coordinator of a Citus cluster.'
  try {
    const workers = (await listNodes(url)).filter(({ isCoordinator }) => !isCoordinator)
    return workers.length > 0 ? undefined : 'The database of CITUS_DATABASE_URL has no workers in pg_dist_node.'
  } catch (error) {
    return `The database of CITUS_DATABASE_URL is no coordinator of Citus: ${error instanceof Error ? error.message : error}`
  }
}

async function listNodes(url: string): Promise<Node[]> {
  return await query(
    url,
    `select nodename as host, nodeport as port, groupid = 0 as "isCoordinator"
    from pg_dist_node where isactive and noderole = 'primary' order by nodeid`
  )
}

/** Makes the database of the coordinator, which is migrated, one of the cluster, and distributes its tables as deploy/citus.sql says. */
export async function distribute(server: string, url: string): Promise<void> {
  const nodes = await listNodes(server)
  const name = new URL(url).pathname.slice(1)
  for (const { host, port } of nodes.filter(({ isCoordinator }) => !isCoordinator)) {
    await query(toNodeUrl(server, { host, port }), `create database ${name}`)
    await query(toNodeUrl(url, { host, port }), 'create extension citus')
  }
  await query(url, 'create extension citus')
  for (const { host, port, isCoordinator } of nodes) {
    await query(url, `select ${isCoordinator ? 'citus_set_coordinator_host' : 'citus_add_node'}('${host}', ${port})`)
  }
  const plan = readFileSync(join(root, 'deploy', 'citus.sql'), 'utf8')
  // Few shards, because a test has few campaigns; each worker has some.
  await query(url, `set citus.shard_count = 4; ${plan}`)
}

/** Drops the database on all nodes. */
export async function dropEverywhere(server: string, name: string): Promise<void> {
  const nodes = await listNodes(server)
  await query(server, `drop database ${name} with (force)`)
  for (const { host, port } of nodes.filter(({ isCoordinator }) => !isCoordinator)) {
    await query(toNodeUrl(server, { host, port }), `drop database ${name} with (force)`)
  }
}

function toNodeUrl(url: string, { host, port }: Pick<Node, 'host' | 'port'>): string {
  const node = new URL(url)
  node.hostname = host
  node.port = String(port)
  return node.href
}

async function query<Row>(url: string, statements: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return [await client.query(statements)].flat().at(-1)?.rows ?? []
  } finally {
    await client.end()
  }
}
