import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { getFormField, type PageContext } from '../server/context.ts'

/** Invisible field that bots fill in. Autocomplete is off, and screen readers skip it. */
export function Honeypot({ language, name }: { language: Language; name: string }) {
  return (
    <div class="donate-trap" aria-hidden="true">
      <label for={`field-${name}`}>{getMessages('abuse-protection', language).trap}</label>
      <input id={`field-${name}`} type="text" name={name} tabIndex={-1} autocomplete="off" />
    </div>
  )
}

export function isFilledByBot(context: Pick<PageContext, 'form'>, name: string): boolean {
  return getFormField(context, name) !== ''
}
