import type { ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fastifyPlugin from 'fastify-plugin'

/**
 * Responses still in flight this long after shutdown began are cut off: supervisors wait ten seconds in all, of which the
 * embedded database takes up to two to stop on a busy machine.
 */
const cutOffMs = 7500
/** At least this long after the process has stopped to accept connections, if it does so late. */
const cutOffAfterDrainMs = 500
/** A client that takes nothing of its response for this long is disconnected. */
const idleTimeoutMs = 60_000
const idleCheckIntervalMs = 1000
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
 * Tracks connections and the last response of each, and ends those that make no progress. Node's own `close` would cut off responses that are written but not
 * yet read, and wait for idle connections.
 */
export const gracefulShutdown = fastifyPlugin(async app => {
  /** Undefined for a connection without a request so far. */
  const lastResponses = new Map<Socket, ServerResponse | undefined>()
  let closing = false

  app.server.on('connection', socket => {
    lastResponses.set(socket, undefined)
    socket.once('close', () => lastResponses.delete(socket))
  })
  app.addHook('onRequest', ({ raw: { socket } }, reply, next) => {
    if (lastResponses.has(socket)) lastResponses.set(socket, reply.raw)
    next()
  })
  // Only for responses that take longer than a moment: Node restarts the timer with every read and write.
  const idleCheck = setInterval(() => {
    for (const [socket, response] of lastResponses) {
      const isInFlight = response !== undefined && !response.closed
      if (isInFlight && socket.timeout !== idleTimeoutMs) socket.setTimeout(idleTimeoutMs)
    }
  }, idleCheckIntervalMs).unref()
  app.addHook('onClose', async () => clearInterval(idleCheck))

  // Connected clients learn of the shutdown before the listener closes.
  app.addHook('onSend', (_request, reply, payload, next) => {
    if (closing) reply.header('connection', 'close')
    next(null, payload)
  })

  /** Responses on one connection are sent in order, so that all are sent when the last one is. */
  const listInFlight = () =>
    [...lastResponses.values()].filter(response => response !== undefined && !response.closed) as ServerResponse[]

  async function waitForResponses(): Promise<void> {
    // Closes only the listener: connections stay open.
    Server.prototype.close.call(app.server)
    do {
      await Promise.all(listInFlight().map(response => new Promise(resolve => response.once('close', resolve))))
      await sleep(graceMs)
    } while (listInFlight().length > 0)
    app.server.closeAllConnections()
  }

  app.decorate('shutdown', {
    isClosing: () => closing,
    run: async stillOpenMs => {
      closing = true
      if (app.server.listening) {
        const cutOff = setTimeout(
          () => app.server.closeAllConnections(),
          Math.max(cutOffMs, stillOpenMs + cutOffAfterDrainMs)
        )
        await sleep(stillOpenMs)
        await waitForResponses()
        clearTimeout(cutOff)
      }
      await app.close()
    }
  })
})
