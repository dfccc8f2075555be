// Checks documents against the JSON schemas of the OpenAPI Initiative for versions 3.0 and 3.1
// (https://spec.openapis.org, Apache License 2.0), which are in this folder.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { root } from '../project-root.ts'

type Json = Record<string, unknown>

/** The schema of 3.0 is of draft 4, where `exclusiveMinimum` is true or false: newer drafts expect the number itself. */
const read = (name: string): Json =>
  JSON.parse(readFileSync(join(root, 'test/support/crawl', name), 'utf8'), (key, value) =>
    key === 'exclusiveMinimum' && value === true ? undefined : value
  )

/** Draft 4 has `id` where newer drafts have `$id`. */
const { id: _, $schema: __, ...schema30 } = read('openapi-3.0.json')
const options = { strict: false, allErrors: true, validateFormats: false } as const
const validate30 = new Ajv(options).compile(schema30)
const validate31 = new Ajv2020(options).compile(read('openapi-3.1.json'))

function listErrors(validate: typeof validate30, document: unknown): string[] {
  if (validate(document)) return []
  return (validate.errors ?? []).slice(0, 20).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

export const findOpenApi30Errors = (document: unknown) => listErrors(validate30, document)

/** The schema of 3.1 does not check keywords inside schemas, where JSON Schema allows any: linters do not. */
export function findOpenApi31Errors(document: unknown): string[] {
  return [...listErrors(validate31, document), ...findUnknownKeywords(document, '')]
}

const keywords = new Set(
  (
    '$ref type title description enum const default examples format pattern minLength maxLength minimum maximum ' +
    'exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems minProperties maxProperties required ' +
    'readOnly writeOnly deprecated contentEncoding contentMediaType items additionalProperties propertyNames contains ' +
    'not if then else anyOf oneOf allOf prefixItems properties patternProperties'
  ).split(' ')
)

/** Finds every schema of a document: in `schema`, in the components, and inside other schemas. */
function findUnknownKeywords(part: unknown, at: string): string[] {
  if (Array.isArray(part)) return part.flatMap((one, index) => findUnknownKeywords(one, `${at}/${index}`))
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, value]) => {
    const place = `${at}/${name}`
    if (name === 'schema') return findSchemaFaults(value, place)
    if (place === '/components/schemas')
      return Object.entries(value as Json).flatMap(([key, one]) => findSchemaFaults(one, `${place}/${key}`))
    return findUnknownKeywords(value, place)
  })
}

function findSchemaFaults(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const place = `${at}/${keyword}`
    if (keyword.startsWith('x-')) return []
    if (!keywords.has(keyword)) return [`${place} is an unknown keyword`]
    if (keyword === 'properties' || keyword === 'patternProperties')
      return Object.entries(value as Json).flatMap(([name, one]) => findSchemaFaults(one, `${place}/${name}`))
    if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(keyword))
      return (value as unknown[]).flatMap((one, index) => findSchemaFaults(one, `${place}/${index}`))
    if (['items', 'additionalProperties', 'not', 'if', 'then', 'else'].includes(keyword))
      return findSchemaFaults(value, place)
    return []
  })
}
