import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, hasRole } from '../caller.ts'
import { buildContentEtag, parseIfMatch } from '../http/etag.ts'
import type { RouteContext } from '../http/service.ts'
import { listLinks } from '../pages/queries.ts'
import type { SiteRow } from './queries.ts'
import * as site from './queries.ts'
import { Site, SiteAppearance, SiteChanges } from './schema.ts'
import { applySiteSettings, changeSite, toSite } from './site.ts'

export function registerSiteRoutes({ app, db, settings }: RouteContext): void {
  app.get('/site', {
    config: { requires: 'public', cache: { tags: ['site'] } },
    schema: {
      summary: 'Get site settings',
      description:
        'Name, languages, time zone, currency, appearance and menus. Editors and treasurers also see settings that are not public.',
      response: { 200: Site }
    },
    handler: async ({ caller }, reply) => await answered(await site.find(db), caller, reply)
  })

  app.patch('/site', {
    config: { requires: ['admin'], requiresConfirmation: changesProtected },
    schema: {
      summary: 'Update site settings',
      description:
        'Omitted fields are kept. Settings that the environment of the server fixes cannot be changed. Changing the account for donations may need a second person.',
      problems: {
        400: ['empty'],
        409: ['second-person-needed', 'set-by-environment', 'too-few-people'],
        422: ['not-offered']
      },
      body: SiteChanges,
      response: { 200: Site }
    },
    handler: async (request, reply) => {
      const { caller, body } = request
      const row = await changeSite(db, { by: caller, settings, expected: parseIfMatch(request) }, body)
      applySiteSettings(settings, row)
      return await answered(row, caller, reply)
    }
  })

  app.patch('/site/appearance', {
    config: { requires: ['editor'] },
    schema: {
      summary: 'Update the appearance of the site',
      description: 'The settings that editors may change: colours, logo, image of the home page, social networks.',
      body: SiteAppearance,
      response: { 200: Site }
    },
    handler: async (request, reply) => {
      const { caller, body } = request
      const context = { by: caller, settings, expected: parseIfMatch(request) }
      return await answered(await changeSite(db, context, pickAppearance(body)), caller, reply)
    }
  })

  /** True if the request changes the account or the rule of the second person. */
  async function changesProtected({ body }: FastifyRequest): Promise<boolean> {
    const { account, secondPersonForAccounts } = body as SiteChanges
    if (secondPersonForAccounts !== undefined && secondPersonForAccounts !== (await site.isSecondPersonNeeded(db))) {
      return true
    }
    if (account === undefined) return false
    const before = await site.findAccountIban(db)
    return (account?.iban.replace(/\s/g, '').toUpperCase() ?? null) !== before
  }

  async function answered(row: SiteRow, caller: Caller, reply: FastifyReply): Promise<Site> {
    const body = toSite(row, settings, await listLinks(db), hasRole(caller, 'editor', 'treasurer'))
    reply.header('etag', buildContentEtag(JSON.stringify(body), row.version))
    return body
  }
}

/** Only what the schema has: unknown members are ignored, and may be other settings. */
function pickAppearance(body: SiteAppearance): SiteAppearance {
  const names = Object.keys(SiteAppearance.properties) as (keyof SiteAppearance)[]
  return Object.fromEntries(names.filter(name => body[name] !== undefined).map(name => [name, body[name]]))
}
