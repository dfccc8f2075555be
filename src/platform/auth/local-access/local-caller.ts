import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../config.ts'
import { isLocalRequest } from '../../http/client-address.ts'
import { isInternal } from '../../http/internal-client.ts'

/**
 * Somebody at this machine, and not a web page of somebody else's that the browser at this machine has open: such a page sends
 * its origin, or reaches us under a host name of its own. Whose process it is, `isPeerOwnUser` tells. What pages of ours ask is
 * asked for their visitors.
 */
export function isLocalCaller(request: FastifyRequest, settings: Settings): boolean {
  if (isInternal(request) || !isLocalRequest(request.raw, settings)) return false
  const { host = '', origin, 'sec-fetch-site': site } = request.headers
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) return false
  return site === undefined || site === 'none' || site === 'same-origin'
}
