import pg from 'pg'
import type { Database } from '../database/database.ts'
import { migrationLock } from '../database/migrate.ts'
import { getTypeParser } from '../database/postgres.ts'
import type { Sql } from '../database/sql.ts'

/** One transaction on a connection of its own, which also speaks COPY. */
export interface ArchiveSession {
  client: pg.Client
  db: Database
}

/** What others see of this connection, so that a restore can tell it from a program that serves. */
export const applicationName = 'kalends-archive'

/**
 * Takes as long as it takes, but waits long for no other lock; and everything is written in one way, whatever the server's
 * settings are. For the transaction only: a pooler may give the connection to others afterwards.
 */
const settings = `
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '2s';
  set local client_encoding = 'UTF8'; set local timezone = 'UTC'; set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres'; set local extra_float_digits = 1; set local bytea_output = 'hex'`

/**
 * Tables keep their form meanwhile. What a reader sees is decided by its first statement, and that must not be the one
 * that waits for somebody who is changing tables: `lock table` waits without seeing anything. Whoever wants to change
 * them then waits at the second lock, where waiting has no end; who was already past it gives up and tries again later.
 */
const beginStatements = {
  reading: `
    begin isolation level repeatable read read only;
    set local lock_timeout = 0; lock table platform.migrations in share mode;
    select pg_try_advisory_xact_lock_shared(${migrationLock})`,
  writing: `
    begin;
    set local lock_timeout = 0; select pg_advisory_xact_lock(${migrationLock})`
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
  // The statement under way fails and tells; between two of them the next one does.
  client.on('error', () => {})
  await client.connect()
  try {
    // One by one: sent together they would be one statement, which sees what there was before it waited.
    for (const statement of `${beginStatements[purpose]};${settings}`.split(';')) await client.query(statement)
    const result = await work({ client, db: toDatabase(client) })
    await client.query('commit')
    return result
  } finally {
    // What was not committed is gone with the connection, and so are the locks.
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
    script: async text => {
      await client.query(text)
    },
    transaction: async work => await work(db)
  }
  return db
}
