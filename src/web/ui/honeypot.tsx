import type { Language } from '#platform/language.ts'
import { guardWords } from '../text/guard.ts'
import { field, type Visit } from '../visit.ts'

/** A field that nobody sees and programs fill in. Browsers are told not to, and screen readers pass over it. */
export function Honeypot({ language }: { language: Language }) {
  return (
    <div class="donate-trap" aria-hidden="true">
      <label for="field-website">{guardWords[language].trap}</label>
      <input id="field-website" type="text" name="website" tabIndex={-1} autocomplete="off" />
    </div>
  )
}

/** Was the form filled in by a program? */
export function caughtBy(visit: Pick<Visit, 'form'>): boolean {
  return field(visit, 'website') !== ''
}
