import { calendarGroups } from '../groups.ts'
import type { ParamDefs } from '../param-definition.ts'
import { wordpressErrorFormat } from '../problems.ts'
import { newOpenApi30Schemas, type OpenApi30Schemas } from './openapi-30.ts'
import type { RouteTable } from './route.ts'
import { buildRestUrl, ownPrefix, type Site } from './site.ts'

type Json = Record<string, unknown>

/** Names of The Events Calendar for schemas that have another one here. */
const tecNames = { Category: 'Term' }

/** The OpenAPI document that The Events Calendar serves at this path, in the same OpenAPI version, but correct. */
export function buildTecDocument(table: RouteTable, site: Site): Json {
  const components = newOpenApi30Schemas(tecNames)
  const paths: Record<string, Json> = {}
  for (const route of table.routes) {
    if (route.path === '') continue
    paths[route.path] ??= {}
    for (const method of route.methods) {
      Object.assign(paths[route.path] ?? {}, { [method.toLowerCase()]: buildOperation(route, method, components) })
    }
  }
  components.schemas[wordpressErrorFormat.schema.name] = components.convert(wordpressErrorFormat.schema.schema)
  return {
    openapi: '3.0.0',
    info: {
      version: '1.0.0',
      title: 'Kalends: events calendar',
      description: 'Events, venues, organizers, categories and tags under the contract of The Events Calendar.',
      contact: { name: 'Operator of this site' },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' }
    },
    tags: calendarGroups
      .filter(group => Object.keys(paths).some(path => findGroup(path) === group))
      .map(({ name, description }) => ({ name, description })),
    components: { schemas: components.schemas, securitySchemes },
    servers: [{ url: buildRestUrl(site, '') }],
    paths
  }
}

export const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
  basic: { type: 'http', scheme: 'basic', description: 'Any user name; the API key as password.' }
}

const findGroup = (path: string) => calendarGroups.find(({ paths }) => paths.test(ownPrefix + path))

function buildOperation(
  route: RouteTable['routes'][number],
  method: string,
  { convert }: Pick<OpenApi30Schemas, 'convert'>
): Json {
  const { path, params, requires, summary, description, response, creates, accepted, produces } = route
  const writes = method !== 'GET' && method !== 'DELETE'
  const words = path.split(/[^A-Za-z]+/).filter(word => word !== '')
  const capitalised = words.map(word => word.charAt(0).toUpperCase() + word.slice(1))
  const open = requires === 'public'
  return {
    operationId: `${method.toLowerCase()}${capitalised.join('')}`,
    tags: [findGroup(path)?.name],
    summary,
    description,
    security: buildSecurity(open),
    parameters: [...buildPathParameters(path), ...(writes ? [] : buildQueryParameters(params, convert))],
    ...(writes ? { requestBody: buildRequestBody(params, convert) } : {}),
    responses: {
      [accepted === true ? 202 : creates === true ? 201 : 200]: {
        description: 'The resource, or the result.',
        content: { [produces ?? 'application/json']: { schema: convert(response) } }
      },
      400: buildError('A parameter is missing or not valid.'),
      ...(open ? {} : { 401: buildError('No credentials.'), 403: buildError('Not allowed with these credentials.') }),
      ...(path.includes('{') ? { 404: buildError('There is no such item.') } : {}),
      default: buildError('Any other error.')
    }
  }
}

/** Public operations take credentials too. */
export function buildSecurity(isPublic: boolean): Json[] {
  return [...(isPublic ? [{}] : []), { bearer: [] }, { basic: [] }]
}

export const buildError = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${wordpressErrorFormat.schema.name}` } } }
})

function buildPathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: name === 'slug' ? 'string' : 'integer' }
  }))
}

function buildQueryParameters(takes: ParamDefs, convert: OpenApi30Schemas['convert']): Json[] {
  return Object.entries(takes).map(([name, { schema, description, required }]) => ({
    name,
    in: 'query',
    description,
    required,
    schema: convert(schema),
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {})
  }))
}

function buildRequestBody(takes: ParamDefs, convert: OpenApi30Schemas['convert']): Json {
  const required = Object.entries(takes).flatMap(([name, parameter]) => (parameter.required ? [name] : []))
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(takes).map(([name, parameter]) => [
        name,
        { ...convert(parameter.schema), description: parameter.description }
      ])
    ),
    ...(required.length === 0 ? {} : { required })
  }
  return { content: { 'application/x-www-form-urlencoded': { schema }, 'application/json': { schema } } }
}
