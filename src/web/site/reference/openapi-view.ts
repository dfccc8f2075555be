import type { OpenApiDocument, Operation, Parameter, Schema, Schemas } from './openapi-document.ts'
import { resolveSchema } from './openapi-document.ts'
import { buildExample, listRequired } from './openapi-example.ts'

/** The OpenAPI document, arranged for rendering. */
export interface Reference {
  version: string
  groups: Group[]
}

/** Operations on one resource: one page. */
export interface Group {
  key: string
  /** In English. */
  name: string
  description: string
  service: string
  entries: OperationEntry[]
}

/** Equivalent operations, under several methods or paths, are one entry. */
export interface OperationEntry {
  anchor: string
  summary: string
  description: string
  routes: OperationRoute[]
  /** Empty if the operation is public. */
  roles: string[]
  parameters: FieldRow[]
  body: RequestBodyView | undefined
  responses: ResponseExample[]
}

export interface OperationRoute {
  path: string
  methods: { method: string; anchor: string }[]
  /** Required query parameters. */
  query: Record<string, unknown>
}

export interface FieldRow {
  name: string
  place: Parameter['in'] | 'body'
  type: string
  required: boolean
  rules: FieldRule[]
  description: string
}

/** Constraint of a value; formatted later, as the text depends on the language. */
export type FieldRule =
  | { kind: 'length' | 'range' | 'items'; min: number | undefined; max: number | undefined }
  | { kind: 'oneOf'; values: string[] }
  | { kind: 'default'; value: string }
  | { kind: 'format'; name: string }

export interface RequestBodyView {
  rows: FieldRow[]
  description: string
  types: string[]
  example: unknown
  /** An example of the file that it takes, as multipart form data. */
  upload: string | undefined
}

export interface ResponseExample {
  status: string
  type: string
  /** Undefined if the response is not JSON. */
  example: unknown
}

export function buildReference({ info, tags = [], paths, components: { schemas } }: OpenApiDocument): Reference {
  const descriptions = new Map(tags.map(({ name, description }) => [name, description]))
  const groups = new Map<string, Group>()
  const entries = new Map<string, OperationEntry>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const [name = ''] = operation.tags ?? []
      const key = toGroupKey(name)
      const group = groups.get(key) ?? {
        key,
        name,
        description: descriptions.get(name) ?? '',
        service: operation['x-service'] ?? '',
        entries: []
      }
      groups.set(key, group)
      const same = JSON.stringify([key, operation.summary, operation['x-roles'], operation.requestBody])
      const known = entries.get(same)
      if (known === undefined) {
        const entry = buildEntry(method, path, operation, schemas)
        entries.set(same, entry)
        group.entries.push(entry)
      } else addRoute(known, { method, path }, operation, schemas)
    }
  }
  return { version: info.version, groups: [...groups.values()] }
}

/** `Keys and activity` in an address: `keys-and-activity`. */
export function toGroupKey(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-')
}

/** Who may call an operation ends its description; the page says it in the language of the reader. */
const accessSentence = /Needs (?:no credentials|one of the roles: [a-z, ]+)\..*$/s

function buildEntry(method: string, path: string, operation: Operation, schemas: Schemas): OperationEntry {
  const { parameters = [], requestBody } = operation
  return {
    anchor: operation.operationId,
    summary: operation.summary ?? path,
    description: (operation.description ?? '').replace(accessSentence, '').trimEnd(),
    routes: [buildRoute(method, path, operation, schemas)],
    roles: operation['x-roles'] ?? [],
    parameters: parameters.map(one => buildParameterRow(one, schemas)),
    body: requestBody === undefined ? undefined : buildBody(requestBody.content, path, method, schemas),
    responses: buildResponses(operation, schemas)
  }
}

function buildRoute(
  method: string,
  path: string,
  { operationId, parameters = [] }: Operation,
  schemas: Schemas
): OperationRoute {
  const needed = parameters.filter(({ in: place, required }) => place === 'query' && required)
  return {
    path,
    methods: [{ method: method.toUpperCase(), anchor: operationId }],
    query: Object.fromEntries(needed.map(({ name, schema }) => [name, buildExample(schema, schemas, { name })]))
  }
}

function addRoute(
  entry: OperationEntry,
  { method, path }: { method: string; path: string },
  operation: Operation,
  schemas: Schemas
): void {
  const way = buildRoute(method, path, operation, schemas)
  const known = entry.routes.find(one => one.path === path)
  if (known === undefined) entry.routes.push(way)
  else known.methods.push(...way.methods)
  for (const parameter of operation.parameters ?? []) {
    const isNew = entry.parameters.every(({ name, place }) => name !== parameter.name || place !== parameter.in)
    if (isNew) entry.parameters.splice(1, 0, buildParameterRow(parameter, schemas))
  }
}

function buildParameterRow({ name, in: place, required, description, schema }: Parameter, schemas: Schemas): FieldRow {
  const row = buildRow(name, schema, required, schemas)
  return { ...row, place, description: description ?? row.description }
}

function buildBody(
  content: Record<string, { schema: Schema }>,
  path: string,
  method: string,
  schemas: Schemas
): RequestBodyView | undefined {
  const [first] = Object.values(content)
  if (first === undefined) return undefined
  const schema = resolveSchema(first.schema, schemas)
  const isJson = 'application/json' in content
  return {
    rows: buildRows(schema, schemas),
    description: schema.description ?? '',
    types: Object.keys(content),
    example: buildExample(schema, schemas, { requiredOnly: true }),
    upload: path.endsWith('/media') && method === 'post' ? 'picture.jpg' : isJson ? undefined : 'statement.xml'
  }
}

/** Nested fields are named by their path: `account.iban`. */
function buildRows(schema: Schema, schemas: Schemas, path = '', depth = 0): FieldRow[] {
  const required = listRequired(schema)
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const found = resolveSchema(property, schemas)
    const inner = found.type === 'array' && found.items !== undefined ? resolveSchema(found.items, schemas) : found
    const mark = found === inner ? '' : '[]'
    const row = buildRow(path + name, property, required.includes(name), schemas)
    return depth > 3 ? [row] : [row, ...buildRows(inner, schemas, `${path}${name}${mark}.`, depth + 1)]
  })
}

function buildRow(name: string, given: Schema, required: boolean, schemas: Schemas): FieldRow {
  const schema = resolveSchema(given, schemas)
  return {
    name,
    place: 'body',
    type: formatType(schema, schemas),
    required,
    rules: listRules(schema, schemas),
    description: schema.description ?? ''
  }
}

/** `string | null`, `integer[]`: the same in every language. */
function formatType(schema: Schema, schemas: Schemas): string {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined)
    return [...new Set(choices.map(one => formatType(resolveSchema(one, schemas), schemas)))].join(' | ')
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? getValueType(schema.enum?.[0])]
  return types
    .map(type => {
      if (type !== 'array' || schema.items === undefined) return type
      const inner = formatType(resolveSchema(schema.items, schemas), schemas)
      return inner.includes(' ') ? `(${inner})[]` : `${inner}[]`
    })
    .join(' | ')
}

function getValueType(value: unknown): string {
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string'
}

function listRules(schema: Schema, schemas: Schemas): FieldRule[] {
  const rules: FieldRule[] = []
  const limits = (kind: 'length' | 'range' | 'items', min: number | undefined, max: number | undefined) => {
    if (min !== undefined || max !== undefined) rules.push({ kind, min, max })
  }
  const values = schema.enum ?? (schema.items === undefined ? undefined : resolveSchema(schema.items, schemas).enum)
  if (values !== undefined) rules.push({ kind: 'oneOf', values: values.map(String) })
  limits('length', schema.minLength, schema.maxLength)
  limits('range', schema.minimum, schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum)
  limits('items', schema.minItems, schema.maxItems)
  if (schema.format !== undefined) rules.push({ kind: 'format', name: schema.format })
  else if (schema['x-instant'] === true) rules.push({ kind: 'format', name: 'date-time' })
  if (schema.default !== undefined) rules.push({ kind: 'default', value: JSON.stringify(schema.default) })
  return rules
}

/** Success responses only; errors are the same everywhere. */
function buildResponses({ responses }: Operation, schemas: Schemas): ResponseExample[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content = {} }]) => {
      const [type = '', { schema } = { schema: {} }] = Object.entries(content)[0] ?? []
      return { status, type, example: type === 'application/json' ? buildExample(schema, schemas) : undefined }
    })
}
