import type { Language } from '#platform/language.ts'
import { Refused } from '../api.ts'
import { confirmWords } from '../text/confirm.ts'
import { doorWords } from '../text/door.ts'
import { ErrorSummary, Field } from '../ui/field.tsx'
import { type CarriedForm, toCarriedForm } from './carried.ts'
import type { ConsolePage, Desk } from './console.ts'

/** Asks for the password again; the answer goes where the form went, with everything that was in it. */
export function confirmationPage(desk: Desk, refused?: Refused): ConsolePage {
  const words = confirmWords[desk.language].confirm
  const carried = toCarriedForm(desk.request.url, desk.form)
  const error = refused?.fields.password
  const general = error === undefined ? refused?.message : undefined
  return {
    title: words.title,
    status: refused?.status ?? 403,
    islands: ['console'],
    body: (
      <div class="narrow">
        <p class="lead">{words.lead}</p>
        {general === undefined ? null : (
          <ErrorSummary title={doorWords[desk.language].signIn.failed} errors={{}} general={general} />
        )}
        <CarryingForm carried={carried} token={desk.formToken} language={desk.language}>
          {/* For password managers, so that they know whose it is. */}
          <input type="text" name="_username" value={desk.user.email} autocomplete="username" readOnly hidden />
          <Field
            name="_password"
            type="password"
            label={words.password}
            error={error}
            autocomplete="current-password"
            maxLength={200}
            autofocus
            required
          />
          <div class="actions">
            <button type="submit">{words.action}</button>
            <a class="button quiet" href="/admin">
              {words.cancel}
            </a>
          </div>
        </CarryingForm>
      </div>
    )
  }
}

/** Proves the password that a confirmation page sent; answers that page again if it was wrong. */
export async function confirmIfAsked(desk: Desk): Promise<ConsolePage | undefined> {
  const { _password: password, ...form } = desk.form
  if (typeof password !== 'string') return undefined
  desk.form = form
  try {
    await desk.api.post('/sessions/current/confirm', { password })
    return undefined
  } catch (error) {
    if (error instanceof Refused && [400, 422, 429].includes(error.status)) return confirmationPage(desk, error)
    throw error
  }
}

/** In place of the form that somebody sent after their session had ended. */
export function signInAgainPage(language: Language, carried: CarriedForm | undefined): ConsolePage {
  const words = confirmWords[language].expired
  const ofDoor = doorWords[language].signIn
  return {
    title: words.title,
    status: 401,
    islands: ['console'],
    body:
      carried === undefined ? (
        <>
          <p class="lead">{words.tooLong}</p>
          <p>
            <a class="button" href="/admin/sign-in" target="_blank" rel="noopener">
              {words.open}
            </a>
          </p>
        </>
      ) : (
        <>
          <p class="lead">{words.lead}</p>
          <form method="post" action="/admin/sign-in" class="card door-form">
            <CarriedInput carried={carried} />
            <Field name="email" label={ofDoor.email} type="email" autocomplete="username" autofocus required />
            <Field name="password" label={ofDoor.password} type="password" autocomplete="current-password" required />
            <button type="submit" class="large">
              {ofDoor.action}
            </button>
          </form>
        </>
      )
  }
}

/** Takes what was typed along through a page of the way in. */
export function CarriedInput({ carried }: { carried: CarriedForm | undefined }) {
  return carried === undefined ? null : <input type="hidden" name="_carried" value={JSON.stringify(carried)} />
}

/** Offers to send what was typed, with the proof of the new session: somebody looks at it before anything happens. */
export function resumePage(
  language: Language,
  carried: CarriedForm,
  token: string,
  { why, status }: { why: 'signedIn' | 'otherSession'; status: number }
): ConsolePage {
  const words = confirmWords[language].resume
  return {
    title: words.title,
    status,
    islands: ['console'],
    body: (
      <div class="narrow">
        <p class="lead">{words[why]}</p>
        <CarryingForm carried={carried} token={token} language={language}>
          <div class="actions">
            <button type="submit">{words.action}</button>
            <a class="button quiet" href="/admin">
              {words.drop}
            </a>
          </div>
        </CarryingForm>
      </div>
    )
  }
}

function CarryingForm({
  carried,
  token,
  language,
  children
}: {
  carried: CarriedForm
  token: string
  language: Language
  children: import('preact').ComponentChildren
}) {
  const words = confirmWords[language]
  const { path, fields, passwords, files } = carried
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
          label={words.again}
          autocomplete="new-password"
          maxLength={200}
          required
        />
      ))}
      {files.map(name => (
        <Field key={name} name={name} type="file" label={words.file} />
      ))}
      {children}
    </form>
  )
}
