import type { FastifyRequest } from 'fastify'
import { may } from '#platform/access.ts'
import type { Settings } from '#platform/config.ts'
import type { Scope } from '#platform/service.ts'
import { type Declared, described, type Reading } from './parameters.ts'
import { noSuchNamespace } from './problems.ts'
import { filledText } from './rules.ts'
import { addRoute, discoveryPath, ownPrefix, type RouteTable, restUrl, type Site, siteOf, type Visit } from './tec.ts'
import { tecDocument } from './tec-document.ts'
import { offsetMinutes } from './zones.ts'

const indexParameters = {
  namespace: described(filledText('', 200), 'The namespace that is asked for.', {
    default: ({ namespace }: Site) => namespace
  }),
  context: described(filledText('', 200), 'Which view of it; there is one.', { default: 'view' })
}

const anyObject = { type: 'object', additionalProperties: true }

/** The namespace itself, its description, and what a client finds at the root that WordPress has. */
export function indexRoutes(scope: Scope, table: RouteTable): void {
  addRoute(scope, table, {
    methods: ['GET'],
    path: '',
    needs: 'nothing',
    summary: 'The routes of the namespace',
    takes: indexParameters,
    answers: anyObject,
    handler: async (visit, { namespace }) => {
      const { site } = visit
      if (namespace !== undefined && !namespaces.includes(namespace)) throw noSuchNamespace()
      return {
        body: {
          namespace: site.namespace,
          routes: routesOf(table, visit),
          _links: { up: [{ href: `${site.root}/` }] }
        }
      }
    }
  })

  addRoute(scope, table, {
    methods: ['GET'],
    path: '/doc',
    needs: 'nothing',
    summary: 'The OpenAPI 3.0 document of the namespace',
    takes: {},
    answers: anyObject,
    handler: async ({ site }) => ({ body: tecDocument(table, site) })
  })

  scope.app.get(discoveryPath, {
    config: { needs: 'nothing' },
    schema: { summary: 'What a client of WordPress finds at its root', response: { 200: anyObject } },
    handler: async (request, reply) => {
      const site = siteOf(request, scope.settings)
      const { origin } = site
      const about = { zone: scope.settings.timezone, now: new Date() }
      reply.header('content-type', 'application/json; charset=utf-8')
      return {
        name: 'Kalends',
        description: 'Events calendar',
        url: origin,
        home: origin,
        gmt_offset: String(offsetMinutes(about.zone, about.now) / 60),
        timezone_string: about.zone,
        namespaces: [site.namespace],
        authentication: {},
        routes: routesAt(table, site, about)
      }
    }
  })
}

const namespaces = ['calendar/events/v1', 'tribe/events/v1']

/** The answer to OPTIONS: what the index says of this address. */
export function describedRoute(
  table: RouteTable,
  request: FastifyRequest,
  settings: Settings,
  methods: string[]
): object {
  const site = siteOf(request, settings)
  const path = pathOf(request)
  const described = path === undefined ? undefined : routesAt(table, site, { zone: settings.timezone, now: new Date() })
  return (
    described?.[patternOf(site, path ?? '')] ?? {
      namespace: '',
      methods: methods.filter(method => method !== 'HEAD'),
      endpoints: [{ methods: ['GET'], args: [] }]
    }
  )
}

/** Tells which methods somebody may use at an address: by role, and so the same for all with that role. */
export function newAllow(table: RouteTable): (request: FastifyRequest) => string {
  const known = new Map<string, string>()
  return request => {
    const { url = '' } = request.routeOptions
    const { caller } = request
    const asked = `${caller.role} ${url}`
    let allow = known.get(asked)
    if (allow === undefined) {
      const path = pathOf(request)
      allow = table.routes
        .filter(route => route.path === path && (route.needs === 'nothing' || may(caller, ...route.needs)))
        .flatMap(route => route.methods)
        .join(', ')
      known.set(asked, allow)
    }
    return allow
  }
}

/** The path of the request's route as the table has it; undefined where it is not in the namespace. */
function pathOf({ routeOptions: { url = '' } }: FastifyRequest): string | undefined {
  if (!url.startsWith(ownPrefix)) return undefined
  return url.slice(ownPrefix.length).replace(':id(^\\d+$)', '{id}').replace(':slug', '{slug}')
}

function routesOf(table: RouteTable, visit: Visit): object {
  return routesAt(table, visit.site, visit)
}

function routesAt(table: RouteTable, site: Site, about: Reading): Record<string, object> {
  const routes: Record<string, { namespace: string; methods: string[]; endpoints: object[]; _links?: object }> = {}
  for (const route of table.routes) {
    const pattern = patternOf(site, route.path)
    routes[pattern] ??= {
      namespace: site.namespace,
      methods: [],
      endpoints: [],
      ...(route.path.includes('{') ? {} : { _links: { self: [{ href: restUrl(site, route.path) }] } })
    }
    routes[pattern].methods.push(...route.methods)
    routes[pattern].endpoints.push(endpoint(route, site, about))
  }
  return routes
}

function patternOf({ namespace }: Site, path: string): string {
  return `/${namespace}${path.replace('{id}', '(?P<id>\\d+)').replace('{slug}', '(?P<slug>[^/]+)')}`
}

const pathArguments = {
  id: { type: 'integer', description: 'Its number.', required: true },
  slug: { type: 'string', description: 'Its name in addresses.', required: true }
}

function endpoint({ methods, path, takes }: RouteTable['routes'][number], site: Site, about: Reading): object {
  const args = Object.entries(takes as Declared).map(([name, parameter]) => {
    const { type, items, format, enum: words } = parameter.schema
    return [
      name,
      {
        ...(type === undefined ? {} : { type }),
        ...(items === undefined ? {} : { items }),
        ...(format === undefined ? {} : { format }),
        ...(words === undefined ? {} : { enum: words }),
        description: parameter.description,
        required: parameter.required,
        ...(parameter.default === undefined
          ? {}
          : {
              default:
                typeof parameter.default === 'function' ? parameter.default({ ...site, ...about }) : parameter.default
            })
      }
    ]
  })
  const named = {
    ...(path.includes('{id}') ? { id: pathArguments.id } : {}),
    ...Object.fromEntries(args),
    ...(path.includes('{slug}') ? { slug: pathArguments.slug } : {})
  }
  return { methods, args: named }
}
