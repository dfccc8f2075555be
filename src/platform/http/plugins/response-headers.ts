import type { FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Settings } from '../../config.ts'
import { newHeadersByOrigin } from '../links.ts'
import type { Service } from '../service.ts'
import { setCorsHeaders } from './cors.ts'

export type SetResponseHeaders = (request: FastifyRequest, reply: FastifyReply) => void

interface ResponseHeadersOptions {
  setResponseHeaders: SetResponseHeaders
}

/** Sets the headers of every response. A cached response, which is sent before, has them from its first time. */
export const responseHeaders = fastifyPlugin(async (app, { setResponseHeaders }: ResponseHeadersOptions) => {
  app.addHook('onRequest', (request, reply, next) => {
    setResponseHeaders(request, reply)
    next()
  })
})

/** Sets the request id, security headers and the entry of the API, then the headers of the service, which may replace them, and CORS. */
export function newResponseHeaders(settings: Settings, services: Service[]): SetResponseHeaders {
  const getHeaders = newCommonHeaders(settings, services)
  return (request, reply) => {
    reply.headers(getHeaders(request)).header('x-request-id', request.id)
    const ownHeaders = request.service.adapter?.headers(request)
    for (const name in ownHeaders) {
      const value = ownHeaders[name]
      if (value === undefined) reply.removeHeader(name)
      else reply.header(name, value)
    }
    setCorsHeaders(request, reply, settings.corsOrigins)
  }
}

/** False for an error that comes before the headers are set. */
export const hasResponseHeaders = (reply: FastifyReply) => reply.hasHeader('x-content-type-options')

function newCommonHeaders(
  settings: Settings,
  services: Service[]
): (request: FastifyRequest) => Record<string, string> {
  const headers = buildSecurityHeaders(settings)
  const discovery = services.find(service => service.discovery !== undefined)?.discovery
  if (discovery === undefined) return () => headers
  const { path, rel } = discovery
  return newHeadersByOrigin(settings, origin => ({ ...headers, link: `<${origin}${path}>; rel="${rel}"` }))
}

function buildSecurityHeaders(settings: Settings): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(settings.publicUrl?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {})
  }
}
