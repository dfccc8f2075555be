import type { Writable } from 'node:stream'
import pg from 'pg'
import { atEndOfTurn } from './turn.ts'

/**
 * A prepared statement that has its rows described once per connection. The driver asks for the description at every
 * execution, which costs a good part of a small read; PostgreSQL refuses a statement whose description changed, so it
 * can be kept. This leans on the inside of the driver, whose version is pinned; `pg.Query` in its place does the same.
 */
export class PreparedQuery extends (pg.Query as unknown as DriversQuery) {
  private describing: Connection | undefined

  override prepare(connection: Connection): void {
    const { shapes, undescribed } = knownOf(connection)
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

  /** A statement that answers no rows has no description, which is worth knowing too. */
  override handleCommandComplete(message: unknown, connection: Connection): void {
    super.handleCommandComplete(message, connection)
    this.remember()
  }

  private remember(): void {
    if (this.describing === undefined) return
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    knownOf(this.describing).shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
    this.describing = undefined
  }
}

/** What the driver makes of a description. */
interface Shape {
  fields: unknown
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

interface Connection {
  parsedStatements: Record<string, string>
  stream: Writable
  describe(what: unknown): void
  _send(message: Buffer): boolean
  end(): void
  emit(event: 'error', error: Error): void
}

/** What the driver's typings do not say of its queries. */
type DriversQuery = new (
  text: string,
  values: undefined,
  callback: (error: Error | null | undefined, result: pg.QueryResult) => void
) => {
  name: string
  values: readonly unknown[]
  query_timeout?: number
  _result: Shape
  _accumulateRows: boolean
  prepare(connection: Connection): void
  handleRowDescription(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
}

interface Known {
  shapes: Map<string, Shape>
  /** The same connection, which does not ask for descriptions. */
  undescribed: Connection
}

const known = new WeakMap<Connection, Known>()

function knownOf(connection: Connection): Known {
  let found = known.get(connection)
  if (found === undefined) {
    found = { shapes: new Map(), undescribed: Object.create(connection, { describe: { value: () => {} } }) }
    known.set(connection, found)
  }
  return found
}

/**
 * From now on what the client sends in one turn of the event loop travels in one piece: a system call for each message
 * would cost more than the statement.
 */
export function gatherWrites(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: Connection }
  const { stream } = connection
  let gathered: Buffer[] = []
  const flush = () => {
    const messages = gathered
    gathered = []
    if (messages.length > 0 && stream.writable) stream.write(Buffer.concat(messages))
  }
  connection._send = message => {
    if (gathered.push(message) === 1) atEndOfTurn(flush)
    return true
  }
  const end = connection.end.bind(connection)
  connection.end = () => {
    flush()
    end()
  }
}

/**
 * A commit that waits for a standby can be cancelled, by an administrator or a proxy. PostgreSQL then warns that it may not
 * have been replicated, and reports success all the same. Nobody knows what became of it, just as when a connection breaks; so
 * this one is broken, before whoever waits hears of the success.
 */
export function doubtCancelledCommits(client: pg.ClientBase): void {
  client.on('notice', ({ routine, message }) => {
    // The function in PostgreSQL that warned: unlike the message it has one language.
    if (routine !== 'SyncRepWaitForLSN') return
    const { connection } = client as unknown as { connection: Connection }
    connection.emit('error', new Error(`Connection terminated, because a commit is in doubt: ${message}`))
    connection.stream.destroy()
  })
}
