import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteContext } from '#platform/http/service.ts'
import { buildTexts } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { aliasPrefix } from '../contract/routing/site.ts'

/** A request to the namespace of The Events Calendar, which the routes of WordPress are built on. */
export interface ApiCall {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below the namespace: `/events/7`. */
  path: string
  query?: Record<string, string | undefined>
  /** Fields of the item, or the bytes of an upload. */
  body?: Record<string, unknown> | Buffer
  /** Headers of an upload in a form. */
  headers?: Record<string, string>
}

export interface ApiResult<Body> {
  status: number
  body: Body
  header(name: string): string | undefined
}

export type CallApi = <Body>(call: ApiCall) => Promise<ApiResult<Body>>

/** Headers of the client that the namespace reads: credentials, language, conditions. */
const passedOn = [
  'authorization',
  'accept-language',
  'idempotency-key',
  'if-match',
  'event-password',
  'content-disposition'
]

/**
 * Calls the calendar's own routes on behalf of the client, so that rights, rules and data are the same in all
 * namespaces. An error response becomes a `Problem` with the same status, code and details.
 */
export function newApiCaller({ internalClient }: RouteContext, request: FastifyRequest): CallApi {
  return async <Body>({ method, path, query = {}, body, headers: own = {} }: ApiCall) => {
    const headers: Record<string, string> = {}
    for (const name of passedOn) {
      const value = request.headers[name]
      if (typeof value === 'string') headers[name] = value
    }
    const isUpload = Buffer.isBuffer(body)
    if (body !== undefined)
      headers['content-type'] = isUpload ? (request.headers['content-type'] ?? '') : 'application/json'
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const search = new URLSearchParams(given).toString()
    const response = await internalClient(request, {
      method,
      path: `${aliasPrefix}${path}${search === '' ? '' : `?${search}`}`,
      headers: { ...headers, ...own },
      body: body === undefined || isUpload ? body : JSON.stringify(body)
    })
    const parsed = JSON.parse(response.text)
    if (response.status >= 400) throw toProblem(response.status, parsed, response.headers)
    const header = (name: string) => (response.headers[name] === undefined ? undefined : String(response.headers[name]))
    return { status: response.status, body: parsed as Body, header }
  }
}

interface ErrorBody {
  code?: string
  message?: string
  data?: Record<string, unknown>
}

function toProblem(status: number, { code = '', message = '', data = {} }: ErrorBody, headers: object): Problem {
  const { 'retry-after': retryAfter, 'www-authenticate': challenge } = headers as Record<string, string | undefined>
  const kept = {
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    ...(challenge === undefined ? {} : { 'www-authenticate': String(challenge) })
  }
  const text = buildTexts(() => message)
  return new Problem(status, toWordpressCode(code), text, { data: { ...data, status }, headers: kept })
}

/** WordPress has one code for all kinds of posts, and one for all taxonomies. */
function toWordpressCode(code: string): string {
  if (/^rest-(?:event|venue|organizer|image)-not-found$|-no-longer-available$/.test(code)) return 'rest_post_invalid_id'
  if (/-not-accessible$/.test(code)) return 'rest_forbidden'
  return code === 'rest-term-not-found' ? 'rest_term_invalid' : code
}

/** Headers of our own response that also hold for the one in another shape. */
const keptHeaders = ['content-language', 'vary', 'idempotent-replayed']

export function copyHeaders(reply: FastifyReply, { header }: Pick<ApiResult<unknown>, 'header'>): void {
  for (const name of keptHeaders) {
    const value = header(name)
    if (value !== undefined) reply.header(name, value)
  }
}
