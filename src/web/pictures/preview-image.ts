import { createHash } from 'node:crypto'
import { drawPng } from '#platform/images/image.ts'
import type { SiteSettings } from '../server/site-settings.ts'
import { getPalette } from '../server/theme.ts'
import { newPictureCache } from './picture-cache.ts'
import { drawText, measureText, toDrawableText, wrapText } from './text-paths.ts'

/** The size that social networks and messengers show whole. */
export const previewSize = { width: 1200, height: 630 }

/** Increase it when the drawing changes: the addresses of the images change with it. */
const drawingVersion = 1

const margin = 96
const textWidth = previewSize.width - 2 * margin
/** Longer titles are drawn smaller, in more lines. */
const titleSizes = [
  { size: 92, lines: 2 },
  { size: 76, lines: 3 },
  { size: 60, lines: 4 }
]
/** No more is drawn, so no more is measured. */
const titleMax = 300

type PreviewSite = Pick<SiteSettings, 'name' | 'theme' | 'accent'>

const cache = newPictureCache(64)

/** Hash of everything that the image shows: images with the same address are the same. */
export function hashPreview({ name, theme, accent }: PreviewSite, title: string): string {
  const shown = JSON.stringify([drawingVersion, name, theme, accent, title.slice(0, titleMax)])
  return createHash('sha256').update(shown).digest('hex').slice(0, 16)
}

/** The preview image of a page without a picture: its title in the colours of the site, as PNG. */
export async function drawPreview(site: PreviewSite, title: string): Promise<Buffer> {
  return await cache.get(hashPreview(site, title), async () => await drawPng(buildSvg(site, title)))
}

function buildSvg(site: PreviewSite, title: string): string {
  const { background, text, accent, muted, accentSoft } = getPalette(site, 'light')
  const { width, height } = previewSize
  const name = toDrawableText(site.name.slice(0, titleMax))
  const shownTitle = toDrawableText(title.slice(0, titleMax)) || name
  const { size, lines } = layOutTitle(shownTitle)
  const [shownName = ''] = wrapText(shownTitle === name ? '' : name, 36, textWidth, 1)
  const lineHeight = size * 1.14
  const top = (height - 60 - lines.length * lineHeight) / 2 + size
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    `<circle cx="${width - 60}" cy="60" r="210" fill="${accentSoft}"/>`,
    `<rect width="28" height="${height}" fill="${accent}"/>`,
    ...lines.map((line, index) => drawText(line, { x: margin, y: top + index * lineHeight, size, fill: text })),
    shownName === ''
      ? ''
      : `<rect x="${margin}" y="${height - 128}" width="72" height="6" fill="${accent}"/>${drawText(shownName, { x: margin, y: height - 68, size: 36, fill: muted })}`,
    '</svg>'
  ].join('')
}

function layOutTitle(text: string): { size: number; lines: string[] } {
  for (const { size, lines } of titleSizes) {
    const isShort = measureText(text, size) <= textWidth * lines
    const wrapped = isShort ? wrapText(text, size, textWidth, lines + 1) : []
    if (wrapped.length > 0 && wrapped.length <= lines) return { size, lines: wrapped }
  }
  const { size, lines } = titleSizes.at(-1) ?? { size: 60, lines: 4 }
  return { size, lines: text === '' ? [] : wrapText(text, size, textWidth, lines) }
}
