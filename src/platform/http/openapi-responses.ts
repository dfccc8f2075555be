import type { ErrorFormat } from './errors.ts'
import type { DocumentedRoute } from './openapi.ts'
import type { SchemaComponents } from './openapi-schemas.ts'

type Json = Record<string, unknown>

/** What the responses of a document share. */
export interface ResponseComponents {
  headers: Json
  responses: Json
}

/** The responses of an operation: on success, and every error with its problem codes. */
export function buildResponses(
  route: DocumentedRoute,
  operationId: string,
  components: SchemaComponents & ResponseComponents
): Json {
  const { schema, errorFormat } = route
  const { response = {}, produces } = schema
  const successes = Object.entries(response).map(([status, body]) => [
    status,
    {
      description: describeSuccess(status, produces),
      ...buildHeaders(listHeaders(route, status), components),
      ...(status === '204'
        ? {}
        : {
            content: {
              [produces ?? 'application/json']: {
                schema: components.toNamed(
                  body,
                  `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Response`
                )
              }
            }
          })
    }
  ])
  if (successes.length === 0) throw new Error(`${route.method} ${route.url} does not say what it responds.`)
  const common = listCommonErrors(route)
  const errors = Object.entries(listProblemCodes(route, common)).map(([status, codes]) => {
    const built = buildErrorResponse(errorFormat, Number(status), codes, components)
    const { name, codes: shared } = common[Number(status)] ?? {}
    const isShared = name !== undefined && codes.length === shared?.length
    return [status, isShared ? shareResponse(`${name}${errorFormat.schema.name}`, built, components) : built]
  })
  const other = buildErrorResponse(errorFormat, undefined, otherCodes.map(getTranslator(errorFormat)), components)
  return {
    ...Object.fromEntries(successes),
    ...Object.fromEntries(errors),
    default: shareResponse(`Other${errorFormat.schema.name}`, other, components)
  }
}

const otherCodes = ['internal-error', 'overloaded', 'database-away']

const getTranslator = ({ translateCode }: ErrorFormat) => translateCode ?? ((code: string) => code)

function describeSuccess(status: string, produces: string | undefined): string {
  if (status === '201') return 'Created.'
  if (status === '202') return 'Accepted; it is processed in the background.'
  if (status === '204') return 'Done; the response has no content.'
  return produces === undefined ? 'The resource, or the result.' : `A file of the type ${produces}.`
}

interface CommonError {
  /** Its name in the components, without that of the error format. */
  name: string
  codes: string[]
}

/** Codes by status, without repeats, as the error format spells them. */
function listProblemCodes(route: DocumentedRoute, common: Record<number, CommonError>): Record<number, string[]> {
  const translate = getTranslator(route.errorFormat)
  const codes: Record<number, string[]> = {}
  for (const [status, error] of Object.entries(common)) codes[Number(status)] = error.codes
  for (const [status, list] of Object.entries(route.schema.problems ?? {})) {
    codes[Number(status)] = [...new Set([...(codes[Number(status)] ?? []), ...list.map(translate)])]
  }
  return codes
}

/** Errors that do not depend on the handler: authentication, validation, limits, conditions. */
function listCommonErrors(route: DocumentedRoute): Record<number, CommonError> {
  const { requires, requiresConfirmation, creates, schema, errorFormat } = route
  const hasBody = schema.body !== undefined
  const hasJson = hasBody && route.mediaTypes.some(type => type.endsWith('json'))
  const open = requires === 'public'
  const errors: [status: number, name: string, codes: string[]][] = [
    hasJson
      ? [400, 'InvalidBody', ['invalid-input', 'malformed-json']]
      : [400, 'InvalidInput', hasBody || creates || schema.querystring !== undefined ? ['invalid-input'] : []],
    open
      ? [401, 'BadCredentials', ['bad-credentials']]
      : [401, 'NoCredentials', ['credentials-missing', 'bad-credentials']],
    requiresConfirmation
      ? [403, 'ForbiddenOrUnconfirmed', ['forbidden', 'confirmation-needed']]
      : [403, 'Forbidden', open ? [] : ['forbidden']],
    [409, 'IdempotencyConflict', creates ? idempotencyConflicts : []],
    [412, 'ChangedMeanwhile', isConditionalWrite(route) ? ['changed-meanwhile'] : []],
    [413, 'BodyTooLarge', hasBody ? ['body-too-large'] : []],
    [415, 'UnsupportedMediaType', hasBody ? ['unsupported-media-type'] : []],
    [422, 'IdempotencyKeyReused', creates ? ['idempotency-key-reused'] : []],
    [429, 'TooManyRequests', ['too-many-requests', 'too-many-wrong-keys']]
  ]
  return Object.fromEntries(
    errors
      .filter(([, , codes]) => codes.length > 0)
      .map(([status, name, codes]) => [status, { name, codes: [...new Set(codes.map(getTranslator(errorFormat)))] }])
  )
}

const idempotencyConflicts = [
  'idempotency-key-in-flight',
  'idempotency-key-of-another-network',
  'idempotency-answer-lost'
]

/** Whether a write is refused if the resource has changed. The calendar also updates by POST, as its contract does. */
export function isConditionalWrite({ method, creates, schema, url }: DocumentedRoute): boolean {
  if (['PUT', 'PATCH', 'DELETE'].includes(method)) return true
  return method === 'POST' && !creates && schema.body !== undefined && url.includes(':')
}

const errorDescriptions: Record<number, string> = {
  400: 'The request is not valid.',
  401: 'Credentials are missing or wrong.',
  403: 'Not allowed with these credentials.',
  404: 'Not found, or not visible to the caller.',
  409: 'The request conflicts with the current state.',
  410: 'The resource is in the trash or was deleted.',
  412: 'The resource was modified in the meantime (If-Match).',
  413: 'The body is too large.',
  415: 'Unsupported content type of the body.',
  422: 'The request is well-formed, but breaks a rule.',
  429: 'Too many requests or attempts.',
  503: 'Not possible at the moment; try again later.'
}

function buildErrorResponse(
  { contentType, schema }: ErrorFormat,
  status: number | undefined,
  codes: string[],
  components: ResponseComponents
): Json {
  const type = contentType.split(';', 1)[0] ?? contentType
  const about = status === undefined ? 'Any other error.' : (errorDescriptions[status] ?? 'The request was refused.')
  const headers = ['X-Request-Id', ...(status === 429 || status === 503 || status === undefined ? ['Retry-After'] : [])]
  return {
    description: codes.length === 0 ? about : `${about} Codes: ${codes.map(code => `\`${code}\``).join(', ')}.`,
    ...buildHeaders(status === 401 ? [...headers, 'WWW-Authenticate'] : headers, components),
    content: { [type]: { schema: { $ref: `#/components/schemas/${schema.name}` } } },
    ...(codes.length === 0 || status === undefined ? {} : { 'x-problem-codes': codes })
  }
}

/** Puts a response that many operations have into the components. */
function shareResponse(name: string, response: Json, { responses }: ResponseComponents): Json {
  responses[name] ??= response
  return { $ref: `#/components/responses/${name}` }
}

function listHeaders(route: DocumentedRoute, status: string): string[] {
  const { method, creates, schema } = route
  const query = Object.keys((schema.querystring as { properties?: object } | undefined)?.properties ?? {})
  const isList = method === 'GET' && status === '200'
  return [
    'X-Request-Id',
    'RateLimit',
    'RateLimit-Policy',
    ...(status === '204' ? [] : ['ETag']),
    ...(creates && status === '201' ? ['Location', 'Idempotent-Replayed'] : []),
    ...(status === '202' ? ['Location'] : []),
    'Link',
    ...(isList && query.includes('limit') ? ['X-Total-Count'] : []),
    ...(isList && query.includes('per_page')
      ? ['X-WP-Total', 'X-WP-TotalPages', 'X-TEC-Total', 'X-TEC-TotalPages']
      : []),
    ...(schema.produces === undefined ? [] : ['Content-Disposition']),
    'Content-Language'
  ]
}

const string = { type: 'string' }
const integer = { type: 'integer', minimum: 0 }

const headerDescriptions: Record<string, { description: string; schema: Json }> = {
  'X-Request-Id': { description: 'Id of this request in the server log.', schema: string },
  ETag: {
    description: 'The version of the response: for If-None-Match with a read, and for If-Match with a write.',
    schema: string
  },
  Location: { description: 'URL of the created or accepted resource.', schema: { type: 'string', format: 'uri' } },
  'Idempotent-Replayed': {
    description: '`true` if this is the response of an earlier request with the same Idempotency-Key.',
    schema: string
  },
  Link: {
    description:
      'URLs of other pages (RFC 8288): `rel="next"` and `rel="prev"`, if there are any. Also the root of the API for clients of WordPress: `rel="https://api.w.org/"`.',
    schema: string
  },
  'X-Total-Count': { description: 'Total number of items.', schema: integer },
  'X-WP-Total': { description: 'Total number of items.', schema: integer },
  'X-WP-TotalPages': { description: 'Total number of pages.', schema: integer },
  'X-TEC-Total': { description: 'The same as X-WP-Total.', schema: integer },
  'X-TEC-TotalPages': { description: 'The same as X-WP-TotalPages.', schema: integer },
  'Content-Disposition': { description: 'Suggested file name.', schema: string },
  'Content-Language': { description: 'Language of the texts.', schema: string },
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: integer },
  'WWW-Authenticate': { description: 'The accepted authentication schemes.', schema: string },
  RateLimit: {
    description: 'Remaining requests and seconds until the limit resets, where requests are limited.',
    schema: string
  },
  'RateLimit-Policy': { description: 'Rate limit: number of requests and seconds.', schema: string }
}

function buildHeaders(names: string[], { headers }: ResponseComponents): { headers: Json } {
  const used = names.map(name => {
    headers[name] ??= headerDescriptions[name]
    return [name, { $ref: `#/components/headers/${name}` }]
  })
  return { headers: Object.fromEntries(used) }
}
