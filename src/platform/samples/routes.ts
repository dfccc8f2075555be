import { preferredLanguage } from '../language.ts'
import type { Scope, Service } from '../service.ts'
import { listSamples, removeSamples } from './sample.ts'
import { SampleList, SamplesRemoved } from './schema.ts'

export function sampleRoutes({ app, db, settings }: Scope, services: Service[]): void {
  app.get('/samples', {
    config: { needs: ['editor', 'treasurer'] },
    schema: {
      summary: 'List sample content: how much of each kind, and which',
      description: 'What somebody has edited is their own, and no sample content any more.',
      response: { 200: SampleList }
    },
    handler: async () => ({ kinds: await listSamples(db) })
  })

  app.delete('/samples', {
    config: { needs: ['admin'] },
    schema: {
      summary: 'Remove sample content permanently',
      description:
        'Removes what is left of the sample content, with the donations to sample campaigns; none of it goes to the trash. ' +
        'Kept, and named in the answer with the reason: what real money, a receipt or your own content rests on. ' +
        'Answers with empty lists if there is none.',
      response: { 200: SamplesRemoved }
    },
    handler: async ({ caller, headers }) => {
      const language = preferredLanguage(headers['accept-language'], settings.defaultLanguage)
      const { removed, kept } = await removeSamples(
        db,
        caller,
        settings,
        services.map(service => service.removeSamples)
      )
      return { removed, kept: kept.map(one => ({ ...one, reason: one.reason[language] })) }
    }
  })
}
