import type { FastifyRequest } from 'fastify'
import type { Settings } from '../config.ts'
import { isInside } from '../inside.ts'
import { isDirect } from './direct.ts'

/**
 * Somebody at this machine, and not a web page of somebody else's that the browser at this machine has open: such a page sends
 * its origin, or reaches us under a host name of its own. Whose process it is, `isPeerOwn` tells. What pages of ours ask is
 * asked for their visitors.
 */
export function looksLocal(request: FastifyRequest, settings: Settings): boolean {
  if (isInside(request) || !isDirect(request.raw, settings)) return false
  const { host = '', origin, 'sec-fetch-site': site } = request.headers
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) return false
  return site === undefined || site === 'none' || site === 'same-origin'
}
