import type { FastifyRequest } from 'fastify'
import type { InternalClient, InternalRequest, InternalResponse } from '#platform/http/internal-client.ts'
import type { Language } from '#platform/language.ts'
import { buildTexts } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'

/** Client of both APIs, with the visitor's credentials. */
export interface ApiClient {
  get<Body>(path: string, query?: Query): Promise<ApiResponse<Body>>
  post<Body>(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse<Body>>
  put<Body>(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse<Body>>
  patch<Body>(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse<Body>>
  delete<Body>(path: string, headers?: Record<string, string>): Promise<ApiResponse<Body>>
  /** A file: the unparsed response. Errors are thrown as for the other methods. */
  download(path: string): Promise<InternalResponse>
  /** The unparsed response, whatever its status. */
  raw(call: InternalRequest): Promise<InternalResponse>
}

export interface ApiResponse<Body> {
  status: number
  body: Body
  etag: string
  header(name: string): string
}

export type Query = Record<string, string | number | boolean | undefined | null>

/** An error response of either API. If no page handles it, the visitor sees its message. */
export class ApiError extends Problem {
  /** Error messages by field name or path (`account/iban`). */
  readonly fields: Record<string, string>
  /** The whole response body, for details that only some errors have. */
  readonly body: object

  constructor(
    status: number,
    code: string,
    message = '',
    {
      fields = {},
      retryAfter,
      body = {}
    }: { fields?: Record<string, string>; retryAfter?: string | undefined; body?: object } = {}
  ) {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
    super(
      status,
      code,
      buildTexts(() => message),
      { headers }
    )
    this.message = message
    this.fields = fields
    this.body = body
  }
}

/** Messages come in the page's language; permissions are those of the token, or anonymous without one. */
export function newApiClient(
  request: FastifyRequest,
  call: InternalClient,
  { language, token }: { language: Language; token?: string | undefined }
): ApiClient {
  const headers: Record<string, string> = {
    'accept-language': language,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
  }

  async function send<Body>(
    method: InternalRequest['method'],
    path: string,
    body?: unknown,
    more = {}
  ): Promise<ApiResponse<Body>> {
    if (ambiguousPath.test(path)) throw new ApiError(404, 'not-found')
    const isText = body === undefined || Buffer.isBuffer(body)
    const answer = await call(request, {
      method,
      path,
      headers: sanitizeHeaders({ ...headers, ...(isText ? {} : { 'content-type': 'application/json' }), ...more }),
      body: isText ? body : JSON.stringify(body)
    })
    const parsed = answer.body ?? parseJson(answer)
    if (answer.status >= 400) throw toApiError(answer, parsed)
    return {
      status: answer.status,
      body: parsed as Body,
      etag: String(answer.headers.etag ?? ''),
      header: name => String(answer.headers[name] ?? '')
    }
  }

  async function download(path: string): Promise<InternalResponse> {
    if (ambiguousPath.test(path)) throw new ApiError(404, 'not-found')
    const answer = await call(request, { method: 'GET', path, headers })
    if (answer.status >= 400) throw toApiError(answer, parseJson(answer))
    return answer
  }

  return {
    get: async (path, query = {}) => await send('GET', withQuery(path, query)),
    post: async (path, body, more) => await send('POST', path, body, more),
    put: async (path, body, more) => await send('PUT', path, body, more),
    patch: async (path, body, more) => await send('PATCH', path, body, more),
    delete: async (path, more) => await send('DELETE', path, undefined, more),
    download,
    raw: async one => await call(request, { ...one, headers: { ...headers, ...one.headers } })
  }
}

/** A path segment from the URL that is empty or only dots: the path would name another resource. */
const ambiguousPath = /^[^?]*\/\.{0,2}(?:[/?]|$)/

/** For requests with an id from the page's URL as a parameter: a malformed id is that of nothing, as in a path. */
export function throwMalformedAsNotFound(error: unknown): never {
  throw error instanceof ApiError && error.status === 400 ? new ApiError(404, 'not-found') : error
}

/** Cookies and form fields may contain any character, headers only printable ASCII. */
function sanitizeHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/g, '?')]))
}

/** Appends the non-empty parameters. */
export function withQuery(path: string, query: Query): string {
  let whole = path
  let separator = path.includes('?') ? '&' : '?'
  for (const name in query) {
    const value = query[name]
    if (value === undefined || value === null || value === '') continue
    whole += `${separator}${name}=${encodeURIComponent(String(value))}`
    separator = '&'
  }
  return whole
}

function parseJson({ headers, text }: InternalResponse) {
  const isJson = /json/.test(String(headers['content-type'] ?? ''))
  return isJson && text !== '' ? JSON.parse(text) : undefined
}

interface AnyProblem {
  code?: string
  detail?: string
  message?: string
  errors?: { pointer: string; message: string }[]
  data?: { params?: Record<string, string> | string[] }
}

function toApiError({ status, headers }: InternalResponse, body: AnyProblem = {}): ApiError {
  const fields: Record<string, string> = {}
  for (const { pointer, message } of body.errors ?? []) fields[pointer.replace(/^\//, '')] = message
  const params = body.data?.params
  if (Array.isArray(params)) for (const name of params) fields[name] = body.message ?? ''
  else Object.assign(fields, params)
  const retryAfter = headers['retry-after']
  const message = body.detail ?? body.message ?? ''
  return new ApiError(status, body.code ?? '', message, {
    fields,
    retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
    body
  })
}
