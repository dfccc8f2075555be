import type { FastifyRequest } from 'fastify'
import type { Settings } from '#platform/config.ts'
import { buildUrl, newHeadersByOrigin } from '#platform/http/links.ts'
import type { OwnHosts } from '#platform/rich-text/html.ts'
import { buildOwnHosts } from '#platform/rich-text/own-hosts.ts'

/** The namespace of the specification, and The Events Calendar's as an alias: its clients only change the host. */
export const ownPrefix = '/calendar/events/v1'
export const aliasPrefix = '/wp-json/tribe/events/v1'

export const discoveryPath = '/wp-json'

export function isUnder(url: string, prefix: string): boolean {
  return url.startsWith(prefix) && ['', '/', '?'].includes(url.charAt(prefix.length))
}

/** The base URL the caller used: links in responses keep it. */
export interface Site {
  /** Without a trailing slash. */
  origin: string
  /** The base URL of all paths in the namespace. */
  root: string
  namespace: string
  settings: Settings
  /** Links to these hosts in texts are the site's own. */
  ownHosts: OwnHosts
  /** How to show prices without a currency symbol. */
  currency: { symbol: string; position: 'prefix' | 'postfix' }
}

export function getSite(request: FastifyRequest, settings: Settings): Site {
  const byAlias = isUnder(request.originalUrl, discoveryPath)
  return buildSite(buildUrl(request, settings, ''), settings, byAlias)
}

export function buildSite(origin: string, settings: Settings, byAlias = false): Site {
  return {
    origin,
    settings,
    ownHosts: buildOwnHosts(settings),
    currency: { symbol: findCurrencySymbol(settings.currency), position: 'prefix' },
    ...buildRoot(origin, byAlias)
  }
}

function buildRoot(origin: string, byAlias: boolean): Pick<Site, 'root' | 'namespace'> {
  return byAlias
    ? { root: `${origin}/wp-json`, namespace: 'tribe/events/v1' }
    : { root: origin, namespace: 'calendar/events/v1' }
}

const currencySymbols = new Map<string, string>()

function findCurrencySymbol(currency: string): string {
  let symbol = currencySymbols.get(currency)
  if (symbol === undefined) {
    const parts = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol'
    }).formatToParts(0)
    symbol = parts.find(part => part.type === 'currency')?.value ?? currency
    currencySymbols.set(currency, symbol)
  }
  return symbol
}

export function buildRestUrl({ root, namespace }: Pick<Site, 'root' | 'namespace'>, path: string): string {
  return `${root}/${namespace}${path}`
}

/** An id that is unique across sites: the host without scheme and port, and the id. */
export function buildGlobalId(site: Site, id: number): string {
  return `${formatHost(site)}?id=${id}`
}

/** Without scheme and port. */
export function formatHost({ origin }: Pick<Site, 'origin'>): string {
  return origin.replace(/^\w+:\/\//, '').replace(/^(\[[^\]]*\]|[^/:]*)(?::\d+)?/, '$1')
}

/** The public page of an item; the URL of an unpublished one does not reveal its slug. */
export function buildPageUrl(
  { origin }: Site,
  { kind, id, slug, isPublished }: { kind: keyof typeof postTypes; id: number; slug: string; isPublished: boolean }
): string {
  return isPublished && slug !== '' ? `${origin}/${kind}/${slug}/` : `${origin}/?post_type=${postTypes[kind]}&p=${id}`
}

const postTypes = { event: 'tribe_events', venue: 'tribe_venue', organizer: 'tribe_organizer' }

/** Headers of every response in the namespace, which let clients discover the API. */
export function newCommonHeaders(settings: Settings): (request: FastifyRequest) => Record<string, string> {
  const newHeaders = (byAlias: boolean) =>
    newHeadersByOrigin(settings, origin => ({
      'x-robots-tag': 'noindex',
      'x-tec-api-version': 'v1',
      'x-tec-api-root': `${buildRestUrl(buildRoot(origin, byAlias), '')}/`,
      'x-tec-api-origin': origin
    }))
  const [getHeaders, getAliasHeaders] = [newHeaders(false), newHeaders(true)]
  return request => (isUnder(request.originalUrl, discoveryPath) ? getAliasHeaders(request) : getHeaders(request))
}
