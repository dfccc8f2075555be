import type { ClientConfig } from 'pg'
import type { Settings } from '../config.ts'
import type { Log } from '../log.ts'
import type { Change } from './after-commit.ts'
import { serveEmbedded, useEmbedded } from './embedded/store.ts'
import { connectStore } from './postgres.ts'
import type { Sql } from './sql.ts'

/** All that the program knows of a database. Inside a transaction the same six methods speak to that transaction. */
export interface Database {
  all<Row>(statement: Sql): Promise<Row[]>
  /** Exactly one row; anything else is our mistake. */
  one<Row>(statement: Sql): Promise<Row>
  maybeOne<Row>(statement: Sql): Promise<Row | undefined>
  /** How many rows the statement touched. */
  run(statement: Sql): Promise<number>
  /** Several statements without values, as migrations have them. */
  script(text: string): Promise<void>
  /**
   * All of it or nothing. Runs the work again when PostgreSQL asks for that (40001, 40P01), so the work
   * must not do anything but talk to `tx`: no mail, no HTTP, no change of variables outside.
   */
  transaction<Result>(work: (tx: Database) => Promise<Result>): Promise<Result>
}

export interface Store extends Database {
  /** For parts that bring their own clients. */
  connection: ClientConfig
  /**
   * Tells what a transaction of this process has recorded, when it has committed and before whoever wrote hears of it.
   * Answers how to stop that.
   */
  onCommit(listener: (changes: Change[]) => void): () => void
  /** Answers within half a second or throws. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** `serving`: the process keeps the embedded store to itself; `command`: it shares a running one and takes its time. */
export type StoreUse = 'serving' | 'command'

export async function openStore(settings: Settings, purpose: StoreUse, log: Log): Promise<Store> {
  const patient = purpose === 'command'
  if (settings.databaseUrl !== undefined) {
    return connectStore({ connectionString: settings.databaseUrl }, { noTimeouts: patient, log })
  }

  const start = purpose === 'serving' ? serveEmbedded : useEmbedded
  const { dataDir, postgresBin, workers } = settings
  const embedded = await start({ dataDir, postgresBin, log, processes: workers })
  // A unix socket has no TLS, whatever PGSSLMODE says.
  const store = connectStore({ ...embedded.connection, ssl: false }, { noTimeouts: patient, log })
  return {
    ...store,
    close: async () => {
      await store.close()
      await embedded.stop()
    }
  }
}
