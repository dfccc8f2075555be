import type { WordpressNamespace, WordpressRouteTable } from './define-route.ts'

/** The index of a namespace, as WordPress has it. */
export function describeNamespace(table: WordpressRouteTable, namespace: WordpressNamespace, root: string): object {
  return {
    namespace,
    routes: describeWordpressRoutes({ routes: table.routes.filter(route => route.namespace === namespace) }, root),
    _links: { up: [{ href: `${root}/` }] }
  }
}

interface RouteEntry {
  namespace: string
  methods: string[]
  endpoints: { methods: string[]; args: object }[]
  _links?: object
}

/** Routes by the pattern of their path. Clients build the paths of their requests from it. */
export function describeWordpressRoutes({ routes }: WordpressRouteTable, root: string): Record<string, RouteEntry> {
  const described: Record<string, RouteEntry> = {}
  for (const { namespace, path, methods } of routes) {
    const pattern = `/${namespace}${path.replace('{id}', '(?P<id>[\\d]+)')}`
    described[pattern] ??= {
      namespace,
      methods: [],
      endpoints: [],
      ...(path.includes('{') ? {} : { _links: { self: [{ href: `${root}/${namespace}${path}` }] } })
    }
    described[pattern].methods.push(...methods)
    described[pattern].endpoints.push({ methods, args: {} })
  }
  return described
}
