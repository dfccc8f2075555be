import { readdir, readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import { connectStore } from './postgres.ts'
import { sql } from './sql.ts'

/** A folder of numbered SQL files, `001_what.sql` and so on: the history of one part's tables. */
export interface Migrations {
  part: string
  folder: URL
  /** For tables that have a row from the start: the condition under which it was changed since. */
  modifiedWhen?: Record<string, string>
}

/** Advisory lock held while tables change. Any number, as long as nothing else in the database locks it. */
export const migrationLock = 4_202_611_150

/**
 * All other statements queue behind a migration that waits for an exclusive lock on a table: it gives up before they
 * time out, and before PostgreSQL looks for a deadlock (1 s) and may abort a donation for it.
 */
const lockMs = 500
/** How long a file is retried in all, while other transactions use its tables. */
const waitMs = 60_000

/** Brings the tables up to date: each file once, in order, in one process at a time. Refuses a newer database. */
export async function migrate(
  store: { connection: object },
  parts: Migrations[],
  log: Log,
  withinMs = waitMs
): Promise<void> {
  const patient = connectStore(store.connection, { noTimeouts: true, log })
  try {
    const applied = await listApplied(patient)
    for (const { part, folder } of parts) {
      for (const file of await listFiles(folder)) {
        if (applied.has(`${part} ${readNumber(file)}`)) continue
        const isNew = await retryWhileLocked(withinMs, async () => await applyOnce(patient, part, file, folder))
        if (isNew) log.info({ part, file }, 'migrated')
      }
    }
    await refuseNewerDatabase(patient, parts)
  } finally {
    await patient.close()
  }
}

/**
 * The applied files of all parts, as `part number`. Read without the lock, because most starts find nothing to apply; what
 * is missing here is looked up again under the lock.
 */
async function listApplied(db: Database): Promise<Set<string>> {
  if (!(await hasMigrationsTable(db))) return new Set()
  const rows = await db.all<{ part: string; number: number }>(sql`select part, number from platform.migrations`)
  return new Set(rows.map(({ part, number }) => `${part} ${number}`))
}

async function hasMigrationsTable(db: Database): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(
    sql`select to_regclass('platform.migrations') is not null as found`
  )
  return found
}

const readNumber = (file: string) => Number(file.slice(0, 3))

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
    // Waits for another process that is migrating, however long that takes.
    await tx.script(
      `set local lock_timeout = 0; select pg_advisory_xact_lock(${migrationLock}); set local lock_timeout = ${lockMs}`
    )
    return await apply(tx, part, file, folder)
  })
}

/** Retries until no other transaction is in the way, or the time is up. */
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

/** A lock that was not available, or a deadlock. */
function isLockConflict(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailable)) return false
  const { code } = (error.cause ?? {}) as { code?: string }
  return code === '55P03' || code === '40P01'
}

/** For a transaction that holds the lock: applies all files, or those up to a number for each part. */
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
  const number = readNumber(file)
  const done = await tx.maybeOne(sql`
    select name from platform.migrations where part = ${part} and number = ${number}`)
  if (done !== undefined) return false

  await tx.script(await readFile(new URL(file, folder), 'utf8'))
  await tx.run(sql`insert into platform.migrations (part, number, name) values (${part}, ${number}, ${file})`)
  return true
}

/** The newest applied migration of each part; empty if there are no tables at all. */
export async function findAppliedVersions(db: Database): Promise<Record<string, number>> {
  if (!(await hasMigrationsTable(db))) return {}
  const rows = await db.all<{ part: string; number: number }>(sql`
    select part, max(number) as number from platform.migrations group by part order by part collate "C"`)
  return Object.fromEntries(rows.map(({ part, number }) => [part, number]))
}

/** The newest migration of each part that this program has. */
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
