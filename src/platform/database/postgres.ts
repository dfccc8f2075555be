import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import { type Change, collectChanges } from './after-commit.ts'
import { batchUntilImmediate } from './batch-until-immediate.ts'
import type { Database, Store } from './database.ts'
import { CachedDescribeQuery, coalesceWrites, failUnreplicatedCommits } from './pg-extensions.ts'
import { type Sql, sql } from './sql.ts'

/** PostgreSQL cannot be reached, is shutting down, or did not respond in time: not a bug, worth a retry. */
export class DatabaseUnavailable extends Error {}

/** Thrown inside a transaction: roll back and run the work again, because a random value was already taken. */
export class RetryTransaction extends Error {}

/** A caller gets "unavailable" after five seconds at the latest, so all timeouts below are a little shorter. */
const transactionMs = 4800
const timeouts = {
  connectionTimeoutMillis: 2000,
  query_timeout: 4500,
  statement_timeout: 4000,
  // Longer than the second after which PostgreSQL looks for a deadlock: that is worth a retry, a lock is not.
  lock_timeout: 1500,
  idle_in_transaction_session_timeout: 10_000
}

/** For a replica, which is never the only server to ask, and is never written to. */
const replicaTimeouts = { ...timeouts, connectionTimeoutMillis: 1000, query_timeout: 1500, statement_timeout: 1400 }

/** For commands and migrations, which may take as long as they need but never wait long for a lock. */
const commandTimeouts = { connectionTimeoutMillis: 10_000, lock_timeout: 2000 }

/** Single statements of all requests share these clients: with pipelining four do the work of many. */
const pipelinedClients = 4
/** Transactions need a client each. */
const transactionClientsMax = 16
/** Statements in flight at once; one more would only wait until its timeout. */
const pendingMax = 4000
const attemptsMax = 5
/** Longer than any statement in flight takes: do not wait for a database that does not even answer the disconnect. */
const closeMs = 5000

interface ConnectOptions {
  noTimeouts: boolean
  log: Log
  /** Reads only, over one connection, so that it is the same server until that connection breaks. */
  asReplica?: { onBreak: () => void }
}

export function connectStore(connection: pg.ClientConfig, { noTimeouts, log, asReplica }: ConnectOptions): Store {
  const readOnly = asReplica === undefined ? '' : ' -c default_transaction_read_only=on'
  const config: pg.ClientConfig = {
    ...(asReplica !== undefined ? replicaTimeouts : noTimeouts ? commandTimeouts : timeouts),
    ...connection,
    application_name: 'kalends',
    // Statements here are short: JIT compilation takes longer than running them. Rows are in memory or on flash, where
    // a random read costs hardly more than a sequential one.
    options: `-c TimeZone=UTC -c jit=off -c random_page_cost=1.1${readOnly}`,
    keepAlive: true,
    types: { getTypeParser },
    // Not in the typings yet.
    ...{ pipeline: true }
  }
  const clients = asReplica === undefined ? pipelinedClients : 1
  const pipelined = Array.from({ length: clients }, () => newPipelinedClient(config, log, asReplica?.onBreak))
  const pool = new pg.Pool({ ...config, max: transactionClientsMax })
  pool.on('connect', client => {
    coalesceWrites(client)
    failUnreplicatedCommits(client)
  })
  pool.on('error', error => {
    // A pool ends before all of its clients have: errors of its clients are then of no interest.
    if (!pool.ending) log.warn({ err: error }, 'idle database connection lost')
  })

  const listeners = new Set<(changes: Change[]) => void>()
  const notifyCommit = (changes: Change[]) => {
    for (const listener of listeners) listener(changes)
  }

  let chosenClient: PipelinedClient | undefined
  let pending = 0
  /** Statements of one turn of the event loop use the same client, so that they are sent together. */
  function chooseClient(): PipelinedClient {
    if (chosenClient === undefined) {
      chosenClient = pipelined.reduce((freest, line) => (line.pending() < freest.pending() ? line : freest))
      batchUntilImmediate(() => {
        chosenClient = undefined
      })
    }
    return chosenClient
  }
  async function query(statement: Sql): Promise<pg.QueryResult> {
    if (pending >= pendingMax) throw new DatabaseUnavailable('Too many statements are waiting.')
    pending += 1
    try {
      return await chooseClient().query(statement)
    } finally {
      pending -= 1
    }
  }

  return {
    ...buildQueryMethods(query),
    connection,

    script: async text => {
      const client = await checkoutClient(pool)
      await withClient(client, Number.POSITIVE_INFINITY, async () => {
        await client.query(text)
      })
    },

    transaction: async work => {
      // Not by the wall clock, which may be set meanwhile.
      const deadline = noTimeouts ? Number.POSITIVE_INFINITY : performance.now() + transactionMs
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await attemptTransaction(pool, deadline, work, notifyCommit)
        } catch (error) {
          if (!isRetryable(error)) throw error
          if (attempt === attemptsMax)
            throw new DatabaseUnavailable('The transaction kept colliding.', { cause: error })
          await sleep(Math.random() * 20 * attempt)
        }
      }
    },

    onCommit: listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    ping: async () => {
      const answered = await Promise.race([query(sql`select 1`), sleep(500, undefined, { ref: false })])
      if (answered === undefined) throw new DatabaseUnavailable('No answer within half a second.')
    },

    close: async () => {
      const closed = Promise.all([...pipelined.map(line => line.close()), pool.end()])
      await Promise.race([closed, sleep(closeMs, undefined, { ref: false })])
    }
  }
}

/** The read and write methods, on top of any function that runs a statement. */
function buildQueryMethods(
  query: (statement: Sql) => Promise<pg.QueryResult>
): Omit<Database, 'script' | 'transaction'> {
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

interface PipelinedClient {
  query(statement: Sql): Promise<pg.QueryResult>
  /** Statements in flight. */
  pending(): number
  close(): Promise<void>
}

/** A pipelined client that connects when it is first needed, and again after its connection broke. */
function newPipelinedClient(config: pg.ClientConfig, log: Log, onBreak = () => {}): PipelinedClient {
  let current: Promise<pg.Client> | undefined
  let pending = 0

  async function open(): Promise<pg.Client> {
    const client = new pg.Client(config)
    const forget = () => {
      if (current === opening) current = undefined
      onBreak()
    }
    client.on('error', error => {
      log.warn({ err: error }, 'database connection lost')
      forget()
    })
    client.on('end', forget)
    const opening = current
    try {
      await client.connect()
      coalesceWrites(client)
      failUnreplicatedCommits(client)
    } catch (error) {
      forget()
      throw toUnavailable(error)
    }
    return client
  }

  return {
    query: async statement => {
      if (current === undefined) {
        // Assigned before any await, so that concurrent statements wait for the same client.
        const opened = Promise.resolve().then(open)
        current = opened
      }
      const used = current
      pending += 1
      try {
        return await sendStatement(await used, statement)
      } catch (error) {
        // This node was the primary when the client connected; the next statement may reach the current one.
        if (isStandbyError(error) && current === used) {
          current = undefined
          used.then(client => client.end(), ignoreUnopened)
        }
        throw error
      } finally {
        pending -= 1
      }
    },
    pending: () => pending,
    close: async () => {
      const closing = current
      current = undefined
      if (closing !== undefined) await closing.then(client => client.end(), ignoreUnopened)
    }
  }
}

/** A client that never connected needs no closing; the statement that needed it has thrown the error. */
function ignoreUnopened(): void {}

async function attemptTransaction<Result>(
  pool: pg.Pool,
  deadline: number,
  work: (tx: Database) => Promise<Result>,
  announce: (changes: Change[]) => void
): Promise<Result> {
  const client = await checkoutClient(pool)
  return await withClient(client, deadline, async () => {
    const tx: Database = {
      ...buildQueryMethods(statement => sendStatement(client, statement, deadline)),
      script: async text => {
        await client.query(text)
      },
      transaction: async inner => await inner(tx)
    }
    const changes = collectChanges(tx)

    // Not awaited, so that the first statement is sent along with it.
    const begun = client.query(withDeadline(deadline, { text: 'begin' }))
    begun.catch(ignoreUntilCommit)
    const result = await work(tx)
    await begun
    const committed = await client.query(withDeadline(deadline, { text: 'commit' }))
    // PostgreSQL answers the commit of a failed transaction with a rollback.
    if (committed.command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back.')
    if (changes.length > 0) announce(changes)
    return result
  })
}

/** The error of `begin` is thrown where it is awaited; until then it must not count as unhandled. */
function ignoreUntilCommit(): void {}

async function checkoutClient(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw toUnavailable(error)
  }
}

/** Releases the client: as it is after success, rolled back after an error, destroyed if it may be broken. */
async function withClient<Result>(
  client: pg.PoolClient,
  deadline: number,
  work: () => Promise<Result>
): Promise<Result> {
  // An error between two statements has no other listener; the next statement fails and reports it.
  const onError = () => {}
  client.on('error', onError)
  const releaseClient = (broken: boolean) => {
    client.off('error', onError)
    client.release(broken)
  }

  try {
    const result = await work()
    releaseClient(false)
    return result
  } catch (error) {
    const reason = isConnectionError(error) ? toUnavailable(error) : error
    releaseClient(reason instanceof DatabaseUnavailable || !(await tryRollback(client, deadline)))
    throw reason
  }
}

async function tryRollback(client: pg.PoolClient, deadline: number): Promise<boolean> {
  try {
    await client.query(withDeadline(deadline, { text: 'rollback' }))
    return true
  } catch {
    return false
  }
}

/** The statement with the remaining time as its timeout, if that is shorter than the default. */
function withDeadline(deadline: number, query: pg.QueryConfig): pg.QueryConfig & { query_timeout?: number } {
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

async function sendStatement(
  client: pg.ClientBase,
  { name, text, values }: Sql,
  deadline = Number.POSITIVE_INFINITY
): Promise<pg.QueryResult> {
  const leftMs = getTimeLeft(deadline)
  return await new Promise((resolve, reject) => {
    // The driver takes long to copy a config object, so it gets the text alone.
    const query = new CachedDescribeQuery(text, undefined, (error, result) => {
      if (error) reject(isConnectionError(error) ? toUnavailable(error) : error)
      else resolve(result)
    })
    query.name = name
    query.values = values
    if (leftMs !== undefined) query.query_timeout = leftMs
    client.query(query as unknown as pg.Submittable)
  })
}

function isRetryable(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return error instanceof RetryTransaction || code === '40001' || code === '40P01'
}

/**
 * Server states in which the same request may succeed a moment later: connection and resource trouble (08, 53, 58),
 * shutting down or cancelled by a timeout (57), not the primary any more (25006), a lock that is not available (55P03).
 */
const unavailableCodes = /^(08...|53...|57...|58...|25006|55P03)$/

function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  if (error instanceof pg.DatabaseError) return unavailableCodes.test(error.code ?? '')
  const { code, message } = error as NodeJS.ErrnoException
  return (
    /^(E[A-Z]+)$/.test(code ?? '') ||
    /^(Connection terminated|Query read timeout|timeout e|Client (has encountered|was closed))/.test(message ?? '')
  )
}

const isStandbyError = (error: unknown) =>
  error instanceof DatabaseUnavailable && (error.cause as { code?: unknown } | undefined)?.code === '25006'

function toUnavailable(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error
  return new DatabaseUnavailable(`The database is away: ${(error as Error).message}`, { cause: error })
}

const int8 = 20
const timestamptz = 1184

/** Integers as numbers (all of ours are below 2^53), instants as ISO text: both as responses need them. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === int8) return Number
  if (oid === timestamptz) return toIsoInstant
  return pg.types.getTypeParser(oid, format)
}

/** From `2027-02-01 10:00:00.123456+00`; sliced, not parsed, as lists have many of them. */
function toIsoInstant(text: string): string {
  if (text.charCodeAt(4) !== dash || !text.endsWith('+00')) return new Date(text).toISOString()
  const fraction = text.slice(20, Math.min(23, text.length - 3))
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}

const dash = 45
