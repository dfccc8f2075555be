import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from './database.ts'
import {
  CommitInDoubt,
  DatabaseUnavailable,
  isConnectionError,
  isOfFailedTransaction,
  toUnavailable
} from './errors.ts'
import type { Sql } from './sql.ts'
import { timeouts } from './timeouts.ts'

/** The read and write methods, on top of any function that runs a statement. */
export function buildQueryMethods(
  query: (statement: Sql) => Promise<pg.QueryResult>
): Pick<Database, 'all' | 'one' | 'maybeOne' | 'run'> {
  return {
    all: async statement => (await query(statement)).rows,
    one: async statement => {
      const { rows } = await query(statement)
      if (rows.length !== 1) throw new Error(`Expected one row, got ${rows.length}: ${statement.text}`)
      return rows[0]
    },
    maybeOne: async statement => {
      const { rows } = await query(statement)
      if (rows.length > 1) throw new Error(`Expected at most one row, got ${rows.length}: ${statement.text}`)
      return rows[0]
    },
    run: async statement => (await query(statement)).rowCount ?? 0
  }
}

/** Sends a prepared statement; an error of the connection becomes `DatabaseUnavailable`. */
export async function sendStatement(
  client: pg.ClientBase,
  { name, text, values }: Sql,
  deadline = Number.POSITIVE_INFINITY
): Promise<pg.QueryResult> {
  try {
    const result = await client.query(withDeadline(deadline, { name, text, values: values as unknown[] }))
    requireReplicatedCommits(client)
    return result
  } catch (error) {
    // Statements that are sent together fail together: the caller has to learn the reason first.
    if (isOfFailedTransaction(error)) await setImmediate()
    throw isConnectionError(error) ? toUnavailable(error) : error
  }
}

/** The statement with the remaining time as its timeout, if that is shorter than the default. */
export function withDeadline(deadline: number, query: pg.QueryConfig): pg.QueryConfig & { query_timeout?: number } {
  const leftMs = getTimeLeft(deadline)
  return leftMs === undefined ? query : { ...query, query_timeout: leftMs }
}

/** The remaining time, if it is shorter than the default timeout of a statement. */
function getTimeLeft(deadline: number): number | undefined {
  if (deadline === Number.POSITIVE_INFINITY) return undefined
  const leftMs = Math.floor(deadline - performance.now())
  if (leftMs <= 0) throw new DatabaseUnavailable('The transaction took too long.')
  return leftMs < timeouts.query_timeout ? leftMs : undefined
}

/** Clients on which PostgreSQL has reported a commit that may not have been replicated. */
const clientsInDoubt = new WeakSet<pg.ClientBase>()

/**
 * A commit that waits for a standby can be cancelled, by an administrator or a proxy. PostgreSQL then warns that it may
 * not have been replicated, and still reports success.
 */
export function watchReplication(client: pg.ClientBase): void {
  client.on('notice', ({ routine }) => {
    // The PostgreSQL function that warned: unlike the message it is not translated.
    if (routine === 'SyncRepWaitForLSN') clientsInDoubt.add(client)
  })
}

/** After such a warning the outcome is unknown, as after a broken connection: the client is not used again. */
export function requireReplicatedCommits(client: pg.ClientBase): void {
  if (clientsInDoubt.has(client)) throw new CommitInDoubt('A commit may not have been replicated.')
}
