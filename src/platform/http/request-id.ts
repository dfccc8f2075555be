import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Keeps a caller's own request id if it is harmless in a log and a header. */
export function createRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{8,100}$/.test(given) ? given : randomUUID()
}
