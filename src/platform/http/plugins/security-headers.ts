import fastifyPlugin from 'fastify-plugin'
import type { Settings } from '../../config.ts'

/** Sets the security headers of every response, and the request id; a service may replace them with its own. */
export const securityHeaders = fastifyPlugin(async (app, { settings }: { settings: Settings }) => {
  const headers = buildSecurityHeaders(settings)
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(headers).header('x-request-id', request.id)
    const ownHeaders = request.service.adapter?.headers(request)
    if (ownHeaders !== undefined) reply.headers(ownHeaders)
    next()
  })
})

export function buildSecurityHeaders(settings: Settings): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(settings.publicUrl?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {})
  }
}
