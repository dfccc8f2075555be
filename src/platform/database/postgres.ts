import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import { batchCalls } from './batch-calls.ts'
import { batchUntilImmediate } from './batch-until-immediate.ts'
import type { Change, Store, Together } from './database.ts'
import { DatabaseUnavailable, isRetryable } from './errors.ts'
import { newPipelinedClient, type PipelinedClient } from './pipelined-client.ts'
import { SocketClient } from './socket-client.ts'
import { type Sql, sql } from './sql.ts'
import { buildQueryMethods, requireReplicatedCommits, watchReplication } from './statement.ts'
import { commandTimeouts, replicaTimeouts, timeouts, transactionMs } from './timeouts.ts'
import { attemptOneStatement, attemptTransaction, checkoutClient, withClient } from './transaction.ts'
import { getTypeParser } from './type-parsers.ts'

/** Single statements of all requests share these clients: with pipelining four do the work of many. */
const pipelinedClients = 4
/** Transactions need a client each. */
const transactionClientsMax = 16
/** Batches of one kind at once: while one is committed, another can be written. */
const batchesMax = 2
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
  const pool = new pg.Pool({ ...config, Client: SocketClient, max: transactionClientsMax })
  pool.on('connect', watchReplication)
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
      const client = pipelined.reduce((freest, line) => (line.pending() < freest.pending() ? line : freest))
      chosenClient = client
      client.cork()
      batchUntilImmediate(() => {
        chosenClient = undefined
        client.uncork()
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

  async function retry<Result>(attemptWork: (deadline: number) => Promise<Result>): Promise<Result> {
    // Not by the wall clock, which may be set meanwhile.
    const deadline = noTimeouts ? Number.POSITIVE_INFINITY : performance.now() + transactionMs
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptWork(deadline)
      } catch (error) {
        if (!isRetryable(error)) throw error
        if (attempt === attemptsMax) throw new DatabaseUnavailable('The transaction kept colliding.', { cause: error })
        await sleep(Math.random() * 20 * attempt)
      }
    }
  }

  const batches = new Map<unknown, (item: never) => Promise<unknown>>()
  /** The calls of one function belong together. */
  function getBatch<Item, Result>(of: unknown, run: (items: Item[]) => Promise<Result[]>) {
    let batch = batches.get(of) as ((item: Item) => Promise<Result>) | undefined
    if (batch === undefined) {
      batch = batchCalls(run, { batchesMax, waitMsMax: noTimeouts ? Number.POSITIVE_INFINITY : transactionMs })
      batches.set(of, batch)
    }
    return batch
  }

  const methods = buildQueryMethods(query)
  const store: Store = {
    ...methods,
    runAtCommit: async statement => void (await methods.run(statement)),
    connection,
    addChange: () => {},

    script: async text => {
      const client = await checkoutClient(pool)
      await withClient(client, Number.POSITIVE_INFINITY, async () => {
        await client.query(text)
        requireReplicatedCommits(client)
      })
    },

    transaction: async work =>
      await retry(async deadline => await attemptTransaction(pool, deadline, work, notifyCommit)),
    oneStatement: async work =>
      await retry(async deadline => await attemptOneStatement(pool, deadline, work, notifyCommit)),
    writeTogether: async <Item, Result>(write: Together<Item, Result[]>, item: Item) =>
      await getBatch<Item, Result>(write, async items => await write(store, items))(item),
    findTogether: async <Key, Row>(list: Together<Key, Map<Key, Row>>, key: Key) =>
      await getBatch<Key, Row | undefined>(list, async keys => {
        const found = await list(store, [...new Set(keys)])
        return keys.map(one => found.get(one))
      })(key),

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
  return store
}
