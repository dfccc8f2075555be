import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { buildText } from '../messages/messages.ts'
import { Problem } from '../problem.ts'
import type { ContentCoding } from './content-coding.ts'
import { discardStream } from './discard-stream.ts'

/** The versions an `If-Match` header allows; undefined when there is none. */
export type IfMatch = 'any' | number[] | undefined

/** An ETag of an edit version, and of values that change without an edit. */
export function buildVersionEtag(version: number, ...rest: (number | string)[]): string {
  return `"${[version, ...rest].join('-')}"`
}

/** An ETag of the response body; includes the edit version of a resource that has one. */
export function buildContentEtag(content: string | Buffer, version?: number): string {
  const digest = hash('sha1', content, 'base64url')
  return version === undefined ? `"${digest}"` : buildVersionEtag(version, digest)
}

/** The ETag of the same content in a coding: RFC 9110 requires that representations with different bytes have different tags. */
export function addCodingToEtag(tag: string, coding: ContentCoding): string {
  return tag.replace(/"$/, `+${coding}"`)
}

/** Only the edit version counts for a write: totals that changed do not make an edit stale. */
export function parseIfMatch(request: FastifyRequest): IfMatch {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  if (header.trim() === '*') return 'any'
  // A proxy that compresses turns our ETags into weak ones; they still name the version.
  return header.split(',').flatMap(tag => {
    const version = /^\s*(?:W\/)?"(\d{1,15})(?:[-+][^"]*)?"\s*$/.exec(tag)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}

export function requireVersion(expected: IfMatch, version: number): void {
  if (expected === undefined || expected === 'any' || expected.includes(version)) return
  throw new Problem(412, 'changed-meanwhile', buildText('request-problems', 'changedMeanwhile'))
}

/** Sets the ETag of a successful response, and who may cache it for how long. */
export function setEtag(request: FastifyRequest, reply: FastifyReply, payload: unknown, isKept: boolean): void {
  if (!reply.hasHeader('etag') && (typeof payload === 'string' || Buffer.isBuffer(payload))) {
    reply.header('etag', buildContentEtag(payload))
  }
  if (reply.hasHeader('cache-control')) return
  // Every client must revalidate each time; a cached response for visitors may still be stale, by less than a second.
  const forVisitors = isKept ? 'no-cache, max-age=1' : 'no-cache'
  reply.header('cache-control', request.caller.role === undefined ? forVisitors : 'private, no-cache')
  const others = reply.getHeader('vary')
  reply.header('vary', others === undefined ? 'Authorization' : `${others}, Authorization`)
}

/** Returns the payload to send: none (304) if the client already has it. */
export function respond304IfFresh(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const tag = findClientTag(request, reply.getHeader('etag'))
  if (tag === undefined) return payload
  if (payload instanceof Readable) discardStream(payload, request.log)
  reply.code(304).header('etag', tag).removeHeader('content-type').removeHeader('content-length')
  return null
}

/** True if the client already has this version: the response is then 304 without a body. */
export function isFresh(request: FastifyRequest, reply: FastifyReply): boolean {
  return findClientTag(request, reply.getHeader('etag')) !== undefined
}

/**
 * The tag that the client has of the content with this ETag, in whichever coding: a 304 repeats it, so that the client
 * keeps the representation it has. Undefined if the client has other content or none.
 */
export function findClientTag(request: FastifyRequest, tag: unknown): string | undefined {
  const wanted = request.headers['if-none-match']
  if (wanted === undefined || typeof tag !== 'string') return undefined
  if (wanted === tag || wanted.trim() === '*') return tag
  const content = stripCoding(tag)
  return wanted
    .split(',')
    .map(one => one.trim().replace(/^W\//, ''))
    .find(one => stripCoding(one) === content)
}

const stripCoding = (tag: string) => tag.replace(/^W\//, '').replace(/\+(?:br|gzip)"$/, '"')
