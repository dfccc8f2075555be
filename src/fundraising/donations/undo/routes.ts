import { Type } from 'typebox'
import { parseIfMatch } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { negotiateLanguage } from '#platform/language.ts'
import { BulkRelease, BulkResult } from '../all-donations/schema.ts'
import { Donation } from '../schema.ts'
import { buildDonationEtag, forTreasurer } from '../wire.ts'
import { undoChange, undoChanges } from './undo.ts'

const DonationParams = Type.Object({ campaignId: Type.Integer(), donationId: Type.String({ format: 'uuid' }) })

/** Undo of status changes, for treasurers. */
export function registerUndoRoutes({ app, db, settings, enqueueSoon }: RouteContext): void {
  app.post('/campaigns/:campaignId/donations/:donationId/undo', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Undo the latest status change of a donation',
      description:
        'Also removes the payments that the change recorded. 409 with the reason if a receipt, a direct debit batch or a later payment depends on it.',
      problems: {
        404: [
          'campaign-not-found',
          'collection-not-found',
          'donation-not-found',
          'entry-not-found',
          'statement-not-found'
        ],
        409: [
          'donation-has-moved-on',
          'donation-has-receipt',
          'donor-is-erased',
          'entry-cannot-be-assigned',
          'entry-is-assigned',
          'entry-is-outgoing',
          'entry-is-shared',
          'later-payments',
          'nothing-to-undo',
          'payment-of-bank-entry',
          'payment-of-collection'
        ],
        422: [
          'amounts-missing',
          'collection-alone',
          'collection-not-found',
          'donation-missing',
          'donation-not-found',
          'donation-or-donations',
          'ignored-and-assigned',
          'illegal-review',
          'illegal-status-change',
          'more-than-received',
          'no-extra',
          'other-currency',
          'remember-without-ignored',
          'shares-differ',
          'too-large'
        ]
      },
      params: DonationParams,
      response: { 200: Donation }
    },
    handler: async (request, reply) => {
      const { caller, params } = request
      const one = { campaignId: params.campaignId, id: params.donationId }
      const row = await undoChange(db, { by: caller, expected: parseIfMatch(request), settings }, one)
      enqueueSoon('fold-totals')
      reply.header('etag', buildDonationEtag(row, 'all'))
      return forTreasurer(row, settings)
    }
  })

  app.post('/donations/undo', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Undo the latest status change of several donations',
      description:
        'Each donation is changed or rejected separately: the response has a result for each, with the reason of a rejection.',
      problems: { 400: ['wrong-number'] },
      body: BulkRelease,
      response: { 200: BulkResult }
    },
    handler: async request => {
      const language = negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)
      const undone = await undoChanges(db, request.caller, request.body, { settings, language })
      enqueueSoon('fold-totals')
      return undone
    }
  })
}
