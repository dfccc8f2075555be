import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const lookEveryMs = 1000
/** When this part of its time is over it is looked whether anything goes over a connection: before, most have their next request. */
const calmShare = 1 / 6

/** A connection. */
interface Guest {
  /** When it was last known not to be silent. */
  sinceMs: number
  bytes: number
}

/**
 * Ends connections over which nothing has gone for as long as Node was told, or a sixth longer. Node would make two
 * timers for every request, which takes longer than finding an answer that is kept; here a request leaves a note, and all
 * notes are read once a second.
 */
export function watchSilence(server: Server, everyMs = lookEveryMs): void {
  const guests = new Map<Socket, Guest>()
  let nowMs = performance.now()

  function look(): void {
    nowMs = performance.now()
    for (const [socket, guest] of guests) {
      const { timeout: mostMs = 0 } = socket
      const silentMs = nowMs - guest.sinceMs
      if (mostMs === 0 || silentMs < mostMs * calmShare) continue
      const bytes = socket.bytesRead + socket.bytesWritten - socket.writableLength
      if (bytes !== guest.bytes) Object.assign(guest, { bytes, sinceMs: nowMs })
      else if (silentMs >= mostMs) socket.emit('timeout')
    }
  }
  const timer = setInterval(look, everyMs).unref()
  server.on('close', () => clearInterval(timer))

  // Before Node looks at it.
  server.prependListener('connection', (socket: Socket & { timeout?: number }) => {
    const guest: Guest = { sinceMs: 0, bytes: 0 }
    guests.set(socket, guest)
    socket.once('close', () => guests.delete(socket))
    socket.setTimeout = ms => {
      socket.timeout = ms
      guest.sinceMs = nowMs
      return socket
    }
  })
}
