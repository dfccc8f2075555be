import type { RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { type DocumentedRoute, toOpenApiPath } from './openapi.ts'
import type { RouteContext, Service } from './service.ts'

/** The OpenAPI documents: of the whole process, of each service, and of the routes that belong to no service. */
export function registerOpenApiRoutes(
  { app }: RouteContext,
  services: Service[],
  document: (name?: string) => object
): void {
  const serve = (url: string, title: string, name?: string) => {
    let text: string | undefined
    app.get(url, {
      config: { requires: 'public' },
      schema: {
        summary: `Get the OpenAPI document: ${title}`,
        description:
          'OpenAPI 3.1, for tools that generate clients or check requests. It describes the running version.',
        response: { 200: Type.Unsafe<string>({ title: 'OpenApiDocument', type: 'object', additionalProperties: true }) }
      },
      handler: async (_request, reply) => {
        text ??= JSON.stringify(document(name))
        return reply.type('application/json').send(text)
      }
    })
  }
  serve('/openapi.json', 'every route of this process')
  for (const { name, title } of services.filter(service => service.rendersHtml !== true))
    serve(`/openapi/${name}.json`, title, name)
}

/** Builds the documentation of a route from its options; throws if they lack something. */
export function describeRoute(
  service: Service,
  method: string,
  { url, schema = {}, config }: RouteOptions
): DocumentedRoute {
  if (config?.requires === undefined)
    throw new Error(`${method} ${url} does not declare the required role (config.requires).`)
  const documentedSchema = schema as DocumentedRoute['schema']
  const creates = config.creates === true
  if (method === 'POST' && documentedSchema.response?.['201'] !== undefined && !creates) {
    throw new Error(`POST ${url} creates a resource, so it must accept an Idempotency-Key (creates: true).`)
  }
  const { name, errorFormat, adapter } = service
  const taken = config.consumes ?? Object.keys(adapter?.contentTypeParsers ?? { 'application/json': true })
  const bodies = taken.filter(type => type !== '*')
  const needsConfirmation = config.requiresConfirmation !== undefined
  const { requires } = config
  return {
    service: name,
    group: findGroup(service, url),
    errorFormat: errorFormat,
    mediaTypes: bodies,
    method,
    url,
    requires: requires,
    creates,
    requiresConfirmation: needsConfirmation,
    schema: documentedSchema
  }
}

/** A service without groups is one group; a route that its service has forgotten stops the start. */
function findGroup({ title, groups }: Service, url: string): DocumentedRoute['group'] {
  if (groups === undefined) return { name: title, description: title }
  const path = toOpenApiPath(url)
  const group = groups.find(({ paths }) => paths.test(path))
  if (group === undefined) throw new Error(`${path} belongs to no group of ${title}.`)
  return group
}
