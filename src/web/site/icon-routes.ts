import type { RouteContext } from '#platform/http/service.ts'
import { drawIcon, renderIconSvg, toIco } from '../pictures/icons.ts'
import { loadReader } from '../server/site-reader.ts'
import { getPalette } from '../server/theme.ts'

const config = { requires: 'public' as const }
/** Browsers request icons rarely, and a new logo shows within an hour. */
const kept = { 'cache-control': 'public, max-age=3600' }
const icoSide = 32

const icons = [
  { path: '/apple-touch-icon.png', side: 180, isOpaque: true },
  { path: '/icon-192.png', side: 192, isOpaque: false },
  { path: '/icon-512.png', side: 512, isOpaque: false }
]

/** Icons and web manifest, made from the logo, or from the first letter of the name. */
export function registerIconRoutes(scope: RouteContext): void {
  const { app } = scope

  app.get('/favicon.svg', {
    config,
    handler: async (request, reply) => {
      const { site } = await loadReader(scope, request)
      return reply.headers({ 'content-type': 'image/svg+xml', ...kept }).send(renderIconSvg(site))
    }
  })

  app.get('/favicon.ico', {
    config,
    handler: async (request, reply) => {
      const { api, site } = await loadReader(scope, request)
      const png = await drawIcon(api, site, { side: icoSide, isOpaque: false })
      return reply.headers({ 'content-type': 'image/vnd.microsoft.icon', ...kept }).send(toIco(png, icoSide))
    }
  })

  for (const { path, ...size } of icons) {
    app.get(path, {
      config,
      handler: async (request, reply) => {
        const { api, site } = await loadReader(scope, request)
        return reply.headers({ 'content-type': 'image/png', ...kept }).send(await drawIcon(api, site, size))
      }
    })
  }

  app.get('/site.webmanifest', {
    config,
    handler: async (request, reply) => {
      const { site } = await loadReader(scope, request)
      const { background, accent } = getPalette(site, 'light')
      const manifest = {
        name: site.name,
        short_name: site.name.length > 12 ? (site.name.split(' ')[0] ?? '').slice(0, 20) : site.name,
        lang: site.defaultLanguage,
        start_url: '/',
        scope: '/',
        display: 'minimal-ui',
        background_color: background,
        theme_color: accent,
        icons: [192, 512].map(side => ({ src: `/icon-${side}.png`, sizes: `${side}x${side}`, type: 'image/png' }))
      }
      return reply
        .headers({ 'content-type': 'application/manifest+json; charset=utf-8', ...kept })
        .send(JSON.stringify(manifest))
    }
  })
}
