import { Type } from 'typebox'
import { decodeCursor, encodeCursor, getFetchSize, Paging, parseUuid, sendPage } from '#platform/http/paging.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { getVisibility } from '../../campaigns/campaign.ts'
import * as campaigns from '../../campaigns/queries.ts'
import { newCampaignNotFoundProblem } from '../../problems/campaigns.ts'
import * as thanks from './queries.ts'
import { ThankedDonor } from './schema.ts'

export function registerThanksRoutes({ app, db, settings }: RouteContext): void {
  app.get('/campaigns/:campaignId/thanks', {
    config: { requires: 'public', cache: { tags: ['fundraising', 'campaign :campaignId'] } },
    schema: {
      summary: 'List the donors who agreed to be named, latest first',
      description:
        'Each name once, as soon as the donation is received or a treasurer has approved the name. Without amounts: donors agree to show their name.',
      problems: { 404: ['campaign-not-found'] },
      params: Type.Object({ campaignId: Type.Integer() }),
      querystring: Paging,
      response: { 200: Type.Array(ThankedDonor) }
    },
    handler: async (request, reply) => {
      const { caller, params, query } = request
      const found = await campaigns.find(db, params.campaignId, getVisibility(caller))
      if (found === undefined) throw newCampaignNotFoundProblem(params.campaignId)
      const beforeId = decodeCursor(query.cursor, parseUuid)
      const [rows, total] = await Promise.all([
        thanks.listNames(db, params.campaignId, { beforeId, rows: getFetchSize(query.limit) }),
        thanks.countNames(db, params.campaignId)
      ])
      const cursorAfter = ({ id }: { id: string }) => encodeCursor(id)
      return sendPage(request, reply, settings, { rows, limit: query.limit, total, cursorAfter }).map(({ name }) => ({
        name
      }))
    }
  })
}
