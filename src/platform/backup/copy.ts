import { once } from 'node:events'
import type { Socket } from 'node:net'
import type pg from 'pg'

/** What PostgreSQL is allowed to be ahead of whoever takes the rows. */
const bufferedBytesMax = 4 * 1024 * 1024

/** Rows in PostgreSQL's own text form, a line each, as they come; the reader decides how fast. */
export async function* copyOut(client: pg.Client, statement: string): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let paused: Connection | undefined
  let wake = () => {}
  const end = newCompletion(() => wake())

  submitQuery(client, {
    ...end.handlers,
    submit: connection => connection.query(statement),
    handleCopyData: ({ chunk }, connection) => {
      // A copy, because the driver reads on into the same memory.
      waiting.push(Buffer.from(chunk))
      waitingBytes += chunk.length
      if (waitingBytes > bufferedBytesMax && paused === undefined) {
        connection.stream.pause()
        paused = connection
      }
      wake()
    }
  })

  for (;;) {
    if (waiting.length > 0) {
      const rows = waiting
      waiting = []
      waitingBytes = 0
      paused?.stream.resume()
      paused = undefined
      yield* rows
    } else if (end.isReached()) {
      end.rows()
      return
    } else {
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }
}

/** Sends lines as `copyOut` gave them; answers how many rows they were. */
export async function copyIn(client: pg.Client, statement: string, lines: AsyncIterable<Buffer>): Promise<number> {
  return await new Promise((resolve, reject) => {
    const end = newCompletion(() => {
      try {
        resolve(end.rows())
      } catch (error) {
        reject(error)
      }
    })
    submitQuery(client, {
      ...end.handlers,
      submit: connection => connection.query(statement),
      handleCopyInResponse: connection => {
        sendChunks(connection, lines, end.isReached).catch((error: Error) => {
          end.fail(error)
          connection.sendCopyFail('The rows could not be read.')
        })
      }
    })
  })
}

async function sendChunks(connection: Connection, lines: AsyncIterable<Buffer>, isOver: () => boolean): Promise<void> {
  for await (const chunk of lines) {
    // Whatever PostgreSQL refused, it takes no more of it.
    if (isOver()) return
    connection.sendCopyFromChunk(chunk)
    if (connection.stream.writableNeedDrain) await waitForDrain(connection.stream)
  }
  if (!isOver()) connection.endCopyFrom()
}

/** A connection that breaks never drains; the driver tells why it broke. */
async function waitForDrain(stream: Socket): Promise<void> {
  if (stream.destroyed) return
  const over = new AbortController()
  const either = ['drain', 'close'].map(async event => await once(stream, event, { signal: over.signal }))
  try {
    await Promise.race(either)
  } finally {
    over.abort()
  }
}

/** What the driver's typings do not say of its connection. */
interface Connection {
  stream: Socket
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** What the driver calls while a statement is under way. */
interface CopyQuery {
  submit(connection: Connection): void
  handleCopyData?(message: { chunk: Buffer }, connection: Connection): void
  handleCopyInResponse?(connection: Connection): void
  handleCommandComplete(message: { text: string }): void
  handleError(error: Error): void
  handleReadyForQuery(): void
}

function submitQuery(client: pg.Client, submitted: CopyQuery): void {
  client.query(submitted as unknown as pg.Submittable)
}

/** How a COPY ends: with a number of rows, or with the first thing that went wrong. */
function newCompletion(onReached: () => void) {
  let rows = 0
  let failure: Error | undefined
  let reached = false
  function reach(): void {
    reached = true
    onReached()
  }
  return {
    handlers: {
      handleCommandComplete: ({ text }: { text: string }) => {
        rows = Number(/^COPY (\d+)$/.exec(text)?.[1])
      },
      handleError: (error: Error) => {
        failure ??= error
        reach()
      },
      handleReadyForQuery: reach
    },
    /** Says beforehand why it will fail. */
    fail: (error: Error) => {
      failure ??= error
    },
    isReached: () => reached,
    rows: () => {
      if (failure !== undefined) throw failure
      return rows
    }
  }
}
