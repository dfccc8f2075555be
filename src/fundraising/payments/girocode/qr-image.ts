import type * as Uqr from 'uqr'
import { getLocale, type Language } from '#platform/language.ts'
import { requireLazily } from '#platform/lazy-require.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { toAmount } from '../../money/money.ts'
import { encodePng } from './png.ts'

const uqr = requireLazily<typeof Uqr>('uqr')

/** Width in modules; scanners need it. */
const quietZone = 4
const pixelsPerModule = 10

/** The code as SVG: black on white on any background, one path of its dark runs. */
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

/** The code as PNG, for programs that do not support SVG. */
export function renderPng(payload: string): Buffer {
  return encodePng(encodeModules(payload), pixelsPerModule)
}

/** Images of 2 to 12 KB each, from pages that many visitors open. */
const cachedImagesMax = 200

/**
 * Renders codes and caches the latest, because every visitor of a page requests the same code. The key is the full
 * content, so that a changed account never hits a stale image.
 */
export function createImageCache(max = cachedImagesMax) {
  const kept = new Map<string, string | Buffer>()
  let drawn = 0
  return {
    /** The number of images rendered so far. */
    count: () => drawn,
    draw: (form: 'svg' | 'png', payload: string, title: string): string | Buffer => {
      const key = form === 'svg' ? `svg ${title}\n${payload}` : `png ${payload}`
      const found = kept.get(key)
      if (found === undefined) drawn += 1
      const picture = found ?? (form === 'svg' ? renderSvg(payload, title) : renderPng(payload))
      // LRU: a Map keeps insertion order, so the first key is the least recently used.
      kept.delete(key)
      kept.set(key, picture)
      const [oldest] = kept.keys()
      if (kept.size > max && oldest !== undefined) kept.delete(oldest)
      return picture
    }
  }
}

/** One cache per process. */
export const imageCache = createImageCache()

function encodeModules(payload: string): boolean[][] {
  // Encoded as bytes, so that the content of the text does not change the encoding mode.
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

/** The alternative text of a code. */
export function formatTitle(
  { holder, amountCents, text }: { holder: string; amountCents: number | null; text: string },
  language: Language
): string {
  const strings = getMessages('girocode', language)
  if (amountCents === null) return strings.title({ holder, text })
  const format = new Intl.NumberFormat(getLocale(language), { style: 'currency', currency: 'EUR' })
  return strings.titleWithAmount({ amount: format.format(toAmount(amountCents)), holder, text })
}
