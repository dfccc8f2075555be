import type { FastifyRequest } from 'fastify'
import type { Settings } from '../config.ts'

/** The absolute URL of one of our paths, as clients reach it. */
export function buildUrl(request: FastifyRequest, settings: Settings, path: string): string {
  if (settings.publicUrl !== undefined) return settings.publicUrl + path
  return request.host === '' ? path : `${request.protocol}://${request.host}${path}`
}
