import { drawPng, fitIntoSquare } from '#platform/images/image.ts'
import type { ApiClient } from '../server/api-client.ts'
import type { SiteSettings } from '../server/site-settings.ts'
import { getPalette } from '../server/theme.ts'
import { newPictureCache } from './picture-cache.ts'
import { drawText, measureText, toDrawableText } from './text-paths.ts'

type Look = Pick<SiteSettings, 'name' | 'theme' | 'accent' | 'logoUrl'>

const cache = newPictureCache(16)

/** Only uploaded logos: no request leaves this server for an icon. */
export function hasUploadedLogo({ logoUrl }: Pick<SiteSettings, 'logoUrl'>): boolean {
  return logoUrl !== null && /^\/media\/\d+\/[0-9a-f]{16}\/\w+\/[^/?#]+$/.test(logoUrl)
}

/** The first letter of the organisation's name, on its colour. */
export function renderIconSvg(site: Look): string {
  const { accent, onAccent } = getPalette(site, 'light')
  const [letter = ''] = [...toDrawableText(site.name).toUpperCase()]
  const size = 40
  const x = (64 - measureText(letter, size)) / 2
  const background = `<rect width="64" height="64" rx="14" fill="${accent}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">${background}${drawText(letter, { x, y: 46, size, fill: onAccent })}</svg>\n`
}

/** The icon of the site as a square PNG: made from its logo, else from its first letter. */
export async function drawIcon(
  api: ApiClient,
  site: Look,
  { side, isOpaque }: { side: number; isOpaque: boolean }
): Promise<Buffer> {
  const { background, accent } = getPalette(site, 'light')
  const key = JSON.stringify([side, isOpaque, site.logoUrl, site.name, site.theme, site.accent])
  return await cache.get(key, async () => {
    const logo = await readLogo(api, site)
    if (logo !== undefined) return await fitIntoSquare(logo, side, isOpaque ? background : undefined)
    const drawn = await drawPng(
      renderIconSvg(site).replace('width="64" height="64">', `width="${side}" height="${side}">`)
    )
    // iOS rounds the corners itself, and shows transparent ones in black.
    return isOpaque ? await fitIntoSquare(drawn, side, accent) : drawn
  })
}

async function readLogo(api: ApiClient, site: Look): Promise<Buffer | undefined> {
  if (site.logoUrl === null || !hasUploadedLogo(site)) return undefined
  const { status, bytes } = await api.raw({ method: 'GET', path: site.logoUrl, headers: {} })
  return status === 200 ? bytes : undefined
}

/** An ICO file with one PNG of 32 pixels, for programs that look for `/favicon.ico` without reading a page. */
export function toIco(png: Buffer, side: number): Buffer {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2) // An icon.
  header.writeUInt16LE(1, 4) // One image.
  header.writeUInt8(side, 6)
  header.writeUInt8(side, 7)
  header.writeUInt16LE(1, 10) // Colour planes.
  header.writeUInt16LE(32, 12) // Bits per pixel.
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}
