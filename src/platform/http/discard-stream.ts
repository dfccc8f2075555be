import type { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'

/** Closes a response stream that nobody will read, so that an export does not query its rows. */
export function discardStream(stream: Readable, log: FastifyBaseLogger): void {
  stream.on('error', error => log.warn({ err: error }, 'closing a response stream failed'))
  stream.destroy()
}
