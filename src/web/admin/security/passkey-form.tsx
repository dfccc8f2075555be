import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { secondFactorWords } from '../../text/second-factor.ts'
import { field, type Visit } from '../../visit.ts'

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
  const words = secondFactorWords[language].passkeys
  return (
    <form
      method="post"
      action={action}
      class="card"
      data-passkey={purpose}
      data-options={JSON.stringify(options)}
      data-unsupported={words.unsupported}
      data-failed={words.failed}
    >
      {children}
      <input type="hidden" name="credential" value="" />
      <noscript>
        <p class="notice warn">{words.needsScript}</p>
      </noscript>
      <p class="notice bad" role="alert" hidden />
      <button type="submit" class="large">
        {button}
      </button>
    </form>
  )
}

/** What the island has put into the form; an empty object if it is nothing of that kind, which the API refuses. */
export function readCredential(visit: Pick<Visit, 'form'>): object {
  try {
    const parsed: unknown = JSON.parse(field(visit, 'credential'))
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    // Sent by something else than our page: the API says what it wants.
    return {}
  }
}
