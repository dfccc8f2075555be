import { sanitized, withParagraphs } from './html.ts'

/** HTML as it is stored and answered: cleaned by the one policy for everybody, and in paragraphs. */
export function richText(html: string): string {
  return withParagraphs(sanitized(html))
}

/** What is stored after a change: what is sent back as it was read stays letter by letter. */
export function richTextAfter(given: string | undefined, before = ''): string {
  return given === undefined || given === before ? before : richText(given)
}
