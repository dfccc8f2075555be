// The least that any donation service does: one durable row per donation. What a donation costs is compared with it.
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { findDebianServer } from '#test/support/postgres-server.ts'
import { readServerCpuMs } from './cpu-time.ts'
import type { Environment, Sample } from './environment.ts'
import { connections, pgbenchSeconds } from './options.ts'

const table = `create table if not exists public.bare_donations (
  id uuid primary key, campaign_id integer not null, amount_cents integer not null, donor_name text not null, created_at timestamptz not null
)`
const insert = (campaign: string) =>
  `insert into public.bare_donations values (gen_random_uuid(), ${campaign}, 2500, 'Ada Lovelace', now())`

/** Used where pgbench is not installed. More clients in one process of Node do not make it faster. */
const clientsWithoutPgbench = 16

const pgbench = join(findDebianServer() ?? '', 'pgbench')
const hasPgbench = findDebianServer() !== undefined && existsSync(pgbench)
export const bareInsertName = hasPgbench
  ? 'bare one-row insert by pgbench'
  : `bare one-row insert by pg, ${clientsWithoutPgbench} clients`

export async function newBareInsert(environment: Environment, databaseUrl: string): Promise<() => Promise<Sample>> {
  const store = environment.store(databaseUrl)
  await store.script(table)
  await store.close()
  const script = join(environment.folder, 'bare-insert.sql')
  writeFileSync(script, `\\set campaign random(1, 100)\n${insert(':campaign')};\n`)
  return async () => {
    const before = readServerCpuMs(environment.postgresPid)
    const perSecond = hasPgbench ? await runPgbench(script, databaseUrl) : await insertWithoutPgbench(databaseUrl)
    const cpuMs = readServerCpuMs(environment.postgresPid) - before
    const microseconds = (cpuMs * 1000) / (perSecond * pgbenchSeconds)
    return { perSecond, p99Ms: Number.NaN, cpuMicroseconds: microseconds, databaseMicroseconds: microseconds }
  }
}

async function runPgbench(script: string, databaseUrl: string): Promise<number> {
  const options = ['-n', '-M', 'prepared', '-c', connections, '-j', 1, '-T', pgbenchSeconds, '-f', script, databaseUrl]
  const child = spawn(pgbench, options.map(String), { stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const perSecond = Number(/tps = ([\d.]+)/.exec(output)?.[1])
  if (!(perSecond > 0)) throw new Error(`pgbench failed:\n${errors}`)
  return perSecond
}

async function insertWithoutPgbench(databaseUrl: string): Promise<number> {
  const clients = Array.from({ length: clientsWithoutPgbench }, () => new pg.Client(databaseUrl))
  await Promise.all(clients.map(async client => await client.connect()))
  const end = performance.now() + pgbenchSeconds * 1000
  let inserted = 0
  await Promise.all(
    clients.map(async (client, index) => {
      while (performance.now() < end) {
        await client.query({ name: 'insert', text: insert('$1'), values: [index + 1] })
        inserted += 1
      }
    })
  )
  await Promise.all(clients.map(async client => await client.end()))
  return inserted / pgbenchSeconds
}
