// Sends requests at a given rate without waiting for earlier responses, as visitors do. Uses plain sockets, because an
// HTTP client would need as much processor time as the server.
import { connect, type Socket } from 'node:net'

export interface Traffic {
  port: number
  ms: number
  /** The maximum number of concurrent requests. */
  connections: number
  /** Requests per second; if undefined, each connection sends the next request when it has its response. */
  perSecond?: number
  /** Returns a whole request with headers and body; called when it is sent. */
  request(number: number): string
}

export interface TrafficReport {
  /** Responses by status; 0 counts broken connections. */
  statuses: Record<number, number>
  /** Latencies of responses with a status below 400, from the time when the request was due, sorted. */
  latenciesMs: number[]
  p99Ms: number
  perSecond: number
  /** Requests that were due while all connections were busy. */
  unsent: number
}

const tickMs = 2

export async function sendTraffic({ port, ms, connections, perSecond, request }: Traffic): Promise<TrafficReport> {
  const statuses: Record<number, number> = {}
  const latencies: number[] = []
  const free: Connection[] = []
  let number = 0
  let unsent = 0
  let isEnded = false
  let pending = 0

  const pool = Array.from({ length: connections }, () => newConnection(port))
  // Connects in batches of 100: the backlog of the kernel is short, and further clients retry only after seconds.
  while (free.length < pool.length) {
    const batch = pool.slice(free.length, free.length + 100)
    await Promise.all(batch.map(connection => connection.opened()))
    free.push(...batch)
  }
  // The kernel completes connections before the server accepts them, in order: once a later connection has a response,
  // all earlier ones are accepted.
  await sendOnce(port, formatGet('/livez'))
  const startedAt = performance.now()
  const sendOne = (dueAt: number): boolean => {
    // Uses the connections in turn, because the server closes idle ones.
    const connection = free.shift()
    if (connection === undefined) return false
    pending += 1
    connection.send(request(number), status => {
      pending -= 1
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status > 0 && status < 400) latencies.push(performance.now() - dueAt)
      free.push(connection)
      if (perSecond === undefined && !isEnded) sendOne(performance.now())
    })
    number += 1
    return true
  }

  if (perSecond === undefined) {
    for (let count = 0; count < connections; count += 1) sendOne(performance.now())
    await new Promise(resolve => setTimeout(resolve, ms))
  } else {
    let due = 0
    while (performance.now() - startedAt < ms) {
      for (const target = ((performance.now() - startedAt) / 1000) * perSecond; due < target; due += 1) {
        if (!sendOne(startedAt + (due / perSecond) * 1000)) unsent += 1
      }
      await new Promise(resolve => setTimeout(resolve, tickMs))
    }
  }
  isEnded = true
  const seconds = (performance.now() - startedAt) / 1000
  for (const deadline = performance.now() + 10_000; pending > 0 && performance.now() < deadline; )
    await new Promise(resolve => setTimeout(resolve, tickMs))
  for (const connection of pool) connection.close()
  latencies.sort((one, other) => one - other)
  return { statuses, latenciesMs: latencies, p99Ms: findP99(latencies), perSecond: latencies.length / seconds, unsent }
}

/** The 99th percentile of sorted values. */
export const findP99 = (sorted: readonly number[]) => sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN

async function sendOnce(port: number, request: string): Promise<void> {
  const connection = newConnection(port)
  await new Promise<number>(resolve => connection.send(request, resolve))
  connection.close()
}

interface Connection {
  /** Resolves when it is connected, or connecting has failed. */
  opened(): Promise<void>
  send(request: string, onResponse: (status: number) => void): void
  close(): void
}

/** A connection that is opened again after it breaks. */
function newConnection(port: number): Connection {
  let socket: Socket | undefined
  let received = ''
  let onAnswer: ((status: number) => void) | undefined

  function finish(status: number): void {
    const callback = onAnswer
    onAnswer = undefined
    received = ''
    callback?.(status)
  }

  function open(): Socket {
    const opened = connect(port, '127.0.0.1')
    opened.setNoDelay(true)
    opened.setEncoding('latin1')
    opened.on('error', () => opened.destroy())
    opened.on('close', () => {
      if (socket === opened) socket = undefined
      finish(0)
    })
    opened.on('data', (text: string) => {
      received += text
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const head = received.slice(0, headEnd)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (received.length < headEnd + 4 + length) return
      finish(Number(head.slice(9, 12)))
    })
    return opened
  }

  return {
    opened: async () => {
      socket ??= open()
      const opening = socket
      await new Promise<void>(resolve => opening.once('connect', resolve).once('close', () => resolve()))
    },
    send: (request, onResponse) => {
      onAnswer = onResponse
      socket ??= open()
      socket.write(request)
    },
    close: () => socket?.destroy()
  }
}

export const formatGet = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`

export const formatPost = (path: string, body: object, headers = '') => {
  const text = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}
