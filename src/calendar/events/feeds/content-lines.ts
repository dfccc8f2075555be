/** The content lines of an iCalendar text (RFC 5545, 3.1). */

/** RFC 5545, 3.1: octets in a line, not counting the line break. */
const lineOctets = 75

export function buildProperty(name: string, value: string): string[] {
  return value === '' ? [] : [`${name}:${value}`]
}

/** Includes lone surrogates (Cs) and control characters (Cc). Most texts have none of these. */
const needsEscaping = /[\\;,\u2028\u2029\p{Cc}\p{Cs}]/u

/** Escapes everything that could end the line or the value. */
export function escapeText(value: string): string {
  if (!needsEscaping.test(value)) return value
  return value
    .toWellFormed()
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
}

/** A URL with every character percent-encoded that RFC 3986 does not allow, line breaks included. */
export function escapeUri(value: string): string {
  return value
    .trim()
    .toWellFormed()
    .replaceAll(/[^!#-;=?-[\]_a-z~]+/g, encodeURIComponent)
}

/** Folds a long line between characters; each continuation line starts with a space, which counts. */
export function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= lineOctets) return line
  let folded = ''
  let start = 0
  let room = lineOctets
  for (let index = 0; index < line.length; index += 1) {
    const octets = countOctets(line.charCodeAt(index))
    if (octets > room) {
      folded += `${line.slice(start, index)}\r\n `
      start = index
      room = lineOctets - 1
    }
    room -= octets
  }
  return folded + line.slice(start)
}

/** Octets in UTF-8. The first half of a surrogate pair counts for both, so that no line ends between the two. */
function countOctets(unit: number): number {
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  if (unit < 0xd800 || unit > 0xdfff) return 3
  return unit < 0xdc00 ? 4 : 0
}
