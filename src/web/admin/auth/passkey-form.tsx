import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import { secondFactorStrings } from '../../strings/second-factor.ts'

/** What an island of the same name needs to make or to use a passkey. Browsers have passkeys for scripts only. */
export function PasskeyForm({
  language,
  action,
  purpose,
  options,
  button,
  children
}: {
  language: Language
  action: string
  purpose: 'create' | 'get'
  options: object
  button: string
  children?: ComponentChildren
}) {
  const strings = secondFactorStrings[language].passkeys
  return (
    <form
      method="post"
      action={action}
      class="card"
      data-passkey={purpose}
      data-options={JSON.stringify(options)}
      data-unsupported={strings.unsupported}
      data-failed={strings.failed}
    >
      {children}
      <input type="hidden" name="credential" value="" />
      <noscript>
        <p class="notice warn">{strings.needsScript}</p>
      </noscript>
      <p class="notice bad" role="alert" hidden />
      <button type="submit" class="large">
        {button}
      </button>
    </form>
  )
}

/** What the island has put into the form; an empty object if it is nothing of that kind, which the API refuses. */
export function readCredential(context: Pick<PageContext, 'form'>): object {
  try {
    const parsed: unknown = JSON.parse(getFormField(context, 'credential'))
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    // Sent by something else than our page: the API says what it wants.
    return {}
  }
}
