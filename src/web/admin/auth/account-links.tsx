import type { AccountLink } from '#platform/auth/account-links/schema.ts'
import type { ResetMethods } from '#platform/auth/password-resets/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import type { AdminPage, AdminRouter } from '../shared/context.ts'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { toFormErrors } from '../shared/form.tsx'
import type { NewSession } from '../shared/new-session.ts'

/** Pages behind invitation and password-reset links. */
export function registerAccountLinkRoutes(pages: AdminRouter): void {
  pages.public(
    '/admin/invitation',
    async context => await buildLinkPage(context, 'invitation'),
    async (context, signIn) => {
      try {
        const { body } = await context.api.post<NewSession>('/invitations/accept', parseForm(context))
        signIn.startSession(body)
        return redirect('/admin?welcome=yes', 303)
      } catch (error) {
        return await handleRefusal(context, 'invitation', error)
      }
    }
  )

  pages.public(
    '/admin/reset',
    async context => await buildLinkPage(context, 'reset'),
    async context => {
      try {
        await context.api.post('/password-resets/use', parseForm(context))
        return redirect('/admin/sign-in?reset=yes', 303)
      } catch (error) {
        return await handleRefusal(context, 'reset', error)
      }
    }
  )

  pages.public(
    '/admin/forgotten',
    async context => {
      const { body } = await context.api.get<ResetMethods>('/password-resets')
      return buildForgottenPage(context, body.byMail)
    },
    async context => {
      try {
        const { body } = await context.api.post<ResetMethods>('/password-resets', {
          email: getFormField(context, 'email')
        })
        return buildForgottenPage(context, body.byMail, { isSent: true })
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error
        const isBadEmail = error.status === 400
        const text = isBadEmail ? getMessages('sign-in', context.language).badEmail : error.message
        return buildForgottenPage(context, true, { refused: { status: isBadEmail ? 422 : error.status, text } })
      }
    }
  )
}

type LinkKind = AccountLink['kind']

function parseForm(context: PageContext): { token: string; password: string } {
  const { password } = context.form
  return { token: getFormField(context, 'token'), password: typeof password === 'string' ? password : '' }
}

async function handleRefusal(context: PageContext, kind: LinkKind, error: unknown): Promise<AdminPage | Redirect> {
  if (error instanceof ApiError && error.code === 'link-ended') return buildEndedPage(context)
  return await buildLinkPage(context, kind, toFormErrors(error))
}

/** Asks for a password. Links that leave this page must not send its URL as referrer, as it contains the token. */
async function buildLinkPage(
  context: PageContext,
  kind: LinkKind,
  refused: ReturnType<typeof toFormErrors> = { fields: {}, general: undefined }
): Promise<AdminPage> {
  // Not `no-referrer`: browsers then omit the Origin header that our CSRF check needs.
  context.reply.header('referrer-policy', 'same-origin')
  const token = context.request.method === 'POST' ? getFormField(context, 'token') : (context.query.token ?? '')
  const link = await findLink(context, token)
  if (link?.kind !== kind) return buildEndedPage(context)
  const { language, site } = context
  const strings = getMessages('accounts', language)
  const own = kind === 'invitation' ? strings.accept : strings.reset
  const errors = toLabelledErrors(refused.fields, { password: own.password })
  const hasFailed = refused.general !== undefined || Object.keys(errors).length > 0
  return {
    title: own.title,
    status: hasFailed ? 422 : 200,
    scripts: ['console'],
    body: (
      <>
        <p class="lead">
          {kind === 'invitation'
            ? strings.accept.lead({ name: link.name, site: site.name })
            : strings.reset.lead({ name: link.name })}
        </p>
        <ErrorSummary title={getMessages('admin', language).mend} errors={errors} general={refused.general} />
        <form
          method="post"
          action={`/admin/${kind === 'invitation' ? 'invitation' : 'reset'}`}
          class="card sign-in-form"
        >
          <input type="hidden" name="token" value={token} />
          {/* Lets password managers match the password to the account. */}
          <Field name="username" label={strings.accept.email} value={link.email} autocomplete="username" readOnly />
          <Field
            name="password"
            type="password"
            label={own.password}
            hint={strings.passwordHint}
            error={errors.password}
            autocomplete="new-password"
            minLength={10}
            maxLength={200}
            required
          />
          <button type="submit" class="large">
            {own.action}
          </button>
        </form>
      </>
    )
  }
}

async function findLink(context: PageContext, token: string): Promise<AccountLink | undefined> {
  return await context.api.post<AccountLink>('/account-links/check', { token }).then(
    ({ body }) => body,
    (error: unknown) => {
      if (error instanceof ApiError && [400, 410].includes(error.status)) return undefined
      throw error
    }
  )
}

function buildEndedPage({ language }: PageContext): AdminPage {
  const strings = getMessages('accounts', language).ended
  return {
    title: strings.title,
    status: 410,
    body: (
      <>
        <p class="lead">{strings.text}</p>
        <p>
          <a class="button quiet" href="/admin/sign-in">
            {strings.toSignIn}
          </a>
        </p>
      </>
    )
  }
}

function buildForgottenPage(
  context: PageContext,
  byMail: boolean,
  { isSent = false, refused }: { isSent?: boolean; refused?: { status: number; text: string } } = {}
): AdminPage {
  const { language } = context
  const strings = getMessages('accounts', language).forgotten
  return {
    title: strings.title,
    status: refused?.status,
    scripts: ['console'],
    body: (
      <>
        {refused === undefined ? null : (
          <ErrorSummary title={getMessages('sign-in', language).signIn.failed} errors={{}} general={refused.text} />
        )}
        {byMail && isSent ? (
          <p class="notice good" role="status">
            {strings.sent}
          </p>
        ) : null}
        {byMail && !isSent ? (
          <>
            <p class="lead">{strings.lead}</p>
            <form method="post" action="/admin/forgotten" class="card sign-in-form">
              <Field
                name="email"
                label={strings.email}
                type="email"
                autocomplete="username"
                value={getFormField(context, 'email')}
                maxLength={254}
                required
              />
              <button type="submit" class="large">
                {strings.action}
              </button>
            </form>
          </>
        ) : null}
        {byMail ? null : <p class="lead">{strings.byAdmin}</p>}
        {byMail ? null : (
          <>
            <p>{strings.soleAdmin}</p>
            <pre>
              <code>./kalends user reset E-MAIL</code>
            </pre>
          </>
        )}
        <p>
          <a href="/admin/sign-in">{strings.back}</a>
        </p>
      </>
    )
  }
}
