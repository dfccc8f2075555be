import type { ParamDefs } from '../param-definition.ts'
import {
  categorySchema,
  costDetailsSchema,
  dateDetailsSchema,
  eventSchema,
  imageSchema,
  imageSizeSchema,
  organizerSchema,
  tagSchema,
  venueSchema
} from '../response-schemas.ts'
import { buildRestUrl, type RouteTable, type Site } from './route.ts'

type Json = Record<string, unknown>

const schemas: Record<string, Json> = {
  ImageSize: imageSizeSchema,
  CostDetails: costDetailsSchema,
  Term: categorySchema,
  Tag: tagSchema,
  Image: imageSchema,
  DateDetails: dateDetailsSchema,
  Event: eventSchema,
  Venue: venueSchema,
  Organizer: organizerSchema
}

/** The OpenAPI document that The Events Calendar serves at this path, in the same OpenAPI version, but correct. */
export function buildTecDocument(table: RouteTable, site: Site): Json {
  const paths: Record<string, Json> = {}
  for (const { path, methods, params, summary, response, creates } of table.routes) {
    if (path === '') continue
    paths[path] ??= {}
    for (const method of methods) {
      const writes = method !== 'GET' && method !== 'DELETE'
      paths[path][method.toLowerCase()] = {
        summary,
        parameters: [...buildPathParameters(path), ...(writes ? [] : buildQueryParameters(params))],
        ...(writes ? { requestBody: buildRequestBody(params) } : {}),
        responses: {
          [creates === true ? 201 : 200]: {
            description: 'Success.',
            content: { 'application/json': { schema: toOpenApi30(response) } }
          },
          default: { description: 'Error with code, message and data.status.' }
        }
      }
    }
  }
  return {
    openapi: '3.0.0',
    info: {
      version: '1.0.0',
      title: 'Kalends: events calendar',
      description: 'Events, venues, organizers, categories and tags under the contract of The Events Calendar.'
    },
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toOpenApi30(schema)]))
    },
    servers: [{ url: `${buildRestUrl(site, '')}/` }],
    paths
  }
}

function buildPathParameters(path: string): Json[] {
  if (path.includes('{id}')) return [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
  if (path.includes('{slug}')) return [{ name: 'slug', in: 'path', required: true, schema: { type: 'string' } }]
  return []
}

function buildQueryParameters(takes: ParamDefs): Json[] {
  return Object.entries(takes).map(([name, { schema, description, required }]) => ({
    name,
    in: 'query',
    description,
    required,
    schema: toOpenApi30(schema),
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {})
  }))
}

function buildRequestBody(takes: ParamDefs): Json {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(takes).map(([name, parameter]) => [
        name,
        { ...(toOpenApi30(parameter.schema) as Json), description: parameter.description }
      ])
    ),
    required: Object.entries(takes).flatMap(([name, { required }]) => (required ? [name] : []))
  }
  if (schema.required.length === 0) delete (schema as Json).required
  return { content: { 'application/x-www-form-urlencoded': { schema }, 'application/json': { schema } } }
}

/** OpenAPI 3.0 has one type per schema, `nullable` instead of null, and `example` instead of examples. */
function toOpenApi30(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toOpenApi30)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, type, examples, const: only, ...rest } = schema as Json
  const inside = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, toOpenApi30(value)]))
  const types = [type].flat().filter(one => one !== undefined)
  const named = types.filter(one => one !== 'null')
  return {
    ...(named.length === 1
      ? { type: named[0] }
      : named.length > 1
        ? { anyOf: named.map(one => ({ type: one, ...(one === 'array' ? { items: {} } : {}) })) }
        : {}),
    ...(types.includes('null') ? { nullable: true } : {}),
    ...(only === undefined ? {} : { enum: [only] }),
    ...(Array.isArray(examples) ? { example: examples[0] } : {}),
    ...inside
  }
}
