import type { FastifyRequest } from 'fastify'
import type { Settings } from '../config.ts'

/** The absolute URL of one of our paths, as clients reach it. */
export function buildUrl(request: FastifyRequest, settings: Settings, path: string): string {
  if (settings.publicUrl !== undefined) return settings.publicUrl + path
  return request.host === '' ? path : `${request.protocol}://${request.host}${path}`
}

/**
 * Headers that depend on the origin of the site only. Nearly all requests have the same, so they are built again only
 * if it differs from that of the last request.
 */
export function newHeadersByOrigin(
  settings: Settings,
  build: (origin: string) => Record<string, string>
): (request: FastifyRequest) => Record<string, string> {
  let lastOrigin: string | undefined
  let headers: Record<string, string> = {}
  return request => {
    const origin = buildUrl(request, settings, '')
    if (origin !== lastOrigin) {
      headers = build(origin)
      lastOrigin = origin
    }
    return headers
  }
}
