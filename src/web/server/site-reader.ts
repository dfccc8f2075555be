import type { FastifyRequest } from 'fastify'
import type { RouteContext } from '#platform/http/service.ts'
import { type Language, negotiateLanguage } from '#platform/language.ts'
import { type ApiClient, newApiClient } from './api-client.ts'
import type { SiteSettings } from './site-settings.ts'

/** The visitor of a path without a language: the one that they prefer, of those that the site has. */
export interface SiteReader {
  language: Language
  api: ApiClient
  site: SiteSettings
}

export async function loadReader(
  { internalClient, settings }: RouteContext,
  request: FastifyRequest
): Promise<SiteReader> {
  const wanted = negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)
  const api = newApiClient(request, internalClient, { language: wanted })
  const { body: site } = await api.get<SiteSettings>('/site')
  return { language: site.languages.includes(wanted) ? wanted : site.defaultLanguage, api, site }
}
