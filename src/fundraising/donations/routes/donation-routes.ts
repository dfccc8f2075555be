import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Caller, hasRole } from '#platform/caller.ts'
import { newCsvWriter } from '#platform/csv/csv.ts'
import { defaultBatchRows, fetchBatches, streamLines } from '#platform/database/streaming.ts'
import { isLocalRequest } from '#platform/http/client-address.ts'
import { parseIfMatch } from '#platform/http/etag.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import { decodeCursor, encodeCursor, getFetchSize, Paging, parseUuid, sendPage } from '#platform/http/paging.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { negotiateLanguage } from '#platform/language.ts'
import { getVisibility } from '../../campaigns/campaign.ts'
import type { CampaignRow } from '../../campaigns/queries.ts'
import * as campaigns from '../../campaigns/queries.ts'
import * as news from '../../news/queries.ts'
import { signMandate } from '../../payments/direct-debit/mandates/mandate.ts'
import { newCampaignNotFoundProblem } from '../../problems/campaigns.ts'
import { newDonationNotFoundProblem } from '../../problems/donations.ts'
import * as receipts from '../../receipts/queries.ts'
import { forTreasurer as receiptForTreasurer } from '../../receipts/wire.ts'
import { getDonationRateLimit } from '../abuse-protection/abuse-protection.ts'
import { donate } from '../donate.ts'
import { changeDonation, deleteDonation } from '../donation.ts'
import type { DonationRow } from '../donation-row.ts'
import * as notes from '../notes/queries.ts'
import * as payments from '../payments/queries.ts'
import { toPaymentJson } from '../payments/wire.ts'
import * as donations from '../queries.ts'
import { Donation, DonationChange, DonationWithHistory, DonationWithToken, NewDonation } from '../schema.ts'
import { listHistory } from '../status-queries.ts'
import { buildCsvHeader, buildCsvLine, buildDonationEtag, forDonor, forPublic, forTreasurer } from '../wire.ts'

const CampaignParams = Type.Object({ campaignId: Type.Integer() })
const DonationParams = Type.Object({ campaignId: Type.Integer(), donationId: Type.String({ format: 'uuid' }) })

export function registerDonationRoutes(scope: RouteContext): void {
  const { app, db, settings, enqueueSoon } = scope

  async function visibleCampaign(caller: Caller, campaignId: number): Promise<CampaignRow> {
    const campaign = await campaigns.find(db, campaignId, getVisibility(caller))
    if (campaign === undefined) throw newCampaignNotFoundProblem(campaignId)
    return campaign
  }

  /** No account limit for treasurers and local requests. */
  const perAccount = (request: FastifyRequest) =>
    hasRole(request.caller, 'treasurer') || isLocalRequest(request.raw, settings)
      ? 0
      : settings.rateLimitDonationsPerAccount

  const languageOf = (request: FastifyRequest) =>
    negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)

  app.post('/campaigns/:campaignId/donations', {
    config: { requires: 'public', creates: true, rateLimit: getDonationRateLimit(settings) },
    schema: {
      summary: 'Donate',
      description:
        'Creates a pending donation; treasurers can also record a received one. The response has the reference for the transfer and `donorToken`, with which the donor can read the donation later. The campaign must be open and the amount at least its minimum.',
      problems: {
        404: ['campaign-not-found'],
        409: ['campaign-has-ended', 'campaign-is-closed', 'campaign-is-draft', 'campaign-not-started'],
        422: [
          'campaign-without-direct-debit',
          'donation-too-small',
          'iban-not-for-direct-debit',
          'in-kind-missing',
          'in-kind-not-expected',
          'in-the-future',
          'kind-needs-received',
          'kind-needs-treasurer',
          'mandate-for-received-money',
          'mandate-text-changed',
          'news-without-email',
          'no-direct-debit',
          'no-payment',
          'not-a-person',
          'proof-of-work',
          'status-needs-treasurer'
        ],
        429: ['too-many-from-account']
      },
      params: CampaignParams,
      body: NewDonation,
      response: { 201: DonationWithToken }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const answer = await withIdempotency(scope, request, reply, async tx => {
        const row = await donate(
          tx,
          { by: caller, settings, perAccount: perAccount(request), signMandate },
          params.campaignId,
          { language: languageOf(request), ...body }
        )
        const location = `/campaigns/${row.campaignId}/donations/${row.id}`
        const shown = hasRole(caller, 'treasurer') ? forTreasurer(row, settings) : forDonor(row)
        return { location, body: { ...shown, donorToken: row.donorToken } }
      })
      enqueueSoon('fold-totals')
      // For the donor, or for treasurers if the donation waits for review.
      if (settings.smtpUrl !== undefined) enqueueSoon('send-emails')
      return answer
    }
  })

  app.get('/campaigns/:campaignId/donations', {
    config: { requires: 'public', cache: { tags: ['fundraising', 'campaign :campaignId'] } },
    schema: {
      summary: 'List donations to a campaign, newest first',
      description:
        'Public: amount, time and what donors agreed to show. Treasurers see everything, including cancelled donations.',
      problems: { 404: ['campaign-not-found'] },
      params: CampaignParams,
      querystring: Paging,
      response: { 200: Type.Array(Donation) }
    },
    handler: async (request, reply) => {
      const { caller, params, query } = request
      const { donationCount } = await visibleCampaign(caller, params.campaignId)
      const all = hasRole(caller, 'treasurer')
      const beforeId = decodeCursor(query.cursor, parseUuid)
      const which = all ? 'all' : 'live'
      const rowsMax = getFetchSize(query.limit)
      const [rows, notLive, positionsBefore] = await Promise.all([
        donations.listOfCampaign(db, params.campaignId, which, { beforeId, rows: rowsMax }),
        all ? donations.countNotLive(db, params.campaignId) : 0,
        beforeId === undefined ? [] : donations.listIdsBefore(db, params.campaignId, which, { beforeId, rows: rowsMax })
      ])
      const page = {
        rows,
        positionsBefore,
        limit: query.limit,
        total: donationCount + notLive,
        cursorAfter: (row: DonationRow) => encodeCursor(row.id)
      }
      return sendPage(request, reply, settings, page).map(row => (all ? forTreasurer(row, settings) : forPublic(row)))
    }
  })

  app.get('/campaigns/:campaignId/donations.csv', {
    config: { requires: ['treasurer'], isExport: true },
    schema: {
      summary: 'Export donations to a campaign as CSV, newest first',
      description: 'With `Accept-Language: de` the file has the format that German spreadsheets expect.',
      problems: { 404: ['campaign-not-found'] },
      params: CampaignParams,
      produces: 'text/csv',
      response: { 200: Type.String() }
    },
    handler: async (request, reply) => {
      const { caller, params } = request
      const { currency } = await visibleCampaign(caller, params.campaignId)
      const language = languageOf(request)
      const csv = newCsvWriter(language)
      // Computed before the rows are read: a concurrent change can make the ETag stale, never the content.
      reply.header('etag', `"${language}-${await donations.getFingerprint(db, params.campaignId)}"`)
      const rows = fetchBatches<DonationRow>(after =>
        donations.listOfCampaign(db, params.campaignId, 'all', { beforeId: after?.id, rows: defaultBatchRows })
      )
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="donations-${params.campaignId}.csv"`)
        .header('content-language', language)
        .header('cache-control', 'no-store')
        .serializer(String)
        .send(
          streamLines(csv.formatHeader(buildCsvHeader(language)), rows, row =>
            buildCsvLine(csv, row, { currency, settings })
          ) as never
        )
    }
  })

  app.get('/campaigns/:campaignId/donations/:donationId', {
    config: { requires: 'public', cache: { tags: ['fundraising', 'campaign :campaignId'] } },
    schema: {
      summary: 'Get a donation',
      description:
        'Public: amount, time and what the donor agreed to show. Treasurers see everything, with history, notes, receipts and payments.',
      problems: { 404: ['campaign-not-found', 'donation-not-found'] },
      params: DonationParams,
      response: { 200: DonationWithHistory }
    },
    handler: async ({ caller, params }, reply) => {
      const { campaignId, donationId } = params
      await visibleCampaign(caller, campaignId)
      const all = hasRole(caller, 'treasurer')
      const one = { campaignId, id: donationId }
      const [row, history, noted, issued, paid, agreed] = await Promise.all([
        donations.find(db, campaignId, donationId, all ? 'all' : 'live'),
        all ? listHistory(db, campaignId, donationId) : [],
        all ? notes.listOfDonation(db, campaignId, donationId) : [],
        all ? receipts.listOfDonation(db, one) : [],
        all ? payments.listOfDonations(db, [one]) : [],
        all ? news.findOfDonation(db, one) : undefined
      ])
      if (row === undefined) throw newDonationNotFoundProblem()
      reply.header(
        'etag',
        buildDonationEtag(row, all ? 'all' : 'public', { notes: noted, receipts: issued, news: agreed })
      )
      if (!all) return forPublic(row)
      const certified = issued.map(receiptForTreasurer)
      return {
        ...forTreasurer(row, settings),
        ...{ history, notes: noted, receipts: certified, payments: paid.map(toPaymentJson), news: agreed ?? null }
      }
    }
  })

  app.patch('/campaigns/:campaignId/donations/:donationId', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Update a donation or its status',
      description:
        'Only certain status changes are allowed; received money is recorded as a payment. Details of donor and payment can be corrected.',
      problems: {
        404: ['campaign-not-found', 'donation-not-found'],
        409: [
          'donation-has-payments',
          'donation-has-receipt',
          'donation-is-being-collected',
          'donor-is-erased',
          'later-payments'
        ],
        422: [
          'illegal-message-review',
          'illegal-review',
          'illegal-status-change',
          'in-kind-missing',
          'in-kind-not-expected',
          'in-the-future',
          'kind-needs-received',
          'less-than-received',
          'more-than-received',
          'no-payment',
          'too-large'
        ]
      },
      params: DonationParams,
      body: DonationChange,
      response: { 200: Donation }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const one = { campaignId: params.campaignId, id: params.donationId }
      const row = await changeDonation(db, { by: caller, expected: parseIfMatch(request), settings }, one, body)
      enqueueSoon('fold-totals')
      if (settings.smtpUrl !== undefined) enqueueSoon('send-emails')
      reply.header('etag', buildDonationEtag(row, 'all'))
      return forTreasurer(row, settings)
    }
  })

  app.delete('/campaigns/:campaignId/donations/:donationId', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Cancel a pending donation',
      description:
        'The donation is kept with the status CANCELLED and no longer counts. If money was received, record the refund instead.',
      problems: {
        404: ['campaign-not-found', 'donation-not-found'],
        409: ['donation-cannot-be-deleted', 'donation-has-payments', 'donation-is-being-collected'],
        422: ['illegal-review']
      },
      params: DonationParams,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      const { campaignId, donationId } = request.params
      await deleteDonation(db, { by: request.caller, expected: parseIfMatch(request) }, { campaignId, id: donationId })
      enqueueSoon('fold-totals')
      return reply.code(204).send(null)
    }
  })
}
