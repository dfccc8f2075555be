import type { FastifyRequest } from 'fastify'
import { hasRole } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { type ParamDefs, type ParseContext, withDescription } from '../param-definition.ts'
import { newNonEmptyTextParam } from '../params.ts'
import { newNamespaceNotFoundProblem } from '../problems.ts'
import { defineRoute, type RequestContext, type RouteTable } from './route.ts'
import { buildRestUrl, getSite, ownPrefix, type Site } from './site.ts'
import { buildTecDocument } from './tec-document.ts'

const indexParams = {
  namespace: withDescription(newNonEmptyTextParam('', 200), 'Namespace.', {
    default: ({ namespace }: Site) => namespace
  }),
  context: withDescription(newNonEmptyTextParam('', 200), 'Context; only `view` exists.', { default: 'view' })
}

const anyObject = { type: 'object', additionalProperties: true }

/** The namespace index and its OpenAPI description. */
export function registerIndexRoutes(scope: RouteContext, table: RouteTable): void {
  defineRoute(scope, table, {
    methods: ['GET'],
    path: '',
    requires: 'public',
    summary: 'List the routes of the namespace (discovery)',
    description: 'The index of a WordPress namespace: every route with its methods and arguments.',
    problems: { 404: ['rest_invalid_namespace'] },
    params: indexParams,
    response: { title: 'NamespaceIndex', ...anyObject },
    handler: async (context, { namespace }) => {
      const { site } = context
      if (namespace !== undefined && !namespaces.includes(namespace)) throw newNamespaceNotFoundProblem()
      return {
        body: {
          namespace: site.namespace,
          routes: describeRoutesFor(table, context),
          _links: { up: [{ href: `${site.root}/` }] }
        }
      }
    }
  })

  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/doc',
    requires: 'public',
    summary: 'Get the OpenAPI 3.0 document of the namespace',
    description:
      'In the version and format of The Events Calendar. `GET /openapi/calendar.json` has more details, in OpenAPI 3.1.',
    params: {},
    response: { title: 'OpenApiDocument', ...anyObject },
    handler: async ({ site }) => ({ body: buildTecDocument(table, site) })
  })
}

const namespaces = ['calendar/events/v1', 'tribe/events/v1']

/** Responds to OPTIONS with the index entry of this path. */
export function describeRoute(
  table: RouteTable,
  request: FastifyRequest,
  settings: Settings,
  methods: string[]
): object {
  const site = getSite(request, settings)
  const path = findTablePath(request)
  const described =
    path === undefined ? undefined : describeRoutes(table, site, { zone: settings.timezone, now: new Date() })
  return (
    described?.[toRoutePattern(site, path ?? '')] ?? {
      namespace: '',
      methods: methods.filter(method => method !== 'HEAD'),
      endpoints: [{ methods: ['GET'], args: [] }]
    }
  )
}

/** Computes the Allow header: methods depend only on the caller's role. */
export function newAllowHeader(table: RouteTable): (request: FastifyRequest) => string {
  const known = new Map<string, string>()
  return request => {
    const { caller } = request
    const key = `${caller.role} ${getRoutePattern(request)}`
    let allow = known.get(key)
    if (allow === undefined) {
      const path = findTablePath(request)
      allow = table.routes
        .filter(route => route.path === path && (route.requires === 'public' || hasRole(caller, ...route.requires)))
        .flatMap(route => route.methods)
        .join(', ')
      known.set(key, allow)
    }
    return allow
  }
}

/** The pattern of the path, also if it does not have the method of the request. */
function getRoutePattern({ routeOptions, knownRoute }: FastifyRequest): string {
  return knownRoute?.url ?? routeOptions.url ?? ''
}

/** The request's route path as a key of the route table; undefined outside the namespace. */
function findTablePath(request: FastifyRequest): string | undefined {
  const url = getRoutePattern(request)
  if (!url.startsWith(ownPrefix)) return undefined
  return url
    .slice(ownPrefix.length)
    .replace(/:(id|version)\(\^\\d\+\$\)/g, '{$1}')
    .replace(':slug', '{slug}')
}

function describeRoutesFor(table: RouteTable, context: RequestContext): object {
  return describeRoutes(table, context.site, context)
}

/** The index entries of the namespace, by the pattern of the path. */
export function describeRoutes(table: RouteTable, site: Site, about: ParseContext): Record<string, object> {
  const routes: Record<string, { namespace: string; methods: string[]; endpoints: object[]; _links?: object }> = {}
  for (const route of table.routes) {
    const pattern = toRoutePattern(site, route.path)
    routes[pattern] ??= {
      namespace: site.namespace,
      methods: [],
      endpoints: [],
      ...(route.path.includes('{') ? {} : { _links: { self: [{ href: buildRestUrl(site, route.path) }] } })
    }
    routes[pattern].methods.push(...route.methods)
    routes[pattern].endpoints.push(describeEndpoint(route, site, about))
  }
  return routes
}

function toRoutePattern({ namespace }: Site, path: string): string {
  return `/${namespace}${path.replace(/\{(id|version)\}/g, '(?P<$1>\\d+)').replace('{slug}', '(?P<slug>[^/]+)')}`
}

const pathArguments = {
  id: { type: 'integer', description: 'Id.', required: true },
  version: { type: 'integer', description: 'Number of the version.', required: true },
  slug: { type: 'string', description: 'URL slug.', required: true }
}

function describeEndpoint(
  { methods, path, params }: RouteTable['routes'][number],
  site: Site,
  about: ParseContext
): object {
  const args = Object.entries(params as ParamDefs).map(([name, parameter]) => {
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
    ...(path.includes('{version}') ? { version: pathArguments.version } : {}),
    ...Object.fromEntries(args),
    ...(path.includes('{slug}') ? { slug: pathArguments.slug } : {})
  }
  return { methods, args: named }
}
