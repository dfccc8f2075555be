import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { ApiError } from '../../server/api-client.ts'
import type { AdminContext, AdminPage } from './context.ts'
import { type PendingForm, toPendingForm } from './pending-form.ts'

export const passkeySignInPath = '/admin/sign-in/passkey'

/** Asks for the password again; the form then goes to its original URL with all its fields. */
export function buildConfirmPasswordPage(context: AdminContext, refused?: ApiError): AdminPage {
  const strings = getMessages('reauthentication', context.language).confirm
  const pendingForm = toPendingForm(context.request.url, context.form)
  const error = refused?.fields.password
  const general = error === undefined ? refused?.message : undefined
  return {
    title: strings.title,
    status: refused?.status ?? 403,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <p class="lead">{strings.lead}</p>
        {general === undefined ? null : (
          <ErrorSummary title={getMessages('sign-in', context.language).signIn.failed} errors={{}} general={general} />
        )}
        <ResubmitForm pendingForm={pendingForm} token={context.formToken} language={context.language}>
          {/* Lets password managers match the password to the account. */}
          <input type="text" name="_username" value={context.user.email} autocomplete="username" readOnly hidden />
          <Field
            name="_password"
            type="password"
            label={strings.password}
            error={error}
            autocomplete="current-password"
            maxLength={200}
            autofocus
            required
          />
          <div class="actions">
            <button type="submit">{strings.action}</button>
            <a class="button quiet" href="/admin">
              {strings.cancel}
            </a>
          </div>
        </ResubmitForm>
      </div>
    )
  }
}

/** Verifies the password of a confirmation page; returns the page again if it is wrong. */
export async function checkConfirmedPassword(context: AdminContext): Promise<AdminPage | undefined> {
  const { _password: password, ...form } = context.form
  if (typeof password !== 'string') return undefined
  context.form = form
  try {
    await context.api.post('/sessions/current/confirm', { password })
    return undefined
  } catch (error) {
    if (error instanceof ApiError && [400, 422, 429].includes(error.status))
      return buildConfirmPasswordPage(context, error)
    throw error
  }
}

/** Response to a form that was sent after the session had expired. */
export function buildSignInAgainPage(
  language: Language,
  pendingForm: PendingForm | undefined,
  hasPasskeys: boolean
): AdminPage {
  const strings = getMessages('reauthentication', language).expired
  const labels = getMessages('sign-in', language).signIn
  return {
    title: strings.title,
    status: 401,
    scripts: ['console'],
    body:
      pendingForm === undefined ? (
        <>
          <p class="lead">{strings.tooLong}</p>
          <p>
            <a class="button" href="/admin/sign-in" target="_blank" rel="noopener">
              {strings.open}
            </a>
          </p>
        </>
      ) : (
        <>
          <p class="lead">{strings.lead}</p>
          <form method="post" action="/admin/sign-in" class="card sign-in-form">
            <PendingFormInput pendingForm={pendingForm} />
            <Field name="email" label={labels.email} type="email" autocomplete="username" autofocus required />
            <Field name="password" label={labels.password} type="password" autocomplete="current-password" required />
            <button type="submit" class="large">
              {labels.action}
            </button>
          </form>
          {hasPasskeys ? <PasskeyStartForm language={language} pendingForm={pendingForm} /> : null}
        </>
      )
  }
}

/** Starts a sign-in with a passkey: alone, or after the password. */
export function PasskeyStartForm({
  language,
  pendingForm,
  next = '',
  after
}: {
  language: Language
  pendingForm: PendingForm | undefined
  next?: string
  after?: 'password' | undefined
}) {
  return (
    <form method="post" action={passkeySignInPath} class="sign-in-passkey">
      <input type="hidden" name="next" value={next} />
      <input type="hidden" name="start" value="yes" />
      <PendingFormInput pendingForm={pendingForm} />
      {after === undefined ? null : <input type="hidden" name="after" value={after} />}
      <button type="submit" class="quiet large">
        {getMessages('second-factor', language).passkeys.signIn}
      </button>
    </form>
  )
}

/** Carries the pending form through the sign-in pages. */
export function PendingFormInput({ pendingForm }: { pendingForm: PendingForm | undefined }) {
  return pendingForm === undefined ? null : (
    <input type="hidden" name="_pendingForm" value={JSON.stringify(pendingForm)} />
  )
}

/** Offers to send the pending form with the new session's CSRF token, after the user has reviewed it. */
export function buildResumePage(
  language: Language,
  pendingForm: PendingForm,
  token: string,
  { why, status }: { why: 'signedIn' | 'otherSession'; status: number }
): AdminPage {
  const strings = getMessages('reauthentication', language).resume
  return {
    title: strings.title,
    status,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <p class="lead">{strings[why]}</p>
        <ResubmitForm pendingForm={pendingForm} token={token} language={language}>
          <div class="actions">
            <button type="submit">{strings.action}</button>
            <a class="button quiet" href="/admin">
              {strings.drop}
            </a>
          </div>
        </ResubmitForm>
      </div>
    )
  }
}

function ResubmitForm({
  pendingForm,
  token,
  language,
  children
}: {
  pendingForm: PendingForm
  token: string
  language: Language
  children: ComponentChildren
}) {
  const strings = getMessages('reauthentication', language)
  const { path, fields, passwords, files } = pendingForm
  return (
    <form
      method="post"
      action={path}
      class="card"
      {...(files.length === 0 ? {} : { enctype: 'multipart/form-data' as const })}
    >
      <input type="hidden" name="_token" value={token} />
      {fields.map(([name, value], index) => (
        <input key={index} type="hidden" name={name} value={value} />
      ))}
      {passwords.map(name => (
        <Field
          key={name}
          name={name}
          type="password"
          label={strings.again}
          autocomplete="new-password"
          maxLength={200}
          required
        />
      ))}
      {files.map(([name, fileName]) => (
        <Field key={name} name={name} type="file" label={strings.file} hint={strings.fileWas({ name: fileName })} />
      ))}
      {children}
    </form>
  )
}
