import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SoakReceiver {
  url: string
  setFailureShare(share: number): void
  /** Messages that were answered with success, each counted once. */
  countArrived(): number
  countRequests(): number
  stop(): Promise<void>
  start(): Promise<void>
}

/** A receiver of webhooks that answers a share of the requests with 500, and stores only the ids of the others. */
export async function startSoakReceiver(failureShare: number): Promise<SoakReceiver> {
  const arrived = new Set<string>()
  let [share, requests, port] = [failureShare, 0, 0]
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      requests += 1
      const isFailing = Math.random() < share
      if (!isFailing) arrived.add(String(request.headers['webhook-id']))
      response.writeHead(isFailing ? 500 : 204).end()
    })
  })

  async function start(): Promise<void> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}/hook`,
    setFailureShare: next => {
      share = next
    },
    countArrived: () => arrived.size,
    countRequests: () => requests,
    start,
    stop: async () => {
      if (!server.listening) return
      server.close().closeAllConnections()
      await once(server, 'close')
    }
  }
}
