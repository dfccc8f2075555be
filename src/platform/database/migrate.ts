import { readdir, readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { connectStore, DatabaseUnavailable } from './postgres.ts'
import { sql } from './sql.ts'

/** A folder of numbered SQL files, `001_what.sql` and so on: the history of one part's tables. */
export interface Migrations {
  part: string
  folder: URL
  /** Of tables that have a row from the start: when somebody has changed it. */
  modifiedWhen?: Record<string, string>
}

/** Whoever changes tables holds it. Any number, as long as nothing else in the database locks it. */
export const migrationLock = 4_202_611_150

/**
 * Whoever wants a table for itself has all others queue behind it: it gives way before they lose their patience, and
 * before PostgreSQL looks for a deadlock (1 s) and may send a donor away for it.
 */
const lockMs = 500
/** How long a file is tried for in the end, while others use its tables. */
const waitMs = 60_000

/** Brings the tables up to date: each file once, in order, alone. Refuses a database that is newer than the program. */
export async function migrate(
  store: { connection: object },
  parts: Migrations[],
  log: Log,
  withinMs = waitMs
): Promise<void> {
  const patient = connectStore(store.connection, { noTimeouts: true, log })
  try {
    for (const { part, folder } of parts) {
      for (const file of await listFiles(folder)) {
        const applied = await retryWhileLocked(withinMs, async () => await applyOnce(patient, part, file, folder))
        if (applied) log.info({ part, file }, 'migrated')
      }
    }
    await refuseNewerDatabase(patient, parts)
  } finally {
    await patient.close()
  }
}

async function listFiles(folder: URL): Promise<string[]> {
  const files = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  for (const [index, name] of files.entries()) {
    if (Number(/^(\d{3})_[a-z0-9_]+\.sql$/.exec(name)?.[1]) !== index + 1) {
      throw new Error(`Migrations are numbered without gaps; ${name} is not number ${index + 1} in ${folder.pathname}.`)
    }
  }
  return files
}

async function applyOnce(db: Database, part: string, file: string, folder: URL): Promise<boolean> {
  return await db.transaction(async tx => {
    // Waits for another process that is at it, however long that takes.
    await tx.script(
      `set local lock_timeout = 0; select pg_advisory_xact_lock(${migrationLock}); set local lock_timeout = ${lockMs}`
    )
    return await apply(tx, part, file, folder)
  })
}

/** Tries again until nobody is in the way. */
async function retryWhileLocked<Result>(withinMs: number, work: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + withinMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isLockConflict(error) || performance.now() > deadline) throw error
      await sleep(100 + Math.random() * 400)
    }
  }
}

/** A lock that was not to be had, or one too many (a deadlock). */
function isLockConflict(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailable)) return false
  const { code } = (error.cause ?? {}) as { code?: string }
  return code === '55P03' || code === '40P01'
}

/** In the transaction of whoever has the lock: all files, or those up to a number of each part. */
export async function migrateInTransaction(
  tx: Database,
  parts: Migrations[],
  upTo?: Record<string, number>
): Promise<void> {
  for (const { part, folder } of parts) {
    const files = await listFiles(folder)
    for (const file of files.slice(0, upTo === undefined ? files.length : (upTo[part] ?? 0))) {
      await apply(tx, part, file, folder)
    }
  }
}

async function apply(tx: Database, part: string, file: string, folder: URL): Promise<boolean> {
  await tx.script(`
    create schema if not exists platform;
    create table if not exists platform.migrations (
      part       text not null,
      number     integer not null,
      name       text not null,
      applied_at timestamptz not null default now(),
      primary key (part, number)
    )`)
  const number = Number(file.slice(0, 3))
  const done = await tx.maybeOne(sql`
    select name from platform.migrations where part = ${part} and number = ${number}`)
  if (done !== undefined) return false

  await tx.script(await readFile(new URL(file, folder), 'utf8'))
  await tx.run(sql`insert into platform.migrations (part, number, name) values (${part}, ${number}, ${file})`)
  return true
}

/** How far each part has come; nothing where there are no tables at all. */
export async function findAppliedVersions(db: Database): Promise<Record<string, number>> {
  const { found } = await db.one<{ found: boolean }>(
    sql`select to_regclass('platform.migrations') is not null as found`
  )
  if (!found) return {}
  const rows = await db.all<{ part: string; number: number }>(sql`
    select part, max(number) as number from platform.migrations group by part order by part collate "C"`)
  return Object.fromEntries(rows.map(({ part, number }) => [part, number]))
}

/** How far the program knows the way. */
export async function findKnownVersions(parts: Migrations[]): Promise<Record<string, number>> {
  const known = parts.map(async ({ part, folder }) => [part, (await listFiles(folder)).length] as const)
  return Object.fromEntries(await Promise.all(known))
}

export async function refuseNewerDatabase(db: Database, parts: Migrations[]): Promise<void> {
  const [applied, known] = [await findAppliedVersions(db), await findKnownVersions(parts)]
  for (const [part, number] of Object.entries(known)) {
    const newest = applied[part] ?? 0
    if (newest > number) {
      throw new Error(
        `This database is newer than this program: its ${part} tables are at version ${newest}, ` +
          `the program knows ${number}. Install the newer Kalends again, or restore a backup from before the upgrade.`
      )
    }
  }
}
