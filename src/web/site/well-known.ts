import type { FastifyRequest } from 'fastify'
import { buildUrl } from '#platform/http/links.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { getPath } from '../server/paths.ts'
import type { SiteSettings } from '../server/site-settings.ts'

const config = { requires: 'public' as const }
const dayMs = 86_400_000
/** RFC 9116 recommends less than a year. Rounded to days, so that the file stays the same for a day. */
const validDays = 180

type ReadSite = (request: FastifyRequest) => Promise<{ site: SiteSettings }>

/** Well-known URLs: security contact, and where to change a password. */
export function registerWellKnownRoutes({ app, settings }: RouteContext, readSite: ReadSite): void {
  app.get('/.well-known/security.txt', {
    config,
    handler: async (request, reply) => {
      const { site } = await readSite(request)
      const { contactEmail, defaultLanguage, languages } = site
      const expires = new Date((Math.floor(Date.now() / dayMs) + validDays) * dayMs)
      const imprint = buildUrl(request, settings, getPath('imprint', defaultLanguage))
      const canonical = buildUrl(request, settings, '/.well-known/security.txt')
      const fields = [
        `Contact: ${contactEmail === null ? imprint : `mailto:${encodeAddress(contactEmail)}`}`,
        `Expires: ${expires.toISOString()}`,
        `Preferred-Languages: ${languages.join(', ')}`,
        // The Host header is not trusted; only PUBLIC_URL gives the canonical URL.
        ...(settings.publicUrl === undefined ? [] : [`Canonical: ${canonical}`])
      ]
      return reply.header('content-type', 'text/plain; charset=utf-8').send(`${fields.join('\n')}\n`)
    }
  })

  app.get('/.well-known/change-password', {
    config,
    handler: async (_request, reply) => reply.redirect('/admin/account', 302)
  })
}

/** Encodes an address for a mailto link (RFC 6068), except the @. */
const encodeAddress = (email: string) => encodeURIComponent(email).replaceAll('%40', '@')
