import {
  type OutgoingHttpHeaders,
  type ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue
} from 'node:http'
import { flattenString } from '../log.ts'

/** The first line of an answer and those that are the same every time, up to the id of the request. */
export function serializeHead(status: number, headers: OutgoingHttpHeaders): string {
  const lines = Object.fromEntries(Object.entries(headers).filter(([name]) => !perRequestHeaders.includes(name)))
  return flattenString(`HTTP/1.1 ${status} ${STATUS_CODES[status]}${serializeHeaders(lines)}\r\nx-request-id: `)
}

/** Refuses what would not be one line, as Node does with what it writes itself. */
export function serializeHeaders(headers: OutgoingHttpHeaders): string {
  let lines = ''
  for (const [name, value] of Object.entries(headers)) {
    for (const one of value === undefined ? [] : [value].flat()) {
      validateHeaderName(name)
      validateHeaderValue(name, String(one))
      lines += `\r\n${name}: ${one}`
    }
  }
  return lines
}

/** The lines that end each head; the time changes once a second. */
export function newTrailingHeaders(keepAliveMs: number): (nowMs: number) => string {
  let untilMs = 0
  let lines = ''
  return nowMs => {
    if (nowMs >= untilMs) {
      const now = new Date()
      untilMs = nowMs + 1000 - now.getMilliseconds()
      const date = now.toUTCString()
      const timeout = Math.floor(keepAliveMs / 1000)
      lines = flattenString(`\r\nDate: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${timeout}\r\n\r\n`)
    }
    return lines
  }
}

/** What Node keeps the head of an answer under until it goes out. */
interface ResponseWithHead {
  _header?: unknown
}

/** Should a later Node not keep it there, or the connection not stay open, the others answer. */
export const canSendRaw = (response: ServerResponse & ResponseWithHead) =>
  response.shouldKeepAlive && response._header === null

/**
 * Node checks and joins the lines of every head anew, and writes head and body in two pieces; here both are ready, and it
 * takes them for the head that it has joined itself. A body as text has one byte for each character.
 */
export function sendRaw(response: ServerResponse & ResponseWithHead, head: string, body: string | Buffer): void {
  if (typeof body === 'string') {
    response._header = head + body
    response.end()
  } else {
    response._header = head
    response.end(body)
  }
}

/** What belongs to one request and not to its answer. */
export const perRequestHeaders = ['x-request-id', 'ratelimit', 'ratelimit-policy', 'connection']
