import {
  type OutgoingHttpHeaders,
  type ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue
} from 'node:http'
import { flattenString } from '../log.ts'

/** The status line and the headers that are the same for every request, up to the request id. */
export function serializeHead(status: number, headers: OutgoingHttpHeaders): string {
  const lines = Object.fromEntries(Object.entries(headers).filter(([name]) => !perRequestHeaders.includes(name)))
  return flattenString(`HTTP/1.1 ${status} ${STATUS_CODES[status]}${serializeHeaders(lines)}\r\nx-request-id: `)
}

/** Throws on a header that would not be one line, as Node does with the headers it writes itself. */
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

/** The headers that end each head; `Date` changes once a second. */
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

/** The private field in which Node stores the head until it is sent. */
interface ResponseWithHead {
  _header?: unknown
}

/** False if a later Node does not store the head there, or the connection does not stay open: use the router then. */
export const canSendRaw = (response: ServerResponse & ResponseWithHead) =>
  response.shouldKeepAlive && response._header === null

/**
 * Node validates and joins the headers of every response, and writes head and body in two pieces. Here both are ready,
 * and Node takes them for the head that it has joined itself. A string body has one byte per character.
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

/** Headers that belong to one request and not to its response content. */
export const perRequestHeaders = ['x-request-id', 'ratelimit', 'ratelimit-policy', 'connection']
