import { Type } from 'typebox'
import { ifMatch } from '#platform/conditional.ts'
import { preferredLanguage } from '#platform/language.ts'
import type { Scope } from '#platform/service.ts'
import { Donation } from '../donations/schema.ts'
import { forTreasurer, tagOf } from '../donations/wire.ts'
import { Release, StatusMoved } from '../ledger/schema.ts'
import { undoChange, undoChanges } from './undo.ts'

const OneDonation = Type.Object({ campaignId: Type.Integer(), donationId: Type.String({ format: 'uuid' }) })

/** Taking back changes of status, for treasurers. */
export function undoRoutes({ app, db, settings, soon }: Scope): void {
  app.post('/campaigns/:campaignId/donations/:donationId/undo', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'Undo the newest status change of a donation',
      description:
        'With the payments that the change recorded. 409 with the reason if something rests on it: a receipt, a collection, or a later payment.',
      params: OneDonation,
      response: { 200: Donation }
    },
    handler: async (request, reply) => {
      const { caller, params } = request
      const one = { campaignId: params.campaignId, id: params.donationId }
      const row = await undoChange(db, caller, one, ifMatch(request), { settings })
      soon('fold-totals')
      reply.header('etag', tagOf(row, 'all'))
      return forTreasurer(row, settings)
    }
  })

  app.post('/donations/undo', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'Undo the newest status change of several donations',
      body: Release,
      response: { 200: StatusMoved }
    },
    handler: async request => {
      const language = preferredLanguage(request.headers['accept-language'], settings.defaultLanguage)
      const undone = await undoChanges(db, request.caller, request.body, { settings, language })
      soon('fold-totals')
      return undone
    }
  })
}
