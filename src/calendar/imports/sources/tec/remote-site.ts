import { setTimeout as sleep } from 'node:timers/promises'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { type FetchedResponse, fetchBytes, SafeFetchError } from '#platform/safe-fetch.ts'
import { canParseUrl } from '#platform/url/parse-url.ts'
import { isObject } from '../../../contract/params.ts'
import type { SourceContext } from '../source.ts'

/** A page of fifty events with long descriptions has one or two megabytes. */
const bytesMax = 20 * 1024 * 1024
const fetchMs = 30_000
/** Delays before retrying a page: the site may be restarting or limiting requests. */
const retryDelaysMs = [400, 1600]
/** The maximum page size of the contract. */
export const perPage = 50

/** Another site with the API. */
export interface RemoteSite {
  /** The URL of the namespace, without a trailing slash. */
  root: URL
  /** Identifies the site in later imports: the same for http and https, with or without www. */
  origin: string
  /** The credentials of an import with a login, sent with every request. */
  authorization?: string
}

/** The APIs of WordPress beside The Events Calendar's own. */
export type SiblingApi = 'wp/v2' | 'tec/v1'

export type Json = Record<string, unknown>

/** Finds the API of a site from the links in its pages, or at its usual path. */
export async function findSite(given: string, tools: SourceContext): Promise<RemoteSite> {
  for (const candidate of await listCandidates(new URL(given), tools)) {
    const answer = await fetchJson(
      { root: candidate, origin: '' },
      '/events',
      { per_page: 1, ...allDates },
      { tools, pauses: [] }
    )
    if (Array.isArray(answer?.body.events)) return { root: candidate, origin: getOrigin(candidate) }
  }
  throw newNoCalendarProblem()
}

/** Covers all events, not only upcoming ones. The plugin refuses dates that `strtotime` turns into 0. */
export const allDates = { start_date: '1900-01-01 00:00:00', end_date: '2099-12-31 23:59:59' }

const namespace = /^(.*?\/(?:tribe|calendar)\/events\/v1)(?:\/|$)/
const defaultNamespace = '/tribe/events/v1'

async function listCandidates(given: URL, tools: SourceContext): Promise<URL[]> {
  const pasted = findApiRoot(given)
  if (pasted !== undefined) return [pasted]
  const found = await fetchFrom(given, 'text/html', tools)
  if (found === undefined) return []
  const at = new URL(found.url)
  const said = listAdvertisedRoots(found, at)
  const folder = at.pathname.replace(/\/[^/.]*\.[^/]*$/, '').replace(/(?<!\/)\/+$/, '')
  const guessed = [...new Set([folder, ''])].map(path => new URL(`${at.origin}${path}/wp-json${defaultNamespace}`))
  const plain = new URL(`${at.origin}${folder}/?rest_route=${defaultNamespace}`)
  return [...said, ...guessed, plain]
}

/** The namespace in a URL, if the caller pasted the URL of the API. */
function findApiRoot(url: URL): URL | undefined {
  const route = url.searchParams.get('rest_route')
  const [, inRoute] = namespace.exec(route ?? '') ?? []
  if (inRoute !== undefined) return new URL(`${url.origin}${url.pathname}?rest_route=${inRoute}`)
  const [, path] = namespace.exec(url.pathname) ?? []
  return path === undefined ? undefined : new URL(url.origin + path)
}

/** API roots in the headers and the HTML head of a page: the namespace itself, or the root of WordPress' API. */
function listAdvertisedRoots({ headers, bytes }: FetchedResponse, at: URL): URL[] {
  const page = bytes.subarray(0, 200_000).toString()
  const tags = page.match(/<link\s[^>]{1,500}>/gi) ?? []
  const named = (text: string) => text.includes('https://api.w.org/')
  const links = [headers.link ?? []].flat().flatMap(header => header.split(','))
  const hrefs = [
    takeFirst(headers['x-tec-api-root']),
    ...links.filter(named).map(link => /<([^<>]{1,500})>/.exec(link)?.[1]),
    ...tags.filter(tag => named(tag) || namespace.test(tag)).map(tag => /\bhref=["']([^"']{1,500})/i.exec(tag)?.[1])
  ]
  return hrefs.flatMap(href => {
    if (href === undefined || !canParseUrl(href, at.href)) return []
    const url = new URL(href.replaceAll('&amp;', '&'), at)
    if (url.origin !== at.origin) return []
    return findApiRoot(url) ?? appendNamespace(url)
  })
}

const takeFirst = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)

/** The namespace below the root of WordPress' API. */
function appendNamespace(beginning: URL): URL {
  const url = new URL(beginning)
  if (url.searchParams.has('rest_route')) url.searchParams.set('rest_route', defaultNamespace)
  else url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '') + defaultNamespace
  return url
}

function getOrigin(root: URL): string {
  const path = root.pathname
    .replace(/(?:\/wp-json)?\/(?:tribe|calendar)\/events\/v1$/, '')
    .replace(/\/(?:index\.php)?$/, '')
  return (root.host.replace(/^www\./, '') + path).slice(0, 500)
}

/** The body and status of an API response. */
export interface ApiResponse {
  status: number
  body: Json
}

type Parameters = Record<string, string | number>

/** Fetches JSON with a few retries; undefined if there is no readable response. */
export async function fetchJson(
  { root, authorization }: RemoteSite,
  path: string,
  parameters: Parameters,
  { tools, pauses = retryDelaysMs }: { tools: SourceContext; pauses?: number[] }
): Promise<ApiResponse | undefined> {
  const headers = toHeaders(authorization)
  const fetched = await fetchParsed(buildUrl(root, path, parameters), isObject, { tools, pauses, headers })
  return fetched && { status: fetched.status, body: isObject(fetched.body) ? fetched.body : {} }
}

/** Fetches an object of another API of the site; undefined if there is none. */
export async function fetchSibling(
  site: RemoteSite,
  api: SiblingApi,
  path: string,
  { parameters, tools }: { parameters: Parameters; tools: SourceContext }
): Promise<Json | undefined> {
  const root = findSiblingRoot(site.root, api)
  if (root === undefined) return undefined
  const fetched = await fetchParsed(buildUrl(root, path, parameters), isObject, {
    tools,
    pauses: retryDelaysMs,
    headers: toHeaders(site.authorization)
  })
  return fetched?.status === 200 && isObject(fetched.body) ? fetched.body : undefined
}

/** Fetches a list of another API of the site; undefined if there is none. */
export async function fetchSiblingList(
  site: RemoteSite,
  api: SiblingApi,
  path: string,
  { parameters, tools }: { parameters: Parameters; tools: SourceContext }
): Promise<Json[] | undefined> {
  const root = findSiblingRoot(site.root, api)
  if (root === undefined) return undefined
  const fetched = await fetchParsed(buildUrl(root, path, parameters), Array.isArray, {
    tools,
    pauses: retryDelaysMs,
    headers: { ...toHeaders(site.authorization), ...(api === 'tec/v1' ? experimentalHeader : {}) }
  })
  return fetched?.status === 200 && Array.isArray(fetched.body) ? fetched.body.filter(isObject) : undefined
}

const toHeaders = (authorization: string | undefined): Record<string, string> =>
  authorization === undefined ? {} : { authorization }

/** The plugin refuses requests to this API without exactly this text. */
const experimentalHeader = {
  'x-tec-eea':
    'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. I also understand that I am using this endpoint at my own risk, while support is not provided for it.'
}

/** Another Kalends has these APIs only below `/wp-json`, and everything in them in its own API. */
function findSiblingRoot(root: URL, api: SiblingApi): URL | undefined {
  const url = new URL(root)
  const route = url.searchParams.get('rest_route')
  if (!(route ?? url.pathname).endsWith(defaultNamespace)) return undefined
  if (route === null) url.pathname = `${url.pathname.slice(0, -defaultNamespace.length)}/${api}`
  else url.searchParams.set('rest_route', `/${api}`)
  return url
}

function buildUrl(root: URL, path: string, parameters: Parameters): URL {
  const url = new URL(root)
  const route = url.searchParams.get('rest_route')
  if (route === null) url.pathname += path
  else url.searchParams.set('rest_route', route + path)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value))
  return url
}

async function fetchParsed(
  url: URL,
  isExpected: (body: unknown) => boolean,
  { tools, pauses, headers }: { tools: SourceContext; pauses: number[]; headers: Record<string, string> }
): Promise<{ status: number; body: unknown } | undefined> {
  for (const pause of [...pauses, undefined]) {
    const fetched = await fetchFrom(url, 'application/json', tools, headers)
    if (fetched !== undefined && fetched.status < 500 && fetched.status !== 429) {
      const body = parseJson(fetched.bytes)
      if (isExpected(body) || fetched.status >= 400) return { status: fetched.status, body }
    }
    if (pause === undefined) return undefined
    await sleep(pause, undefined, { signal: tools.signal })
  }
  return undefined
}

async function fetchFrom(
  url: URL,
  accept: string,
  { settings, signal }: SourceContext,
  headers: Record<string, string> = {}
): Promise<FetchedResponse | undefined> {
  signal.throwIfAborted()
  try {
    const allowPrivate = settings.allowPrivateAddresses
    return await fetchBytes(url.href, { allowPrivate, bytesMax, timeoutMs: fetchMs, redirectsMax: 5, accept, headers })
  } catch (error) {
    if (error instanceof SafeFetchError) return undefined
    throw error
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    // Some plugins print a byte order mark or a blank line before the response.
    return JSON.parse(bytes.toString().replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

/** One error for all reasons: the caller must not learn what else is at a URL. */
const newNoCalendarProblem = () =>
  new Problem(400, 'import-no-calendar', buildText('import-source-reasons', 'noCalendar'))

export const newSiteFailedProblem = () =>
  new Problem(400, 'import-site-fails', buildText('import-source-reasons', 'siteFailed'))
