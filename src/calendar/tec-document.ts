import { category, costDetails, dateDetails, event, image, imageSize, organizer, tag, venue } from './answers.ts'
import type { Declared } from './parameters.ts'
import { type RouteTable, restUrl, type Site } from './tec.ts'

type Json = Record<string, unknown>

const schemas: Record<string, Json> = {
  ImageSize: imageSize,
  CostDetails: costDetails,
  Term: category,
  Tag: tag,
  Image: image,
  DateDetails: dateDetails,
  Event: event,
  Venue: venue,
  Organizer: organizer
}

/** The document that the peer serves at the same address, in the same version of OpenAPI, but right. */
export function tecDocument(table: RouteTable, site: Site): Json {
  const paths: Record<string, Json> = {}
  for (const { path, methods, takes, summary, answers, creates } of table.routes) {
    if (path === '') continue
    paths[path] ??= {}
    for (const method of methods) {
      const writes = method !== 'GET' && method !== 'DELETE'
      paths[path][method.toLowerCase()] = {
        summary,
        parameters: [...pathParameters(path), ...(writes ? [] : queryParameters(takes))],
        ...(writes ? { requestBody: requestBody(takes) } : {}),
        responses: {
          [creates === true ? 201 : 200]: {
            description: 'What was asked for.',
            content: { 'application/json': { schema: inOpenApi30(answers) } }
          },
          default: { description: 'A refusal: code, message and data with the status.' }
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
      schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inOpenApi30(schema)]))
    },
    servers: [{ url: `${restUrl(site, '')}/` }],
    paths
  }
}

function pathParameters(path: string): Json[] {
  if (path.includes('{id}')) return [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
  if (path.includes('{slug}')) return [{ name: 'slug', in: 'path', required: true, schema: { type: 'string' } }]
  return []
}

function queryParameters(takes: Declared): Json[] {
  return Object.entries(takes).map(([name, { schema, description, required }]) => ({
    name,
    in: 'query',
    description,
    required,
    schema: inOpenApi30(schema),
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {})
  }))
}

function requestBody(takes: Declared): Json {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(takes).map(([name, parameter]) => [
        name,
        { ...(inOpenApi30(parameter.schema) as Json), description: parameter.description }
      ])
    ),
    required: Object.entries(takes).flatMap(([name, { required }]) => (required ? [name] : []))
  }
  if (schema.required.length === 0) delete (schema as Json).required
  return { content: { 'application/x-www-form-urlencoded': { schema }, 'application/json': { schema } } }
}

/** Version 3.0 knows one type per schema, `nullable` instead of null, and `example` instead of examples. */
function inOpenApi30(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inOpenApi30)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, type, examples, const: only, ...rest } = schema as Json
  const inside = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, inOpenApi30(value)]))
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
