import type { Language } from '#platform/language.ts'
import { getDirAttribute } from '../format/direction.ts'
import { toPlainText, truncateText } from '../format/plain-text.ts'

/** HTML text. The API has sanitized it on saving, so it is safe to render. */
export function RichText({
  html,
  lang,
  className = ''
}: {
  html: string
  /** Set if it differs from the page's language. */
  lang?: Language | undefined
  className?: string
}) {
  return (
    <div
      class={`prose ${className}`}
      lang={lang}
      dir={getDirAttribute(html)}
      dangerouslySetInnerHTML={{ __html: repairTags(normalizeHeadings(html)) }}
    />
  )
}

/**
 * Authors choose headings by their size. Here they are shifted to continue the page's outline: none above the second
 * level, and none that skips a level.
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

/**
 * Sanitizing removes addresses that are not allowed and leaves their tags. An image without one is left out here, a link
 * without one has no attributes of links, an image without an alternative text is decorative, and addresses are encoded.
 */
export function repairTags(html: string): string {
  return html.replace(/<(img|a)(?=[\s>])([^<>]*)>/g, (given, name: string, rest: string) => {
    const tag = encodeAddress(given)
    const attributes = encodeAddress(rest)
    if (name === 'a') return /\shref=/.test(attributes) ? tag : tag.replace(/\s(?:rel|target)="[^"]*"/g, '')
    if (!/\ssrc="[^"]/.test(attributes)) return ''
    return /\salt=/.test(attributes) ? tag : `<img alt=""${attributes}>`
  })
}

/** Browsers accept spaces, quotation marks and the like in a URL, and the rules of HTML do not. */
function encodeAddress(tag: string): string {
  return tag.replace(/(\s(?:href|src)=")([^"]*)/g, (_, start: string, url: string) => {
    const encoded = url
      .trim()
      .replace(/&quot;|&lt;|&gt;|[\s<>\\^`{|}]/g, found => encodeURIComponent(entities[found] ?? found))
    return start + encoded
  })
}

const entities: Record<string, string> = { '&quot;': '"', '&lt;': '<', '&gt;': '>' }

/** Text of HTML, truncated for the page's meta description. */
export function summarizeHtml(html: string): string {
  return truncateText(toPlainText(html.slice(0, 8000)), 199)
}
