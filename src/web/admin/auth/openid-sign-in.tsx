import type { OpenIdRequest } from '#platform/auth/openid/schema.ts'
import type { SignInMethods } from '#platform/auth/second-factor/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { openIdReturnPath } from '#platform/settings/openid-settings.ts'
import { ErrorSummary } from '../../components/field.tsx'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import type { AdminPage, AdminRouter, SignInContext } from '../shared/context.ts'
import type { NewSession } from '../shared/new-session.ts'
import { toReturnPath } from './return-path.ts'
import { askForSecondFactor } from './second-factor.tsx'

const path = '/admin/sign-in/openid'

/** Binds the sign-in to this browser, with its return path. The callback of a foreign sign-in has no cookie here. */
const cookie = 'kalends_openid'
const cookieSeconds = 900
/** Longer paths would not fit into the cookie. */
const nextMax = 1000

/** Sign-in through the OpenID provider: start page and callback. */
export function registerOpenIdSignInRoutes(pages: AdminRouter): void {
  pages.public(
    path,
    async () => redirect('/admin/sign-in', 303),
    async context => {
      try {
        const { body } = await context.api.post<OpenIdRequest>('/sessions/openid-requests')
        const next = toReturnPath(getFormField(context, 'next'))
        context.cookies.set(cookie, `${body.attempt} ${next.length > nextMax ? '/admin' : next}`, cookieSeconds)
        return buildRedirectPage(context, await findProvider(context), body.location)
      } catch (error) {
        return await buildRefusedPage(context, error)
      }
    }
  )

  pages.public(openIdReturnPath, handleCallback, async () => redirect('/admin/sign-in', 303))
}

/** Button on the password page. */
export function OpenIdButton({ context, next, provider }: { context: PageContext; next: string; provider: string }) {
  return (
    <form method="post" action={path} class="sign-in-passkey">
      <input type="hidden" name="next" value={next} />
      <button type="submit" class="quiet large">
        {getMessages('open-id', context.language).signIn({ provider })}
      </button>
    </form>
  )
}

async function findProvider({ api }: PageContext): Promise<string> {
  const { body } = await api.get<SignInMethods>('/sessions/methods')
  return body.openid?.name ?? ''
}

/**
 * Not a redirect: our CSP restricts form targets to this site (form-action), and browsers apply it to every redirect
 * of the provider as well. A page that navigates by itself is not subject to form-action.
 */
function buildRedirectPage(context: PageContext, provider: string, location: string): AdminPage {
  const strings = getMessages('open-id', context.language)
  context.reply.header('refresh', `0;url=${location}`)
  return {
    title: strings.leaving({ provider }),
    body: (
      <>
        <p class="lead">{strings.leavingText({ provider })}</p>
        <p>
          <a class="button large" href={location}>
            {strings.go({ provider })}
          </a>
        </p>
      </>
    )
  }
}

/** Handles the callback. Its URL contains the code: links that leave the page send no referrer; success redirects. */
async function handleCallback(context: PageContext, signIn: SignInContext): Promise<AdminPage | Redirect> {
  context.reply.header('referrer-policy', 'same-origin')
  const [attempt = '', next = ''] = (context.cookies.get(cookie) ?? '').split(' ')
  context.cookies.remove(cookie)
  if (attempt === '')
    return buildFailurePage(context, { status: 422, text: getMessages('open-id', context.language).expired })
  const [, callback = ''] = /\?(.*)$/s.exec(context.request.url) ?? []
  try {
    const { body } = await context.api.post<NewSession>('/sessions/openid', { attempt, callback })
    signIn.startSession(body)
    return redirect(toReturnPath(next), 303)
  } catch (error) {
    return askForSecondFactor(context, error, next) ?? (await buildRefusedPage(context, error, next))
  }
}

async function buildRefusedPage(
  context: PageContext,
  error: unknown,
  next = getFormField(context, 'next')
): Promise<AdminPage> {
  const isAway = error instanceof ApiError && error.code === 'openid-provider-away'
  if (!(error instanceof ApiError) || (error.status >= 500 && !isAway)) throw error
  const strings = getMessages('open-id', context.language)
  // The API's messages about single fields are meant for programs.
  const text = error.status === 400 || error.code === 'sign-in-expired' ? strings.expired : error.message
  const provider = await findProvider(context)
  return buildFailurePage(
    context,
    { status: isAway ? 503 : error.status === 429 ? 429 : 422, text },
    { next, provider }
  )
}

function buildFailurePage(
  context: PageContext,
  { status, text }: { status: number; text: string },
  again: { next: string; provider: string } = { next: '', provider: '' }
): AdminPage {
  const strings = getMessages('open-id', context.language)
  return {
    title: strings.failedTitle,
    status,
    scripts: ['console'],
    body: (
      <>
        <ErrorSummary title={strings.failed} errors={{}} general={text} />
        {again.provider === '' ? null : (
          <OpenIdButton context={context} next={toReturnPath(again.next)} provider={again.provider} />
        )}
        <p>
          <a href="/admin/sign-in">{strings.back}</a>
        </p>
      </>
    )
  }
}
