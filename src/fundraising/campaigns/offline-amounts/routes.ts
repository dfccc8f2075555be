import { Type } from 'typebox'
import { buildVersionEtag, parseIfMatch, requireVersion } from '#platform/http/etag.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { newCampaignNotFoundProblem } from '../../problems/campaigns.ts'
import { getVisibility } from '../campaign.ts'
import * as campaigns from '../queries.ts'
import { addOfflineAmount, removeOfflineAmount, toWire } from './offline-amount.ts'
import * as offlineAmounts from './queries.ts'
import { NewOfflineAmount, OfflineAmount } from './schema.ts'

const CampaignParams = Type.Object({ campaignId: Type.Integer() })
const OfflineAmountParams = Type.Object({
  campaignId: Type.Integer(),
  offlineAmountId: Type.String({ format: 'uuid' })
})

/** Offline amounts are added and deleted, never edited, so they have no versions. */
const onlyVersion = 1

export function registerOfflineAmountRoutes(scope: RouteContext): void {
  const { app, db, settings } = scope

  app.get('/campaigns/:campaignId/offline-amounts', {
    config: { requires: 'public', cache: { tags: ['fundraising', 'campaign :campaignId'] } },
    schema: {
      summary: 'List the offline amounts of a campaign, newest first',
      description:
        'Money that was collected outside of donations, such as a cash box or a matching gift. Its sum is `amountOffline` of the campaign.',
      problems: { 404: ['campaign-not-found'] },
      params: CampaignParams,
      response: { 200: Type.Array(OfflineAmount) }
    },
    handler: async ({ params: { campaignId }, caller }) => {
      const [campaign, rows] = await Promise.all([
        campaigns.find(db, campaignId, getVisibility(caller)),
        offlineAmounts.list(db, campaignId)
      ])
      if (campaign === undefined) throw newCampaignNotFoundProblem(campaignId)
      return rows.map(toWire)
    }
  })

  app.post('/campaigns/:campaignId/offline-amounts', {
    config: { requires: ['treasurer'], creates: true },
    schema: {
      summary: 'Create an offline amount',
      description:
        'It counts in the progress that pages show, and nowhere else: it is no donation, and no receipt, journal or total of donations includes it. It cannot be changed, only deleted.',
      problems: {
        400: ['text-missing'],
        404: ['campaign-not-found'],
        422: ['in-the-future', 'too-many-offline-amounts']
      },
      params: CampaignParams,
      body: NewOfflineAmount,
      response: { 201: OfflineAmount }
    },
    handler: async (request, reply) =>
      await withIdempotency(scope, request, reply, async tx => {
        const { campaignId } = request.params
        const actor = { by: request.caller, timezone: settings.timezone }
        const body = await addOfflineAmount(tx, actor, campaignId, request.body)
        const location = `/campaigns/${campaignId}/offline-amounts/${body.id}`
        return { location, body, etag: buildVersionEtag(onlyVersion) }
      })
  })

  app.delete('/campaigns/:campaignId/offline-amounts/:offlineAmountId', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Delete an offline amount',
      description: 'The activity log keeps its amount and label.',
      problems: { 404: ['campaign-not-found', 'offline-amount-not-found'] },
      params: OfflineAmountParams,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      requireVersion(parseIfMatch(request), onlyVersion)
      const { campaignId, offlineAmountId } = request.params
      await removeOfflineAmount(db, { by: request.caller }, campaignId, offlineAmountId)
      return reply.code(204).send(null)
    }
  })
}
