import type { ServerResponse } from 'node:http'
import { Server, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { enforceIdleTimeout } from './idle-timeout.ts'

/** What is still on its way this long after the stop began is cut off, because supervisors wait ten seconds in all. */
const cutOffMs = 8500
/** For whoever an answer is for, without any progress. */
const writeTimeoutMs = 60_000
/** For a request that is on its way to us over a connection that was made in time. */
const graceMs = 100

export interface GracefulShutdown {
  isClosing(): boolean
  /** Waits with closing until this answer is out; those that come by the hooks are known anyway. */
  track(answer: ServerResponse): void
  /** Goes on for a while, then lets nobody in, and everybody who is in out: with the whole answer. */
  shutdown(stillOpenMs: number): Promise<void>
}

/** Watches who is in. Node's own `close` would cut off answers that are written but not yet read, and wait for idlers. */
export function trackInFlight(app: FastifyInstance): GracefulShutdown {
  const responses = new Set<ServerResponse>()
  let closing = false
  enforceIdleTimeout(app.server)

  function track(answer: ServerResponse): void {
    // For whoever reads no more; until then the times for a request hold.
    if (answer.socket instanceof Socket) answer.socket.setTimeout(writeTimeoutMs)
    responses.add(answer)
    answer.once('close', () => responses.delete(answer))
  }

  app.addHook('onRequest', (_request, { raw }, next) => {
    track(raw)
    next()
  })
  // So whoever is connected learns of it before the door is shut.
  app.addHook('onSend', (_request, reply, payload, next) => {
    if (closing) reply.header('connection', 'close')
    next(null, payload)
  })

  async function waitForResponses(): Promise<void> {
    // Only the listener: connections stay.
    Server.prototype.close.call(app.server)
    do {
      await Promise.all([...responses].map(answer => new Promise(resolve => answer.once('close', resolve))))
      await sleep(graceMs)
    } while (responses.size > 0)
    app.server.closeAllConnections()
  }

  return {
    isClosing: () => closing,
    track: track,
    shutdown: async stillOpenMs => {
      closing = true
      if (app.server.listening) {
        const cutOff = setTimeout(() => app.server.closeAllConnections(), cutOffMs)
        await sleep(stillOpenMs)
        await waitForResponses()
        clearTimeout(cutOff)
      }
      await app.close()
    }
  }
}
