import { Type } from 'typebox'
import { decodeCursor, encodeCursor, getFetchSize, parseUuid, sendPage } from '#platform/http/paging.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { getDonationRateLimit } from '../../../donations/abuse-protection/abuse-protection.ts'
import * as donations from '../../../donations/queries.ts'
import { isDonorToken } from '../../../encryption/donor-token.ts'
import { parseCampaignId, parseReference } from '../../../money/reference.ts'
import * as organisation from '../../../organisation/queries.ts'
import { newMandateNotFoundProblem, newNoDirectDebitProblem } from '../../../problems/direct-debit.ts'
import { newDonationTokenNotFoundProblem } from '../../../problems/donations.ts'
import { buildMandateTerms, revokeMandate } from './mandate.ts'
import type { MandateRow } from './queries.ts'
import * as mandates from './queries.ts'
import { Mandate, MandateQuery, MandateTerms, OwnMandate } from './schema.ts'
import { getMandateStatus, toWire } from './wire.ts'

const MandateParams = Type.Object({ reference: Type.String() })

export function registerMandateRoutes({ app, db, settings }: RouteContext): void {
  async function found(text: string): Promise<MandateRow> {
    const reference = parseReference(text)
    const row = reference === undefined ? undefined : await mandates.find(db, parseCampaignId(reference), reference)
    if (row === undefined) throw newMandateNotFoundProblem()
    return row
  }

  app.get('/mandate', {
    config: { requires: 'public', cache: { tags: ['fundraising'] } },
    schema: {
      summary: 'Get the current SEPA mandate text',
      description: '404 if the organisation has no legal name or no creditor identifier.',
      problems: { 404: ['no-direct-debit'] },
      response: { 200: MandateTerms }
    },
    handler: async () => {
      const terms = buildMandateTerms(await organisation.find(db))
      if (terms === undefined) throw newNoDirectDebitProblem()
      return terms
    }
  })

  app.get('/mandates', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'List mandates, newest first',
      description:
        'Filter by campaign and status. Account numbers are stored with the donation and are not part of a mandate.',
      querystring: MandateQuery,
      response: { 200: Type.Array(Mandate) }
    },
    handler: async (request, reply) => {
      const { limit, cursor, ...filter } = request.query
      const [rows, total] = await Promise.all([
        mandates.list(db, filter, { beforeId: decodeCursor(cursor, parseUuid), rows: getFetchSize(limit) }),
        mandates.count(db, filter)
      ])
      const cursorAfter = (row: MandateRow) => encodeCursor(row.donationId)
      return sendPage(request, reply, settings, { rows, limit, total, cursorAfter }).map(toWire)
    }
  })

  app.get('/mandates/:reference', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Get a mandate',
      description: 'The text that was agreed to, when, and whether it was revoked.',
      problems: { 404: ['mandate-not-found'] },
      params: MandateParams,
      response: { 200: Mandate }
    },
    handler: async ({ params }) => toWire(await found(params.reference))
  })

  app.post('/mandates/:reference/revoke', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Revoke a mandate',
      description: 'The donation then awaits a transfer. Idempotent.',
      problems: { 404: ['mandate-not-found'], 409: ['debit-is-at-the-bank'] },
      params: MandateParams,
      response: { 200: Mandate }
    },
    handler: async ({ caller, params }) => {
      const { reference } = await revokeMandate(db, caller, await found(params.reference))
      return toWire(await found(reference))
    }
  })

  app.post('/donations/by-token/:token/mandate/revoke', {
    config: { requires: 'public', rateLimit: getDonationRateLimit(settings) },
    schema: {
      summary: 'Revoke the mandate of your donation',
      description: 'Needs the donor token. The donation then awaits a transfer.',
      problems: { 404: ['donation-not-found', 'mandate-not-found'], 409: ['debit-is-at-the-bank'] },
      params: Type.Object({ token: Type.String() }),
      response: { 200: OwnMandate }
    },
    handler: async ({ caller, params }, reply) => {
      const own = isDonorToken(params.token) ? await donations.findByToken(db, params.token) : undefined
      if (own === undefined) throw newDonationTokenNotFoundProblem()
      const row = await revokeMandate(db, caller, { campaignId: own.campaignId, donationId: own.id })
      reply.header('cache-control', 'private, no-store')
      return { reference: row.reference, status: getMandateStatus(row), revokedAt: row.revokedAt }
    }
  })
}
