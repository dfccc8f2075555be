import { readFileSync } from 'node:fs'
import { requireLazily } from '../lazy-require.ts'

/** The parser that PDFKit uses; it has no typings. */
const fontKit = requireLazily<{ create(file: Buffer): Font }>('fontkit')

export type Weight = 'regular' | 'semibold'

/** A parsed font. Lengths are in units of the font. */
export interface Font {
  unitsPerEm: number
  hasGlyphForCodePoint(code: number): boolean
  layout(text: string): { glyphs: { path: { toSVG(): string } }[]; positions: { xAdvance: number }[] }
}

/** Next to the build output, or at the root of the sources. */
const folder = new URL(import.meta.url.includes('/dist/') ? '../../fonts/' : '../../../fonts/', import.meta.url)

const known = new Map<Weight, Font>()

/** Parsed once: PDFKit accepts a parsed font instead of a file. */
export function loadFont(weight: Weight): Font {
  let font = known.get(weight)
  if (font === undefined) {
    font = fontKit().create(readFileSync(new URL(`receipt-${weight}.ttf`, folder)))
    known.set(weight, font)
  }
  return font
}

/** Characters without a glyph: emoji, and scripts other than Latin, Greek and Cyrillic. */
export function listUnprintable(text: string): string[] {
  const font = loadFont('regular')
  const missing = [...text.normalize('NFC')].filter(
    character => !font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
  )
  return [...new Set(missing)]
}
