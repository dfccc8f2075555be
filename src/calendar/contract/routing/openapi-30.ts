type Json = Record<string, unknown>

/** Converts schemas to OpenAPI 3.0, and collects those with a name. */
export interface OpenApi30Schemas {
  schemas: Json
  convert(schema: unknown): Json
}

/** `renamed` has the names of schemas that are called otherwise in this document. */
export function newOpenApi30Schemas(renamed: Record<string, string>): OpenApi30Schemas {
  const schemas: Json = {}
  function convert(schema: unknown): Json {
    const { title, ...rest } = schema as Json
    if (typeof title !== 'string') return toOpenApi30(rest, convert)
    const name = renamed[title] ?? title
    schemas[name] ??= toOpenApi30(rest, convert)
    return { $ref: `#/components/schemas/${name}` }
  }
  return { schemas, convert }
}

/** Keywords of JSON Schema that mean the same in OpenAPI 3.0. */
const plainKeywords = [
  'description',
  'format',
  'pattern',
  'enum',
  'default',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'required',
  'readOnly',
  'writeOnly'
]

/** OpenAPI 3.0 has one type per schema, `nullable` instead of null, and `example` instead of examples. */
function toOpenApi30(schema: Json, convert: (schema: unknown) => Json): Json {
  const { type, const: only, examples, anyOf, items, properties, additionalProperties } = schema
  const types = [type].flat().filter(one => one !== undefined && one !== 'null') as string[]
  const nullable = [type].flat().includes('null') ? { nullable: true } : {}
  const toTyped = (one: string): Json => ({
    type: one,
    ...nullable,
    ...(one === 'array' ? { items: items === undefined ? {} : convert(items) } : {})
  })
  return {
    ...(types.length === 1 ? toTyped(types[0] ?? '') : {}),
    ...(types.length > 1 ? { anyOf: types.map(toTyped) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(convert) } : {}),
    ...(only === undefined ? {} : { enum: [only] }),
    ...Object.fromEntries(plainKeywords.filter(name => name in schema).map(name => [name, schema[name]])),
    ...(Array.isArray(examples) ? { example: examples[0] } : {}),
    ...(typeof properties === 'object' && properties !== null
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, convert(one)])) }
      : {}),
    ...(typeof additionalProperties === 'boolean' ? { additionalProperties } : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: convert(additionalProperties) } : {})
  }
}
