import { createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Caller } from '../../caller.ts'
import { newDownloadExpiredProblem, newRangeProblem } from './problems.ts'
import type { BackupDownload } from './schema.ts'

/** Long enough for a large backup over a slow connection. */
const ticketMs = 60 * 60_000

/**
 * A ticket for the download of one backup by one caller. The password is confirmed when it is issued, and a long download
 * is not interrupted when that confirmation expires.
 */
export function issueTicket(
  secret: string | undefined,
  caller: Caller,
  { name, bytes }: { name: string; bytes: number },
  now: Date
): BackupDownload {
  const expiresAt = new Date(now.getTime() + ticketMs)
  const content = Buffer.from(JSON.stringify([name, expiresAt.getTime()])).toString('base64url')
  return {
    ticket: `${content}.${sign(secret, caller, content)}`,
    bytes,
    expiresAt: expiresAt.toISOString()
  }
}

/** The name of the backup that the ticket is for. */
export function readTicket(secret: string | undefined, caller: Caller, ticket: string, now: Date): string {
  const [content = '', signature = ''] = ticket.split('.')
  const expected = Buffer.from(sign(secret, caller, content))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw newDownloadExpiredProblem()
  const [name, expiresAtMs]: [string, number] = JSON.parse(Buffer.from(content, 'base64url').toString())
  if (expiresAtMs < now.getTime()) throw newDownloadExpiredProblem()
  return name
}

function sign(secret: string | undefined, { keyId, sessionId }: Caller, content: string): string {
  if (secret === undefined) throw new Error('No encryption key is loaded.')
  const caller = sessionId === undefined ? `key ${keyId ?? 0}` : `session ${sessionId}`
  return createHmac('sha256', secret).update(`backup download for ${caller}: ${content}`).digest('base64url')
}

export interface FileRange {
  first: number
  last: number
}

/** One range of bytes; undefined for the whole file. */
export function parseRange(header: string | undefined, bytes: number): FileRange | undefined {
  if (header === undefined) return undefined
  const [, first = '', last = ''] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header) ?? []
  const range = { first: Number(first), last: Math.min(last === '' ? bytes - 1 : Number(last), bytes - 1) }
  if (first === '' || range.first > range.last) throw newRangeProblem(bytes)
  return range
}

export function openRange(path: string, range: FileRange | undefined): NodeJS.ReadableStream {
  return createReadStream(path, range === undefined ? {} : { start: range.first, end: range.last })
}
