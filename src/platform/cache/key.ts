import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../config.ts'
import { negotiateLanguage } from '../language.ts'

/** Everything that a response to a visitor depends on, besides the content of the database. */
export function buildCacheKey(request: FastifyRequest, settings: Settings): string {
  const { origin, 'accept-language': languages } = request.headers
  const { defaultLanguage, timezone, currency } = settings
  const language = negotiateLanguage(languages, defaultLanguage)
  // The host as it appears in links of responses: behind a trusted proxy, the host that the proxy was asked for.
  const requestOrigin = `${request.protocol} ${request.host} ${origin === undefined}`
  return `${normalizeQuery(request.originalUrl)} ${requestOrigin} ${language} ${defaultLanguage} ${timezone} ${currency}`
}

/** The raw parts of a request that its cache key is built from: equal parts mean equal keys. */
export interface CacheKeyParts {
  url: string
  host: string | undefined
  hasOrigin: boolean
  languages: string | undefined
  defaultLanguage: string
  timezone: string
  currency: string
  /** Forwarding headers, and the address that decides whether to trust them; only where any proxy is trusted. */
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
 * Sorts parameters by name; those with the same name, also with brackets after it, keep their order, because the last
 * may count. A name with other characters might be another spelling of one of them, so the URL then stays as it is.
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
