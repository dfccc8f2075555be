import type { ParamDefs } from '../contract/param-definition.ts'
import { wordpressErrorFormat } from '../contract/problems.ts'
import { newOpenApi30Schemas, type OpenApi30Schemas } from '../contract/routing/openapi-30.ts'
import type { RouteTable } from '../contract/routing/route.ts'
import { buildError, buildSecurity, securitySchemes } from '../contract/routing/tec-document.ts'
import type { WordpressRouteTable } from './define-route.ts'
import { acknowledgement } from './experimental.ts'
import { perPageDefault, perPageMax, postOrders } from './lists.ts'
import { getContractNames } from './post-fields.ts'
import type { PostCollection } from './post-wire.ts'

type Json = Record<string, unknown>
type Convert = OpenApi30Schemas['convert']

/** The parameters of the contract, of which those of `tec/v1` are a part under other names. */
interface ContractParams {
  list: ParamDefs
  write: ParamDefs
}

/** The OpenAPI document of `tec/v1`, in the version in which The Events Calendar serves it. */
export function buildTecDocs({ routes }: WordpressRouteTable, contract: RouteTable, root: string): object {
  const { convert, schemas } = newOpenApi30Schemas({})
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const { namespace, path, methods } = route
    if (namespace !== 'tec/v1' || path === '' || path === '/docs') continue
    const operations = paths[path] ?? {}
    paths[path] = operations
    for (const method of methods)
      operations[method.toLowerCase()] = buildOperation(route, method, { contract, convert })
  }
  schemas[wordpressErrorFormat.schema.name] = convert(wordpressErrorFormat.schema.schema)
  return {
    openapi: '3.0.4',
    info: {
      title: 'Kalends: events calendar, tec/v1',
      version: '1.0.0',
      description:
        'The same events, venues and organizers as in `tribe/events/v1`, in the shape of posts of WordPress.',
      contact: { name: 'Operator of this site' },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' }
    },
    servers: [{ url: `${root}/tec/v1` }],
    tags: [
      { name: 'events', description: 'Events with date, venue and organizers.' },
      { name: 'venues', description: 'Venues of events.' },
      { name: 'organizers', description: 'Organizers of events.' },
      { name: 'tickets', description: 'Always empty: this site sells no tickets.' }
    ],
    paths,
    components: { schemas, securitySchemes }
  }
}

function buildOperation(
  { path, response, requires }: WordpressRouteTable['routes'][number],
  method: string,
  { contract, convert }: { contract: RouteTable; convert: Convert }
): Json {
  const isItem = path.endsWith('{id}')
  const collection = path.split('/')[1] ?? ''
  const isPublic = requires === 'public'
  const isPost = isPostCollection(collection)
  const params = isPost ? findContractParams(contract, collection) : undefined
  const creates = method === 'POST' && !isItem
  const hasBody = method !== 'GET' && method !== 'DELETE'
  return {
    operationId: `${method.toLowerCase()}${path.replace(/\W+(\w)?/g, (_, letter = '') => letter.toUpperCase())}`,
    tags: [collection],
    summary: buildSummary(method, collection, isItem),
    security: buildSecurity(isPublic),
    parameters: [
      ...(isItem ? [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }] : []),
      { name: 'X-TEC-EEA', in: 'header', required: true, schema: { type: 'string', enum: [acknowledgement] } },
      ...(params === undefined || hasBody ? [] : buildQueryParameters(method, isItem, params, convert))
    ],
    ...(params !== undefined && isPost && hasBody
      ? { requestBody: buildRequestBody(collection, params.write, { convert, creates }) }
      : {}),
    responses: {
      [creates ? 201 : 200]: {
        description: isItem || creates ? 'The resource.' : 'The page of the list.',
        ...(isItem || creates ? {} : { headers: listHeaders }),
        content: { 'application/json': { schema: convert(response) } }
      },
      400: buildError('X-TEC-EEA or a parameter is missing or not valid.'),
      ...(isPublic
        ? {}
        : { 401: buildError('No credentials.'), 403: buildError('Not allowed with these credentials.') }),
      ...(isItem ? { 404: buildError('There is no such item.') } : {}),
      ...(isPost && method === 'GET' && !isItem ? { 404: buildError('The list ends before this page.') } : {}),
      ...(method === 'DELETE' ? { 410: buildError('The item is in the trash already.') } : {}),
      default: buildError('Any other error.')
    }
  }
}

const collectionNouns: Record<PostCollection, string> = { events: 'event', venues: 'venue', organizers: 'organizer' }

const isPostCollection = (name: string): name is PostCollection => Object.hasOwn(collectionNouns, name)

const verbs: Record<string, string> = {
  GET: 'Get',
  POST: 'Update',
  PUT: 'Update',
  PATCH: 'Update',
  DELETE: 'Move to the trash or delete'
}

function buildSummary(method: string, collection: string, isItem: boolean): string {
  if (!isPostCollection(collection)) return `List ${collection}`
  const noun = collectionNouns[collection]
  const article = /^[aeiou]/.test(noun) ? 'an' : 'a'
  if (isItem) return `${verbs[method]} ${article} ${noun}`
  return method === 'GET' ? `List ${collection}` : `Create ${article} ${noun}`
}

function findContractParams({ routes }: RouteTable, collection: PostCollection): ContractParams {
  const find = (method: 'GET' | 'POST'): ParamDefs =>
    routes.find(({ path, methods }) => path === `/${collection}` && methods.includes(method))?.params ?? {}
  return { list: find('GET'), write: find('POST') }
}

const listHeaders = {
  'X-WP-Total': { description: 'Number of items in the whole list.', schema: { type: 'integer' } },
  'X-WP-TotalPages': { description: 'Number of pages.', schema: { type: 'integer' } },
  Link: { description: 'URLs of the previous and the next page.', schema: { type: 'string' } }
}

/** Filters that have the same name and meaning in the contract. */
const commonFilters = [
  'search',
  'include',
  'status',
  'order',
  'password',
  'tags',
  'categories',
  'venue',
  'organizer',
  'featured',
  'start_date',
  'end_date'
]

function buildQueryParameters(method: string, isItem: boolean, { list }: ContractParams, convert: Convert): Json[] {
  const fields = describe('_fields', 'Members to return, separated by commas.')
  if (method === 'DELETE') {
    return [describe('force', 'Delete permanently instead of moving to the trash.', { type: 'boolean' }), fields]
  }
  const context = describe('context', '`edit` returns raw texts; requires credentials.', {
    type: 'string',
    enum: ['view', 'embed', 'edit']
  })
  const pick = (names: string[]) =>
    names.flatMap(name => {
      const param = list[name]
      return param === undefined ? [] : [describe(name, param.description, convert(param.schema))]
    })
  if (isItem) return [context, ...pick(['password', 'language']), fields]
  return [
    describe('page', 'Page of the list, from 1 on.', { type: 'integer', minimum: 1, default: 1 }),
    describe('per_page', 'Items per page.', {
      type: 'integer',
      minimum: 1,
      maximum: perPageMax,
      default: perPageDefault
    }),
    describe('slug', 'Only items with these slugs, separated by commas; other filters are ignored.'),
    describe('orderby', 'Field to sort by.', { type: 'string', enum: listOrders(list) }),
    ...pick([...commonFilters, 'language']),
    context,
    fields
  ]
}

/** The orders of `tec/v1` that the list of the contract has. */
function listOrders({ orderby }: ParamDefs): string[] {
  const known = [orderby?.schema.enum].flat()
  return Object.entries(postOrders['tec/v1'])
    .filter(([, own]) => known.includes(own))
    .map(([name]) => name)
}

const describe = (name: string, description: string, schema: Json = { type: 'string' }): Json => ({
  name,
  in: 'query',
  description,
  schema,
  ...(schema.type === 'array' ? { style: 'form', explode: false } : {})
})

/** Fields under their names in WordPress, with the values that the contract accepts. */
function buildRequestBody(
  collection: PostCollection,
  write: ParamDefs,
  { convert, creates }: { convert: Convert; creates: boolean }
): Json {
  const names = Object.entries(getContractNames(collection)).filter(([, own]) => write[own] !== undefined)
  const required = names.filter(([, own]) => creates && write[own]?.required === true).map(([name]) => name)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      names.map(([name, own]) => [
        name,
        { ...convert(write[own]?.schema ?? {}), description: write[own]?.description ?? '' }
      ])
    ),
    ...(required.length === 0 ? {} : { required })
  }
  return { content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } } }
}
