import { Type } from 'typebox'
import { parseIfMatch } from '#platform/http/etag.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { getVisibility } from '../../campaigns/campaign.ts'
import * as campaigns from '../../campaigns/queries.ts'
import { newCampaignNotFoundProblem } from '../../problems/campaigns.ts'
import { newDonationNotFoundProblem } from '../../problems/donations.ts'
import { recordPayment, takeBackPayment } from '../donation-payments.ts'
import * as payments from '../payments/queries.ts'
import { NewPayment, Payment } from '../payments/schema.ts'
import { toPaymentJson } from '../payments/wire.ts'
import * as donations from '../queries.ts'
import { Donation } from '../schema.ts'
import { buildDonationEtag, forTreasurer } from '../wire.ts'

const DonationParams = Type.Object({ campaignId: Type.Integer(), donationId: Type.String({ format: 'uuid' }) })
const PaymentParams = Type.Object({ ...DonationParams.properties, paymentId: Type.String({ format: 'uuid' }) })

/** Payments and returns of a donation, for treasurers. */
export function registerPaymentRoutes(scope: RouteContext): void {
  const { app, db, settings, enqueueSoon } = scope
  const needs = ['treasurer'] as const
  const path = '/campaigns/:campaignId/donations/:donationId/payments'

  app.get(path, {
    config: { requires: needs },
    schema: {
      summary: 'List payments of a donation, oldest first',
      description: 'Source, date and amount; negative amounts are refunds and returns.',
      problems: { 404: ['campaign-not-found', 'donation-not-found'] },
      params: DonationParams,
      response: { 200: Type.Array(Payment) }
    },
    handler: async ({ caller, params: { campaignId, donationId } }) => {
      const [campaign, donation] = await Promise.all([
        campaigns.find(db, campaignId, getVisibility(caller)),
        donations.find(db, campaignId, donationId, 'all')
      ])
      if (campaign === undefined) throw newCampaignNotFoundProblem(campaignId)
      if (donation === undefined) throw newDonationNotFoundProblem()
      return (await payments.listOfDonations(db, [donation])).map(toPaymentJson)
    }
  })

  app.post(path, {
    config: { requires: needs, creates: true },
    schema: {
      summary: 'Record a payment or a refund of a donation',
      description:
        'The donation becomes TRANSFERRED once the pledged amount is received, or with `accept`; it becomes REFUNDED if the balance of its payments is zero.',
      problems: {
        400: ['zero'],
        404: ['campaign-not-found', 'donation-not-found'],
        409: ['donation-has-receipt', 'donation-is-over', 'later-payments'],
        422: ['illegal-review', 'in-the-future', 'more-than-received', 'too-large']
      },
      params: DonationParams,
      body: NewPayment,
      response: { 201: Donation }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const one = { campaignId: params.campaignId, id: params.donationId }
      const expected = parseIfMatch(request)
      const answer = await withIdempotency(scope, request, reply, async tx => {
        const row = await recordPayment(tx, { by: caller, settings, expected }, one, body)
        const location = `/campaigns/${one.campaignId}/donations/${one.id}`
        return { location, body: forTreasurer(row, settings), etag: buildDonationEtag(row, 'all') }
      })
      enqueueSoon('fold-totals')
      if (settings.smtpUrl !== undefined) enqueueSoon('send-emails')
      return answer
    }
  })

  app.delete(`${path}/:paymentId`, {
    config: { requires: needs },
    schema: {
      summary: 'Delete a payment that was recorded by mistake',
      description: 'Payments from bank statements and direct debit batches are undone there.',
      problems: {
        404: ['campaign-not-found', 'donation-not-found', 'payment-not-found'],
        409: ['donation-has-receipt', 'later-payments', 'payment-of-bank-entry', 'payment-of-collection'],
        422: ['illegal-review', 'more-than-received', 'too-large']
      },
      params: PaymentParams,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      const { campaignId, donationId, paymentId } = request.params
      const one = { campaignId, id: donationId }
      await takeBackPayment(db, { by: request.caller, settings, expected: parseIfMatch(request) }, one, paymentId)
      enqueueSoon('fold-totals')
      return reply.code(204).send(null)
    }
  })
}
