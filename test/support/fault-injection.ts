// Breaks the connection to the database at a chosen statement of a chosen request.
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

/** The statements of one piece of work. */
interface Watch {
  statements: string[]
  breakAt: number
  how: BreakPoint
}

/** Before the statement is sent, or after it was done and before its answer comes. */
export type BreakPoint = 'before' | 'after'

const watching = new AsyncLocalStorage<Watch>()

interface Client {
  connection: { stream: { destroy(): void } }
}
interface Submitted {
  text?: string
  callback?: (error: Error | null, result?: unknown) => void
}

type Ask = (this: Client, query: string | Submitted, ...rest: unknown[]) => unknown
const client = pg.Client.prototype as unknown as { query: Ask }
const ask = client.query

client.query = function (query, ...rest) {
  const watch = watching.getStore()
  if (watch === undefined) return ask.call(this, query, ...rest)
  watch.statements.push(typeof query === 'string' ? query : (query.text ?? ''))
  if (watch.statements.length !== watch.breakAt) return ask.call(this, query, ...rest)
  return watch.how === 'before' ? breakBefore(this, query, rest) : breakAfter(this, query, rest)
}

/** The connection is gone before anything of the statement is written. */
function breakBefore(to: Client, query: string | Submitted, rest: unknown[]): unknown {
  to.connection.stream.destroy()
  return ask.call(to, query, ...rest)
}

function breakAfter(to: Client, query: string | Submitted, rest: unknown[]): unknown {
  const lost = () => {
    to.connection.stream.destroy()
    return new Error('Connection terminated unexpectedly')
  }
  if (typeof query === 'object' && query.callback !== undefined) {
    const { callback } = query
    query.callback = () => callback(lost())
    return ask.call(to, query, ...rest)
  }
  const answered = ask.call(to, query, ...rest) as Promise<unknown>
  return answered.then(() => {
    throw lost()
  })
}

/** The statements that the work leads to; with a number the connection breaks at that one. */
export async function recordStatements<Result>(
  work: () => Promise<Result>,
  breakAt = 0,
  how: BreakPoint = 'before'
): Promise<{ result: Result; statements: string[] }> {
  const watch: Watch = { statements: [], breakAt, how }
  const result = await watching.run(watch, work)
  // What the work left to be done later is not its own any more.
  const { statements } = watch
  watch.statements = []
  watch.breakAt = 0
  return { result, statements }
}
