import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

/** The versions an `If-Match` header allows; undefined when there is none. */
export type IfMatch = 'any' | number[] | undefined

/** A tag of an editing version, and of what changes without anybody editing. */
export function versionTag(version: number, ...rest: (number | string)[]): string {
  return `"${[version, ...rest].join('-')}"`
}

/** A tag of what is answered; with the editing version of a thing, where it has one. */
export function contentTag(content: string | Buffer, version?: number): string {
  const digest = hash('sha1', content, 'base64url')
  return version === undefined ? `"${digest}"` : versionTag(version, digest)
}

/** Only the editing version counts for a writer: totals that moved on do not make an edit stale. */
export function ifMatch(request: FastifyRequest): IfMatch {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  if (header.trim() === '*') return 'any'
  // A proxy that compresses turns our tags into weak ones; they still name the version.
  return header.split(',').flatMap(tag => {
    const version = /^\s*(?:W\/)?"(\d{1,15})(?:-[^"]*)?"\s*$/.exec(tag)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}

export function refuseStale(expected: IfMatch, version: number): void {
  if (expected === undefined || expected === 'any' || expected.includes(version)) return
  throw new Problem(412, 'changed-meanwhile', {
    en: 'It was changed meanwhile. Read it again and decide anew.',
    de: 'Das wurde inzwischen geändert. Bitte neu lesen und neu entscheiden.'
  })
}

/** True if the reader has this already: then the answer is 304 without a body. */
export function isFresh(request: FastifyRequest, reply: FastifyReply): boolean {
  const wanted = request.headers['if-none-match']
  const tag = reply.getHeader('etag')
  if (wanted === undefined || typeof tag !== 'string') return false
  if (wanted.trim() === '*') return true
  return wanted.split(',').some(one => one.trim().replace(/^W\//, '') === tag.replace(/^W\//, ''))
}
