/** An OpenAPI 3.1 document, as far as the reference uses it. */
export interface OpenApiDocument {
  info: { version: string }
  tags?: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Schemas }
}

export interface Operation {
  operationId: string
  tags?: string[]
  'x-service'?: string
  summary?: string
  description?: string
  'x-roles'?: string[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description?: string; content?: Record<string, { schema: Schema }> }>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}

export type Schemas = Record<string, Schema>

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  /** Fields that are required unless a condition holds. */
  else?: { required?: string[] }
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  examples?: unknown[]
  default?: unknown
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  /** Our own keywords for values that have no `format`. */
  'x-instant'?: boolean
  'x-uuid'?: boolean | string
}

const prefix = '#/components/schemas/'

/** Resolves `$ref`. A broken or circular reference becomes an empty schema. */
export function resolveSchema(schema: Schema, schemas: Schemas): Schema {
  let found: Schema = schema
  for (let step = 0; found.$ref !== undefined; step += 1) {
    if (step > 20 || !found.$ref.startsWith(prefix)) return {}
    found = schemas[found.$ref.slice(prefix.length)] ?? {}
  }
  return found
}
