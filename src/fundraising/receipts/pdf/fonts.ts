import { readFileSync } from 'node:fs'
import type PdfKit from 'pdfkit'
import { requireLazily } from '#platform/lazy-require.ts'

export const pdfKit = requireLazily<typeof PdfKit>('pdfkit')

export type Weight = 'regular' | 'semibold'

/** A font parsed by PDFKit. */
export interface Font {
  hasGlyphForCodePoint(code: number): boolean
}

/** Next to the build output, or at the root of the sources. */
const folder = new URL(import.meta.url.includes('/dist/') ? '../../../fonts/' : '../../../../fonts/', import.meta.url)

const known = new Map<Weight, Font>()

/** Parsed once by PDFKit, which accepts a parsed font instead of a file; each receipt embeds only its glyphs. */
export function loadFont(weight: Weight): Font {
  let font = known.get(weight)
  if (font === undefined) {
    const doc = new (pdfKit())({ autoFirstPage: false, font: '' })
    doc.font(readFileSync(new URL(`receipt-${weight}.ttf`, folder)))
    font = (doc as unknown as { _font: { font: Font } })._font.font
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
