import { Type } from 'typebox'
import { ifMatch } from '#platform/conditional.ts'
import { once } from '#platform/idempotency.ts'
import type { Scope } from '#platform/service.ts'
import { visibleTo } from '../campaigns/campaign.ts'
import * as campaigns from '../campaigns/queries.ts'
import * as payments from '../payments/queries.ts'
import { NewPayment, Payment } from '../payments/schema.ts'
import { toPaymentJson } from '../payments/wire.ts'
import { campaignNotFound, donationNotFound } from '../problems.ts'
import { recordPayment, takeBackPayment } from './donation-payments.ts'
import * as donations from './queries.ts'
import { Donation } from './schema.ts'
import { forTreasurer, tagOf } from './wire.ts'

const OneDonation = Type.Object({ campaignId: Type.Integer(), donationId: Type.String({ format: 'uuid' }) })
const OnePayment = Type.Object({ ...OneDonation.properties, paymentId: Type.String({ format: 'uuid' }) })

/** What arrived for a donation and what went back, for treasurers. */
export function paymentRoutes(scope: Scope): void {
  const { app, db, settings, soon } = scope
  const needs = ['treasurer'] as const
  const path = '/campaigns/:campaignId/donations/:donationId/payments'

  app.get(path, {
    config: { needs },
    schema: {
      summary: 'List the payments of a donation, oldest first',
      params: OneDonation,
      response: { 200: Type.Array(Payment) }
    },
    handler: async ({ caller, params: { campaignId, donationId } }) => {
      const [campaign, donation] = await Promise.all([
        campaigns.find(db, campaignId, visibleTo(caller)),
        donations.find(db, campaignId, donationId, 'all')
      ])
      if (campaign === undefined) throw campaignNotFound(campaignId)
      if (donation === undefined) throw donationNotFound()
      return (await payments.listOfDonations(db, [donation])).map(toPaymentJson)
    }
  })

  app.post(path, {
    config: { needs, creates: true },
    schema: {
      summary: 'Record money that arrived for a donation, or that went back',
      description:
        'The donation is TRANSFERRED once all that was promised is there, or with `accept`. If nothing is left of its money it is REFUNDED.',
      params: OneDonation,
      body: NewPayment,
      response: { 201: Donation }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const one = { campaignId: params.campaignId, id: params.donationId }
      const expected = ifMatch(request)
      const answer = await once(scope, request, reply, async tx => {
        const row = await recordPayment(tx, caller, one, body, { settings, expected })
        const location = `/campaigns/${one.campaignId}/donations/${one.id}`
        return { location, body: forTreasurer(row, settings), etag: tagOf(row, 'all') }
      })
      soon('fold-totals')
      if (settings.smtpUrl !== undefined) soon('send-mail')
      return answer
    }
  })

  app.delete(`${path}/:paymentId`, {
    config: { needs },
    schema: {
      summary: 'Take back a payment that was recorded by mistake',
      description: 'Those of bank statements and collections are taken back there.',
      params: OnePayment,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      const { campaignId, donationId, paymentId } = request.params
      const one = { campaignId, id: donationId }
      await takeBackPayment(db, request.caller, one, paymentId, { settings, expected: ifMatch(request) })
      soon('fold-totals')
      return reply.code(204).send(null)
    }
  })
}
