import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../config.ts'
import { buildUrl } from '../../http/links.ts'
import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'
import { isLoopback } from '../../settings/setting-values.ts'
import { canParseUrl } from '../../url/parse-url.ts'

/** The site that passkeys belong to: browsers offer them to no other host. */
export interface RelyingParty {
  id: string
  origin: string
}

/**
 * The host of PUBLIC_URL, or localhost. Undefined where browsers do not support passkeys: for an IP address, without
 * https, and for a host that only the request names.
 */
export function findRelyingParty(request: FastifyRequest, settings: Settings): RelyingParty | undefined {
  const url = buildUrl(request, settings, '')
  if (!canParseUrl(url)) return undefined
  const { hostname, origin, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (host === '' || isIP(host) > 0) return undefined
  if (host !== 'localhost' && (settings.publicUrl === undefined || protocol !== 'https:')) return undefined
  // Other loopback names mean this machine only for clients on it.
  if (host !== 'localhost' && isLoopback(host)) return undefined
  return { id: host, origin }
}

export function requireRelyingParty(request: FastifyRequest, settings: Settings): RelyingParty {
  const party = findRelyingParty(request, settings)
  if (party === undefined) throw newPasskeysNotOfferedProblem()
  return party
}

const newPasskeysNotOfferedProblem = () =>
  new Problem(409, 'passkeys-not-offered', buildText('auth-problems', 'passkeysNotOffered'))
