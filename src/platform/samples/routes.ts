import { buildContentEtag, parseIfMatch, requireVersion } from '../http/etag.ts'
import type { RouteContext, Service } from '../http/service.ts'
import { negotiateLanguage, pickByLanguage } from '../language.ts'
import { listSamples, removeSamples } from './sample.ts'
import { SampleList, SamplesRemoved } from './schema.ts'

/** Constant: the list as a whole is never edited. */
const onlyVersion = 1

export function registerSampleRoutes({ app, db, settings }: RouteContext, services: Service[]): void {
  app.get('/samples', {
    config: { requires: ['editor', 'treasurer'] },
    schema: {
      summary: 'List sample content with counts by kind',
      description: 'Edited items no longer count as sample content.',
      response: { 200: SampleList }
    },
    handler: async (_, reply) => {
      const kinds = await listSamples(db)
      reply.header('etag', buildContentEtag(JSON.stringify(kinds), onlyVersion))
      return { kinds }
    }
  })

  app.delete('/samples', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'Delete sample content permanently',
      description:
        'Deletes the remaining sample content and the donations to sample campaigns, bypassing the trash. ' +
        'Items that a real payment, a receipt or your own content refers to are kept and returned with the reason. ' +
        'Returns empty lists if there is none.',
      response: { 200: SamplesRemoved }
    },
    handler: async request => {
      requireVersion(parseIfMatch(request), onlyVersion)
      const { caller, headers } = request
      const language = negotiateLanguage(headers['accept-language'], settings.defaultLanguage)
      const { removed, kept } = await removeSamples(
        db,
        caller,
        settings,
        services.map(service => service.removeSamples)
      )
      return { removed, kept: kept.map(one => ({ ...one, reason: pickByLanguage(one.reason, language) })) }
    }
  })
}
