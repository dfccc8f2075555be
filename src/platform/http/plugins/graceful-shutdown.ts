import type { ServerResponse } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fastifyPlugin from 'fastify-plugin'

/** Responses still in flight this long after shutdown began are cut off: supervisors wait ten seconds in all. */
const cutOffMs = 8500
/** For a request in transit over a connection that was opened in time. */
const graceMs = 100

export interface GracefulShutdown {
  isClosing(): boolean
  /** Keeps serving for a while, then accepts no new connections and completes the responses in flight. */
  run(stillOpenMs: number): Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    shutdown: GracefulShutdown
  }
}

/**
 * Tracks responses in flight. Node's own `close` would cut off responses that are written but not yet read, and wait
 * for idle connections.
 */
export const gracefulShutdown = fastifyPlugin(async app => {
  const responses = new Set<ServerResponse>()
  let closing = false

  app.addHook('onRequest', (_request, { raw }, next) => {
    responses.add(raw)
    raw.once('close', () => responses.delete(raw))
    next()
  })
  // Connected clients learn of the shutdown before the listener closes.
  app.addHook('onSend', (_request, reply, payload, next) => {
    if (closing) reply.header('connection', 'close')
    next(null, payload)
  })

  async function waitForResponses(): Promise<void> {
    // Closes only the listener: connections stay open.
    Server.prototype.close.call(app.server)
    do {
      await Promise.all([...responses].map(response => new Promise(resolve => response.once('close', resolve))))
      await sleep(graceMs)
    } while (responses.size > 0)
    app.server.closeAllConnections()
  }

  app.decorate('shutdown', {
    isClosing: () => closing,
    run: async stillOpenMs => {
      closing = true
      if (app.server.listening) {
        const cutOff = setTimeout(() => app.server.closeAllConnections(), cutOffMs)
        await sleep(stillOpenMs)
        await waitForResponses()
        clearTimeout(cutOff)
      }
      await app.close()
    }
  })
})
