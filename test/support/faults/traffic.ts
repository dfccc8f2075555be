// Requests at a given pace, whether or not the earlier ones have been answered: as visitors come. Over plain sockets,
// because a full client would cost as much as the server.
import { connect, type Socket } from 'node:net'

export interface Traffic {
  port: number
  ms: number
  /** At most so many are under way at once. */
  connections: number
  /** How many a second; without, each connection sends the next when it has its answer. */
  perSecond?: number
  /** Whole requests as they go over the wire, made when they are sent. */
  request(number: number): string
}

export interface TrafficReport {
  /** Answers by status; 0 stands for connections that broke. */
  statuses: Record<number, number>
  /** Of those that were answered below 400, from when they were due. */
  p50Ms: number
  p99Ms: number
  perSecond: number
  /** Requests that were due while all connections were busy. */
  unsent: number
}

const tickMs = 2

export async function sendTraffic({ port, ms, connections, perSecond, request }: Traffic): Promise<TrafficReport> {
  const statuses: Record<number, number> = {}
  const latencies: number[] = []
  const free: Line[] = []
  let number = 0
  let unsent = 0
  let isOver = false
  let underWay = 0

  const lines = Array.from({ length: connections }, () => newLine(port))
  // In hundreds: a kernel keeps few waiting, and has the others try again after seconds.
  while (free.length < lines.length) {
    const some = lines.slice(free.length, free.length + 100)
    await Promise.all(some.map(line => line.opened()))
    free.push(...some)
  }
  // The kernel connects before the server accepts, in order: when one more connection is answered, all are accepted.
  await sendOnce(port, formatGet('/livez'))
  const began = performance.now()
  const sendOne = (dueAt: number): boolean => {
    // In turn, because idle connections are closed by the server.
    const line = free.shift()
    if (line === undefined) return false
    underWay += 1
    line.send(request(number), status => {
      underWay -= 1
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status > 0 && status < 400) latencies.push(performance.now() - dueAt)
      free.push(line)
      if (perSecond === undefined && !isOver) sendOne(performance.now())
    })
    number += 1
    return true
  }

  if (perSecond === undefined) {
    for (let count = 0; count < connections; count += 1) sendOne(performance.now())
    await new Promise(resolve => setTimeout(resolve, ms))
  } else {
    let due = 0
    while (performance.now() - began < ms) {
      for (const target = ((performance.now() - began) / 1000) * perSecond; due < target; due += 1) {
        if (!sendOne(began + (due / perSecond) * 1000)) unsent += 1
      }
      await new Promise(resolve => setTimeout(resolve, tickMs))
    }
  }
  isOver = true
  const seconds = (performance.now() - began) / 1000
  for (const deadline = performance.now() + 10_000; underWay > 0 && performance.now() < deadline; )
    await new Promise(resolve => setTimeout(resolve, tickMs))
  for (const line of lines) line.close()
  latencies.sort((one, other) => one - other)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return { statuses, p50Ms: at(0.5), p99Ms: at(0.99), perSecond: latencies.length / seconds, unsent }
}

async function sendOnce(port: number, request: string): Promise<void> {
  const line = newLine(port)
  await new Promise<number>(resolve => line.send(request, resolve))
  line.close()
}

interface Line {
  /** Resolves when it is connected, or cannot be. */
  opened(): Promise<void>
  send(request: string, answered: (status: number) => void): void
  close(): void
}

/** One connection, made anew when it breaks. */
function newLine(port: number): Line {
  let socket: Socket | undefined
  let waiting = ''
  let onAnswer: ((status: number) => void) | undefined

  function answer(status: number): void {
    const told = onAnswer
    onAnswer = undefined
    waiting = ''
    told?.(status)
  }

  function open(): Socket {
    const opened = connect(port, '127.0.0.1')
    opened.setNoDelay(true)
    opened.setEncoding('latin1')
    opened.on('error', () => opened.destroy())
    opened.on('close', () => {
      if (socket === opened) socket = undefined
      answer(0)
    })
    opened.on('data', (text: string) => {
      waiting += text
      const headEnd = waiting.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const head = waiting.slice(0, headEnd)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (waiting.length < headEnd + 4 + length) return
      answer(Number(head.slice(9, 12)))
    })
    return opened
  }

  return {
    opened: async () => {
      socket ??= open()
      const opening = socket
      await new Promise<void>(resolve => opening.once('connect', resolve).once('close', () => resolve()))
    },
    send: (request, answered) => {
      onAnswer = answered
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
