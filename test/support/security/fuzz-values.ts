// Generated requests, derived from the documented input of an operation.
import fc from 'fast-check'
import { buildValidValue } from '../crawl/calendar-fields.ts'
import { forAll, malformedHeaders, malformedIds, texts } from '../crawl/malformed-values.ts'
import {
  isCalendarOperation,
  listParameters,
  type Operation,
  type Parameter,
  type Schema
} from '../crawl/route-crawler.ts'

/** Mutations of a request that would succeed. */
export interface Mutation {
  /** The name of the caller that sends it. */
  caller: string
  /** Encoded values of path parameters, in place of valid ones. */
  path: Record<string, string>
  /** The encoded query string. */
  query: string
  headers: Record<string, string>
  body: BodyMutation
}

/** The valid body; or the valid body with some fields replaced by JSON texts (undefined: removed); or other bytes. */
export type BodyMutation =
  | { kind: 'as it is' }
  | { kind: 'fields'; form: 'json' | 'form' | 'multipart'; fields: Record<string, string | undefined> }
  | { kind: 'bytes'; type: string; bytes: Buffer }

/** Malformed and malicious texts, as JSON. */
const hostileJson = fc.constantFrom(
  ...[...texts, ...forAll].map(([, json]) => json).filter(({ length }) => length < 3000)
)
const anyJson = fc.oneof(
  { weight: 3, arbitrary: hostileJson },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }).map(value => JSON.stringify(value)) },
  fc.constantFrom('1e400', '-1e400', '-0', '9007199254740993', '5e-324', '""', '[]', '{}', 'null', '"\\ud800"'),
  fc.string({ unit: 'binary', maxLength: 60 }).map(text => JSON.stringify(text)),
  fc.integer({ min: 1, max: 9000 }).map(length => JSON.stringify('ä'.repeat(length)))
)

/** Values that are valid by the schema, as JSON. */
function buildValidJson(schema: Schema, name: string): fc.Arbitrary<string> {
  const json = (value: unknown) => JSON.stringify(value)
  if (schema.examples !== undefined) return fc.constantFrom(...schema.examples.map(json))
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum.map(json))
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(one => buildValidJson(one, name)))
  const { properties = {}, items = {}, minimum = 0, maximum = 1_000_000, minLength = 0 } = schema
  const types = [schema.type ?? 'string'].flat()
  const kinds: Record<string, () => fc.Arbitrary<string>> = {
    null: () => fc.constant('null'),
    boolean: () => fc.boolean().map(json),
    integer: () => fc.integer({ min: Math.max(minimum, -1_000_000), max: Math.min(maximum, 1_000_000) }).map(json),
    number: () => fc.integer({ min: 0, max: 999_999 }).map(cents => json(cents / 100)),
    array: () => fc.array(buildValidJson(items, name), { maxLength: 3 }).map(list => `[${list.join()}]`),
    object: () =>
      fc
        .record(Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, buildValidJson(one, key)])))
        .map(fields => `{${Object.entries(fields).map(([key, value]) => `${json(key)}:${value}`)}}`),
    string: () =>
      schema.format === undefined
        ? fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(schema.maxLength ?? 40, 40) }).map(json)
        : fc.constantFrom(json('ada@example.org'), json('2027-06-01'), json('https://example.org/a'))
  }
  return fc.oneof(...types.map(type => kinds[type]?.() ?? fc.constant('null')))
}

/** Query parameters: valid, invalid and unparsable. */
function buildQueryPairs({ name, schema }: Parameter): fc.Arbitrary<string> {
  const known = schema.enum ?? schema.items?.enum ?? schema.examples ?? []
  const value = fc.oneof(
    ...(known.length === 0 ? [] : [fc.constantFrom(...known.map(one => encodeURIComponent(String(one))))]),
    fc.integer({ min: -2, max: 60 }).map(String),
    fc.constantFrom('', '%00', '%ff', '%zz', '2027-06-01', '2027-06-01 10:00:00', 'true', 'now', '-1 week', '1,2,3'),
    hostileJson.map(json => encodeURIComponent(String(JSON.parse(json)).toWellFormed())),
    fc.string({ unit: 'grapheme', maxLength: 40 }).map(text => encodeURIComponent(text.toWellFormed())),
    fc.integer({ min: 1, max: 5000 }).map(length => 'a'.repeat(length))
  )
  const place = fc.constantFrom(name, name, name, name, `${name}[]`, `${name}[0]`, `${name}[a][b]`)
  return fc.tuple(place, value).map(([where, what]) => `${where}=${what}`)
}

const headerNames = [
  ...['accept', 'accept-language', 'accept-encoding', 'if-none-match', 'if-match', 'idempotency-key', 'origin'],
  ...['range', 'content-encoding', 'x-request-id', 'x-http-method-override', 'traceparent', 'cookie', 'last-event-id'],
  ...['authorization', 'content-type', 'if-modified-since', 'x-wp-nonce', 'referer', 'expect']
]
const hostileHeader = fc.oneof(
  fc.constantFrom(...malformedHeaders.filter(({ length }) => length < 3000)),
  fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
  fc.constantFrom('*', '"1"', 'W/"1-a"', 'gzip', 'bytes=0-10', 'de', 'text/csv', 'DELETE')
)

/** In most requests only one part is changed, so that its fault is not hidden by another. */
const mostly = <Value>(usual: Value, other: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, other)

/** Requests to one operation, by one of these callers. */
export function buildMutations(operation: Operation, callers: string[]): fc.Arbitrary<Mutation> {
  const inPath = listParameters(operation, 'path')
  const inQuery = listParameters(operation, 'query')
  const id = fc.oneof(
    fc.constantFrom(...malformedIds.filter(one => one.length < 3000)),
    fc.integer({ min: -1, max: 300 }).map(String),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).map(text => encodeURIComponent(text.toWellFormed()))
  )
  const path =
    inPath.length === 0
      ? fc.constant({})
      : mostly<Record<string, string>>({}, fc.record(Object.fromEntries(inPath.map(({ name }) => [name, id]))))
  const pair = fc.oneof(
    ...inQuery.map(buildQueryPairs),
    ...['_fields', '_envelope', 'language', 'nobodyKnowsThis'].map(name =>
      buildQueryPairs({ name, in: 'query', schema: {} })
    )
  )
  return fc.record({
    // Callers without permission are refused before validation, so admins send more of the requests.
    caller: fc.oneof({ weight: 2, arbitrary: fc.constant('admin') }, fc.constantFrom(...callers)),
    path,
    query: fc.array(pair, { maxLength: 3 }).map(pairs => pairs.join('&')),
    headers: mostly<Record<string, string>>(
      {},
      fc.dictionary(fc.constantFrom(...headerNames), hostileHeader, { maxKeys: 2 })
    ),
    body: buildBodies(operation)
  })
}

function buildBodies(operation: Operation): fc.Arbitrary<BodyMutation> {
  const unchanged = fc.constant<BodyMutation>({ kind: 'as it is' })
  const bytes = fc.record({
    kind: fc.constant('bytes' as const),
    type: fc.constantFrom('application/json', 'application/xml', 'text/csv', 'multipart/form-data; boundary=x', 'a/b'),
    bytes: fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map(array => Buffer.from(array)),
      fc
        .constantFrom(
          '[',
          '{"a":',
          '<a>',
          '--x\r\n\r\n',
          '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'
        )
        .map(Buffer.from)
    )
  })
  const { body } = operation
  if (body === undefined)
    return operation.takesXml ? fc.oneof(unchanged, bytes) : mostly<BodyMutation>({ kind: 'as it is' }, bytes)
  const properties = Object.entries(body.properties ?? {})
  const validJson = (name: string, schema: Schema) =>
    isCalendarOperation(operation)
      ? fc.constant(JSON.stringify(buildValidValue(name, schema)))
      : buildValidJson(schema, name)
  const field = (name: string, schema: Schema): fc.Arbitrary<[string, string | undefined]> =>
    fc
      .oneof(
        { weight: 2, arbitrary: validJson(name, schema) },
        { weight: 3, arbitrary: anyJson },
        fc.constant(undefined)
      )
      .map(value => [name, value])
  const own =
    properties.length === 0 ? [] : [fc.constantFrom(...properties).chain(([name, schema]) => field(name, schema))]
  const unknown = fc.tuple(fc.string({ unit: 'grapheme', maxLength: 20 }), anyJson)
  const fields = fc
    .array(fc.oneof(...own.map(arbitrary => ({ weight: 9, arbitrary })), unknown), { minLength: 1, maxLength: 4 })
    .map(pairs => Object.fromEntries(pairs))
  const form = isCalendarOperation(operation) ? fc.constantFrom('json', 'form', 'multipart') : fc.constant('json')
  const changed = fc.record({ kind: fc.constant('fields'), form, fields }) as fc.Arbitrary<BodyMutation>
  return fc.oneof(unchanged, { weight: 6, arbitrary: changed }, bytes)
}
