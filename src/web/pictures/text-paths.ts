import { type Font, loadFont } from '#platform/images/fonts.ts'

/** Text without characters that the font does not have: emoji, and scripts other than Latin, Greek and Cyrillic. */
export function toDrawableText(text: string): string {
  const font = loadFont('semibold')
  const drawable = [...text.normalize('NFC').replace(/\s+/g, ' ')].filter(
    character => character === ' ' || font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
  )
  return drawable.join('').replace(/ +/g, ' ').trim()
}

/** Widths of characters, as laying out a text takes a thousand times longer than looking them up. */
const advances = new Map<string, number>()

/** The width without kerning, which is never much more. */
export function measureText(text: string, size: number): number {
  const font = loadFont('semibold')
  let sum = 0
  for (const character of text) {
    const known = advances.get(character) ?? font.layout(character).positions[0]?.xAdvance ?? 0
    advances.set(character, known)
    sum += known
  }
  return sum * getScale(font, size)
}

const getScale = ({ unitsPerEm }: Font, size: number) => size / unitsPerEm

/** Text as outlines, as a server may have no fonts. The result has numbers only, whatever the text is. */
export function drawText(text: string, { x, y, size, fill }: { x: number; y: number; size: number; fill: string }) {
  const font = loadFont('semibold')
  const scale = getScale(font, size)
  const { glyphs, positions } = font.layout(text)
  let at = 0
  const paths = glyphs.map(({ path }, index) => {
    const outline = `<path transform="translate(${at})" d="${path.toSVG()}"/>`
    at += positions[index]?.xAdvance ?? 0
    return outline
  })
  return `<g fill="${fill}" transform="translate(${x} ${y}) scale(${scale} ${-scale})">${paths.join('')}</g>`
}

const ellipsis = '…'

/** Lines of at most this width; what does not fit into the last one is cut off. */
export function wrapText(text: string, size: number, width: number, linesMax: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap(one => splitLongWord(one, size, width))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (measureText(longer, size) <= width) {
      line = longer
      continue
    }
    if (lines.length === linesMax - 1) return [...lines, truncateLine(`${line} ${word}`, size, width)]
    lines.push(line)
    line = word
  }
  return line === '' ? lines : [...lines, line]
}

function splitLongWord(word: string, size: number, width: number): string[] {
  if (measureText(word, size) <= width) return [word]
  const parts: string[] = []
  let part = ''
  for (const character of word) {
    if (part !== '' && measureText(`${part}${character}-`, size) > width) {
      parts.push(`${part}-`)
      part = ''
    }
    part += character
  }
  return [...parts, part]
}

function truncateLine(line: string, size: number, width: number): string {
  let kept = line
  while (kept !== '' && measureText(kept + ellipsis, size) > width) kept = kept.slice(0, -1).trimEnd()
  return kept + ellipsis
}
