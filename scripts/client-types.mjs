// Makes the types of the client (src/client/api-client.ts) of the OpenAPI documents in docs/api: the shape that openapi-fetch reads.
// It knows what our documents have, and stops at what it does not know.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The text of the file, for all documents in a folder together: their addresses are apart, their schemas may be shared. */
export function clientTypes(folder) {
  const documents = readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  const schemas = together(documents.map(document => document.components.schemas))
  const paths = together(documents.map(document => document.paths))
  const responses = together(documents.map(document => document.components.responses))
  return `// Made of docs/api by scripts/client-types.mjs whenever the program is built. Change those.
export interface components {
  schemas: ${fields(schemas, (schema, inner) => typeOf(schema, inner), '  ')}
}

export interface paths ${fields(paths, (methods, inner) => fields(methods, (one, at) => operation(withResponses(one, responses), at), inner), '')}
`
}

/** Two documents must not mean different things by one name. */
function together(parts) {
  const all = {}
  for (const [name, part] of parts.flatMap(Object.entries)) {
    if (name in all && JSON.stringify(all[name]) !== JSON.stringify(part)) {
      throw new Error(`docs/api: two documents define ${name} differently.`)
    }
    all[name] = part
  }
  return all
}

/** The operation with the shared responses where it refers to them. */
function withResponses(one, shared) {
  const responses = Object.entries(one.responses).map(([status, { $ref, ...own }]) => [
    status,
    $ref === undefined ? own : shared[$ref.split('/').pop()]
  ])
  return { ...one, responses: Object.fromEntries(responses) }
}

function operation({ parameters = [], requestBody, responses }, indent) {
  const inner = `${indent}  `
  const places = ['path', 'query', 'header'].map(place => {
    const here = parameters.filter(parameter => parameter.in === place)
    const named = Object.fromEntries(here.map(parameter => [parameter.name, withDescription(parameter)]))
    const required = here.filter(parameter => parameter.required).map(({ name }) => name)
    if (here.length === 0) return `${place}?: never`
    const mark = required.length === 0 ? '?' : ''
    return `${place}${mark}: ${object({ properties: named, required }, `${inner}  `)}`
  })
  const body = requestBody === undefined ? 'never' : `{ content: ${content(requestBody.content, bodyOf, inner)} }`
  return `{
${inner}parameters: {
${places.map(line => `${inner}  ${line}`).join('\n')}
${inner}}
${inner}requestBody${requestBody?.required === true ? '' : '?'}: ${body}
${inner}responses: ${fields(responses, response, inner)}
${indent}}`
}

const withDescription = ({ description, schema }) => (description === undefined ? schema : { ...schema, description })

function response({ content: bodies }, indent) {
  const types = bodies === undefined ? 'never' : content(bodies, typeOf, `${indent}  `)
  return `{
${indent}  headers: { [name: string]: unknown }
${indent}  content${bodies === undefined ? '?' : ''}: ${types}
${indent}}`
}

function content(bodies, type, indent) {
  return fields(bodies, ({ schema }, inner, name) => type(schema, inner, name), indent)
}

/** A form with a file in it cannot be written as an object. */
function bodyOf(schema, indent, mediaType) {
  return mediaType === 'multipart/form-data' ? `${typeOf(schema, indent)} | FormData` : typeOf(schema, indent)
}

/** An object type with a field for each entry, and what the entry says of itself as its comment. */
function fields(entries, type, indent, isOptional = () => false) {
  const inner = `${indent}  `
  const lines = Object.entries(entries).map(([name, entry]) => {
    const about = (entry.summary ?? entry.description ?? '').replaceAll('*/', '* /')
    const comment = about === '' ? '' : `${inner}/** ${about} */\n`
    return `${comment}${inner}${fieldName(name)}${isOptional(name) ? '?' : ''}: ${type(entry, inner, name)}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

const fieldName = name => (/^(?:[A-Za-z_]\w*|[1-5]\d\d)$/.test(name) ? name : quoted(name))
const quoted = value => (typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : String(value))

/** Schema keywords that would change the type. Our documents use none of them; add the translation here when one is needed. */
const unknownWords = ['$defs', 'contains', 'dependentSchemas', 'nullable', 'oneOf', 'prefixItems']

function typeOf(schema, indent) {
  const unknown = unknownWords.find(word => word in schema)
  if (unknown !== undefined)
    throw new Error(`docs/api: scripts/client-types.mjs does not support the keyword "${unknown}".`)
  if (schema.$ref !== undefined) return `components['schemas']['${schema.$ref.split('/').pop()}']`
  if (schema.anyOf !== undefined) return union(schema.anyOf.map(one => typeOf(one, indent)))
  if (schema.allOf !== undefined) return schema.allOf.map(one => `(${typeOf(one, indent)})`).join(' & ')
  if (schema.const !== undefined) return quoted(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map(quoted))
  if (schema.type === undefined) return schema.properties === undefined ? 'unknown' : object(schema, indent)
  return union([schema.type].flat().map(type => byType[type](schema, indent)))
}

const byType = {
  string: ({ format }) => (format === 'binary' ? 'Blob' : 'string'),
  integer: () => 'number',
  number: () => 'number',
  boolean: () => 'boolean',
  null: () => 'null',
  array: ({ items }, indent) => `${items === undefined ? 'unknown' : bracketed(typeOf(items, indent))}[]`,
  object: (schema, indent) => object(schema, indent)
}

const bracketed = type => (/ [|&] /.test(type) ? `(${type})` : type)
const union = types => [...new Set(types)].join(' | ')

function object({ properties, required = [], additionalProperties, patternProperties }, indent) {
  if (properties === undefined || Object.keys(properties).length === 0) {
    const values = [additionalProperties, ...Object.values(patternProperties ?? {})].filter(isSchema)
    const type = values.length === 0 ? 'unknown' : union(values.map(one => typeOf(one, indent)))
    return `{ [name: string]: ${type} }`
  }
  return fields(properties, typeOf, indent, name => !required.includes(name))
}

const isSchema = part => typeof part === 'object'
