import { sanitized, withParagraphs } from './html.ts'

/** HTML as it is stored and answered: cleaned by the one policy for everybody, and in paragraphs. */
export function richText(html: string): string {
  return withParagraphs(sanitized(html))
}
