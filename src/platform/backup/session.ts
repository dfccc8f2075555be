import pg from 'pg'
import type { Database } from '../database/database.ts'
import { migrationLock } from '../database/migrate.ts'
import { type Sql, sql } from '../database/sql.ts'
import { buildWithoutOthers } from '../database/transaction.ts'
import { getTypeParser } from '../database/type-parsers.ts'

/** One transaction on its own connection, which also supports COPY. */
export interface ArchiveSession {
  client: pg.Client
  db: Database
}

/** Lets a restore tell this connection from a running server. */
export const applicationName = 'kalends-archive'

/**
 * No statement timeout, but a short lock timeout; and a fixed text format, whatever the server's settings are. `set
 * local`, because a pooler may give the connection to other clients afterwards.
 */
const settings = `
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '2s';
  set local client_encoding = 'UTF8'; set local timezone = 'UTC'; set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres'; set local extra_float_digits = 1; set local bytea_output = 'hex'`

/**
 * Prevents migrations meanwhile. The first query of a transaction takes its snapshot and must not be the one that waits
 * for a migration: `lock table` waits without taking a snapshot. Later migrations wait at the second (advisory) lock,
 * without a timeout; a migration that already holds it gives up and retries later.
 */
const beginStatements = {
  reading: `
    begin isolation level repeatable read read only;
    set local lock_timeout = 0; lock table platform.migrations in share mode;
    select pg_try_advisory_xact_lock_shared(${migrationLock})`,
  writing: `
    begin;
    set local lock_timeout = 0; select pg_advisory_xact_lock(${migrationLock})`,
  locking: 'begin'
}

/** Advisory lock held during a scheduled backup. Any number, as long as nothing else in the database locks it. */
const backupLock = 4_202_611_171

/** Runs `work` unless another process is doing the same; returns undefined then. */
export async function withBackupLock<Result>(
  connection: pg.ClientConfig,
  work: () => Promise<Result>
): Promise<Result | undefined> {
  return await withArchiveSession(connection, 'locking', async ({ db }) => {
    const { locked } = await db.one<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(${backupLock}::bigint) as locked`
    )
    return locked ? await work() : undefined
  })
}

export async function withArchiveSession<Result>(
  connection: pg.ClientConfig,
  purpose: keyof typeof beginStatements,
  work: (session: ArchiveSession) => Promise<Result>
): Promise<Result> {
  const client = new pg.Client({
    ...connection,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: { getTypeParser }
  })
  // Ignore the event: the running statement fails with the error, or else the next one does.
  client.on('error', () => {})
  await client.connect()
  try {
    // Send them one by one: a multi-statement query would take its snapshot before it waits for the lock.
    for (const statement of `${beginStatements[purpose]};${settings}`.split(';')) await client.query(statement)
    const result = await work({ client, db: toDatabase(client) })
    await client.query('commit')
    return result
  } finally {
    // Closing the connection rolls back an open transaction and releases its locks.
    await client.end()
  }
}

function toDatabase(client: pg.Client): Database {
  const ask = async ({ text, values }: Sql) => await client.query(text, [...values])
  const db: Database = {
    all: async statement => (await ask(statement)).rows,
    one: async statement => {
      const { rows } = await ask(statement)
      if (rows.length !== 1) throw new Error(`Expected one row, got ${rows.length}: ${statement.text}`)
      return rows[0]
    },
    maybeOne: async statement => (await ask(statement)).rows[0],
    run: async statement => (await ask(statement)).rowCount ?? 0,
    runAtCommit: async statement => void (await ask(statement)),
    script: async text => {
      await client.query(text)
    },
    transaction: async work => await work(db),
    ...buildWithoutOthers(() => db),
    // No server runs on a database that is restored.
    addChange: () => {}
  }
  return db
}
