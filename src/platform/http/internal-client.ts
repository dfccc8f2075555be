import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import { type CacheTags, getCacheTags } from './cache-tags.ts'

/** What pages of the same process ask the services, on behalf of somebody whose request they answer. */
export interface InternalRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  headers: Record<string, string>
  body?: string | Buffer | undefined
}

export interface InternalResponse {
  status: number
  headers: Record<string, unknown>
  text: string
  /** The same, for what is no text. */
  bytes: Buffer
  /** What it rests on, where that is known. */
  cacheTags?: CacheTags | undefined
}

/** Asks a service as if the visitor of a page had asked it, with what tells who and from where that is. */
export type InternalClient = (visitor: FastifyRequest, call: InternalRequest) => Promise<InternalResponse>

/** Known to this process only, so that nobody else can say that a request comes from a page of ours. */
const secret = randomBytes(16).toString('hex')
const internalHeader = 'x-kalends-inside'

/** Is this asked by a page? Then the page's own request was counted and written down already. */
export function isInternal(request: FastifyRequest): boolean {
  return request.headers[internalHeader]?.toString().startsWith(secret) === true
}

/** The version of HTTP that the visitor spoke, also where a page asks on their behalf. */
export function getHttpVersion({ headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>): string {
  const value = headers[internalHeader]?.toString() ?? ''
  return value.startsWith(secret) ? value.slice(secret.length + 1) : httpVersion
}

const forwardedHeaders =
  /^(host|origin|sec-fetch-site|x-forwarded-.*|forwarded|via|x-real-ip|x-client-ip|cf-connecting-ip|true-client-ip|traceparent|tracestate|user-agent)$/

/** Without leaving the process, and yet the whole way that a request from outside goes. */
export function newInjectClient(app: () => Pick<FastifyInstance, 'inject'>): InternalClient {
  return async (visitor, { method, path, headers, body }) => {
    const answer = await app().inject({
      method,
      url: path,
      headers: { ...buildInternalHeaders(visitor), ...headers },
      ...(body === undefined ? {} : { payload: body }),
      remoteAddress: visitor.socket.remoteAddress ?? ''
    })
    const { statusCode: status, headers: given, payload: text, rawPayload: bytes } = answer
    return { status, headers: given, text, bytes, cacheTags: getCacheTags({ raw: answer.raw.res }) }
  }
}

/** Where a visitor comes from, for the limits. */
function buildInternalHeaders(visitor: FastifyRequest): Record<string, string> {
  const version = getHttpVersion(visitor.raw)
  const headers: Record<string, string> = { [internalHeader]: `${secret} ${version}`, 'x-request-id': visitor.id }
  for (const [name, value] of Object.entries(visitor.headers)) {
    if (value !== undefined && forwardedHeaders.test(name)) headers[name] = String(value)
  }
  return headers
}

/** Longer than a service takes to say that it is busy. */
const responseTimeoutMs = 10_000

/** For pages that run apart from the services: over HTTP, as a proxy that says for whom it asks. */
export function newHttpClient(apiUrl: string): InternalClient {
  return async (visitor, { method, path, headers, body }) => {
    try {
      const answer = await fetch(apiUrl + path, {
        method,
        headers: {
          'x-request-id': visitor.id,
          'x-forwarded-for': visitor.ip,
          'x-forwarded-host': visitor.host,
          'x-forwarded-proto': visitor.protocol,
          ...getTraceHeaders(visitor),
          'user-agent': visitor.headers['user-agent'] ?? '',
          ...headers
        },
        ...(body === undefined ? {} : { body: body as string | Uint8Array<ArrayBuffer> }),
        redirect: 'manual',
        signal: AbortSignal.timeout(responseTimeoutMs)
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      return { status: answer.status, headers: Object.fromEntries(answer.headers), text: bytes.toString(), bytes }
    } catch (error) {
      throw newServicesUnavailableProblem(error)
    }
  }
}

/** So that what a page asks shows in the trace of the page. */
function getTraceHeaders({ headers: { traceparent, tracestate } }: FastifyRequest): Record<string, string> {
  return {
    ...(traceparent === undefined ? {} : { traceparent: String(traceparent) }),
    ...(tracestate === undefined ? {} : { tracestate: String(tracestate) })
  }
}

const newServicesUnavailableProblem = (cause: unknown) =>
  Object.assign(
    new Problem(
      503,
      'services-away',
      {
        en: 'The services behind this page do not answer at the moment. Please try again.',
        de: 'Die Dienste hinter dieser Seite antworten gerade nicht. Bitte noch einmal versuchen.'
      },
      { headers: { 'retry-after': '2' } }
    ),
    { cause }
  )
