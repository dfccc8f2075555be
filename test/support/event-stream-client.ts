import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#platform/database/database.ts'
import { findLagSeconds } from '#platform/event-stream/queries.ts'

/** One message of a stream, as it was sent. */
export interface StreamMessage {
  id: string | undefined
  event: string
  /** The JSON of its data. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what comes, whatever its shape.
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
  const asked = request(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const heard: StreamMessage[] = []
  let lastId: string | undefined
  let beats = 0
  let rest = ''
  let isOver = false
  let isClosed = false
  answer.setEncoding('utf8')
  answer.on('data', (piece: string) => {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) take(block)
  })
  answer.on('close', () => {
    isOver = true
  })
  // The server may close the connection; `isClosed` says so.
  answer.on('error', () => {})

  function take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    lastId = field('id') ?? lastId
    const data = field('data')
    if (data === undefined) beats += 1
    else heard.push({ id: field('id'), event: field('event') ?? '', data: JSON.parse(data) })
  }

  async function until(condition: () => boolean): Promise<void> {
    const deadline = Date.now() + timeoutMs
    while (!condition()) {
      if (Date.now() > deadline) throw new Error(`Waited in vain; heard ${JSON.stringify(heard)}`)
      await sleep(10)
    }
  }

  const stream: EventStreamClient = {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    messages: heard,
    lastId: () => lastId,
    countHeartbeats: () => beats,
    waitForMessages: async count => {
      await until(() => heard.length >= count)
      return heard
    },
    waitUntil: until,
    isClosed: () => isOver,
    pause: () => answer.pause(),
    close: () => {
      if (isClosed) return
      isClosed = true
      answer.destroy()
    }
  }
  // The server sends the current position first: from here on no message is missed.
  if (stream.status === 200) await until(() => lastId !== undefined)
  return stream
}

/** Activity counts as new while an earlier transaction runs, and a test that subscribes then gets it. */
export async function waitForCommittedActivity(store: Database): Promise<void> {
  while ((await findLagSeconds(store)) > 0) await sleep(10)
}
