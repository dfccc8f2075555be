import type { FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { type Caller, newVisitor } from '../../caller.ts'
import { hasInternalHeader } from '../internal-client.ts'
import type { KnownRoute, KnownRoutes } from '../known-paths.ts'
import type { Service } from '../service.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Anonymous until the `authenticate` plugin has identified the caller. */
    caller: Caller
    /** A request of a page to a service: the request of the visitor is already limited, counted and logged. */
    isInternal: boolean
    /** The service that handles the request: that of its route, or the one that answers for unknown paths. */
    service: Service
    /** Set if the path exists, but not with this method. */
    knownRoute: KnownRoute | undefined
    /** `routeOptions.config`, read once: Fastify builds `routeOptions` anew on each access. */
    routeConfig: FastifyContextConfig & { url?: string }
  }
  interface FastifyContextConfig {
    /** Set for every route when its service is registered. */
    service?: Service
    /** Only refuses methods of a path that another pattern would accept. */
    refusesMethod?: boolean
  }
  interface FastifyInstance {
    /** The service whose routes are being registered. */
    service: Service
  }
}

const anonymousCaller = newVisitor('')

/** Adds caller, service and known route to each request. */
export const requestContext = fastifyPlugin(
  async (app, { knownRoutes, findService }: { knownRoutes: KnownRoutes; findService: FindService }) => {
    app.decorateRequest('caller')
    app.decorateRequest('isInternal', false)
    app.decorateRequest('service')
    app.decorateRequest('knownRoute')
    app.decorateRequest('routeConfig')
    app.addHook('onRoute', function (route) {
      const { service } = this
      route.config = { ...route.config, service }
      if (route.config.refusesMethod === true) return
      for (const method of [route.method].flat()) knownRoutes.add(service, route.url, method)
    })
    app.addHook('onRequest', (request, _reply, next) => {
      request.caller = anonymousCaller
      request.isInternal = hasInternalHeader(request.raw)
      request.routeConfig = request.routeOptions.config
      request.knownRoute = request.is404 ? knownRoutes.find(request.url) : undefined
      request.service = findService(request)
      next()
    })
  }
)

export type FindService = (
  request: Pick<FastifyRequest, 'url' | 'method' | 'headers'> & Partial<FastifyRequest>
) => Service

/**
 * A route belongs to the service that registered it. A path without a route belongs to the service with its prefix, to
 * the service that has the path with another method, or to the one that answers browsers.
 */
export function newServiceLookup(services: Service[], fallback: Service): FindService {
  return request => {
    const { service } = request.routeConfig ?? {}
    if (service !== undefined) return service
    return (
      services.find(({ prefixes = [] }) => prefixes.some(prefix => isBelow(request.url, prefix))) ??
      request.knownRoute?.service ??
      services.find(({ adapter }) => adapter?.handlesNotFound?.(request) === true) ??
      fallback
    )
  }
}

function isBelow(url: string, prefix: string): boolean {
  return url.startsWith(prefix) && ['', '/', '?'].includes(url.charAt(prefix.length))
}
