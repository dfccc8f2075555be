import { readFileSync } from 'node:fs'
import type PdfKit from 'pdfkit'
import { requireLazily } from '#platform/lazy-require.ts'

export const pdfKit = requireLazily<typeof PdfKit>('pdfkit')

export type Weight = 'regular' | 'semibold'

/** A font as PDFKit has read it. */
export interface Font {
  hasGlyphForCodePoint(code: number): boolean
}

/** Beside what is built, or at the root of the source. */
const folder = new URL(import.meta.url.includes('/dist/') ? '../../../fonts/' : '../../../../fonts/', import.meta.url)

const known = new Map<Weight, Font>()

/** Read once, by PDFKit itself, which takes what it has read in place of a file; each receipt embeds the letters that it needs. */
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

/** The characters of a text that cannot be printed: emoji, and scripts that are neither Latin, Greek nor Cyrillic. */
export function listUnprintable(text: string): string[] {
  const font = loadFont('regular')
  const missing = [...text.normalize('NFC')].filter(
    character => !font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
  )
  return [...new Set(missing)]
}
