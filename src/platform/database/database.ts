import type { ClientConfig } from 'pg'
import type { Settings } from '../config.ts'
import type { Log } from '../log.ts'
import { serveEmbedded, useEmbedded } from './embedded/store.ts'
import { connectStore } from './postgres.ts'
import type { Sql } from './sql.ts'
import { waitForDatabase } from './wait-for-database.ts'

/** A recorded change, with the fields that cache invalidation needs. */
export interface Change {
  action: string
  subject: string
  subjectId: string
  details: object
}

/** Works for several callers at once. The same function every time, because it says which calls belong together. */
export type Together<Item, Result> = (db: Database, items: Item[]) => Promise<Result>

/** The only database interface of the program. Inside a transaction the same methods run in that transaction. */
export interface Database {
  all<Row>(statement: Sql): Promise<Row[]>
  /** Exactly one row; anything else is a bug of ours. */
  one<Row>(statement: Sql): Promise<Row>
  maybeOne<Row>(statement: Sql): Promise<Row | undefined>
  /** Returns the number of affected rows. */
  run(statement: Sql): Promise<number>
  /**
   * Runs a write that this transaction does not read: it is sent along with the commit, so that the database is waited for
   * once, and fails the transaction if it fails. Without a transaction it runs at once.
   */
  runAtCommit(statement: Sql): Promise<void>
  /** Several statements without parameters, as in migrations. */
  script(text: string): Promise<void>
  /**
   * All of it or nothing. Runs the work again when PostgreSQL asks for that (40001, 40P01), so the work must only use
   * `tx`: no e-mail, no HTTP, no change of variables outside.
   */
  transaction<Result>(work: (tx: Database) => Promise<Result>): Promise<Result>
  /**
   * The same for work that sends one statement: PostgreSQL makes that atomic without `begin` and `commit`. A second
   * statement is a bug. Inside a transaction it is part of that transaction.
   */
  oneStatement<Result>(work: (tx: Database) => Promise<Result>): Promise<Result>
  /** `write` gets the items of all callers that wait for it. Inside a transaction the item is written at once. */
  writeTogether<Item, Result>(write: Together<Item, Result[]>, item: Item): Promise<Result>
  /** What `list` finds for the key; one statement for the keys of all callers that wait for it. */
  findTogether<Key, Row>(list: Together<Key, Map<Key, Row>>, key: Key): Promise<Row | undefined>
  /** Announces a change to `onCommit` after the commit of this transaction; without one there is nothing to announce. */
  addChange(change: Change): void
}

export interface Store extends Database {
  /** For modules that open their own clients. */
  connection: ClientConfig
  /**
   * Calls the listener with the changes recorded by a transaction of this process, after its commit and before the
   * writer gets the result. Returns a function that removes the listener.
   */
  onCommit(listener: (changes: Change[]) => void): () => void
  /** Resolves within half a second or throws. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * `serving`: the process has the embedded store to itself, or waits until the server can be reached; `command`: it shares
 * a running store, without timeouts, or fails at once.
 */
export type StoreUse = 'serving' | 'command'

/** `onLaunch` is called when the process of the embedded store was launched, long before it can be used. */
export async function openStore(
  settings: Settings,
  purpose: StoreUse,
  log: Log,
  onLaunch?: () => void
): Promise<Store> {
  const patient = purpose === 'command'
  if (settings.databaseUrl !== undefined) {
    const store = connectStore({ connectionString: settings.databaseUrl }, { noTimeouts: patient, log })
    if (purpose === 'serving') await waitForDatabase(store, log)
    return store
  }

  const start = purpose === 'serving' ? serveEmbedded : useEmbedded
  const { dataDir, postgresBin, workers } = settings
  const embedded = await start({ dataDir, postgresBin, log, processes: workers, onLaunch })
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
