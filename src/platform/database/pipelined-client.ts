import type pg from 'pg'
import type { Log } from '../log.ts'
import { CommitInDoubt, isStandbyError, toUnavailable } from './errors.ts'
import { SocketClient } from './socket-client.ts'
import type { Sql } from './sql.ts'
import { sendStatement, watchReplication } from './statement.ts'

export interface PipelinedClient {
  query(statement: Sql): Promise<pg.QueryResult>
  /** Holds statements back until `uncork`, so that they are sent together. */
  cork(): void
  uncork(): void
  /** Statements in flight. */
  pending(): number
  close(): Promise<void>
}

/** A pipelined client that connects when it is first needed, and again after its connection broke. */
export function newPipelinedClient(config: pg.ClientConfig, log: Log, onBreak = () => {}): PipelinedClient {
  let current: Promise<pg.Client> | undefined
  /** The current client, also while it connects. */
  let newest: SocketClient | undefined
  let pending = 0

  async function open(): Promise<pg.Client> {
    const client = new SocketClient(config)
    newest = client
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
      watchReplication(client)
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
        if ((isStandbyError(error) || error instanceof CommitInDoubt) && current === used) {
          current = undefined
          used.then(client => client.end(), ignoreUnopened)
        }
        throw error
      } finally {
        pending -= 1
      }
    },
    cork: () => newest?.cork(),
    uncork: () => newest?.uncork(),
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
