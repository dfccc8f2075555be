import type { Writable } from 'node:stream'
import pg from 'pg'
import { batchUntilImmediate } from './batch-until-immediate.ts'

/**
 * A prepared statement whose row description is requested once per connection. The driver requests it at every
 * execution, which costs a good part of a small read; PostgreSQL refuses a statement whose description changed, so it
 * can be cached. This uses internals of the driver, whose version is pinned; `pg.Query` in its place does the same.
 */
export class CachedDescribeQuery extends (pg.Query as unknown as PgQueryClass) {
  private describing: PgConnection | undefined

  override prepare(connection: PgConnection): void {
    const { shapes, undescribed } = getDescribeCache(connection)
    const shape = this.name in connection.parsedStatements ? shapes.get(this.name) : undefined
    if (shape === undefined) {
      this.describing = connection
      super.prepare(connection)
    } else {
      Object.assign(this._result, shape)
      this._accumulateRows = true
      super.prepare(undescribed)
    }
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    this.remember()
  }

  /** A statement that returns no rows has no description, which is cached too. */
  override handleCommandComplete(message: unknown, connection: PgConnection): void {
    super.handleCommandComplete(message, connection)
    this.remember()
  }

  private remember(): void {
    if (this.describing === undefined) return
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    getDescribeCache(this.describing).shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
    this.describing = undefined
  }
}

/** The row description as the driver stores it. */
interface RowDescription {
  fields: unknown
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

interface PgConnection {
  parsedStatements: Record<string, string>
  stream: Writable
  describe(what: unknown): void
  _send(message: Buffer): boolean
  end(): void
  emit(event: 'error', error: Error): void
}

/** The part of the driver's query class that its typings omit. */
type PgQueryClass = new (
  text: string,
  values: undefined,
  callback: (error: Error | null | undefined, result: pg.QueryResult) => void
) => {
  name: string
  values: readonly unknown[]
  query_timeout?: number
  _result: RowDescription
  _accumulateRows: boolean
  prepare(connection: PgConnection): void
  handleRowDescription(message: unknown): void
  handleCommandComplete(message: unknown, connection: PgConnection): void
}

interface DescribeCache {
  shapes: Map<string, RowDescription>
  /** The same connection, but it sends no Describe messages. */
  undescribed: PgConnection
}

const describeCaches = new WeakMap<PgConnection, DescribeCache>()

function getDescribeCache(connection: PgConnection): DescribeCache {
  let found = describeCaches.get(connection)
  if (found === undefined) {
    found = { shapes: new Map(), undescribed: Object.create(connection, { describe: { value: () => {} } }) }
    describeCaches.set(connection, found)
  }
  return found
}

/**
 * Sends all messages of one turn of the event loop in one write: a system call for each message would cost more than
 * the statement.
 */
export function coalesceWrites(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: PgConnection }
  const { stream } = connection
  let gathered: Buffer[] = []
  const flush = () => {
    const messages = gathered
    gathered = []
    if (messages.length > 0 && stream.writable) stream.write(Buffer.concat(messages))
  }
  connection._send = message => {
    if (gathered.push(message) === 1) batchUntilImmediate(flush)
    return true
  }
  const end = connection.end.bind(connection)
  connection.end = () => {
    flush()
    end()
  }
}

/**
 * A commit that waits for a standby can be cancelled, by an administrator or a proxy. PostgreSQL then warns that it may
 * not have been replicated, and still reports success. The outcome is unknown, as after a broken connection; so we
 * break this connection before the caller gets the success.
 */
export function failUnreplicatedCommits(client: pg.ClientBase): void {
  client.on('notice', ({ routine, message }) => {
    // The PostgreSQL function that warned: unlike the message it is not translated.
    if (routine !== 'SyncRepWaitForLSN') return
    const { connection } = client as unknown as { connection: PgConnection }
    connection.emit('error', new Error(`Connection terminated, because a commit is in doubt: ${message}`))
    connection.stream.destroy()
  })
}
