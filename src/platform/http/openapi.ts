import type { TSchema } from 'typebox'
import type { AccessRequirement } from '../caller.ts'
import type { ErrorFormat } from './errors.ts'
import { buildResponses, isConditionalWrite, type ResponseComponents } from './openapi-responses.ts'
import { newSchemaComponents, type SchemaComponents } from './openapi-schemas.ts'

/** Operations that belong together in the documents and in the reference. */
export interface RouteGroup {
  /** For people: the tag of its operations. */
  name: string
  description: string
  /** Which paths of the service belong to it, in OpenAPI notation. */
  paths: RegExp
}

/** What the document needs of one route; collected while routes are registered. */
export interface DocumentedRoute {
  service: string
  group: Pick<RouteGroup, 'name' | 'description'>
  errorFormat: ErrorFormat
  /** Media types a body may have. */
  mediaTypes: string[]
  method: string
  url: string
  requires: AccessRequirement
  creates: boolean
  requiresConfirmation: boolean
  schema: {
    summary?: string
    description?: string
    params?: TSchema
    querystring?: TSchema
    body?: TSchema
    response?: Record<string, TSchema>
    /** Media type of the response where it is not JSON. */
    produces?: string
    /** Codes of the problems that its handler throws, by status. */
    problems?: Record<number, readonly string[]>
  }
}

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of some routes, built from the schemas that validate them, so the two always agree. */
export function buildOpenApi(title: string, version: string, routes: DocumentedRoute[]): Json {
  const components = { ...newSchemaComponents(), headers: {}, responses: {} }
  for (const { errorFormat } of routes) {
    components.schemas[errorFormat.schema.name] ??= components.toDocument(errorFormat.schema.schema)
  }
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = toOpenApiPath(route.url)
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = buildOperation(route, components)
  }
  const { schemas, headers, responses } = components
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description:
        'Errors and the rules for paging, languages, limits, idempotency and conditional requests are the same everywhere: the reference at `/api` describes them, and `/problems` lists every problem code.',
      contact: { name: 'Those who run this site' },
      license: { name: 'MIT', identifier: 'MIT' }
    },
    servers: [{ url: '/', description: 'The host that serves this document.' }],
    tags: [...new Map(routes.map(({ group }) => [group.name, toTag(group)])).values()],
    paths,
    components: {
      schemas,
      headers,
      responses,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or the token of a session.' },
        basic: { type: 'http', scheme: 'basic', description: 'Any user name; the API key as password.' }
      }
    }
  }
}

const toTag = ({ name, description }: DocumentedRoute['group']) => ({ name, description })

/** `/events/:id(^\\d+$)` in OpenAPI notation: `/events/{id}`. */
export function toOpenApiPath(url: string): string {
  return url.replace(/:(\w+)(?:\([^)]*\))?/g, '{$1}')
}

function buildOperation(route: DocumentedRoute, components: SchemaComponents & ResponseComponents): Json {
  const { service, group, mediaTypes, method, url, requires, creates, requiresConfirmation, schema } = route
  const open = requires === 'public'
  const operationId = `${method.toLowerCase()}${toOpenApiPath(url).replace(/[^A-Za-z0-9]+(.)?/g, (_, letter = '') => letter.toUpperCase())}`
  return {
    operationId,
    tags: [group.name],
    summary: schema.summary,
    description: buildDescription(route),
    'x-service': service,
    ...(open ? {} : { 'x-roles': listRoles(requires) }),
    ...(requiresConfirmation ? { 'x-needs-confirmation': true } : {}),
    security: open ? [{}, { bearer: [] }, { basic: [] }] : [{ bearer: [] }, { basic: [] }],
    parameters: [
      ...buildParameters('path', schema.params, components),
      ...buildParameters('query', schema.querystring, components),
      ...(creates ? [idempotencyKeyParameter] : []),
      ...(isConditionalWrite(route) ? [ifMatchParameter] : [])
    ],
    ...(schema.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              mediaTypes.map(type => [
                type,
                {
                  schema: components.toNamed(
                    schema.body,
                    `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`
                  )
                }
              ])
            )
          }
        }),
    responses: buildResponses(route, operationId, components)
  }
}

const listRoles = (requires: Exclude<AccessRequirement, 'public'>) => [...new Set([...requires, 'admin'])]

/** The description of the route, and who may call it. */
function buildDescription({ requires, requiresConfirmation, schema }: DocumentedRoute): string {
  const roles = requires === 'public' ? [] : listRoles(requires)
  const access = roles.length === 0 ? 'Needs no credentials.' : `Needs one of the roles: ${roles.join(', ')}.`
  const confirmation = requiresConfirmation
    ? ['A session may first have to confirm its password with `POST /sessions/current/confirm`; a key does not.']
    : []
  return [schema.description ?? '', access, ...confirmation].filter(part => part !== '').join(' ')
}

function buildParameters(place: 'path' | 'query', schema: TSchema | undefined, components: SchemaComponents): Json[] {
  if (schema === undefined) return []
  const { properties, required = [] } = schema as { properties?: Record<string, TSchema>; required?: string[] }
  return Object.entries(properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = components.toDocument(property)
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(typeof description === 'string' ? { description } : {}),
      schema: rest
    }
  })
}

const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A repeated request with the same key and body returns the first response. Keys are stored for 24 hours. Without credentials, the response is returned only to the same network (IPv4 address, or /64 of IPv6); from another network, the same request with a key of 16 characters or more is not processed again and gets 409.',
  schema: { type: 'string', minLength: 1, maxLength: 255 }
}

const ifMatchParameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag that was read: the change is rejected with 412 if the resource was modified in the meantime.',
  schema: { type: 'string' }
}
