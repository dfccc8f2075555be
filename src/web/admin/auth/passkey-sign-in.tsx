import type { RequestOptions } from '#platform/auth/second-factor/passkey-schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary } from '../../components/field.tsx'
import { redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import type { AdminPage, AdminRouter } from '../shared/context.ts'
import type { NewSession } from '../shared/new-session.ts'
import { parsePendingForm } from '../shared/pending-form.ts'
import { PasskeyStartForm, PendingFormInput, passkeySignInPath } from '../shared/reauthentication.tsx'
import { finishSignIn } from './finish-sign-in.ts'
import { PasskeyForm, readCredential } from './passkey-form.tsx'
import { getSignInAttempt, setSignInAttempt } from './sign-in-attempt.ts'

const path = passkeySignInPath

/** Sign-in with a passkey: alone, or after the password (`after`). */
export function registerPasskeySignInRoutes(pages: AdminRouter): void {
  pages.public(
    path,
    async () => redirect('/admin/sign-in', 303),
    async (context, signIn) => {
      const attempt = getSignInAttempt(context)
      const question = getFormField(context, 'after') === 'password' && attempt !== '' ? { attempt } : {}
      try {
        if (getFormField(context, 'credential') === '') {
          if (getFormField(context, 'start') !== 'yes') return redirect('/admin/sign-in', 303)
          const { body } = await context.api.post<RequestOptions>('/sessions/passkey-options', question)
          return buildPromptPage(context, body)
        }
        const answer = { ...question, credential: readCredential(context) }
        const { body } = await context.api.post<NewSession>('/sessions/passkey', answer)
        setSignInAttempt(context, '')
        return finishSignIn(context, signIn, body)
      } catch (error) {
        return buildRefusedPage(context, error)
      }
    }
  )
}

/** Button on the page that asks for the password or the code. */
export function PasskeyButton({ context, next, after }: { context: PageContext; next: string; after?: 'password' }) {
  const pendingForm = parsePendingForm(context.form._pendingForm)
  return <PasskeyStartForm language={context.language} {...{ pendingForm, next, after }} />
}

function buildPromptPage(context: PageContext, options: RequestOptions): AdminPage {
  const strings = getMessages('second-factor', context.language).passkeys
  return {
    title: strings.signIn,
    scripts: ['passkey'],
    body: (
      <>
        <PasskeyForm language={context.language} action={path} purpose="get" options={options} button={strings.use}>
          <input type="hidden" name="next" value={getFormField(context, 'next')} />
          <input type="hidden" name="after" value={getFormField(context, 'after')} />
          <PendingFormInput pendingForm={parsePendingForm(context.form._pendingForm)} />
          <p>{strings.useText}</p>
        </PasskeyForm>
        <p>
          <a href="/admin/sign-in">{strings.withPassword}</a>
        </p>
      </>
    )
  }
}

function buildRefusedPage(context: PageContext, error: unknown): AdminPage {
  if (!(error instanceof ApiError) || error.status >= 500) throw error
  const strings = getMessages('second-factor', context.language)
  // The API's messages about single fields are meant for programs.
  const general = error.status === 400 ? strings.passkeys.failed : error.message
  return {
    title: strings.passkeys.signIn,
    status: error.status === 429 ? 429 : 422,
    scripts: ['console'],
    body: (
      <>
        <ErrorSummary title={strings.step.failed} errors={{}} general={general} />
        <PasskeyButton
          context={context}
          next={getFormField(context, 'next')}
          {...(getFormField(context, 'after') === 'password' ? { after: 'password' as const } : {})}
        />
        <p>
          <a href="/admin/sign-in">{strings.passkeys.withPassword}</a>
        </p>
      </>
    )
  }
}
