import newRouter from 'find-my-way'
import type { Service } from './service.ts'

/** A path that exists: the service that it belongs to, its pattern, and the methods it allows. */
export interface KnownRoute {
  service: Service
  url: string
  methods: Set<string>
}

/** Paths that exist, for requests with methods that they do not allow. */
export interface KnownRoutes {
  add(service: Service, url: string, method: string): void
  /** Finds the path for a URL as it was requested. */
  find(url: string): KnownRoute | undefined
  list(service: Service): KnownRoute[]
}

/**
 * A second router, in which each path has one entry whatever its methods; Fastify's own looks up method and path. It is
 * built for the first request that needs it, because that takes as long as a tenth of the start.
 */
export function newKnownRoutes(): KnownRoutes {
  const known = new Map<string, KnownRoute>()
  let router: ReturnType<typeof buildRouter> | undefined
  return {
    add: (service, url, method) => {
      let route = known.get(url)
      if (route === undefined) {
        route = { service, url, methods: new Set() }
        known.set(url, route)
        router = undefined
      }
      route.methods.add(method)
      if (method === 'GET') route.methods.add('HEAD')
    },
    find: url => {
      router ??= buildRouter(known.values())
      return router.find('GET', url.split('?', 1)[0] ?? '')?.store as KnownRoute | undefined
    },
    list: service => [...known.values()].filter(route => route.service === service)
  }
}

function buildRouter(routes: Iterable<KnownRoute>) {
  const router = newRouter({ ignoreTrailingSlash: true, maxParamLength: 65_536 })
  for (const route of routes) router.on('GET', route.url, ignoreRequest, route)
  return router
}

/** The router is only searched, so that no handler is ever called. */
function ignoreRequest(): void {}

export const formatAllow = ({ methods }: Pick<KnownRoute, 'methods'>) => [...methods, 'OPTIONS'].join(', ')
