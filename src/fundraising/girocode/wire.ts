import type * as Sharp from 'sharp'
import type * as Uqr from 'uqr'
import type { Language } from '#platform/language.ts'
import { whenNeeded } from '#platform/when-needed.ts'
import { toAmount } from '../money.ts'

const uqr = whenNeeded<typeof Uqr>('uqr')
const sharp = whenNeeded<typeof Sharp.default>('sharp')

/** Around a code, in modules: scanners look for it. */
const quietZone = 4
const pixelsPerModule = 10

/** The code as a drawing: black on white on every background, a path of its dark runs. */
export function svgOf(payload: string, title: string): string {
  const rows = modulesOf(payload)
  const size = rows.length
  const runs = rows.flatMap((row, y) => darkRuns(row).map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`))
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size * 6}" height="${size * 6}" viewBox="0 0 ${size} ${size}" ` +
    `role="img" shape-rendering="crispEdges"><title>${escaped(title)}</title>` +
    `<rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${runs.join('')}"/></svg>`
  )
}

/** The same as pixels, for programs that take no drawings. */
export async function pngOf(payload: string): Promise<Buffer> {
  const rows = modulesOf(payload)
  const width = rows.length * pixelsPerModule
  const pixels = Buffer.alloc(width * width, 255)
  for (const [y, row] of rows.entries()) {
    for (const { x, length } of darkRuns(row)) {
      for (let line = y * pixelsPerModule; line < (y + 1) * pixelsPerModule; line += 1) {
        pixels.fill(0, line * width + x * pixelsPerModule, line * width + (x + length) * pixelsPerModule)
      }
    }
  }
  return await sharp()(pixels, { raw: { width, height: width, channels: 1 } })
    .png({ palette: true, colours: 2, compressionLevel: 9 })
    .toBuffer()
}

function modulesOf(payload: string): boolean[][] {
  // As bytes: what the text holds decides nothing about how it is encoded.
  return uqr().encode([...Buffer.from(payload)], { ecc: 'M', maxVersion: 13, border: quietZone }).data
}

function darkRuns(row: boolean[]): { x: number; length: number }[] {
  const runs: { x: number; length: number }[] = []
  for (let x = 0; x < row.length; x += 1) {
    if (row[x] !== true) continue
    let end = x
    while (row[end] === true) end += 1
    runs.push({ x, length: end - x })
    x = end
  }
  return runs
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** What a code is, for those who do not see it. */
export function titleOf(
  { holder, amountCents, text }: { holder: string; amountCents: number | null; text: string },
  language: Language
): string {
  if (amountCents === null) {
    return language === 'de'
      ? `GiroCode für eine Spende an ${holder}: ${text}`
      : `GiroCode for a donation to ${holder}: ${text}`
  }
  const amount = new Intl.NumberFormat(language === 'de' ? 'de-DE' : 'en-GB', {
    style: 'currency',
    currency: 'EUR'
  }).format(toAmount(amountCents))
  return language === 'de'
    ? `GiroCode: ${amount} an ${holder}, Verwendungszweck ${text}`
    : `GiroCode: ${amount} to ${holder}, reference ${text}`
}
