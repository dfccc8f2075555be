import { isDeepStrictEqual } from 'node:util'

type Json = Record<string, unknown>

/** The named schemas of a document, collected while its operations are described. */
export interface SchemaComponents {
  schemas: Json
  /** The schema as it stands in the document: named schemas become references. */
  toDocument(schema: unknown): Json
  /** The same for a body or a response, which are named even if their schema has no name of its own. */
  toNamed(schema: unknown, fallbackName: string): Json
}

/** A schema is named by its `title`: the keyword has no effect on validation, unlike `$id`. */
const namePattern = /^[A-Z]\w*$/

export function newSchemaComponents(): SchemaComponents {
  const schemas: Json = {}
  const namesBySchema = new Map<unknown, string>()

  function toDocument(schema: unknown): Json {
    const { title, ...rest } = schema as Json
    const inside = convertKeywords(rest, toDocument)
    if (typeof title !== 'string' || !namePattern.test(title)) return inside
    return addNamed(title, inside)
  }

  function addNamed(name: string, schema: Json): Json {
    schemas[name] ??= schema
    if (!isDeepStrictEqual(schemas[name], schema)) throw new Error(`Two different schemas are named ${name}.`)
    return { $ref: `#/components/schemas/${name}` }
  }

  function toNamed(schema: unknown, fallbackName: string): Json {
    const { title, type, items } = schema as Json
    if (type === 'array' && typeof items === 'object') {
      return { ...toDocument({ ...(schema as Json), items: {} }), items: toNamed(items, fallbackName) }
    }
    if (title !== undefined || type !== 'object') return toDocument(schema)
    const name = namesBySchema.get(schema) ?? fallbackName
    namesBySchema.set(schema, name)
    return addNamed(name, toDocument(schema))
  }

  return { schemas, toDocument, toNamed }
}

/** The keywords of JSON Schema 2020-12 and OpenAPI 3.1 that a value of another kind follows. */
const plainKeywords = new Set([
  '$ref',
  'type',
  'title',
  'description',
  'enum',
  'const',
  'default',
  'examples',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'required',
  'dependentRequired',
  'readOnly',
  'writeOnly',
  'deprecated',
  'contentEncoding',
  'contentMediaType',
  'discriminator',
  'externalDocs'
])
const schemaKeywords = new Set([
  'items',
  'additionalProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedProperties',
  'unevaluatedItems'
])
const schemaListKeywords = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const schemaMapKeywords = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** Keywords of our own get the prefix that OpenAPI reserves for extensions: other programs refuse unknown ones. */
function convertKeywords(schema: Json, convert: (schema: unknown) => Json): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (schemaKeywords.has(keyword)) return [keyword, typeof value === 'boolean' ? value : convert(value)]
      if (schemaListKeywords.has(keyword)) return [keyword, (value as unknown[]).map(convert)]
      if (schemaMapKeywords.has(keyword)) {
        return [keyword, Object.fromEntries(Object.entries(value as Json).map(([name, one]) => [name, convert(one)]))]
      }
      return plainKeywords.has(keyword) || keyword.startsWith('x-') ? [keyword, value] : [`x-${keyword}`, value]
    })
  )
}
