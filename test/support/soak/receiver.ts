import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SoakReceiver {
  url: string
  setFailureShare(share: number): void
  /** The number of messages with a successful response, each counted once. */
  countArrived(): number
  countRequests(): number
  stop(): Promise<void>
  start(): Promise<void>
}

/** A message that fails more often would be retried only hours later. */
const failuresPerMessage = 2

/** A receiver of webhooks that responds 500 to a share of the requests, and stores only the ids of messages. */
export async function startSoakReceiver(failureShare: number): Promise<SoakReceiver> {
  const arrived = new Set<string>()
  const failures = new Map<string, number>()
  let [share, requests, port] = [failureShare, 0, 0]
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      requests += 1
      const id = String(request.headers['webhook-id'])
      const failed = failures.get(id) ?? 0
      const isFailing = failed < failuresPerMessage && Math.random() < share
      if (isFailing) failures.set(id, failed + 1)
      else arrived.add(id)
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
