import { readFileSync } from 'node:fs'
import type PdfKit from 'pdfkit'
import { requireLazily } from '#platform/lazy-require.ts'

export const pdfKit = requireLazily<typeof PdfKit>('pdfkit')
/** The parser that PDFKit uses; it has no typings. */
const fontKit = requireLazily<{ create(file: Buffer): Font }>('fontkit')

export type Weight = 'regular' | 'semibold'

/** A parsed font. */
export interface Font {
  hasGlyphForCodePoint(code: number): boolean
}

/** Next to the build output, or at the root of the sources. */
const folder = new URL(import.meta.url.includes('/dist/') ? '../../../fonts/' : '../../../../fonts/', import.meta.url)

const known = new Map<Weight, Font>()

/** Parsed once: PDFKit accepts a parsed font instead of a file. Each receipt embeds only the glyphs that it uses. */
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
