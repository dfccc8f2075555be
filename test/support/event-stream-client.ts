import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import { isBehind, parsePosition, type StreamPosition } from '#platform/event-stream/schema.ts'

/** One message of a stream, as it was sent. */
export interface StreamMessage {
  id: string | undefined
  event: string
  /** The JSON of its data. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape differs between messages.
  data: any
}

export interface EventStreamClient {
  status: number
  headers: IncomingMessage['headers']
  /** The named messages so far. */
  messages: StreamMessage[]
  /** The last id, of a message or of a heartbeat. */
  lastId(): string | undefined
  /** The number of heartbeats: blocks without data. */
  countHeartbeats(): number
  /** Waits for this many messages and returns all of them. */
  waitForMessages(count: number): Promise<StreamMessage[]>
  waitUntil(condition: () => boolean): Promise<void>
  isClosed(): boolean
  pause(): void
  close(): void
}

const timeoutMs = 15_000

/** Opens an event stream over a socket, as a browser does. */
export async function openEventStream(url: string, headers: Record<string, string> = {}): Promise<EventStreamClient> {
  const clientRequest = request(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false }).end()
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
  const received: StreamMessage[] = []
  let lastId: string | undefined
  let heartbeats = 0
  let rest = ''
  let isEnded = false
  let hasClosed = false
  response.setEncoding('utf8')
  response.on('data', (piece: string) => {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) readBlock(block)
  })
  response.on('close', () => {
    isEnded = true
  })
  // The server may close the connection; `isClosed` says so.
  response.on('error', () => {})

  function readBlock(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    lastId = field('id') ?? lastId
    const data = field('data')
    if (data === undefined) heartbeats += 1
    else received.push({ id: field('id'), event: field('event') ?? '', data: JSON.parse(data) })
  }

  async function until(condition: () => boolean): Promise<void> {
    const deadline = Date.now() + timeoutMs
    while (!condition()) {
      if (Date.now() > deadline) throw new Error(`Timeout; received ${JSON.stringify(received)}`)
      await sleep(10)
    }
  }

  const stream: EventStreamClient = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    messages: received,
    lastId: () => lastId,
    countHeartbeats: () => heartbeats,
    waitForMessages: async count => {
      await until(() => received.length >= count)
      return received
    },
    waitUntil: until,
    isClosed: () => isEnded,
    pause: () => response.pause(),
    close: () => {
      if (hasClosed) return
      hasClosed = true
      response.destroy()
    }
  }
  // The server sends the current position first: from here on no message is missed.
  if (stream.status === 200) await until(() => lastId !== undefined)
  return stream
}

/**
 * Opens a stream that gets no activity from before this call. A transaction of another test's database that ends while the server looks for the
 * end of the log can hold back the newest rows, which the stream would then get: it is opened again.
 */
export async function openStreamAtEnd(
  store: Database,
  url: string,
  headers: Record<string, string> = {}
): Promise<EventStreamClient> {
  const newest = await store.maybeOne<StreamPosition>(
    sql`select tx::text, id from platform.activity order by activity.tx desc, activity.id desc limit 1`
  )
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const stream = await openEventStream(url, headers)
    const position = parsePosition(stream.lastId() ?? '')
    if (newest === undefined || (position !== undefined && !isBehind(position, newest))) return stream
    stream.close()
    if (Date.now() > deadline)
      throw new Error(`The stream begins at ${stream.lastId()}, before ${newest.tx}-${newest.id}`)
    await sleep(10)
  }
}
