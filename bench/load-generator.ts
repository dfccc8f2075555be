// A load generator in its own process: keeps a number of connections busy with one request each and counts answers.
// Talks HTTP over plain sockets and reads no more of an answer than its head, because a full client would cost as much as
// the server that it measures.
import { connect } from 'node:net'
import { serialMark } from './options.ts'

export interface Load {
  port: number
  connections: number
  ms: number
  /** Whole requests as they go over the wire; taken in turn. A serial number takes the place of `serialMark`. */
  requests: string[]
  /** The status that every answer must have. */
  status: number
}

export interface Measured {
  answers: number
  perSecond: number
  /** Answers with another status, by status; a measurement with any is void. */
  wrong: Record<number, number>
  p50Ms: number
  p99Ms: number
}

let serial = 0

process.on('message', async (load: Load) => {
  process.send?.(await measure(load))
})

async function measure({ port, connections, ms, requests, status }: Load): Promise<Measured> {
  const latencies: number[] = []
  const wholeRequests = requests.map(request => (request.includes(serialMark) ? request : Buffer.from(request)))
  const wrong: Record<number, number> = {}
  let turn = 0
  const begin = performance.now()
  const end = begin + ms

  const keepBusy = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let head: Buffer = Buffer.alloc(0)
      /** Bytes of the answer that are still to come; undefined until its head is known. */
      let left: number | undefined
      let sentAt = 0
      const next = () => {
        if (performance.now() >= end) {
          socket.destroy()
          return resolve()
        }
        sentAt = performance.now()
        const request = wholeRequests[turn++ % wholeRequests.length] ?? ''
        socket.write(typeof request === 'string' ? request.replace(serialMark, String(serial++)) : request)
      }
      socket.setNoDelay(true)
      socket.on('connect', next)
      socket.on('error', reject)
      socket.on('end', () => reject(new Error('The server closed the connection.')))
      socket.on('data', (chunk: Buffer) => {
        if (left === undefined) {
          head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
          const headEnd = head.indexOf('\r\n\r\n')
          if (headEnd < 0) return
          const text = head.toString('latin1', 0, headEnd)
          const answered = Number(text.slice(9, 12))
          if (answered !== status) wrong[answered] = (wrong[answered] ?? 0) + 1
          const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
          if (length === undefined && answered !== 304) return reject(new Error(`An answer without a length:\n${text}`))
          left = headEnd + 4 + (answered === 304 ? 0 : Number(length)) - head.length
          head = Buffer.alloc(0)
        } else {
          left -= chunk.length
        }
        if (left > 0) return
        left = undefined
        latencies.push(performance.now() - sentAt)
        next()
      })
    })

  await Promise.all(Array.from({ length: connections }, keepBusy))
  const seconds = (performance.now() - begin) / 1000
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return { answers: latencies.length, perSecond: latencies.length / seconds, wrong, p50Ms: at(0.5), p99Ms: at(0.99) }
}
