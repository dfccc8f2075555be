import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from 'typebox'
import type { AccessRequirement } from '../caller.ts'
import type { ErrorFormat } from './errors.ts'

/** What the document needs of one route; collected while routes are registered. */
export interface DocumentedRoute {
  service: string
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
  }
}

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of some routes, built from the schemas that validate them, so the two always agree. */
export function buildOpenApi(title: string, version: string, routes: DocumentedRoute[]): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = toOpenApiPath(route.url)
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = buildOperation(route)
  }
  const schemas: Json = Object.fromEntries(
    routes.map(({ errorFormat }) => [errorFormat.schema.name, errorFormat.schema.schema])
  )
  return {
    openapi: '3.1.0',
    info: { title, version },
    paths: replaceWithRefs(paths, schemas),
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
        basic: { type: 'http', scheme: 'basic', description: 'Any user name; the API key as password.' }
      }
    }
  }
}

/** Puts each named schema into the components once: otherwise a list of events would repeat venues in every route. */
function replaceWithRefs(part: unknown, schemas: Json): unknown {
  if (Array.isArray(part)) return part.map(one => replaceWithRefs(one, schemas))
  if (typeof part !== 'object' || part === null) return part
  const { $id, ...rest } = part as Json
  const inside = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, replaceWithRefs(value, schemas)])
  )
  if (typeof $id !== 'string') return $id === undefined ? inside : { $id: replaceWithRefs($id, schemas), ...inside }
  schemas[$id] ??= inside
  // Two different schemas under one name would be a bug of ours; the second one is then inlined where it is used.
  return isDeepStrictEqual(schemas[$id], inside) ? { $ref: `#/components/schemas/${$id}` } : inside
}

/** `/events/:id(^\\d+$)` in OpenAPI notation: `/events/{id}`. */
function toOpenApiPath(url: string): string {
  return url.replace(/:(\w+)(?:\([^)]*\))?/g, '{$1}')
}

function buildOperation({
  service,
  errorFormat,
  mediaTypes,
  method,
  url,
  requires,
  creates,
  requiresConfirmation,
  schema
}: DocumentedRoute): Json {
  const open = requires === 'public'
  // The calendar also updates by POST, as its contract does.
  const changes = method === 'POST' && !creates && schema.body !== undefined && url.includes(':')
  return {
    operationId: `${method.toLowerCase()}${toOpenApiPath(url).replace(/[^A-Za-z0-9]+(.)?/g, (_, letter = '') => letter.toUpperCase())}`,
    tags: [service],
    summary: schema.summary,
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...(open ? {} : { 'x-roles': [...new Set([...requires, 'admin'])] }),
    ...(requiresConfirmation ? { 'x-needs-confirmation': true } : {}),
    security: open ? [{}, { bearer: [] }, { basic: [] }] : [{ bearer: [] }, { basic: [] }],
    parameters: [
      ...buildParameters('path', schema.params),
      ...buildParameters('query', schema.querystring),
      ...(creates ? [idempotencyKeyParameter] : []),
      ...(['PUT', 'PATCH', 'DELETE'].includes(method) || changes ? [ifMatchParameter] : [])
    ],
    ...(schema.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(mediaTypes.map(type => [type, { schema: schema.body }]))
          }
        }),
    responses: buildResponses(schema, open, errorFormat)
  }
}

function buildParameters(place: 'path' | 'query', schema: TSchema | undefined): Json[] {
  if (schema === undefined) return []
  const { properties, required = [] } = schema as { properties?: Record<string, TSchema>; required?: string[] }
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property
  }))
}

const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Send the same key again with the same body, and the first answer comes again. Kept for 24 hours. Without credentials it comes again only to the same network (IPv4 address, or /64 of IPv6); from another one the same request with a key of 16 characters or more is not done again and gets 409.',
  schema: { type: 'string', minLength: 1, maxLength: 255 }
}

const ifMatchParameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag that was read: the change is refused with 412 if somebody changed it meanwhile.',
  schema: { type: 'string' }
}

function buildResponses(
  { response = {}, produces }: DocumentedRoute['schema'],
  open: boolean,
  errorFormat: ErrorFormat
): Json {
  const refusal = (description: string) => buildErrorResponse(errorFormat, description)
  const answers = Object.entries(response).map(([status, schema]) => [
    status,
    status === '204'
      ? { description: 'Done.' }
      : { description: 'What was asked for.', content: { [produces ?? 'application/json']: { schema } } }
  ])
  if (answers.length === 0) answers.push(['200', { description: 'What was asked for.' }])
  return {
    ...Object.fromEntries(answers),
    ...(open ? {} : { 401: refusal('No credentials.'), 403: refusal('Not with this role.') }),
    default: refusal('A refusal that says what is wrong.')
  }
}

function buildErrorResponse({ contentType, schema }: ErrorFormat, description: string): Json {
  const type = contentType.split(';', 1)[0] ?? contentType
  return { description, content: { [type]: { schema: { $ref: `#/components/schemas/${schema.name}` } } } }
}
