// Walks over every operation that the running service documents, so that a new route is tested the day it is added.
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { InjectOptions } from 'fastify'
import { Sql } from '#platform/sql.ts'
import { type Answer, startCampaigns } from './support.ts'

export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  else?: { required?: string[] }
  items?: Schema
  format?: string
  examples?: unknown[]
  minLength?: number
  maxLength?: number
  minimum?: number
  line?: boolean
  text?: boolean
  instant?: boolean
  iban?: boolean
  money?: number
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  schema: Schema
}

export interface Operation {
  /** Such as `POST /campaigns`. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With the names of its parameters in braces. */
  path: string
  summary: string | undefined
  operationId: string
  tags: string[]
  /** Undefined where everybody may call. */
  roles: string[] | undefined
  openToVisitors: boolean
  parameters: Parameter[]
  body: Schema | undefined
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

type Documented = Omit<Operation, 'name' | 'method' | 'path' | 'roles' | 'openToVisitors' | 'body'> & {
  'x-roles'?: string[]
  security: object[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}

export interface Document {
  openapi: string
  paths: Record<string, Record<string, Documented>>
  components: { schemas: { Problem: Schema } }
}

/** The service, its document, and a maker of requests that succeed. */
export async function startWalk() {
  const service = await startCampaigns()
  const document: Document = (await service.visitor.get('/openapi.json')).body

  /** Makes the thing that a path names behind this segment; a new collection of things gets a line here. */
  const makers: Record<string, (inside: Record<string, string>) => Promise<number | string>> = {
    campaigns: async () => (await service.aCampaign()).id,
    donations: async ({ campaigns }) => (await service.aDonation(Number(campaigns))).id,
    keys: async () => (await service.admin.post('/keys', { name: 'made for a path', role: 'viewer' })).body.id
  }

  /** The path with ids of things that were made for it; with other ids where they are given. */
  async function pathOf({ path }: Operation, given: Record<string, string> = {}): Promise<string> {
    const made: Record<string, string> = {}
    for (const [, segment = '', name = ''] of path.matchAll(/([^/]+)\/\{(\w+)\}/g)) {
      const make = makers[segment]
      if (make === undefined) throw new Error(`${path}: tell test/walk.ts how to make one of ${segment}.`)
      made[segment] = made[name] = String(await make(made))
    }
    return path.replace(/\{(\w+)\}/g, (_, name) => given[name] ?? made[name] ?? '')
  }

  /** A request that an admin succeeds with, once. */
  async function validRequest(operation: Operation, given: Record<string, string> = {}): Promise<InjectOptions> {
    const url = await pathOf(operation, given)
    if (operation.body === undefined) return { method: operation.method, url }
    const payload = JSON.stringify(sampleOf(operation.body))
    return { method: operation.method, url, headers: { 'content-type': 'application/json' }, payload }
  }

  /** What was written, read again: from the address of the answer, from the path itself, or out of the list. */
  async function readAgain(url: string, answer: Answer): Promise<unknown> {
    const one = await service.admin.get(answer.headers.location ?? url)
    if (one.status === 200) return one.body
    const list = (await service.admin.get(url)).body as { id: unknown }[]
    return list.find(({ id }) => id === answer.body.id)
  }

  return { ...service, document, operations: operationsIn(document), pathOf, validRequest, readAgain }
}

export function operationsIn({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([word, documented]) => {
      const method = word.toUpperCase() as Operation['method']
      return {
        ...documented,
        name: `${method} ${path}`,
        method,
        path,
        roles: documented['x-roles'],
        openToVisitors: documented.security.some(way => Object.keys(way).length === 0),
        body: documented.requestBody?.content['application/json'].schema
      }
    })
  )
}

export function parametersIn({ parameters }: Operation, place: Parameter['in']): Parameter[] {
  return parameters.filter(parameter => parameter.in === place)
}

/** A value that the schema takes, with every optional field; examples come first. */
export function sampleOf(schema: Schema, name = ''): unknown {
  if (schema.examples !== undefined) return schema.examples[0]
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf?.[0] !== undefined) return sampleOf(schema.anyOf[0], name)
  if (schema.instant === true || schema.format === 'date-time') {
    return name === 'startsAt' ? '2001-01-01T00:00:00.000Z' : '2100-01-01T00:00:00.000Z'
  }
  if (schema.format === 'email') return 'ada@example.org'
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, property]) => [key, sampleOf(property, key)])
      )
    case 'array':
      return schema.items === undefined ? [] : [sampleOf(schema.items, name)]
    case 'string':
      return 'Some words'
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    default:
      throw new Error(`${name}: tell test/walk.ts what a value of ${JSON.stringify(schema)} looks like.`)
  }
}

export interface Field {
  pointer: string
  schema: Schema
  required: boolean
  nullable: boolean
}

/** Every field of a body, with those inside it. */
export function fieldsIn(schema: Schema, above = ''): Field[] {
  const { properties = {}, required = [], items } = schema
  const needed = [...required, ...(schema.else?.required ?? [])]
  const inside: [string, Schema][] = items === undefined ? Object.entries(properties) : [['0', items]]
  return inside.flatMap(([name, property]) => {
    const pointer = `${above}/${name}`
    const nullable =
      [property.type].flat().includes('null') || property.anyOf?.some(one => one.type === 'null') === true
    return [{ pointer, schema: property, required: needed.includes(name), nullable }, ...fieldsIn(property, pointer)]
  })
}

/** The body as text, with this text in place of one of its fields: JSON that JSON.stringify would mend stays broken. */
export function withRaw(body: unknown, pointer: string, raw: string | undefined): string {
  const copy = structuredClone(body) as Record<string, unknown>
  const names = pointer.slice(1).split('/')
  const last = names.pop() ?? ''
  const holder = names.reduce((inside, name) => inside[name] as Record<string, unknown>, copy)
  const place = 'the place of the raw text'
  if (raw === undefined) delete holder[last]
  else holder[last] = place
  return JSON.stringify(copy).replace(JSON.stringify(place), () => raw ?? '')
}

export function valueAt(body: unknown, pointer: string): unknown {
  const names = pointer.slice(1).split('/')
  return names.reduce((inside, name) => (inside as Record<string, unknown> | undefined)?.[name], body)
}

/** A digest of every row of ours, by table; when a key was last used is written down at any time and does not count. */
export async function fingerprintOf({ store }: { store: { all<Row>(statement: Sql): Promise<Row[]> } }) {
  const tables = await store.all<{ name: string }>(
    new Sql(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema', 'graphile_worker') order by 1`,
      []
    )
  )
  const digests = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as rows,
         md5(string_agg(md5((to_jsonb(it) - 'last_used_at')::text), ' ' order by to_jsonb(it)::text)) as digest
       from ${name} as it`
  )
  return await store.all<{ name: string; rows: number; digest: string | null }>(
    new Sql(digests.join(' union all '), [])
  )
}

const ajv = new Ajv2020({ allErrors: true, strict: false })
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

/** What is wrong with a value by its schema, where a field that the schema does not name is wrong too. */
export function faultsBy(schema: Schema): (value: unknown) => string[] {
  const validate = ajv.compile(closed(schema) as object)
  return value =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(error => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return 'properties' in inside && !('patternProperties' in inside) && inside.type === 'object'
    ? { ...inside, additionalProperties: false }
    : inside
}
