// A load generator in its own process: keeps a number of connections busy with one request each and counts answers.
// Talks HTTP over plain sockets, because a full client would cost as much as the server it measures.
import { connect } from 'node:net'

export interface Load {
  port: number
  connections: number
  ms: number
  /** Whole requests as they go over the wire; taken in turn. */
  requests: string[]
  /** The status that every answer must have. */
  status: number
}

export interface Measured {
  perSecond: number
  /** Answers with another status; a measurement with any is void. */
  wrong: number
  p50Ms: number
  p99Ms: number
}

process.on('message', async (load: Load) => {
  process.send?.(await measure(load))
})

async function measure({ port, connections, ms, requests, status }: Load): Promise<Measured> {
  const latencies: number[] = []
  let wrong = 0
  let turn = 0
  const begin = performance.now()
  const end = begin + ms

  const keepBusy = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let waiting = ''
      let sentAt = 0
      const next = () => {
        if (performance.now() >= end) {
          socket.destroy()
          return resolve()
        }
        sentAt = performance.now()
        socket.write(requests[turn++ % requests.length] ?? '')
      }
      socket.setNoDelay(true)
      socket.setEncoding('latin1')
      socket.on('connect', next)
      socket.on('error', reject)
      socket.on('data', (text: string) => {
        waiting += text
        const headEnd = waiting.indexOf('\r\n\r\n')
        if (headEnd < 0) return
        const length = /content-length: (\d+)/i.exec(waiting.slice(0, headEnd))?.[1]
        if (waiting.length < headEnd + 4 + Number(length ?? 0)) return
        if (Number(waiting.slice(9, 12)) !== status) wrong += 1
        latencies.push(performance.now() - sentAt)
        waiting = ''
        next()
      })
    })

  await Promise.all(Array.from({ length: connections }, keepBusy))
  const seconds = (performance.now() - begin) / 1000
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return { perSecond: latencies.length / seconds, wrong, p50Ms: at(0.5), p99Ms: at(0.99) }
}
