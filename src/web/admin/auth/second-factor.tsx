import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError, withQuery } from '../../server/api-client.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import type { AdminPage, AdminRouter } from '../shared/context.ts'
import type { NewSession } from '../shared/new-session.ts'
import { parsePendingForm } from '../shared/pending-form.ts'
import { PendingFormInput } from '../shared/reauthentication.tsx'
import { finishSignIn } from './finish-sign-in.ts'
import { PasskeyButton, registerPasskeySignInRoutes } from './passkey-sign-in.tsx'
import { toReturnPath } from './return-path.ts'
import { getSignInAttempt, setSignInAttempt } from './sign-in-attempt.ts'

const path = '/admin/sign-in/code'

/** Page or redirect that asks for the second factor; undefined if the API refused for another reason. */
export function askForSecondFactor(
  context: PageContext,
  error: unknown,
  next: string
): AdminPage | Redirect | undefined {
  if (!(error instanceof ApiError) || error.code !== 'second-factor-required') return undefined
  const { attempt, factors } = error.body as { attempt?: unknown; factors?: unknown }
  setSignInAttempt(context, String(attempt))
  const hasPasskey = Array.isArray(factors) && factors.includes('passkey')
  // A pending form is too long for a URL, so the page is rendered here instead of a redirect.
  if (parsePendingForm(context.form._pendingForm) !== undefined)
    return buildPage(context, { next: toReturnPath(next), hasPasskey })
  return redirect(withQuery(path, { next: toReturnPath(next), passkey: hasPasskey ? 'yes' : '' }), 303)
}

export function registerSecondFactorRoutes(pages: AdminRouter): void {
  registerPasskeySignInRoutes(pages)

  pages.public(
    path,
    async context =>
      getSignInAttempt(context) === ''
        ? redirect('/admin/sign-in', 303)
        : buildPage(context, { next: context.query.next ?? '', hasPasskey: context.query.passkey === 'yes' }),
    async (context, signIn) => {
      try {
        const body = { attempt: getSignInAttempt(context), code: getFormField(context, 'code') }
        const { body: session } = await context.api.post<NewSession>('/sessions/second-factor', body)
        setSignInAttempt(context, '')
        return finishSignIn(context, signIn, session)
      } catch (error) {
        const options = { next: getFormField(context, 'next'), hasPasskey: getFormField(context, 'passkey') === 'yes' }
        return buildPage(context, options, toRefusal(error, context))
      }
    }
  )
}

interface SecondFactorRefusal {
  status: number
  text: string
  isOver: boolean
}

function toRefusal(error: unknown, { language }: PageContext): SecondFactorRefusal {
  if (!(error instanceof ApiError) || ![400, 401, 409, 422, 429].includes(error.status)) throw error
  const { proof, step } = getMessages('second-factor', language)
  if (error.status === 429) {
    return {
      status: 429,
      text: proof.wait({ minutes: Math.ceil(Number(error.headers['retry-after'] ?? 60) / 60) }),
      isOver: false
    }
  }
  if (error.code === 'sign-in-expired') return { status: 422, text: step.expired, isOver: true }
  // 409 means that the server's encryption key has changed: waiting does not help, so its message is shown.
  return { status: 422, text: error.status === 409 ? error.message : proof.wrongCode, isOver: false }
}

function buildPage(
  context: PageContext,
  { next, hasPasskey }: { next: string; hasPasskey: boolean },
  refused?: SecondFactorRefusal
): AdminPage {
  const strings = getMessages('second-factor', context.language).step
  return {
    title: strings.title,
    status: refused?.status,
    scripts: ['console'],
    body: (
      <>
        {refused === undefined ? null : <ErrorSummary title={strings.failed} errors={{}} general={refused.text} />}
        {refused?.isOver === true ? null : (
          <form method="post" action={path} class="card sign-in-form">
            <input type="hidden" name="next" value={next} />
            <PendingFormInput pendingForm={parsePendingForm(context.form._pendingForm)} />
            <p>{strings.text}</p>
            <Field
              name="code"
              label={strings.code}
              hint={strings.hint}
              autocomplete="one-time-code"
              maxLength={100}
              autofocus={refused === undefined}
              required
            />
            <input type="hidden" name="passkey" value={hasPasskey ? 'yes' : ''} />
            <button type="submit" class="large">
              {strings.action}
            </button>
          </form>
        )}
        {hasPasskey && refused?.isOver !== true ? (
          <PasskeyButton context={context} next={next} after="password" />
        ) : null}
        <details class="sign-in-help">
          <summary>{strings.lost}</summary>
          <p>{strings.lostHelp}</p>
        </details>
        <p>
          <a href="/admin/sign-in">{strings.back}</a>
        </p>
      </>
    )
  }
}
