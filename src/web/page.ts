import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { commonGround, restOn } from '#platform/cache/ground.ts'
import type { CallInside } from '#platform/inside.ts'
import { type Language, languages } from '#platform/language.ts'
import type { Limit } from '#platform/limits.ts'
import type { Scope } from '#platform/service.ts'
import type { Sharing } from '#platform/sharing.ts'
import { apiFor, Refused } from './api.ts'
import { failurePage, goneOrMissing } from './failure.tsx'
import { Layout } from './layout.tsx'
import { type Place, patterns } from './paths.ts'
import { newRenderings, noting, type Rendering } from './renderings.ts'
import type { SiteInfo, SiteMemory } from './site-info.ts'
import { type Visit, visitOf } from './visit.ts'

/** What a page is made of: its frame is the same for all. */
export interface Page {
  title: string
  description?: string | undefined
  /** The address of this very page in each language that has it. */
  twins?: Partial<Record<Language, string>> | undefined
  /** Where it is, if more than one address leads to it. */
  canonical?: string | undefined
  menu?: 'calendar' | 'donate' | 'about' | undefined
  /** For those who share a link to it. */
  image?: { url: string; alt: string } | undefined
  kind?: 'website' | 'article' | undefined
  jsonLd?: object | undefined
  noindex?: boolean | undefined
  /** Pages of a series. */
  previous?: string | undefined
  next?: string | undefined
  /** A calendar to subscribe to, for programs that look for one. */
  feed?: string | undefined
  /** The same as news: the path of its Atom feed. That of RSS ends in another way. */
  news?: string | undefined
  /** Other sites may show it inside their own pages, and are told how. */
  isEmbeddable?: boolean | undefined
  /** Scripts that make it more comfortable; it works without. */
  islands?: string[] | undefined
  status?: number | undefined
  body: ComponentChildren
}

/** Makes the page, or answers in another way, as with `redirect`. */
export type Handler = (visit: Visit) => Promise<Page | Redirect>

/** What is sent as it is: a feed, or a page for the frame of another site. */
export interface Written {
  type: string
  text: string
  status?: number | undefined
}

type AnyHandler = (visit: Visit) => Promise<Page | Redirect | Written>

export interface Redirect {
  location: string
  /** 301 for what has moved for good, 303 after a form. */
  status: 301 | 302 | 303
}

export function redirect(location: string, status: Redirect['status'] = 302): Redirect {
  return { location, status }
}

/** Adds pages of the public site, each under its address in every language. */
export interface Pages {
  add(place: Place, show: Handler): void
  /** A page that holds something for one visitor alone, such as the key of a form: never one answer for several. */
  addPersonal(place: Place, show: Handler): void
  /** What does without the frame of the site. Its addresses differ in the language in front and in nothing else. */
  addBare(place: Place, write: (visit: Visit) => Promise<Written | Redirect>): void
  /** What a form on that page sends. */
  addForm(place: Place, take: Handler, limit?: Limit): void
}

const alike: { shared: Sharing } = { shared: { restsOn: 'what it asks' } }

export function newPages({ app, settings, inside, moment }: Scope, sites: SiteMemory): Pages {
  const renderings = newRenderings()

  async function siteFor(request: FastifyRequest, language: Language): Promise<SiteInfo> {
    const api = apiFor(request, inside, { language })
    return await sites.current(async () => await api.get<SiteInfo>('/site'), moment())
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    language: Language,
    handler: AnyHandler,
    call: CallInside = inside
  ): Promise<string | FastifyReply> {
    const site = await siteFor(request, language)
    if (!site.languages.includes(language)) return reply.redirect(`/${site.defaultLanguage}`, 302)
    const api = apiFor(request, call, { language })
    const visit = visitOf(request, reply, settings, { api, language, site })
    const made = await handler(visit).catch(async (error: unknown) => {
      if (error instanceof Refused && (error.status === 404 || error.status === 410)) {
        return await goneOrMissing(visit, error)
      }
      throw error
    })
    if ('location' in made) return reply.redirect(made.location, made.status)
    return 'text' in made ? sendWritten(reply, visit, made) : sendPage(reply, visit, made)
  }

  /** As `answer`, without rendering a page again that many ask for and that nothing has changed about. */
  async function answerAlike(
    request: FastifyRequest,
    reply: FastifyReply,
    language: Language,
    handler: AnyHandler
  ): Promise<string | Buffer | FastifyReply> {
    const began = moment()
    const key = `${language} ${request.protocol} ${request.host} ${request.url}`
    const shared = await renderings.underway(key, began)
    if (shared !== undefined) return sendRendering(reply, shared)

    let own: string | FastifyReply = reply
    const rendering = await renderings.make(key, began, async () => {
      const site = await siteFor(request, language)
      const { known, answers } = await renderings.recall(key, site, began, call => inside(request, call))
      if (known !== undefined) return known
      const { asked, noted } = noting(inside, answers)
      const before = reply.getHeaders()
      own = await answer(request, reply, language, handler, noted)
      const headers = changedSince(before, reply)
      const isAlike = typeof own === 'string' && reply.statusCode === 200 && headers['cache-control'] === undefined
      return isAlike ? renderings.keep(key, { site, asked, headers, moment: began }, String(own)) : undefined
    })
    return rendering === undefined ? own : sendRendering(reply, rendering)
  }

  function addShown(place: Place, show: Handler, isAlike: boolean): void {
    const respond = isAlike ? answerAlike : answer
    for (const language of languages) {
      app.get(patterns[place][language], {
        config: { needs: 'nothing', ...(isAlike ? alike : {}) },
        handler: async (request, reply) => await respond(request, reply, language, show)
      })
    }
  }

  /** Where the site does not speak a language, its own is at the same address. */
  async function answerBare(
    request: FastifyRequest,
    reply: FastifyReply,
    language: Language,
    write: AnyHandler
  ): Promise<string | Buffer | FastifyReply> {
    const { languages: spoken, defaultLanguage } = await siteFor(request, language)
    if (spoken.includes(language)) return await answerAlike(request, reply, language, write)
    return reply.redirect(`/${defaultLanguage}${request.url.slice(`/${language}`.length)}`, 302)
  }

  for (const language of languages) {
    const nothing: Handler = async visit => await goneOrMissing(visit, { status: 404, code: '' })
    app.get(`/${language}/*`, {
      config: { needs: 'nothing' },
      handler: async (request, reply) => await answer(request, reply, language, nothing)
    })
  }

  return {
    add: (place, show) => addShown(place, show, true),
    addPersonal: (place, show) => addShown(place, show, false),
    addBare: (place, write) => {
      for (const language of languages) {
        app.get(patterns[place][language], {
          config: { needs: 'nothing', ...alike },
          // Who may put it into a frame stands in the content security policy; this one can only forbid it.
          onRequest: async (_, reply) => void reply.removeHeader('x-frame-options'),
          handler: async (request, reply) => await answerBare(request, reply, language, write)
        })
      }
    },
    addForm: (place, take, limit) => {
      for (const language of languages) {
        app.post(patterns[place][language], {
          config: {
            needs: 'nothing',
            ...(limit === undefined ? {} : { limit }),
            // Before the body is read. Whoever sends it stays a stranger: the public site has no sessions.
            admit: async (request, reply) => {
              if (isOwnForm(request)) return false
              await reply
                .code(403)
                .header('content-type', 'text/html; charset=utf-8')
                .send(failurePage(sites.last(), language, 403))
              return false
            }
          },
          handler: async (request, reply) => await answer(request, reply, language, take)
        })
      }
    }
  }
}

function sendRendering(reply: FastifyReply, { headers, bytes, asked, untilMs }: Rendering): Buffer {
  const ground = commonGround(
    asked.map(({ answer }) => answer.ground),
    performance.now() + untilMs - Date.now()
  )
  if (ground !== undefined) restOn(reply, ground)
  reply.headers(headers)
  return bytes
}

function changedSince(before: Record<string, unknown>, reply: FastifyReply): Record<string, string> {
  const changed = Object.entries(reply.getHeaders()).filter(([name, value]) => before[name] !== value)
  return Object.fromEntries(changed.map(([name, value]) => [name, String(value)]))
}

function sendPage(reply: FastifyReply, visit: Visit, page: Page): string {
  reply
    .code(page.status ?? 200)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-language', visit.language)
  return htmlOf(Layout({ visit, page }))
}

function sendWritten(reply: FastifyReply, { language }: Visit, { type, text, status = 200 }: Written): string {
  reply.code(status).header('content-type', type).header('content-language', language)
  return text
}

export function htmlOf(document: Parameters<typeof renderToString>[0]): string {
  return `<!doctype html>${renderToString(document)}`
}

/** Browsers say where a form was sent from: another site's pages have no business here. */
export function isOwnForm(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin === 'null' ? origin === undefined : hostIn(origin) === request.host
}

function hostIn(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : ''
}
