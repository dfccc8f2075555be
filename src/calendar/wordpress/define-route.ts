import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccessRequirement } from '#platform/caller.ts'
import { buildUrl } from '#platform/http/links.ts'
import { buildResponseFilter } from '#platform/http/response-filter.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { filterFields } from '../contract/routing/field-filter.ts'
import { mergeParams } from '../contract/routing/route.ts'
import { discoveryPath } from '../contract/routing/site.ts'
import { type CallApi, newApiCaller } from './call-api.ts'

export type WordpressNamespace = 'wp/v2' | 'tec/v1'

/** One request to a route of WordPress. */
export interface WordpressRequest {
  request: FastifyRequest
  reply: FastifyReply
  callApi: CallApi
  /** Query and body, unparsed: the calendar's own routes validate them. */
  params: Record<string, unknown>
  /** The id in the path; empty if there is none. */
  id: string
  /** URL of `/wp-json`. */
  root: string
  now: Date
}

export interface WordpressRoute {
  namespace: WordpressNamespace
  methods: ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[]
  /** Relative to the namespace; `{id}` matches digits. */
  path: string
  requires: AccessRequirement
  /** Schema of the response: members that it does not declare are not sent. */
  response: object
  bodyBytesMax?: number
  handler(request: WordpressRequest): Promise<object>
}

/** The routes of both namespaces, for the index. */
export interface WordpressRouteTable {
  routes: Pick<WordpressRoute, 'namespace' | 'methods' | 'path' | 'requires' | 'response'>[]
}

/**
 * Adds a route of WordPress. These routes are not in the OpenAPI documents: they are other shapes of resources that are
 * described there, and `/wp-json/`, `/wp-json/tec/v1/docs` and docs/compatibility.md list them.
 */
export function defineWordpressRoute(scope: RouteContext, table: WordpressRouteTable, route: WordpressRoute): void {
  const { namespace, methods, path, requires, response, bodyBytesMax, handler } = route
  table.routes.push(route)
  const filterResponse = buildResponseFilter(response)
  scope.app.route({
    method: methods,
    url: `${discoveryPath}/${namespace}${path.replace('{id}', ':id(^\\d+$)')}`,
    config: { requires, isUndocumented: true },
    schema: { response: { '2xx': response } },
    ...(bodyBytesMax === undefined ? {} : { bodyLimit: bodyBytesMax }),
    handler: async (request, reply) => {
      const { id = '' } = request.params as { id?: string }
      const params = mergeParams(request)
      const root = buildUrl(request, scope.settings, discoveryPath)
      const callApi = newApiCaller(scope, request)
      const body = filterResponse(await handler({ request, reply, callApi, params, id, root, now: new Date() }))
      reply.header('content-type', 'application/json; charset=utf-8')
      return JSON.stringify(selectFields(body, params._fields))
    }
  })
}

/** `_fields` selects members of the item, or of each item of a list. */
function selectFields(body: object, fields: unknown): object {
  if (typeof fields !== 'string' && !Array.isArray(fields)) return body
  return Array.isArray(body) ? body.map(item => filterFields(item, fields)) : filterFields(body, fields)
}
