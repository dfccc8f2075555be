import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../config.ts'
import { negotiateLanguage } from '../language.ts'

/** Everything that the answer to a visitor depends on, besides what is in the database. */
export function buildCacheKey(request: FastifyRequest, settings: Settings): string {
  const { origin, 'accept-language': languages } = request.headers
  const { defaultLanguage, timezone, currency } = settings
  const language = negotiateLanguage(languages, defaultLanguage)
  // The host as answers spell it in links: behind a trusted proxy it is the one that the proxy was asked for.
  const requestOrigin = `${request.protocol} ${request.host} ${origin === undefined}`
  return `${normalizeQuery(request.originalUrl)} ${requestOrigin} ${language} ${defaultLanguage} ${timezone} ${currency}`
}

/** What of a request its key is made of, as it came: where all of it is the same, the key is. */
export interface CacheKeyParts {
  url: string
  host: string | undefined
  hasOrigin: boolean
  languages: string | undefined
  defaultLanguage: string
  timezone: string
  currency: string
  /** Where it comes from, which decides whether what it says of a proxy is believed; only where any proxy is. */
  proxied: string | undefined
}

export function getCacheKeyParts(
  { url = '', headers, socket }: Pick<IncomingMessage, 'url' | 'headers' | 'socket'>,
  { defaultLanguage, timezone, currency, trustProxy }: Settings
): CacheKeyParts {
  const { host, origin, 'accept-language': languages } = headers
  const proxied =
    trustProxy === false
      ? undefined
      : `${socket.remoteAddress}\n${headers['x-forwarded-host']}\n${headers['x-forwarded-proto']}`
  return { url, host, hasOrigin: origin !== undefined, languages, defaultLanguage, timezone, currency, proxied }
}

export function isEqualKey(one: CacheKeyParts, other: CacheKeyParts): boolean {
  return (
    one.url === other.url &&
    one.host === other.host &&
    one.hasOrigin === other.hasOrigin &&
    one.languages === other.languages &&
    one.defaultLanguage === other.defaultLanguage &&
    one.timezone === other.timezone &&
    one.currency === other.currency &&
    one.proxied === other.proxied
  )
}

/**
 * Parameters by name; those of one name, and what stands in brackets behind it, stay in their order, because the last may
 * count. Names that are not plain might stand for the same as others, so then all stays as it is.
 */
export function normalizeQuery(url: string): string {
  const question = url.indexOf('?')
  if (question < 0 || !url.includes('&', question)) return url
  const named: { parameter: string; name: string }[] = []
  for (const parameter of url.slice(question + 1).split('&')) {
    const name = parameterPattern.exec(parameter)?.[1]
    if (name === undefined) return url
    named.push({ parameter, name })
  }
  named.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
  return `${url.slice(0, question)}?${named.map(({ parameter }) => parameter).join('&')}`
}

const parameterPattern = /^(\w+)(?:\[\w*\])*(?:=|$)/
