import type { Language } from '#platform/language.ts'
import { getFormField, type PageContext } from '../server/context.ts'
import { abuseProtectionStrings } from '../strings/abuse-protection.ts'

/** A field that nobody sees and programs fill in. Browsers are told not to, and screen readers pass over it. */
export function Honeypot({ language }: { language: Language }) {
  return (
    <div class="donate-trap" aria-hidden="true">
      <label for="field-website">{abuseProtectionStrings[language].trap}</label>
      <input id="field-website" type="text" name="website" tabIndex={-1} autocomplete="off" />
    </div>
  )
}

/** Was the form filled in by a program? */
export function isFilledByBot(context: Pick<PageContext, 'form'>): boolean {
  return getFormField(context, 'website') !== ''
}
