import type { FastifyRequest } from 'fastify'
import type { Settings } from '../config.ts'

/** The absolute URL of one of our paths, as clients reach it. */
export function buildUrl(request: FastifyRequest, settings: Settings, path: string): string {
  if (settings.publicUrl !== undefined) return settings.publicUrl + path
  return request.host === '' ? path : `${request.protocol}://${request.host}${path}`
}

/**
 * Headers that depend on the origin of the site only. Nearly all requests have the same, so they are built again only
 * if host or protocol differ from those of the last request.
 */
export function newHeadersByOrigin<Headers extends Record<string, string | undefined>>(
  settings: Settings,
  build: (origin: string) => Headers
): (request: FastifyRequest) => Headers {
  let last: { host: string; protocol: string; headers: Headers } | undefined
  return request => {
    const { host, protocol } = request
    if (last?.host !== host || last.protocol !== protocol) {
      last = { host, protocol, headers: build(buildUrl(request, settings, '')) }
    }
    return last.headers
  }
}
