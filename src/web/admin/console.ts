import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { strangerBytesMax } from '#platform/bodies/admission.ts'
import { type Language, preferredLanguage } from '#platform/language.ts'
import { urlOf } from '#platform/links.ts'
import type { Scope } from '#platform/service.ts'
import { apiFor, Refused } from '../api.ts'
import { type Cookies, newCookies } from '../cookies.ts'
import { Layout } from '../layout.tsx'
import { htmlOf, isOwnForm, type Page, type Redirect, redirect } from '../page.ts'
import type { SiteInfo, SiteMemory } from '../site-info.ts'
import { consoleWords } from '../text/console.ts'
import { field, readForm, type Visit, visitOf } from '../visit.ts'
import { confirmationPage, confirmIfAsked, resumePage, signInAgainPage } from './between.tsx'
import { type CarriedForm, toCarriedForm, toCarriedFormOfStranger } from './carried.ts'
import { isSameText, type Notice, setNotice, takeNotice } from './flash.ts'
import { ConsoleFrame } from './frame.tsx'
import type { NewSession } from './people/let-in.ts'
import { refusedPage } from './refused.tsx'
import { openWithoutFactor, securityPath } from './security/path.ts'

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
  /** Remembers who has just signed in, and that it was with this browser. */
  letIn(session: NewSession): void
  /** What this browser got when somebody last signed in with it. */
  deviceToken: string | undefined
}

export const sessionCookie = 'kalends_session'
/** Stays when somebody signs out: it says that this browser has been used to sign in, and opens nothing. */
const deviceCookie = 'kalends_device'
const deviceSeconds = 400 * 86_400

export function newConsole({ app, settings, inside, moment }: Scope, sites: SiteMemory): Console {
  const desks = new WeakMap<FastifyRequest, Desk>()

  /** Who is at the desk, before the body of the request is read; answers by itself those who have no business there. */
  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    roles: readonly ConsoleRole[]
  ): Promise<FastifyReply | undefined> {
    reply.header('cache-control', 'private, no-store')
    const cookies = newCookies(request, reply, urlOf(request, settings, ''))
    const token = cookies.get(sessionCookie)
    const fallback = languageFor(request)
    const language = fallback
    const stranger = apiFor(request, inside, { language })
    if (token === undefined) {
      const { body } = await stranger.get<{ needed: boolean }>('/setup')
      return body.needed ? reply.redirect('/admin/setup', 303) : leadToSignIn(request, reply)
    }
    const session = await apiFor(request, inside, { language, token })
      .get<{ user: SignedIn; expiresAt: string; secondFactorMissing: boolean }>('/sessions/current')
      .catch((error: unknown) => {
        // A key is good for the API, but nobody has signed in with it.
        if (error instanceof Refused && (error.status === 401 || error.status === 403)) return undefined
        throw error
      })
    if (session === undefined) {
      cookies.remove(sessionCookie)
      return leadToSignIn(request, reply)
    }
    // The session lives on while it is used, and so does its cookie.
    if (request.method === 'GET') keepSession(cookies, token, session.body.expiresAt)

    const { user, secondFactorMissing } = session.body
    if (secondFactorMissing && !openWithoutFactor.test(request.url)) return reply.redirect(securityPath, 303)
    const api = apiFor(request, inside, { language: user.language, token })
    const site = await sites.current(async () => await stranger.get<SiteInfo>('/site'), moment())
    const formToken = formTokenOf(token)
    const desk: Desk = {
      ...visitOf(request, reply, settings, { api, language: user.language, site }),
      user,
      formToken,
      notice: takeNotice(cookies, token, request.method === 'GET'),
      say: notice => setNotice(cookies, token, notice),
      may: (...anyOf) => user.role === 'admin' || anyOf.includes(user.role)
    }
    const words = consoleWords[user.language]
    if (!desk.may(...roles)) return reply.send(render(reply, desk, refusedPage(user.language, words.notYours, 403)))
    if (request.method === 'POST' && !isOwnForm(request)) {
      return reply.send(render(reply, desk, refusedPage(user.language, words.notFromHere, 403)))
    }
    desks.set(request, desk)
    return undefined
  }

  /**
   * A form that is as small as those of strangers is read all the same: what was typed is not lost because a session has ended. A
   * larger one is not read; the page says how to send it again.
   */
  async function leadToSignIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    if (request.method !== 'POST' || !isOwnForm(request)) return reply.redirect(signInPath(request), 303)
    const bytes = Number(request.headers['content-length'] ?? Number.NaN)
    if (bytes <= strangerBytesMax) return undefined
    return reply.send(await askToSignInAgain(request, reply, undefined))
  }

  async function askToSignInAgain(
    request: FastifyRequest,
    reply: FastifyReply,
    carried: CarriedForm | undefined
  ): Promise<string> {
    const language = languageFor(request)
    const stranger = apiFor(request, inside, { language })
    const site = await sites.current(async () => await stranger.get<SiteInfo>('/site'), moment())
    const page = signInAgainPage(language, carried)
    reply.code(page.status ?? 401).headers({ 'content-type': 'text/html; charset=utf-8', 'content-language': language })
    return htmlOf(ConsoleFrame({ site, language, page }))
  }

  async function atDesk(request: FastifyRequest, reply: FastifyReply, handler: DeskHandler): Promise<unknown> {
    const admitted = desks.get(request)
    if (admitted === undefined) {
      return await askToSignInAgain(request, reply, toCarriedFormOfStranger(request.url, readForm(request)))
    }
    const desk: Desk = { ...admitted, form: readForm(request) }
    const { user, formToken } = desk
    const words = consoleWords[user.language]
    if (request.method === 'POST' && !isSameText(field(desk, '_token'), formToken)) {
      // A form of ours that was opened in an earlier session: only whoever sees it can send it again.
      if (/^[0-9a-f]{32}$/.test(field(desk, '_token'))) {
        const carried = toCarriedForm(request.url, desk.form)
        return render(reply, desk, resumePage(user.language, carried, formToken, { why: 'otherSession', status: 403 }))
      }
      return render(reply, desk, refusedPage(user.language, words.notFromHere, 403))
    }
    const refusedProof = request.method === 'POST' ? await confirmIfAsked(desk) : undefined
    if (refusedProof !== undefined) return render(reply, desk, refusedProof)
    const made = await handler(desk).catch((error: unknown) => {
      if (!(error instanceof Refused) || error.status >= 500) throw error
      if (error.status === 401) return redirect(signInPath(request), 303)
      if (error.code === 'confirmation-needed') return confirmationPage(desk)
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
    return render(reply, desk, made)
  }

  const signInPath = ({ method, url }: FastifyRequest) =>
    `/admin/sign-in?next=${encodeURIComponent(method === 'GET' ? url : '/admin')}`

  function render(reply: FastifyReply, desk: Desk, page: ConsolePage): string {
    reply.code(page.status ?? 200).headers({
      'content-type': 'text/html; charset=utf-8',
      'content-language': desk.language
    })
    return htmlOf(ConsoleFrame({ site: desk.site, language: desk.language, page, desk }))
  }

  const forRoles = (roles: readonly ConsoleRole[]) => async (request: FastifyRequest, reply: FastifyReply) => {
    await admit(request, reply, roles)
    return desks.has(request)
  }

  const languageFor = (request: FastifyRequest) =>
    preferredLanguage(request.headers['accept-language'], settings.defaultLanguage)

  /** A form for strangers: they stay strangers, and another site's page cannot send it. */
  async function refuseOthersForms(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (isOwnForm(request)) return false
    const language = languageFor(request)
    const stranger = apiFor(request, inside, { language })
    const site = await sites.current(async () => await stranger.get<SiteInfo>('/site'), moment())
    const page = refusedPage(language, consoleWords[language].notFromHere, 403)
    reply.code(403).headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, no-store' })
    await reply.send(htmlOf(ConsoleFrame({ site, language, page })))
    return false
  }

  return {
    show: (path, roles, handler) => {
      app.get(path, {
        config: { needs: 'nothing', admit: forRoles(roles) },
        handler: async (request, reply) => await atDesk(request, reply, handler)
      })
    },
    take: (path, roles, handler, bodyBytesMax) => {
      app.post(path, {
        config: { needs: 'nothing', admit: forRoles(roles) },
        ...(bodyBytesMax === undefined ? {} : { bodyLimit: bodyBytesMax }),
        handler: async (request, reply) => await atDesk(request, reply, handler)
      })
    },
    open: (path, show, take) => {
      const answer = async (request: FastifyRequest, reply: FastifyReply, handler: VisitorHandler) => {
        reply.header('cache-control', 'private, no-store')
        const language = languageFor(request)
        const api = apiFor(request, inside, { language })
        const site = await sites.current(async () => await api.get<SiteInfo>('/site'), moment())
        const visit = visitOf(request, reply, settings, { api, language, site })
        const made = await handler(visit, {
          letIn: ({ token, expiresAt, deviceToken }) => {
            keepSession(visit.cookies, token, expiresAt)
            if (deviceToken !== undefined) visit.cookies.set(deviceCookie, deviceToken, deviceSeconds)
          },
          deviceToken: visit.cookies.get(deviceCookie)
        })
        if ('location' in made) return reply.redirect(made.location, made.status)
        reply.code(made.status ?? 200).headers({
          'content-type': 'text/html; charset=utf-8',
          'content-language': language
        })
        return htmlOf(ConsoleFrame({ site, language, page: made }))
      }
      app.get(path, { config: { needs: 'nothing' }, handler: (request, reply) => answer(request, reply, show) })
      app.post(path, {
        config: { needs: 'nothing', admit: refuseOthersForms },
        handler: (request, reply) => answer(request, reply, take)
      })
    }
  }
}

function keepSession(cookies: Cookies, token: string, expiresAt: string): void {
  cookies.set(sessionCookie, token, Math.round((Date.parse(expiresAt) - Date.now()) / 1000))
}

/** Made of the session, so that nothing needs to be kept, and nobody without the session can make it. */
export function formTokenOf(session: string): string {
  return createHmac('sha256', session).update('forms of the console').digest('hex').slice(0, 32)
}
