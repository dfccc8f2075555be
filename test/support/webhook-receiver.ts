import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'

/** A webhook request that a receiver got. */
export interface ReceivedWebhook {
  id: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export type ReceiverBehaviour = (response: ServerResponse, webhook: ReceivedWebhook) => void

export interface WebhookReceiver {
  url: string
  received: ReceivedWebhook[]
  /** Sets how it responds; by default with 204. */
  setBehaviour(behaviour: ReceiverBehaviour): void
  /** Stops listening at its address, or starts again. */
  stop(): Promise<void>
  start(): Promise<void>
}

export const respondWith =
  (status: number, headers: Record<string, string> = {}): ReceiverBehaviour =>
  response =>
    response.writeHead(status, headers).end()

/** An external receiver of webhooks; stopped after the file's tests. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  let behaviour = respondWith(204)
  const server = createServer(async (request, response) => {
    const webhook = {
      id: String(request.headers['webhook-id']),
      path: request.url ?? '',
      headers: request.headers,
      body: await text(request)
    }
    received.push(webhook)
    behaviour(response, webhook)
  })
  let port = 0

  async function start(): Promise<void> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  async function stop(): Promise<void> {
    if (!server.listening) return
    server.close().closeAllConnections()
    await once(server, 'close')
  }
  await start()
  after(stop)
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received: received,
    setBehaviour: next => {
      behaviour = next
    },
    stop: stop,
    start: start
  }
}
