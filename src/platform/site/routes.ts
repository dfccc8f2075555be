import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, may } from '../access.ts'
import { contentTag, ifMatch } from '../conditional.ts'
import type { Scope } from '../service.ts'
import type { SiteRow } from './queries.ts'
import * as site from './queries.ts'
import { Site, SiteChanges } from './schema.ts'
import { changeSite, shownSite, takeEffect } from './site.ts'

export function siteRoutes({ app, db, settings }: Scope): void {
  app.get('/site', {
    config: { needs: 'nothing', shared: { restsOn: ['site'] } },
    schema: { summary: 'What the site is called and says of itself', response: { 200: Site } },
    handler: async ({ caller }, reply) => answered(await site.find(db), caller, reply)
  })

  app.patch('/site', {
    config: { needs: ['admin'], needsConfirmation: changesProtected },
    schema: { summary: 'Change the site’s settings and texts', body: SiteChanges, response: { 200: Site } },
    handler: async (request, reply) => {
      const { caller, body } = request
      const row = await changeSite(db, caller, settings, body, ifMatch(request))
      takeEffect(settings, row)
      return answered(row, caller, reply)
    }
  })

  /** Another account, or whether a second person confirms accounts. */
  async function changesProtected({ body }: FastifyRequest): Promise<boolean> {
    const { account, secondPersonForAccounts } = body as SiteChanges
    if (secondPersonForAccounts !== undefined && secondPersonForAccounts !== (await site.isSecondPersonNeeded(db))) {
      return true
    }
    if (account === undefined) return false
    const before = await site.findAccountIban(db)
    return (account?.iban.replace(/\s/g, '').toUpperCase() ?? null) !== before
  }

  function answered(row: SiteRow, caller: Caller, reply: FastifyReply): Site {
    const body = shownSite(row, settings, may(caller, 'editor', 'treasurer'))
    reply.header('etag', contentTag(JSON.stringify(body), row.version))
    return body
  }
}
