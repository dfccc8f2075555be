import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../config.ts'
import { isLocalRequest } from '../../http/client-address.ts'

/**
 * True for a client on this machine, but not for a foreign web page open in a browser here: such a page sends its
 * Origin, or uses its own host name. `isPeerOwnUser` checks whose process it is. Internal requests of our own pages do
 * not count, because they are made on behalf of visitors.
 */
export function isLocalCaller(request: FastifyRequest, settings: Settings): boolean {
  if (request.isInternal || !isLocalRequest(request.raw, settings)) return false
  const { host = '', origin, 'sec-fetch-site': site } = request.headers
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) return false
  return site === undefined || site === 'none' || site === 'same-origin'
}
