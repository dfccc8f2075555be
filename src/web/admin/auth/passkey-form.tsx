import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { getFormField, type PageContext } from '../../server/context.ts'

/** Markup for the `passkey` island, which creates or uses a passkey. Browsers offer passkeys to scripts only. */
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
  const strings = getMessages('second-factor', language).passkeys
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

/** Parses the credential that the island put into the form; an empty object if invalid, which the API refuses. */
export function readCredential(context: Pick<PageContext, 'form'>): object {
  try {
    const parsed: unknown = JSON.parse(getFormField(context, 'credential'))
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    // Not sent by our page: the API's error says what it expects.
    return {}
  }
}
