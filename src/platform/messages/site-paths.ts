import type { Language } from '../language.ts'
import { getMessages, type Messages } from './messages.ts'

/** The path of a page of the public site whose last part is given, for links in emails: `/de/spenden/danke/` and a token. */
export function buildSitePath(place: keyof Messages<'paths'>, language: Language, part: string): string {
  return `/${language}/${getMessages('paths', language)[place].replace(/:\w+/, () => encodeURIComponent(part))}`
}
