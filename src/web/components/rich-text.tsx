import type { Language } from '#platform/language.ts'
import { toPlainText, truncateText } from '../format/plain-text.ts'

/** A text with markup. The API has cleaned it when it was written, so that it can be shown as it is. */
export function RichText({
  html,
  lang,
  className = ''
}: {
  html: string
  /** Where it differs from the page's. */
  lang?: Language | undefined
  className?: string
}) {
  return <div class={`prose ${className}`} lang={lang} dangerouslySetInnerHTML={{ __html: normalizeHeadings(html) }} />
}

/**
 * Whoever wrote the text chose headings by their size. Here they continue those of the page: none above the second
 * level, and none that skips one.
 */
export function normalizeHeadings(html: string): string {
  let above = 1
  let open = 2
  const highest = Math.min(...Array.from(html.matchAll(/<h([1-6])[\s>]/g), ([, level]) => Number(level)))
  return html.replace(/<(\/?)h([1-6])(?=[\s>])/g, (_, slash: string, level: string) => {
    if (slash === '') {
      open = Math.min(Number(level) - highest + 2, above + 1, 6)
      above = open
    }
    return `<${slash}h${open}`
  })
}

/** The words of a text with markup, as many as fit into the description of a page. */
export function summarizeHtml(html: string): string {
  return truncateText(toPlainText(html.slice(0, 8000)), 199)
}
