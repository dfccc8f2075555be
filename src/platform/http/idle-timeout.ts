import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const checkIntervalMs = 1000
/** When this part of its time is over it is looked whether anything goes over a connection: before, most have their next request. */
const uncheckedShare = 1 / 6

/** A connection. */
interface ConnectionState {
  /** When it was last known not to be silent. */
  sinceMs: number
  bytes: number
}

/**
 * Ends connections over which nothing has gone for as long as Node was told, or a sixth longer. Node would make two
 * timers for every request, which takes longer than finding an answer that is kept; here a request leaves a note, and all
 * notes are read once a second.
 */
export function enforceIdleTimeout(server: Server, everyMs = checkIntervalMs): void {
  const connections = new Map<Socket, ConnectionState>()
  let nowMs = performance.now()

  function checkConnections(): void {
    nowMs = performance.now()
    for (const [socket, connection] of connections) {
      const { timeout: mostMs = 0 } = socket
      const silentMs = nowMs - connection.sinceMs
      if (mostMs === 0 || silentMs < mostMs * uncheckedShare) continue
      const bytes = socket.bytesRead + socket.bytesWritten - socket.writableLength
      if (bytes !== connection.bytes) Object.assign(connection, { bytes, sinceMs: nowMs })
      else if (silentMs >= mostMs) socket.emit('timeout')
    }
  }
  const timer = setInterval(checkConnections, everyMs).unref()
  server.on('close', () => clearInterval(timer))

  // Before Node looks at it.
  server.prependListener('connection', (socket: Socket & { timeout?: number }) => {
    const guest: ConnectionState = { sinceMs: 0, bytes: 0 }
    connections.set(socket, guest)
    socket.once('close', () => connections.delete(socket))
    socket.setTimeout = ms => {
      socket.timeout = ms
      guest.sinceMs = nowMs
      return socket
    }
  })
}
