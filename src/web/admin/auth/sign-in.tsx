import type { SignInMethods } from '#platform/auth/second-factor/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { restoreResultPath } from '../backups/backup-paths.ts'
import { type AdminPage, type AdminRouter, sessionCookie } from '../shared/context.ts'
import type { NewSession } from '../shared/new-session.ts'
import { parsePendingForm } from '../shared/pending-form.ts'
import { PendingFormInput } from '../shared/reauthentication.tsx'
import { finishSignIn } from './finish-sign-in.ts'
import { OpenIdButton, registerOpenIdSignInRoutes } from './openid-sign-in.tsx'
import { PasskeyButton } from './passkey-sign-in.tsx'
import { askForSecondFactor, registerSecondFactorRoutes } from './second-factor.tsx'
import { registerSetupRoutes } from './setup.tsx'

/** Sign-in and sign-out. */
export function registerSignInRoutes(pages: AdminRouter): void {
  registerSetupRoutes(pages)
  registerSecondFactorRoutes(pages)
  registerOpenIdSignInRoutes(pages)

  pages.public(
    '/admin/sign-in',
    async context => {
      const { body } = await context.api.get<{ needed: boolean }>('/setup')
      return body.needed ? redirect('/admin/setup', 303) : await buildPage(context)
    },
    async (context, signIn) => {
      const password = typeof context.form.password === 'string' ? context.form.password : ''
      try {
        const { body } = await context.api.post<NewSession>('/sessions', {
          email: getFormField(context, 'email'),
          password,
          // An invalid device cookie is ignored; it must not make the sign-in fail.
          ...(/^kld_[\w-]{1,150}$/.test(signIn.deviceToken ?? '') ? { deviceToken: signIn.deviceToken } : {})
        })
        return finishSignIn(context, signIn, body)
      } catch (error) {
        return (
          askForSecondFactor(context, error, getFormField(context, 'next')) ??
          (await buildPage(context, toRefusal(error, context)))
        )
      }
    }
  )

  pages.post('/admin/sign-out', ['editor', 'treasurer', 'viewer'], async context => {
    await context.api.delete('/sessions/current')
    context.cookies.remove(sessionCookie)
    return redirect('/admin/sign-in?out=yes', 303)
  })
}

interface SignInRefusal {
  status: number
  text: string
}

/** Same message for every reason, so that it does not reveal who has an account. */
function toRefusal(error: unknown, { language }: PageContext): SignInRefusal {
  if (!(error instanceof ApiError)) throw error
  const strings = getMessages('sign-in', language).signIn
  if (error.status === 429) {
    const seconds = Number(error.headers['retry-after'] ?? 60)
    return {
      status: 429,
      text: seconds < 90 ? strings.wait({ seconds }) : strings.waitMinutes({ minutes: Math.ceil(seconds / 60) })
    }
  }
  if (error.code === 'too-busy') return { status: 503, text: error.message }
  if (![400, 401, 422].includes(error.status)) throw error
  return { status: 422, text: strings.wrong }
}

async function buildPage(context: PageContext, refused?: SignInRefusal): Promise<AdminPage> {
  const { query, language } = context
  const strings = getMessages('sign-in', language).signIn
  const { body: methods } = await context.api.get<SignInMethods>('/sessions/methods')
  const pendingForm = parsePendingForm(context.form._pendingForm)
  const next = refused === undefined ? (query.next ?? '') : getFormField(context, 'next')
  return {
    title: strings.title,
    status: refused?.status,
    scripts: ['console'],
    body: (
      <>
        {query.reset === undefined || refused !== undefined ? null : (
          <p class="notice good" role="status">
            {getMessages('accounts', language).reset.done}
          </p>
        )}
        {(query.restored === undefined && query.next !== restoreResultPath) || refused !== undefined ? null : (
          <p class="notice" role="status">
            {query.restored === undefined
              ? getMessages('backup', language).signIn
              : getMessages('backup', language).restoredOther}
          </p>
        )}
        {query.out === undefined || refused !== undefined ? null : (
          <p class="notice good" role="status">
            {strings.signedOut}
          </p>
        )}
        {refused === undefined ? null : <ErrorSummary title={strings.failed} errors={{}} general={refused.text} />}
        <form method="post" action="/admin/sign-in" class="card sign-in-form">
          <input type="hidden" name="next" value={next} />
          <PendingFormInput pendingForm={pendingForm} />
          <Field
            name="email"
            label={strings.email}
            type="email"
            autocomplete="username"
            value={getFormField(context, 'email')}
            autofocus={refused === undefined}
            required
          />
          <Field name="password" label={strings.password} type="password" autocomplete="current-password" required />
          <button type="submit" class="large">
            {strings.action}
          </button>
        </form>
        {methods.passkey ? <PasskeyButton context={context} next={next} /> : null}
        {/* A pending form would be lost on the way to the provider and back, so single sign-on is not offered then. */}
        {methods.openid === null || pendingForm !== undefined ? null : (
          <OpenIdButton context={context} next={next} provider={methods.openid.name} />
        )}
        <p class="sign-in-links">
          <a href="/admin/forgotten">{getMessages('accounts', language).forgotten.link}</a>
        </p>
        <p>
          <a href={getPath('home', language)}>{strings.toSite}</a>
        </p>
      </>
    )
  }
}
