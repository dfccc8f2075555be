import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { type Language, preferredLanguage } from '#platform/language.ts'
import type { Scope } from '#platform/service.ts'
import { apiFor, Refused } from '../api.ts'
import { cookieIn, setCookie } from '../cookies.ts'
import { Layout } from '../layout.tsx'
import { htmlOf, isOwnForm, type Page, type Redirect, redirect } from '../page.ts'
import type { SiteInfo, SiteMemory } from '../site-info.ts'
import { consoleWords } from '../text/console.ts'
import { field, type Visit, visitOf } from '../visit.ts'
import { ConsoleFrame } from './frame.tsx'
import { refusedPage } from './refused.tsx'

/** Somebody who has signed in, as the API tells. */
export interface SignedIn {
  id: number
  name: string
  email: string
  role: ConsoleRole
  language: Language
}

export type ConsoleRole = 'admin' | 'editor' | 'treasurer' | 'viewer'

/** A visit by somebody who has signed in. */
export interface Desk extends Visit {
  user: SignedIn
  /** Proves that a form of the console was sent from the console: goes into every form as `_token`. */
  formToken: string
  notice: Notice | undefined
  /** Shows a sentence on the page that comes next, with a way back where there is one. */
  say(notice: Notice): void
  may(...anyOf: ConsoleRole[]): boolean
}

export interface Notice {
  text: string
  tone?: 'good' | 'bad'
  undo?: { action: string; fields: Record<string, string> }
}

export interface ConsolePage {
  title: string
  /** Which entry of the menu it belongs to: the path of that entry. */
  menu?: string | undefined
  islands?: string[] | undefined
  status?: number | undefined
  /** What stands beside the title: usually the button that makes something new. */
  actions?: ComponentChildren
  body: ComponentChildren
}

/** A file to download, or anything else that is no page. */
export interface Download {
  text: string | Buffer | NodeJS.ReadableStream
  type: string
  fileName: string
  /** Opened in the browser rather than saved. */
  isShown?: boolean
}

/** A page as the public site shows it, for a look at it before others get one. */
export interface SitePage {
  sitePage: Page
  language: Language
}

export type DeskHandler = (desk: Desk) => Promise<ConsolePage | Redirect | Download | SitePage>

export interface Console {
  /** A page for these roles; admins see every page. */
  show(path: string, roles: readonly ConsoleRole[], handler: DeskHandler): void
  /** What a form sends. */
  take(path: string, roles: readonly ConsoleRole[], handler: DeskHandler, bodyBytesMax?: number): void
  /** For those who have not signed in: the way in. */
  open(path: string, show: VisitorHandler, take: VisitorHandler): void
}

export type VisitorHandler = (visit: Visit, door: Door) => Promise<ConsolePage | Redirect>

export interface Door {
  /** Remembers who has just signed in. */
  letIn(token: string, expiresAt: string): void
}

export const sessionCookie = 'kalends_session'
const noticeCookie = 'kalends_notice'
const noticeSeconds = 60

export function newConsole({ app, settings, inside, moment }: Scope, sites: SiteMemory): Console {
  async function atDesk(
    request: FastifyRequest,
    reply: FastifyReply,
    roles: readonly ConsoleRole[],
    handler: DeskHandler
  ): Promise<unknown> {
    reply.header('cache-control', 'private, no-store')
    const token = cookieIn(request, sessionCookie)
    const fallback = languageFor(request)
    const language = fallback
    const signedOut = `/admin/sign-in?next=${encodeURIComponent(request.method === 'GET' ? request.url : '/admin')}`
    const stranger = apiFor(request, inside, { language, asVisitor: true })
    if (token === undefined) {
      const { body } = await stranger.get<{ needed: boolean }>('/setup')
      return reply.redirect(body.needed ? '/admin/setup' : signedOut, 303)
    }
    const session = await apiFor(request, inside, { language, token })
      .get<{ user: SignedIn }>('/sessions/current')
      .catch((error: unknown) => {
        // A key is good for the API, but nobody has signed in with it.
        if (error instanceof Refused && (error.status === 401 || error.status === 403)) return undefined
        throw error
      })
    if (session === undefined) {
      setCookie(request, reply, sessionCookie, '')
      return reply.redirect(signedOut, 303)
    }

    const { user } = session.body
    const api = apiFor(request, inside, { language: user.language, token })
    const site = await sites.current(async () => await stranger.get<SiteInfo>('/site'), moment())
    const formToken = formTokenOf(token)
    const desk: Desk = {
      ...visitOf(request, reply, settings, { api, language: user.language, site }),
      user,
      formToken,
      notice: takeNotice(request, reply, token),
      say: notice => setCookie(request, reply, noticeCookie, signNotice(token, JSON.stringify(notice)), noticeSeconds),
      may: (...anyOf) => user.role === 'admin' || anyOf.includes(user.role)
    }
    const words = consoleWords[user.language]
    if (!desk.may(...roles)) return send(reply, desk, refusedPage(user.language, words.notYours, 403))
    if (request.method === 'POST' && !(isOwnForm(request) && sameText(field(desk, '_token'), formToken))) {
      return send(reply, desk, refusedPage(user.language, words.notFromHere, 403))
    }
    const made = await handler(desk).catch((error: unknown) => {
      if (!(error instanceof Refused) || error.status >= 500) throw error
      if (error.status === 401) return redirect(signedOut, 303)
      const said = error.status === 404 ? words.notThere : { title: words.refused, text: error.message }
      return refusedPage(user.language, said, error.status)
    })
    if ('location' in made) return reply.redirect(made.location, made.status)
    if ('fileName' in made) {
      return reply
        .headers({
          'content-type': made.type,
          'content-disposition': `${made.isShown === true ? 'inline' : 'attachment'}; filename="${made.fileName}"`
        })
        .serializer(String)
        .send(made.text)
    }
    if ('sitePage' in made) {
      const { sitePage, language } = made
      reply.code(sitePage.status ?? 200).headers({
        'content-type': 'text/html; charset=utf-8',
        'content-language': language
      })
      return htmlOf(Layout({ visit: { ...desk, language }, page: sitePage }))
    }
    return send(reply, desk, made)
  }

  function send(reply: FastifyReply, desk: Desk, page: ConsolePage): string {
    reply.code(page.status ?? 200).headers({
      'content-type': 'text/html; charset=utf-8',
      'content-language': desk.language
    })
    return htmlOf(ConsoleFrame({ site: desk.site, language: desk.language, page, desk }))
  }

  const languageFor = (request: FastifyRequest) =>
    preferredLanguage(request.headers['accept-language'], settings.defaultLanguage)

  return {
    show: (path, roles, handler) => {
      app.get(path, {
        config: { needs: 'nothing' },
        handler: async (request, reply) => await atDesk(request, reply, roles, handler)
      })
    },
    take: (path, roles, handler, bodyBytesMax) => {
      app.post(path, {
        config: { needs: 'nothing' },
        ...(bodyBytesMax === undefined ? {} : { bodyLimit: bodyBytesMax }),
        handler: async (request, reply) => await atDesk(request, reply, roles, handler)
      })
    },
    open: (path, show, take) => {
      const answer = async (request: FastifyRequest, reply: FastifyReply, handler: VisitorHandler) => {
        reply.header('cache-control', 'private, no-store')
        const language = languageFor(request)
        // Not as a visitor of the site: the one at the machine may set it up.
        const api = apiFor(request, inside, { language })
        const stranger = apiFor(request, inside, { language, asVisitor: true })
        const site = await sites.current(async () => await stranger.get<SiteInfo>('/site'), moment())
        const visit = visitOf(request, reply, settings, { api, language, site })
        if (request.method === 'POST' && !isOwnForm(request)) {
          const { notFromHere } = consoleWords[language]
          reply.code(403).header('content-type', 'text/html; charset=utf-8')
          return htmlOf(ConsoleFrame({ site, language, page: refusedPage(language, notFromHere, 403) }))
        }
        const made = await handler(visit, {
          letIn: (token, expiresAt) =>
            setCookie(request, reply, sessionCookie, token, Math.round((Date.parse(expiresAt) - Date.now()) / 1000))
        })
        if ('location' in made) return reply.redirect(made.location, made.status)
        reply.code(made.status ?? 200).headers({
          'content-type': 'text/html; charset=utf-8',
          'content-language': language
        })
        return htmlOf(ConsoleFrame({ site, language, page: made }))
      }
      app.get(path, { config: { needs: 'nothing' }, handler: (request, reply) => answer(request, reply, show) })
      app.post(path, { config: { needs: 'nothing' }, handler: (request, reply) => answer(request, reply, take) })
    }
  }
}

/** Made of the session, so that nothing needs to be kept, and nobody without the session can make it. */
function formTokenOf(session: string): string {
  return createHmac('sha256', session).update('forms of the console').digest('hex').slice(0, 32)
}

function sameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

const noticeProofLength = 32

/** Neighbouring sites can set cookies for ours: a notice counts only if this session has said it, as its button does something. */
function signNotice(session: string, text: string): string {
  const proof = createHmac('sha256', session).update(`notice ${text}`).digest('hex').slice(0, noticeProofLength)
  return proof + text
}

function takeNotice(request: FastifyRequest, reply: FastifyReply, session: string): Notice | undefined {
  const signed = cookieIn(request, noticeCookie)
  if (signed === undefined || signed === '') return undefined
  if (request.method === 'GET') setCookie(request, reply, noticeCookie, '')
  const text = signed.slice(noticeProofLength)
  if (!sameText(signed, signNotice(session, text))) return undefined
  try {
    return noticeIn(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** What an earlier version of the program may have said otherwise is left out. */
function noticeIn(given: unknown): Notice | undefined {
  const { text, tone, undo } = (given ?? {}) as Partial<Notice>
  if (typeof text !== 'string') return undefined
  const notice: Notice = { text, ...(tone === 'bad' ? { tone } : {}) }
  if (typeof undo !== 'object' || undo === null) return notice
  const { action, fields } = undo
  const isOwn = typeof action === 'string' && /^\/admin\/[\w/%.-]+$/.test(action)
  const isForm = typeof fields === 'object' && fields !== null && Object.values(fields).every(isText)
  return isOwn && isForm ? { ...notice, undo: { action, fields } } : notice
}

const isText = (value: unknown) => typeof value === 'string'
