/** Converts plain text to HTML: blank lines separate paragraphs. Text that already is HTML, as Google's, stays. */
export function toHtmlParagraphs(text: string): string {
  if (tagPattern.test(text)) return text
  return text
    .replaceAll('\r', '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .split(/\n[ \t]*\n\s*/)
    .map(paragraph => paragraph.trim())
    .filter(paragraph => paragraph !== '')
    .map(
      paragraph =>
        `<p>${paragraph
          .split('\n')
          .map(line => line.trim())
          .join('<br>')}</p>`
    )
    .join('\n')
}

const tagPattern = /<(?:br|p|a|b|i|u|ul|ol|li|em|strong|div|span|h[1-6]|html)(?:\s[^<>]*)?\/?>/i

/** The visible part of a whole HTML page. */
export function extractBody(html: string): string {
  const begin = /<body(?:\s[^<>]*)?>/i.exec(html)
  const from = begin === null ? 0 : begin.index + begin[0].length
  const end = html.toLowerCase().lastIndexOf('</body')
  return html.slice(from, end > from ? end : html.length).trim()
}
