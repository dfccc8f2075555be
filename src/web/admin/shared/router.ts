import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignInMethods } from '#platform/auth/second-factor/schema.ts'
import { buildUrl } from '#platform/http/links.ts'
import { anonymousBytesMax } from '#platform/http/plugins/body-limits.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { negotiateLanguage } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Layout } from '../../page/layout.tsx'
import { isOwnForm, redirect, renderHtml } from '../../page/page.ts'
import { ApiError, newApiClient } from '../../server/api-client.ts'
import { getFormField, newPageContext, readForm } from '../../server/context.ts'
import { type Cookies, newCookies } from '../../server/cookies.ts'
import type { SiteSettingsReader } from '../../server/site-settings.ts'
import {
  type AdminContext,
  type AdminHandler,
  type AdminPage,
  type AdminRole,
  type AdminRouter,
  type CurrentUser,
  createFormToken,
  type PublicHandler,
  sessionCookie
} from './context.ts'
import { buildErrorPage } from './error-page.tsx'
import { isSameText, setFlash, takeFlash } from './flash.ts'
import { AdminLayout } from './layout.tsx'
import { countForMenu } from './menu-counts.ts'
import { type PendingForm, toAnonymousPendingForm, toPendingForm } from './pending-form.ts'
import {
  buildConfirmPasswordPage,
  buildResumePage,
  buildSignInAgainPage,
  checkConfirmedPassword
} from './reauthentication.tsx'
import { allowedWithoutFactor, securityPath } from './security-paths.ts'

/** Survives sign-out: it marks the browser as used for a sign-in before, and grants no access. */
const deviceCookie = 'kalends_device'
const deviceSeconds = 400 * 86_400

export function newAdminRouter(
  { app, settings, internalClient }: RouteContext,
  sites: SiteSettingsReader
): AdminRouter {
  const contexts = new WeakMap<FastifyRequest, AdminContext>()

  /** Authenticates and authorizes before the body is read; responds itself if the request is refused. */
  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    roles: readonly AdminRole[]
  ): Promise<FastifyReply | undefined> {
    reply.header('cache-control', 'private, no-store')
    const cookies = newCookies(request, reply, buildUrl(request, settings, ''))
    const token = cookies.get(sessionCookie)
    const fallback = languageFor(request)
    const language = fallback
    const anonymousApi = newApiClient(request, internalClient, { language })
    if (token === undefined) {
      const { body } = await anonymousApi.get<{ needed: boolean }>('/setup')
      return body.needed ? reply.redirect('/admin/setup', 303) : leadToSignIn(request, reply)
    }
    const session = await newApiClient(request, internalClient, { language, token })
      .get<{ user: CurrentUser; expiresAt: string; secondFactorMissing: boolean }>('/sessions/current')
      .catch((error: unknown) => {
        // An API key is valid for the API, but is not a session.
        if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return undefined
        throw error
      })
    if (session === undefined) {
      cookies.remove(sessionCookie)
      return leadToSignIn(request, reply)
    }
    // Use extends the session, so its cookie is extended too.
    if (request.method === 'GET') setSessionCookie(cookies, token, session.body.expiresAt)

    const { user, secondFactorMissing } = session.body
    if (secondFactorMissing && !allowedWithoutFactor.test(request.url)) return reply.redirect(securityPath, 303)
    const api = newApiClient(request, internalClient, { language: user.language, token })
    const isEditor = user.role === 'admin' || user.role === 'editor'
    const [site, menuCounts] = await Promise.all([
      sites.get(anonymousApi),
      request.method === 'GET' ? countForMenu(api, isEditor) : {}
    ])
    const formToken = createFormToken(token)
    const context: AdminContext = {
      ...newPageContext(request, reply, settings, { api, language: user.language, site }),
      user,
      menuCounts,
      formToken,
      flashMessage: takeFlash(cookies, token, request.method === 'GET'),
      flash: notice => setFlash(cookies, token, notice),
      hasRole: (...anyOf) => user.role === 'admin' || anyOf.includes(user.role)
    }
    const strings = getMessages('admin', user.language)
    if (!context.hasRole(...roles))
      return reply.send(render(reply, context, buildErrorPage(user.language, strings.notYours, 403)))
    if (request.method === 'POST' && !isOwnForm(request, settings)) {
      return reply.send(render(reply, context, buildErrorPage(user.language, strings.notFromHere, 403)))
    }
    contexts.set(request, context)
    return undefined
  }

  /**
   * Reads a form within the body limit for anonymous requests, so that the input survives an expired session. A larger
   * one is not read; the page says how to send it again.
   */
  async function leadToSignIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    if (request.method !== 'POST' || !isOwnForm(request, settings)) return reply.redirect(signInPath(request), 303)
    const bytes = Number(request.headers['content-length'] ?? Number.NaN)
    if (bytes <= anonymousBytesMax) return undefined
    return reply.send(await askToSignInAgain(request, reply, undefined))
  }

  async function askToSignInAgain(
    request: FastifyRequest,
    reply: FastifyReply,
    pendingForm: PendingForm | undefined
  ): Promise<string> {
    const language = languageFor(request)
    const anonymousApi = newApiClient(request, internalClient, { language })
    const site = await sites.get(anonymousApi)
    const { body: methods } = await anonymousApi.get<SignInMethods>('/sessions/methods')
    const page = buildSignInAgainPage(language, pendingForm, methods.passkey)
    reply.code(page.status ?? 401).headers({ 'content-type': 'text/html; charset=utf-8', 'content-language': language })
    return renderHtml(AdminLayout({ site, language, page }))
  }

  async function handleAdmin(request: FastifyRequest, reply: FastifyReply, handler: AdminHandler): Promise<unknown> {
    const admitted = contexts.get(request)
    if (admitted === undefined) {
      return await askToSignInAgain(request, reply, toAnonymousPendingForm(request.url, readForm(request)))
    }
    const context: AdminContext = { ...admitted, form: readForm(request) }
    const { user, formToken } = context
    const strings = getMessages('admin', user.language)
    if (request.method === 'POST' && !isSameText(getFormField(context, '_token'), formToken)) {
      // The form is from an earlier session: the user has to review it and send it again.
      if (/^[0-9a-f]{32}$/.test(getFormField(context, '_token'))) {
        const pendingForm = toPendingForm(request.url, context.form)
        return render(
          reply,
          context,
          buildResumePage(user.language, pendingForm, formToken, { why: 'otherSession', status: 403 })
        )
      }
      return render(reply, context, buildErrorPage(user.language, strings.notFromHere, 403))
    }
    const refusedProof = request.method === 'POST' ? await checkConfirmedPassword(context) : undefined
    if (refusedProof !== undefined) return render(reply, context, refusedProof)
    const made = await handler(context).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      if (error.status === 401) return redirect(signInPath(request), 303)
      if (error.code === 'confirmation-needed') return buildConfirmPasswordPage(context)
      const said = error.status === 404 ? strings.notThere : { title: strings.refused, text: error.message }
      return buildErrorPage(user.language, said, error.status)
    })
    if ('location' in made) return reply.redirect(made.location, made.status)
    if ('fileName' in made) {
      // A name may contain a parameter of the page, with characters that no header may have.
      const fileName = made.fileName.replace(/[^\w.-]+/g, '-')
      return reply
        .headers({
          'content-type': made.type,
          'content-disposition': `${made.isShown === true ? 'inline' : 'attachment'}; filename="${fileName}"`,
          ...(made.bytes === undefined ? {} : { 'content-length': String(made.bytes) })
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
      return renderHtml(Layout({ context: { ...context, language }, page: sitePage }))
    }
    return render(reply, context, made)
  }

  const signInPath = ({ method, url }: FastifyRequest) =>
    `/admin/sign-in?next=${encodeURIComponent(method === 'GET' ? url : '/admin')}`

  function render(reply: FastifyReply, context: AdminContext, page: AdminPage): string {
    reply.code(page.status ?? 200).headers({
      'content-type': 'text/html; charset=utf-8',
      'content-language': context.language
    })
    return renderHtml(AdminLayout({ site: context.site, language: context.language, page, context }))
  }

  const forRoles = (roles: readonly AdminRole[]) => async (request: FastifyRequest, reply: FastifyReply) => {
    await admit(request, reply, roles)
    return contexts.has(request)
  }

  const languageFor = (request: FastifyRequest) =>
    negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)

  /** Refuses forms sent from another site's pages; the request stays anonymous. */
  async function refuseOthersForms(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (isOwnForm(request, settings)) return
    const language = languageFor(request)
    const anonymousApi = newApiClient(request, internalClient, { language })
    const site = await sites.get(anonymousApi)
    const page = buildErrorPage(language, getMessages('admin', language).notFromHere, 403)
    reply.code(403).headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, no-store' })
    await reply.send(renderHtml(AdminLayout({ site, language, page })))
  }

  return {
    get: (path, roles, handler) => {
      app.get(path, {
        config: { requires: 'public', admit: forRoles(roles) },
        handler: async (request, reply) => await handleAdmin(request, reply, handler)
      })
    },
    post: (path, roles, handler, bodyBytesMax) => {
      app.post(path, {
        config: { requires: 'public', admit: forRoles(roles) },
        ...(bodyBytesMax === undefined ? {} : { bodyLimit: bodyBytesMax }),
        handler: async (request, reply) => await handleAdmin(request, reply, handler)
      })
    },
    public: (path, show, take, uploads) => {
      const answer = async (request: FastifyRequest, reply: FastifyReply, handler: PublicHandler) => {
        reply.header('cache-control', 'private, no-store')
        const language = languageFor(request)
        const api = newApiClient(request, internalClient, { language })
        const site = await sites.get(api)
        const context = newPageContext(request, reply, settings, { api, language, site })
        const made = await handler(context, {
          startSession: ({ token, expiresAt, deviceToken }) => {
            setSessionCookie(context.cookies, token, expiresAt)
            if (deviceToken !== undefined) context.cookies.set(deviceCookie, deviceToken, deviceSeconds)
          },
          deviceToken: context.cookies.get(deviceCookie)
        })
        if ('location' in made) return reply.redirect(made.location, made.status)
        reply.code(made.status ?? 200).headers({
          'content-type': 'text/html; charset=utf-8',
          'content-language': language
        })
        return renderHtml(AdminLayout({ site, language, page: made }))
      }
      app.get(path, { config: { requires: 'public' }, handler: (request, reply) => answer(request, reply, show) })
      const admit = async (request: FastifyRequest, reply: FastifyReply) => {
        await refuseOthersForms(request, reply)
        if (uploads === undefined || reply.sent) return false
        const language = languageFor(request)
        const api = newApiClient(request, internalClient, { language })
        return await uploads.mayUpload(
          newPageContext(request, reply, settings, { api, language, site: sites.getLastKnown() })
        )
      }
      app.post(path, {
        config: { requires: 'public', admit },
        ...(uploads === undefined ? {} : { bodyLimit: uploads.bodyBytesMax }),
        handler: (request, reply) => answer(request, reply, take)
      })
    }
  }
}

function setSessionCookie(cookies: Cookies, token: string, expiresAt: string): void {
  cookies.set(sessionCookie, token, Math.round((Date.parse(expiresAt) - Date.now()) / 1000))
}
