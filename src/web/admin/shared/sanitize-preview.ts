import type sanitizeHtml from 'sanitize-html'
import { requireLazily } from '#platform/lazy-require.ts'

const loadSanitizer = requireLazily<typeof sanitizeHtml>('sanitize-html')

/** The API sanitizes HTML on saving. This HTML is not saved, but must not be rendered unsanitized either. */
export function sanitizePreview(html: string): string {
  const inParagraphs = /<[a-z]/i.test(html)
    ? html
    : html
        .split(/\n{2,}/)
        .map(text => `<p>${text}</p>`)
        .join('')
  return html === '' ? '' : loadSanitizer()(inParagraphs.slice(0, 400_000), { nestingLimit: 100 })
}
