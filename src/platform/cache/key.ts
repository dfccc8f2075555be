import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../config.ts'
import { preferredLanguage } from '../language.ts'

/** Everything that the answer to a visitor depends on, besides what is in the database. */
export function keyOf(request: FastifyRequest, settings: Settings): string {
  const { origin, 'accept-language': languages } = request.headers
  const { defaultLanguage, timezone, currency } = settings
  const language = preferredLanguage(languages, defaultLanguage)
  // The host as answers spell it in links: behind a trusted proxy it is the one that the proxy was asked for.
  const whence = `${request.protocol} ${request.host} ${origin === undefined}`
  return `${inOrder(request.originalUrl)} ${whence} ${language} ${defaultLanguage} ${timezone} ${currency}`
}

/**
 * The same without understanding any of it: two requests with the same name have the same key. The address of the caller
 * tells whether what a proxy says is believed.
 */
export function nameOf(
  { url, headers, socket }: Pick<IncomingMessage, 'url' | 'headers' | 'socket'>,
  settings: Settings
): string {
  const { host, origin, 'accept-language': languages } = headers
  const { defaultLanguage, timezone, currency, trustProxy } = settings
  const said = `${url} ${origin === undefined} ${languages}\n${host}\n${defaultLanguage} ${timezone} ${currency}`
  if (trustProxy === false) return said
  return `${said} ${socket.remoteAddress}\n${headers['x-forwarded-host']}\n${headers['x-forwarded-proto']}`
}

/**
 * Parameters by name; those of one name, and what stands in brackets behind it, stay in their order, because the last may
 * count. Names that are not plain might stand for the same as others, so then all stays as it is.
 */
export function inOrder(url: string): string {
  const question = url.indexOf('?')
  if (question < 0 || !url.includes('&', question)) return url
  const named: { parameter: string; name: string }[] = []
  for (const parameter of url.slice(question + 1).split('&')) {
    const name = plainName.exec(parameter)?.[1]
    if (name === undefined) return url
    named.push({ parameter, name })
  }
  named.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
  return `${url.slice(0, question)}?${named.map(({ parameter }) => parameter).join('&')}`
}

const plainName = /^(\w+)(?:\[\w*\])*(?:=|$)/
