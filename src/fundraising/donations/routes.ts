import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Caller, may } from '#platform/access.ts'
import { ifMatch } from '#platform/conditional.ts'
import { csvIn } from '#platform/csv.ts'
import { once } from '#platform/idempotency.ts'
import { preferredLanguage } from '#platform/language.ts'
import { isDirect } from '#platform/local/direct.ts'
import { cursorOf, Paging, readCursor, rowsToFetch, sendPage, uuidIn } from '#platform/paging.ts'
import type { Scope } from '#platform/service.ts'
import { chunkRows, chunks, textLines } from '#platform/stream.ts'
import { visibleTo } from '../campaigns/campaign.ts'
import type { CampaignRow } from '../campaigns/queries.ts'
import * as campaigns from '../campaigns/queries.ts'
import { isDonorToken } from '../donor-token.ts'
import { donationLimit } from '../guard/guard.ts'
import * as notes from '../notes/queries.ts'
import * as payments from '../payments/queries.ts'
import { toPaymentJson } from '../payments/wire.ts'
import { campaignNotFound, donationNotFound, noDonationForToken } from '../problems.ts'
import * as receipts from '../receipts/queries.ts'
import { canHaveSimplifiedProof } from '../receipts/simplified-proof.ts'
import { forOwner as receiptForOwner, forTreasurer as receiptForTreasurer } from '../receipts/wire.ts'
import { changeDonation, deleteDonation, donate } from './donation.ts'
import { changeOwnDonation } from './own-donation.ts'
import type { DonationRow } from './queries.ts'
import * as donations from './queries.ts'
import {
  Donation,
  DonationChange,
  DonationOfDonor,
  DonationWithHistory,
  MadeDonation,
  NewDonation,
  OwnDonationChange
} from './schema.ts'
import { listHistory } from './status-queries.ts'
import { csvHead, csvLine, forDonor, forOwner, forPublic, forTreasurer, ownTag, tagOf } from './wire.ts'

const OfCampaign = Type.Object({ campaignId: Type.Integer() })
const OneDonation = Type.Object({ campaignId: Type.Integer(), donationId: Type.String({ format: 'uuid' }) })

export function donationRoutes(scope: Scope): void {
  const { app, db, settings, soon } = scope

  async function visibleCampaign(caller: Caller, campaignId: number): Promise<CampaignRow> {
    const campaign = await campaigns.find(db, campaignId, visibleTo(caller))
    if (campaign === undefined) throw campaignNotFound(campaignId)
    return campaign
  }

  /** Neither the organisation nor the machine itself is held back. */
  const perAccount = (request: FastifyRequest) =>
    may(request.caller, 'treasurer') || isDirect(request.raw, settings) ? 0 : settings.rateLimitDonationsPerAccount

  const languageOf = (request: FastifyRequest) =>
    preferredLanguage(request.headers['accept-language'], settings.defaultLanguage)

  app.post('/campaigns/:campaignId/donations', {
    config: { needs: 'nothing', creates: true, limit: donationLimit(settings) },
    schema: { summary: 'Donate', params: OfCampaign, body: NewDonation, response: { 201: MadeDonation } },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const answer = await once(scope, request, reply, async tx => {
        const row = await donate(
          tx,
          caller,
          params.campaignId,
          { language: languageOf(request), ...body },
          { settings, perAccount: perAccount(request) }
        )
        const location = `/campaigns/${row.campaignId}/donations/${row.id}`
        const shown = may(caller, 'treasurer') ? forTreasurer(row, settings) : forDonor(row)
        return { location, body: { ...shown, donorToken: row.donorToken } }
      })
      soon('fold-totals')
      // To the donor, or to treasurers about one that waits for them.
      if (settings.smtpUrl !== undefined) soon('send-mail')
      return answer
    }
  })

  app.get('/campaigns/:campaignId/donations', {
    config: { needs: 'nothing', shared: { restsOn: ['fundraising', 'campaign :campaignId'] } },
    schema: {
      summary: 'List the donations to a campaign, newest first',
      params: OfCampaign,
      querystring: Paging,
      response: { 200: Type.Array(Donation) }
    },
    handler: async (request, reply) => {
      const { caller, params, query } = request
      const { donationCount } = await visibleCampaign(caller, params.campaignId)
      const all = may(caller, 'treasurer')
      const beforeId = readCursor(query.cursor, uuidIn)
      const which = all ? 'all' : 'live'
      const rowsMax = rowsToFetch(query.limit)
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
        cursorAfter: (row: DonationRow) => cursorOf(row.id)
      }
      return sendPage(request, reply, settings, page).map(row => (all ? forTreasurer(row, settings) : forPublic(row)))
    }
  })

  app.get('/campaigns/:campaignId/donations.csv', {
    config: { needs: ['treasurer'], isExport: true },
    schema: {
      summary: 'All donations to a campaign as a table, newest first',
      description: 'With Accept-Language: de in the form that German spreadsheets expect.',
      params: OfCampaign,
      produces: 'text/csv',
      response: { 200: Type.String() }
    },
    handler: async (request, reply) => {
      const { caller, params } = request
      const { currency } = await visibleCampaign(caller, params.campaignId)
      const language = languageOf(request)
      const csv = csvIn(language)
      // Taken before the rows are: what changes meanwhile makes the tag old, never the content.
      reply.header('etag', `"${language}-${await donations.fingerprint(db, params.campaignId)}"`)
      const rows = chunks<DonationRow>(after =>
        donations.listOfCampaign(db, params.campaignId, 'all', { beforeId: after?.id, rows: chunkRows })
      )
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="donations-${params.campaignId}.csv"`)
        .header('content-language', language)
        .header('cache-control', 'no-store')
        .serializer(String)
        .send(textLines(csv.head(csvHead[language]), rows, row => csvLine(csv, row, { currency, settings })) as never)
    }
  })

  app.get('/campaigns/:campaignId/donations/:donationId', {
    config: { needs: 'nothing', shared: { restsOn: ['fundraising', 'campaign :campaignId'] } },
    schema: { summary: 'Read a donation', params: OneDonation, response: { 200: DonationWithHistory } },
    handler: async ({ caller, params }, reply) => {
      const { campaignId, donationId } = params
      await visibleCampaign(caller, campaignId)
      const all = may(caller, 'treasurer')
      const one = { campaignId, id: donationId }
      const [row, history, noted, issued, paid] = await Promise.all([
        donations.find(db, campaignId, donationId, all ? 'all' : 'live'),
        all ? listHistory(db, campaignId, donationId) : [],
        all ? notes.listOfDonation(db, campaignId, donationId) : [],
        all ? receipts.listOfDonation(db, one) : [],
        all ? payments.listOfDonations(db, [one]) : []
      ])
      if (row === undefined) throw donationNotFound()
      reply.header('etag', tagOf(row, all ? 'all' : 'public', noted, issued))
      if (!all) return forPublic(row)
      const certified = issued.map(receiptForTreasurer)
      return {
        ...forTreasurer(row, settings),
        ...{ history, notes: noted, receipts: certified, payments: paid.map(toPaymentJson) }
      }
    }
  })

  app.patch('/campaigns/:campaignId/donations/:donationId', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'Move a donation on to its next status, or correct it',
      params: OneDonation,
      body: DonationChange,
      response: { 200: Donation }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const one = { campaignId: params.campaignId, id: params.donationId }
      const row = await changeDonation(db, caller, one, body, ifMatch(request), { settings })
      soon('fold-totals')
      if (settings.smtpUrl !== undefined) soon('send-mail')
      reply.header('etag', tagOf(row, 'all'))
      return forTreasurer(row, settings)
    }
  })

  app.delete('/campaigns/:campaignId/donations/:donationId', {
    config: { needs: ['treasurer'] },
    schema: {
      summary: 'Cancel a donation whose money has not come',
      params: OneDonation,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      const { campaignId, donationId } = request.params
      await deleteDonation(db, request.caller, { campaignId, id: donationId }, ifMatch(request))
      soon('fold-totals')
      return reply.code(204).send(null)
    }
  })

  app.get('/donations/by-token/:token', {
    config: { needs: 'nothing' },
    schema: {
      summary: 'Look at an own donation, with the token that came when it was made',
      description: 'Also when it was cancelled, and when its campaign is closed or deleted.',
      params: Type.Object({ token: Type.String() }),
      response: { 200: DonationOfDonor }
    },
    handler: async ({ params }, reply) => {
      const { row, shown } = await ownDonation(params.token)
      reply.headers({ 'cache-control': 'private, no-store', etag: ownTag(row, shown) })
      return shown
    }
  })

  app.patch('/donations/by-token/:token', {
    config: { needs: 'nothing' },
    schema: {
      summary: 'Add to an own donation how you can be reached and where the receipt goes',
      description: 'What is sent is not shown again: the answer only says that it is known.',
      params: Type.Object({ token: Type.String() }),
      body: OwnDonationChange,
      response: { 200: DonationOfDonor }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      if (!isDonorToken(params.token)) throw noDonationForToken()
      await changeOwnDonation(db, caller, params.token, body, { settings, expected: ifMatch(request) })
      if (settings.smtpUrl !== undefined) soon('send-mail')
      const { row, shown } = await ownDonation(params.token)
      reply.headers({ 'cache-control': 'private, no-store', etag: ownTag(row, shown) })
      return shown
    }
  })

  async function ownDonation(token: string): Promise<{ row: DonationRow; shown: DonationOfDonor }> {
    const row = isDonorToken(token) ? await donations.findByToken(db, token) : undefined
    if (row === undefined) throw noDonationForToken()
    const [history, issued, canHaveProof] = await Promise.all([
      listHistory(db, row.campaignId, row.id),
      receipts.listOfDonation(db, row),
      canHaveSimplifiedProof(db, settings, row)
    ])
    const shown = {
      ...forOwner(row, history, settings.defaultLanguage),
      receipts: issued.filter(receipt => receipt.state === 'issued').map(receiptForOwner),
      canHaveSimplifiedProof: canHaveProof
    }
    return { row, shown }
  }
}
