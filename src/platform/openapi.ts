import type { TSchema } from 'typebox'
import type { Needs } from './access.ts'

/** What the document says of one route; gathered while routes are added. */
export interface DocumentedRoute {
  service: string
  method: string
  url: string
  needs: Needs
  creates: boolean
  schema: {
    summary?: string
    description?: string
    params?: TSchema
    querystring?: TSchema
    body?: TSchema
    response?: Record<string, TSchema>
    /** Media type of the answer where it is not JSON. */
    produces?: string
  }
}

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of some routes: their schemas are what is validated, so it cannot say anything else. */
export function openApi(title: string, version: string, routes: DocumentedRoute[]): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operation(route)
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    paths,
    components: {
      schemas: { Problem: problem },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
        basic: { type: 'http', scheme: 'basic', description: 'Any user name; the API key as password.' }
      }
    }
  }
}

function operation({ service, method, url, needs, creates, schema }: DocumentedRoute): Json {
  const open = needs === 'nothing'
  return {
    operationId: `${method.toLowerCase()}${url.replace(/[^A-Za-z0-9]+(.)?/g, (_, letter = '') => letter.toUpperCase())}`,
    tags: [service],
    summary: schema.summary,
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...(open ? {} : { 'x-roles': [...new Set([...needs, 'admin'])] }),
    security: open ? [{}, { bearer: [] }, { basic: [] }] : [{ bearer: [] }, { basic: [] }],
    parameters: [
      ...parameters('path', schema.params),
      ...parameters('query', schema.querystring),
      ...(creates ? [idempotencyKey] : []),
      ...(['PUT', 'PATCH', 'DELETE'].includes(method) ? [ifMatch] : [])
    ],
    ...(schema.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schema.body } } } }),
    responses: responses(schema, open)
  }
}

function parameters(place: 'path' | 'query', schema: TSchema | undefined): Json[] {
  if (schema === undefined) return []
  const { properties, required = [] } = schema as { properties?: Record<string, TSchema>; required?: string[] }
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property
  }))
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Send the same key again with the same body, and the first answer comes again. Kept for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 }
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag that was read: the change is refused with 412 if somebody changed it meanwhile.',
  schema: { type: 'string' }
}

function responses({ response = {}, produces }: DocumentedRoute['schema'], open: boolean): Json {
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

const refusal = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
})

const problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'For people: in the language of the request.' },
    code: { type: 'string', description: 'For programs: stable.' },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['in', 'pointer', 'code', 'message'],
        properties: {
          in: { type: 'string', enum: ['body', 'query', 'header'] },
          pointer: { type: 'string', description: 'JSON Pointer to the field.' },
          code: { type: 'string' },
          message: { type: 'string' }
        }
      }
    }
  }
}
