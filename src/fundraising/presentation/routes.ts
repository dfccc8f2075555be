import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { buildContentEtag, parseIfMatch } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { getVisibility } from '../campaigns/campaign.ts'
import * as campaigns from '../campaigns/queries.ts'
import { Campaign } from '../campaigns/schema.ts'
import { toWire } from '../campaigns/wire.ts'
import { toLocalDay } from '../dates.ts'
import * as organisation from '../organisation/queries.ts'
import { newCampaignNotFoundProblem } from '../problems/campaigns.ts'
import { changeCampaignPresentation, changePresentation, findTaxStatus } from './presentation.ts'
import type { CampaignPresentationRow, PresentationRow } from './queries.ts'
import * as presentations from './queries.ts'
import {
  CampaignPresentation,
  CampaignPresentationChange,
  Presentation,
  PresentationChange,
  type TaxStatus
} from './schema.ts'

const CampaignParams = Type.Object({ campaignId: Type.Integer() })
const EventQuery = Type.Object({
  eventId: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The id of an event of the calendar.'
  })
})
const writers = ['editor', 'treasurer'] as const

/** Who is responsible for campaigns, and the events that belong to them. */
export function registerPresentationRoutes({ app, db, settings }: RouteContext): void {
  app.get('/presentation', {
    config: { requires: 'public', cache: { tags: ['fundraising'] } },
    schema: {
      summary: 'Get how the organisation presents itself beside campaigns',
      description: 'The default contact, the tax status, and the campaign on the home page.',
      response: { 200: Presentation }
    },
    handler: async (_request, reply) => await answer(reply, await presentations.find(db))
  })

  app.patch('/presentation', {
    config: { requires: writers },
    schema: {
      summary: 'Update how the organisation presents itself beside campaigns',
      description: 'Omitted fields are kept. The tax status follows from the legal details of the organisation.',
      problems: { 422: ['campaign-not-found'] },
      body: PresentationChange,
      response: { 200: Presentation }
    },
    handler: async (request, reply) => {
      const actor = { by: request.caller, expected: parseIfMatch(request) }
      return await answer(reply, await changePresentation(db, actor, request.body))
    }
  })

  app.get('/campaigns/:campaignId/presentation', {
    config: { requires: 'public', cache: { tags: ['fundraising', 'campaign :campaignId'] } },
    schema: {
      summary: 'Get who is responsible for a campaign, and its events',
      description: 'The contact of the campaign or of the organisation, the tax status, and the ids of events.',
      problems: { 404: ['campaign-not-found'] },
      params: CampaignParams,
      response: { 200: CampaignPresentation }
    },
    handler: async ({ caller, params }, reply) => {
      const campaign = await campaigns.find(db, params.campaignId, getVisibility(caller))
      if (campaign === undefined) throw newCampaignNotFoundProblem(params.campaignId)
      return await answerOfCampaign(reply, await presentations.findOfCampaign(db, params.campaignId))
    }
  })

  app.patch('/campaigns/:campaignId/presentation', {
    config: { requires: writers },
    schema: {
      summary: 'Update who is responsible for a campaign, and its events',
      description:
        'Omitted fields are kept. A contact of null uses that of the organisation. Ids of events that do not exist, or are not published, are kept and not shown.',
      problems: { 404: ['campaign-not-found'] },
      params: CampaignParams,
      body: CampaignPresentationChange,
      response: { 200: CampaignPresentation }
    },
    handler: async (request, reply) => {
      const actor = { by: request.caller, expected: parseIfMatch(request) }
      const { campaignId } = request.params
      return await answerOfCampaign(reply, await changeCampaignPresentation(db, actor, campaignId, request.body))
    }
  })

  app.get('/related-campaigns', {
    config: { requires: 'public', cache: { tags: ['fundraising', 'campaigns'] } },
    schema: {
      summary: 'List the campaigns of an event',
      description: 'Public campaigns that name the event, such as a benefit concert; empty if there are none.',
      querystring: EventQuery,
      response: { 200: Type.Array(Campaign) }
    },
    handler: async ({ query }) => {
      const ids = await presentations.listCampaignIds(db, query.eventId)
      const rows = ids.length === 0 ? [] : await campaigns.listPublished(db, ids)
      return rows.toSorted((one, other) => one.id - other.id).map(row => toWire(row, settings.defaultLanguage))
    }
  })

  async function getTaxStatus(): Promise<TaxStatus | null> {
    return findTaxStatus(await organisation.find(db), toLocalDay(new Date(), settings.timezone))
  }

  async function answer(reply: FastifyReply, row: PresentationRow): Promise<Presentation> {
    const { version, contact, homeCampaignId } = row
    const body = { contact, taxStatus: await getTaxStatus(), homeCampaignId, version }
    reply.header('etag', buildContentEtag(JSON.stringify(body), version))
    return body
  }

  async function answerOfCampaign(
    reply: FastifyReply,
    { version, contact: own, eventIds }: CampaignPresentationRow
  ): Promise<CampaignPresentation> {
    const contact = own ?? (await presentations.find(db)).contact
    const sendsNews = settings.smtpUrl !== undefined && settings.publicUrl !== undefined
    const body = {
      ...{ contact, hasOwnContact: own !== null, taxStatus: await getTaxStatus(), eventIds },
      ...{ sendsNews, version }
    }
    reply.header('etag', buildContentEtag(JSON.stringify(body), version))
    return body
  }
}
