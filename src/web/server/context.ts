import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '#platform/config.ts'
import { parseQuery } from '#platform/http/form.ts'
import { buildUrl } from '#platform/http/links.ts'
import type { Language } from '#platform/language.ts'
import type { ApiClient } from './api-client.ts'
import { type Cookies, newCookies } from './cookies.ts'
import type { SiteSettings } from './site-settings.ts'

/** Context of a page request: visitor, language and URL. */
export interface PageContext {
  api: ApiClient
  language: Language
  site: SiteSettings
  /** Prefix of absolute links. */
  origin: string
  /** Path without query. */
  path: string
  params: Record<string, string>
  /** The query parameters as text. */
  query: Record<string, string>
  /** Parsed form body. */
  form: Record<string, unknown>
  now: Date
  cookies: Cookies
  request: FastifyRequest
  reply: FastifyReply
}

export function newPageContext(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
  about: Pick<PageContext, 'api' | 'language' | 'site'>
): PageContext {
  const [path = '/', search = ''] = splitUrl(request.url)
  const origin = buildUrl(request, settings, '')
  return {
    origin,
    path,
    params: request.params as Record<string, string>,
    query: toTexts(parseQuery(search)),
    form: readForm(request),
    now: new Date(),
    cookies: newCookies(request, reply, origin),
    request,
    reply,
    ...about
  }
}

/** Parsed form body; empty before the body is read. */
export function readForm({ body }: FastifyRequest): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

function splitUrl(url: string): [string, string] {
  const question = url.indexOf('?')
  return question < 0 ? [url, ''] : [url.slice(0, question), url.slice(question + 1)]
}

/** The last value of a repeated parameter counts, as a later form field overrides an earlier one. */
function toTexts(given: Record<string, unknown>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const one = Array.isArray(value) ? value.at(-1) : value
    if (typeof one === 'string') texts[name] = one
  }
  return texts
}

export function getFormField(context: Pick<PageContext, 'form'>, name: string): string {
  const value = context.form[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** All values of a repeated field (`name[]`). */
export function getFormFieldValues(context: Pick<PageContext, 'form'>, name: string): string[] {
  const value = context.form[name]
  return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string' && one !== '')
}
