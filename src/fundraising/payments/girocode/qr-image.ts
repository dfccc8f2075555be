import type * as Uqr from 'uqr'
import type { Language } from '#platform/language.ts'
import { requireLazily } from '#platform/lazy-require.ts'
import { toAmount } from '../../money/money.ts'
import { encodePng } from './png.ts'

const uqr = requireLazily<typeof Uqr>('uqr')

/** Around a code, in modules: scanners look for it. */
const quietZone = 4
const pixelsPerModule = 10

/** The code as a drawing: black on white on every background, a path of its dark runs. */
export function renderSvg(payload: string, title: string): string {
  const rows = encodeModules(payload)
  const size = rows.length
  const runs = rows.flatMap((row, y) => findDarkRuns(row).map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`))
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size * 6}" height="${size * 6}" viewBox="0 0 ${size} ${size}" ` +
    `role="img" shape-rendering="crispEdges"><title>${escapeXml(title)}</title>` +
    `<rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${runs.join('')}"/></svg>`
  )
}

/** The same as pixels, for programs that take no drawings. */
export function renderPng(payload: string): Buffer {
  return encodePng(encodeModules(payload), pixelsPerModule)
}

/** Pictures of a page that many look at, of 2 to 12 KB each. */
const cachedImagesMax = 200

/**
 * Draws codes, and keeps the last ones: the same code is asked for again by everybody who opens the page. It is found by all
 * that stands in it, so that a changed account never meets an old picture.
 */
export function createImageCache(max = cachedImagesMax) {
  const kept = new Map<string, string | Buffer>()
  let drawn = 0
  return {
    /** How many were drawn so far. */
    count: () => drawn,
    draw: (form: 'svg' | 'png', payload: string, title: string): string | Buffer => {
      const key = form === 'svg' ? `svg ${title}\n${payload}` : `png ${payload}`
      const found = kept.get(key)
      if (found === undefined) drawn += 1
      const picture = found ?? (form === 'svg' ? renderSvg(payload, title) : renderPng(payload))
      // A Map keeps the order of insertion, so the first one is the one that was not asked for the longest.
      kept.delete(key)
      kept.set(key, picture)
      const [oldest] = kept.keys()
      if (kept.size > max && oldest !== undefined) kept.delete(oldest)
      return picture
    }
  }
}

/** Of this process. */
export const imageCache = createImageCache()

function encodeModules(payload: string): boolean[][] {
  // As bytes: what the text holds decides nothing about how it is encoded.
  return uqr().encode([...Buffer.from(payload)], { ecc: 'M', maxVersion: 13, border: quietZone }).data
}

function findDarkRuns(row: boolean[]): { x: number; length: number }[] {
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

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** What a code is, for those who do not see it. */
export function formatTitle(
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
