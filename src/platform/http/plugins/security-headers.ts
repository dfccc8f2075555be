import type { FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Settings } from '../../config.ts'
import { newHeadersByOrigin } from '../links.ts'
import type { Service } from '../service.ts'

/** Sets the security headers of every response, its id and the entry of the API; a service may replace them. */
export const securityHeaders = fastifyPlugin(
  async (app, { settings, services }: { settings: Settings; services: Service[] }) => {
    const getHeaders = newCommonHeaders(settings, services)
    app.addHook('onRequest', (request, reply, next) => {
      setCommonHeaders(request, reply, getHeaders)
      next()
    })
  }
)

/** Sets the headers of every response, then those of the service, which may replace or remove some of them. */
export function setCommonHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  getHeaders: ReturnType<typeof newCommonHeaders>
): void {
  reply.headers(getHeaders(request)).header('x-request-id', request.id)
  const ownHeaders = request.service.adapter?.headers(request)
  for (const name in ownHeaders) {
    const value = ownHeaders[name]
    if (value === undefined) reply.removeHeader(name)
    else reply.header(name, value)
  }
}

/** The headers of every response. */
export function newCommonHeaders(
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
