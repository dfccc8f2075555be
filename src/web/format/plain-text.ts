const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  ndash: '–',
  mdash: '—'
}

/** Text of sanitized HTML, on one line. */
export function toPlainText(html: string): string {
  let text = ''
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    const close = html.indexOf('>', open)
    if (close < 0) break
    text += `${html.slice(at, open)} `
    at = close + 1
  }
  text += html.slice(at)
  return text
    .replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => decodeEntity(name) ?? whole)
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;:!?])/g, '')
    .trim()
}

function decodeEntity(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name.toLowerCase()]
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

/** Truncates at a word boundary. */
export function truncateText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const cut = text.slice(0, lengthMax)
  const blank = cut.lastIndexOf(' ')
  return `${cut.slice(0, blank < lengthMax / 2 ? lengthMax : blank).trimEnd()}…`
}
