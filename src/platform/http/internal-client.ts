import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { buildText } from '../messages/messages.ts'
import { Problem } from '../problem.ts'
import { type CacheTags, parseTagsHeader } from './cache-tags.ts'

/** A request of a page to a service, on behalf of the visitor whose request the page answers. */
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
  /** The same body as bytes, for responses that are not text. */
  bytes: Buffer
  /** The body as an object, if the route sends it so (`sendBodyToPage`); text and bytes are then empty. */
  body?: object | undefined
  /** Cache tags of the response, where they are known. */
  cacheTags?: CacheTags | undefined
}

/** Calls a service as if the visitor of the page had: with the headers that tell who they are and from where. */
export type InternalClient = (visitor: FastifyRequest, call: InternalRequest) => Promise<InternalResponse>

/** Known to this process only, so that no client can pass its request off as that of a page. */
const secret = randomBytes(16).toString('hex')
const internalHeader = 'x-kalends-internal'

/** True for a request of a page. The original request of the visitor is already counted and logged. */
export function hasInternalHeader({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers[internalHeader]?.toString().startsWith(secret) === true
}

/** The HTTP version that the visitor used, also for a request that a page makes on their behalf. */
export function getHttpVersion({ headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>): string {
  const value = headers[internalHeader]?.toString() ?? ''
  return value.startsWith(secret) ? value.slice(secret.length + 1) : httpVersion
}

const callHeader = 'x-kalends-internal-call'
let calls = 0
/** Bodies that routes sent as objects, by the number of the call that waits for them. */
const bodiesForPages = new Map<string, object>()

/**
 * Gives the body of a response to the page that waits for it in this process, as it is: a large one would take longer to
 * write as JSON and to parse than to make. False if no page waits for it; the response is then sent.
 */
export function sendBodyToPage(request: FastifyRequest, body: object): boolean {
  const call = request.headers[callHeader]
  if (typeof call !== 'string' || !request.isInternal) return false
  bodiesForPages.set(call, body)
  return true
}

const forwardedHeaders =
  /^(host|origin|sec-fetch-site|x-forwarded-.*|forwarded|via|x-real-ip|x-client-ip|cf-connecting-ip|true-client-ip|traceparent|tracestate|user-agent)$/

/** Stays within the process (`inject`), yet passes the same hooks and routes as an external request. */
export function newInjectClient(app: () => Pick<FastifyInstance, 'inject'>): InternalClient {
  return async (visitor, { method, path, headers, body }) => {
    calls += 1
    const call = String(calls)
    try {
      const answer = await app().inject({
        method,
        url: path,
        headers: { ...buildInternalHeaders(visitor), [callHeader]: call, ...headers },
        ...(body === undefined ? {} : { payload: body }),
        remoteAddress: visitor.socket.remoteAddress ?? ''
      })
      const { statusCode: status, headers: given, payload: text, rawPayload: bytes } = answer
      return { status, headers: given, text, bytes, body: bodiesForPages.get(call), cacheTags: parseTagsHeader(given) }
    } finally {
      bodiesForPages.delete(call)
    }
  }
}

/** Forwards the origin of the visitor, for the rate limits. */
function buildInternalHeaders(visitor: FastifyRequest): Record<string, string> {
  const version = getHttpVersion(visitor.raw)
  const headers: Record<string, string> = { [internalHeader]: `${secret} ${version}`, 'x-request-id': visitor.id }
  for (const [name, value] of Object.entries(visitor.headers)) {
    if (value !== undefined && forwardedHeaders.test(name)) headers[name] = String(value)
  }
  return headers
}

/** Requests a path as a browser would, and follows its redirect, without counting or logging a visitor; returns the status. */
export async function requestInternally(
  app: Pick<FastifyInstance, 'inject'>,
  path: string,
  host: string
): Promise<number> {
  const headers = { [internalHeader]: `${secret} 1.1`, host, accept: 'text/html, */*;q=0.8' }
  const request = async (url: string) => await app.inject({ url, headers, remoteAddress: '127.0.0.1' })
  const { statusCode, headers: sent } = await request(path)
  return sent.location === undefined ? statusCode : (await request(sent.location)).statusCode
}

/** Longer than a service takes to respond that it is overloaded. */
const responseTimeoutMs = 10_000

/** For pages in another process than the services: calls over HTTP, as a proxy that forwards the client address. */
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
          // Both are usually on the same machine.
          'accept-encoding': 'identity',
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

/** So that the calls of a page show in the trace of the page. */
function getTraceHeaders({ headers: { traceparent, tracestate } }: FastifyRequest): Record<string, string> {
  return {
    ...(traceparent === undefined ? {} : { traceparent: String(traceparent) }),
    ...(tracestate === undefined ? {} : { tracestate: String(tracestate) })
  }
}

const newServicesUnavailableProblem = (cause: unknown) =>
  Object.assign(
    new Problem(503, 'services-away', buildText('request-problems', 'servicesUnavailable'), {
      headers: { 'retry-after': '2' }
    }),
    { cause }
  )
