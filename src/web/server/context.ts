import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '#platform/config.ts'
import { parseQuery } from '#platform/http/form.ts'
import { buildUrl } from '#platform/http/links.ts'
import type { Language } from '#platform/language.ts'
import type { ApiClient } from './api-client.ts'
import { type Cookies, newCookies } from './cookies.ts'
import type { SiteSettings } from './site-settings.ts'

/** One look at a page: who looks, in which language, and what the address says. */
export interface PageContext {
  api: ApiClient
  language: Language
  site: SiteSettings
  /** What absolute links begin with. */
  origin: string
  /** The address without its parameters. */
  path: string
  params: Record<string, string>
  /** The first value of each parameter. */
  query: Record<string, string>
  /** What a form has sent. */
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
    ...about,
    origin,
    path,
    params: request.params as Record<string, string>,
    query: toTexts(parseQuery(search)),
    form: readForm(request),
    now: new Date(),
    cookies: newCookies(request, reply, origin),
    request,
    reply
  }
}

/** What a form has sent; nothing before the body is read. */
export function readForm({ body }: FastifyRequest): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

function splitUrl(url: string): [string, string] {
  const question = url.indexOf('?')
  return question < 0 ? [url, ''] : [url.slice(0, question), url.slice(question + 1)]
}

/** Of a parameter that comes as a list the last value counts, as the later field of a form overrides the earlier. */
function toTexts(given: Record<string, unknown>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const one = Array.isArray(value) ? value.at(-1) : value
    if (typeof one === 'string') texts[name] = one
  }
  return texts
}

/** A field of a form as text. */
export function getFormField(context: Pick<PageContext, 'form'>, name: string): string {
  const value = context.form[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** All values of a field that a form may send several times (`name[]`). */
export function getFormFieldValues(context: Pick<PageContext, 'form'>, name: string): string[] {
  const value = context.form[name]
  return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string' && one !== '')
}
