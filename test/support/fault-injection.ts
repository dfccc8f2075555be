// Breaks the connection to the database at a chosen statement of a chosen request.
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

/** The statements of one request or task, and where its connection breaks. */
interface Watch {
  statements: string[]
  breakAt: number
  how: BreakPoint
}

/** Before the statement is sent, or after it was executed and before its result arrives. */
export type BreakPoint = 'before' | 'after'

const watching = new AsyncLocalStorage<Watch>()

interface Client {
  connection: { stream: { destroy(): void } }
}
interface Submitted {
  text?: string
  callback?: (error: Error | null, result?: unknown) => void
}

type Query = (this: Client, query: string | Submitted, ...rest: unknown[]) => unknown
const client = pg.Client.prototype as unknown as { query: Query }
const sendQuery = client.query

client.query = function (query, ...rest) {
  const watch = watching.getStore()
  if (watch === undefined) return sendQuery.call(this, query, ...rest)
  watch.statements.push(typeof query === 'string' ? query : (query.text ?? ''))
  if (watch.statements.length !== watch.breakAt) return sendQuery.call(this, query, ...rest)
  return watch.how === 'before' ? breakBefore(this, query, rest) : breakAfter(this, query, rest)
}

/** Closes the connection before the statement is sent. */
function breakBefore(connectedClient: Client, query: string | Submitted, rest: unknown[]): unknown {
  connectedClient.connection.stream.destroy()
  return sendQuery.call(connectedClient, query, ...rest)
}

function breakAfter(connectedClient: Client, query: string | Submitted, rest: unknown[]): unknown {
  const loseConnection = () => {
    connectedClient.connection.stream.destroy()
    return new Error('Connection terminated unexpectedly')
  }
  if (typeof query === 'object' && query.callback !== undefined) {
    const { callback } = query
    query.callback = () => callback(loseConnection())
    return sendQuery.call(connectedClient, query, ...rest)
  }
  const completed = sendQuery.call(connectedClient, query, ...rest) as Promise<unknown>
  return completed.then(() => {
    throw loseConnection()
  })
}

/** Runs the work and returns its statements; with `breakAt` the connection breaks at the statement with that number, counted from 1. */
export async function recordStatements<Result>(
  work: () => Promise<Result>,
  breakAt = 0,
  how: BreakPoint = 'before'
): Promise<{ result: Result; statements: string[] }> {
  const watch: Watch = { statements: [], breakAt, how }
  const result = await watching.run(watch, work)
  // Statements that the work has started in the background are not counted.
  const { statements } = watch
  watch.statements = []
  watch.breakAt = 0
  return { result, statements }
}
