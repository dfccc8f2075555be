import type { FastifyRequest } from 'fastify'
import { urlOf } from '#platform/links.ts'
import type { Scope } from '#platform/service.ts'
import { pathTo } from '../paths.ts'
import type { SiteInfo } from '../site-info.ts'

const config = { needs: 'nothing' as const }
const dayMs = 86_400_000
/** RFC 9116 asks for less than a year. By whole days, so that the file stays the same for a day. */
const validDays = 180

type ReadSite = (request: FastifyRequest) => Promise<{ site: SiteInfo }>

/** Addresses that programs look for on every site: whom to tell of a security problem, and where a password is changed. */
export function wellKnownRoutes({ app, settings }: Scope, readSite: ReadSite): void {
  app.get('/.well-known/security.txt', {
    config,
    handler: async (request, reply) => {
      const { site } = await readSite(request)
      const { contactEmail, defaultLanguage, languages } = site
      const expires = new Date((Math.floor(Date.now() / dayMs) + validDays) * dayMs)
      const imprint = urlOf(request, settings, pathTo('imprint', defaultLanguage))
      const canonical = urlOf(request, settings, '/.well-known/security.txt')
      const fields = [
        `Contact: ${contactEmail === null ? imprint : `mailto:${encodeAddress(contactEmail)}`}`,
        `Expires: ${expires.toISOString()}`,
        `Preferred-Languages: ${languages.join(', ')}`,
        // A request can name any host; only what was set says where the file belongs.
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

/** An address in a mailto link: what has a meaning there is encoded (RFC 6068), the @ is kept. */
const encodeAddress = (email: string) => encodeURIComponent(email).replaceAll('%40', '@')
