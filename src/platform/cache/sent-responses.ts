import type { FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { batchUntilImmediate } from '../database/batch-until-immediate.ts'
import { negotiateCoding } from '../http/content-coding.ts'

type Headers = Record<string, number | string | string[] | undefined>

/** A cached response as it was sent. */
export interface SentResponse {
  status: number
  /** Names and values in turn, without those of `perRequestHeaders`. A 304 has no ETag here: its client sends the one to repeat. */
  headers: string[]
  body: string | Buffer | undefined
}

/** The forms in which one cached response was sent: each coding, with its body or as 304. */
export type SentResponses = Map<string, SentResponse>

declare module 'fastify' {
  interface FastifyReply {
    /** Where to record how the response is sent; undefined if it is not cached. */
    sentResponses: SentResponses | undefined
  }
}

/** Records how a cached response is sent. Comes after all plugins that change headers or body. */
export const recordSentResponses = fastifyPlugin(async app => {
  app.decorateReply('sentResponses')
  app.addHook('onSend', (request, reply, payload, next) => {
    const { sentResponses, statusCode: status } = reply
    const body = payload === null ? undefined : payload
    if (sentResponses !== undefined && isPlainRead(request) && isWhole(body) && !app.shutdown.isClosing()) {
      const isNotModified = status === 304
      const { etag, ...others } = reply.getHeaders()
      const headers = flattenHeaders({
        ...others,
        ...(isNotModified ? {} : { etag }),
        ...(body === undefined ? {} : { 'content-length': countBytes(body) })
      })
      sentResponses.set(buildFormKey(request, isNotModified), { status, headers, body })
    }
    next(null, payload)
  })
})

/**
 * Sends a cached response exactly as it was sent before, without running the plugins after the cache again. False if it
 * was not yet sent in this form. `clientTag` is the ETag of a client that has the response: it gets 304.
 */
export function sendAgain(
  request: FastifyRequest,
  reply: FastifyReply,
  { sentResponses, clientTag }: { sentResponses: SentResponses; clientTag: string | undefined }
): boolean {
  if (!isPlainRead(request) || request.server.shutdown.isClosing()) return false
  const sent = sentResponses.get(buildFormKey(request, clientTag !== undefined))
  if (sent === undefined) return false
  const headers = [...sent.headers, requestIdHeader, request.id]
  if (reply.hasHeader('ratelimit')) {
    for (const name of rateLimitHeaders) headers.push(name, String(reply.getHeader(name)))
  }
  if (clientTag !== undefined) headers.push('etag', clientTag)
  reply.hijack()
  reply.raw.writeHead(sent.status, headers)
  // As `sendTogether` does with all others.
  batchUntilImmediate(() => reply.raw.end(sent.body))
  return true
}

/** The headers that a response has for every request. */
export function collectSharedHeaders(reply: FastifyReply): Headers {
  const headers = reply.getHeaders()
  const shared: Headers = {}
  for (const name in headers) if (!perRequestHeaders.includes(name)) shared[name] = headers[name]
  return shared
}

/** Gives the response the headers of a cached one and no others, besides those of the request. */
export function setSharedHeaders(reply: FastifyReply, headers: Headers): void {
  for (const name in collectSharedHeaders(reply)) {
    if (headers[name] === undefined) reply.removeHeader(name)
  }
  reply.headers(headers).header(requestIdHeader, reply.request.id)
}

const requestIdHeader = 'x-request-id'
/** Set together, for requests that count towards a limit. */
const rateLimitHeaders = ['ratelimit', 'ratelimit-policy']
/** Headers that belong to one request and not to its response content. All others depend on the key of the cache only. */
const perRequestHeaders = [requestIdHeader, ...rateLimitHeaders]

function flattenHeaders(headers: Headers): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || perRequestHeaders.includes(name) ? [] : [value].flat().flatMap(one => [name, String(one)])
  )
}

function isPlainRead(request: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  return request.method === 'GET' && length === undefined && coding === undefined && !request.isInternal
}

const isWhole = (body: unknown): body is string | Buffer | undefined =>
  body === undefined || typeof body === 'string' || Buffer.isBuffer(body)

const countBytes = (body: string | Buffer) => (typeof body === 'string' ? Buffer.byteLength(body) : body.length)

function buildFormKey(request: FastifyRequest, isNotModified: boolean): string {
  const accepted = request.headers['accept-encoding']
  if (accepted === undefined) return isNotModified ? '304' : '200'
  const { coding, acceptsIdentity } = negotiateCoding(String(accepted))
  return `${isNotModified ? '304' : '200'} ${coding} ${acceptsIdentity}`
}
