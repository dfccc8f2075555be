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
