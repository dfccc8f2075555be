import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

/** The versions an `If-Match` header allows; undefined when there is none. */
export type IfMatch = 'any' | number[] | undefined

/** A tag of an editing version, and of what changes without anybody editing. */
export function buildVersionEtag(version: number, ...rest: (number | string)[]): string {
  return `"${[version, ...rest].join('-')}"`
}

/** A tag of what is answered; with the editing version of a thing, where it has one. */
export function buildContentEtag(content: string | Buffer, version?: number): string {
  const digest = hash('sha1', content, 'base64url')
  return version === undefined ? `"${digest}"` : buildVersionEtag(version, digest)
}

/** Only the editing version counts for a writer: totals that moved on do not make an edit stale. */
export function parseIfMatch(request: FastifyRequest): IfMatch {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  if (header.trim() === '*') return 'any'
  // A proxy that compresses turns our tags into weak ones; they still name the version.
  return header.split(',').flatMap(tag => {
    const version = /^\s*(?:W\/)?"(\d{1,15})(?:-[^"]*)?"\s*$/.exec(tag)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}

export function requireVersion(expected: IfMatch, version: number): void {
  if (expected === undefined || expected === 'any' || expected.includes(version)) return
  throw new Problem(412, 'changed-meanwhile', {
    en: 'It was changed meanwhile. Read it again and decide anew.',
    de: 'Das wurde inzwischen geändert. Bitte neu lesen und neu entscheiden.'
  })
}

/** Gives a success its tag, and says for whom and for how long it is good. */
export function setEtag(request: FastifyRequest, reply: FastifyReply, payload: unknown, isKept: boolean): void {
  if (!reply.hasHeader('etag') && (typeof payload === 'string' || Buffer.isBuffer(payload))) {
    reply.header('etag', buildContentEtag(payload))
  }
  if (reply.hasHeader('cache-control')) return
  // Everybody is to ask again each time; what is kept for visitors may then be older, by less than a second.
  const forVisitors = isKept ? 'no-cache, max-age=1' : 'no-cache'
  reply.header('cache-control', request.caller.role === undefined ? forVisitors : 'private, no-cache')
  const others = reply.getHeader('vary')
  reply.header('vary', others === undefined ? 'Authorization' : `${others}, Authorization`)
}

/** What is sent: nothing, if the reader has this already. */
export function respond304IfFresh(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (!isFresh(request, reply)) return payload
  if (payload instanceof Readable) payload.destroy()
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  // Without a length, which would be that of an answer of 200; what Fastify does for HEAD counts it in any case.
  return request.method === 'HEAD' ? '' : null
}

/** True if the reader has this already: then the answer is 304 without a body. */
export function isFresh(request: FastifyRequest, reply: FastifyReply): boolean {
  const wanted = request.headers['if-none-match']
  const tag = reply.getHeader('etag')
  return wanted !== undefined && typeof tag === 'string' && isEtagMatch(wanted, tag)
}

/** The same by the header and the tag alone. */
export function isEtagMatch(wanted: string, tag: string): boolean {
  if (wanted === tag || wanted.trim() === '*') return true
  return wanted.split(',').some(one => one.trim().replace(/^W\//, '') === tag.replace(/^W\//, ''))
}
