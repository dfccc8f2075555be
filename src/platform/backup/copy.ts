import { once } from 'node:events'
import type { Socket } from 'node:net'
import type pg from 'pg'

/** How far PostgreSQL may get ahead of the consumer before we pause the socket. */
const bufferedBytesMax = 4 * 1024 * 1024

/** Streams rows in PostgreSQL's text format, one per line, with backpressure from the consumer. */
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
      // Copy the chunk, because the driver reuses its buffer.
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

/** Sends lines that `copyOut` produced; returns the number of rows. */
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
    // PostgreSQL has already failed the COPY: send nothing more.
    if (isOver()) return
    connection.sendCopyFromChunk(chunk)
    if (connection.stream.writableNeedDrain) await waitForDrain(connection.stream)
  }
  if (!isOver()) connection.endCopyFrom()
}

/** Waits for `drain` or `close`: a broken connection never drains, and the driver reports its error. */
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

/** The part of the driver's connection that its typings lack. */
interface Connection {
  stream: Socket
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** The callbacks that the driver calls while a statement runs. */
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

/** Collects the result of a COPY: the number of rows, or the first error. */
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
    /** Sets the error with which the COPY will fail. */
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
