import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Caller } from '#platform/caller.ts'
import { parseIfMatch } from '#platform/http/etag.ts'
import { jsonOrMergePatch } from '#platform/http/plugins/body-parsers.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { markupRule } from '#platform/rich-text/markup-cost.ts'
import { newCampaignNotFoundProblem } from '../../problems/campaigns.ts'
import { getVisibility } from '../campaign.ts'
import * as campaigns from '../queries.ts'
import * as stories from './queries.ts'
import { CampaignStory, CampaignStoryPatch } from './schema.ts'
import { patchStory } from './story.ts'
import { buildStoryEtag, getReceivedCents, toWire } from './wire.ts'

const StoryParams = Type.Object({ campaignId: Type.Integer() })

export function registerStoryRoutes({ app, db, settings }: RouteContext): void {
  async function answer(reply: FastifyReply, caller: Caller, campaignId: number): Promise<CampaignStory> {
    const [campaign, story] = await Promise.all([
      campaigns.find(db, campaignId, getVisibility(caller)),
      stories.find(db, campaignId)
    ])
    if (campaign === undefined) throw newCampaignNotFoundProblem(campaignId)
    const reached = story.milestones.filter(({ amountCents }) => amountCents <= getReceivedCents(campaign))
    const sums = [...new Set(reached.map(({ amountCents }) => amountCents))]
    const days = sums.length === 0 ? [] : await stories.listDaysReached(db, campaignId, sums)
    reply.header('etag', buildStoryEtag(campaign, story))
    return toWire(campaign, story, days)
  }

  app.get('/campaigns/:campaignId/story', {
    config: { requires: 'public', cache: { tags: ['fundraising', 'campaign :campaignId'] } },
    schema: {
      summary: 'Get the story of a campaign',
      description:
        'Rich text and pictures, what the money is for, and milestones, with their progress. Empty lists if nothing was written. A draft returns 404 except to editors and treasurers.',
      problems: { 404: ['campaign-not-found'] },
      params: StoryParams,
      response: { 200: CampaignStory }
    },
    handler: async ({ params, caller }, reply) => await answer(reply, caller, params.campaignId)
  })

  app.patch('/campaigns/:campaignId/story', {
    config: { requires: ['editor', 'treasurer'], consumes: jsonOrMergePatch },
    schema: {
      summary: 'Update the story of a campaign',
      description: `JSON merge patch (RFC 7396): omitted members are kept, null clears a member, and a list replaces the list before. Texts of stories are HTML, which is sanitized as that of events. ${markupRule}`,
      problems: { 400: ['text-missing', 'alt-missing', 'too-much-markup'], 404: ['campaign-not-found'] },
      params: StoryParams,
      body: CampaignStoryPatch,
      response: { 200: CampaignStory }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const update = { campaignId: params.campaignId, input: body, expected: parseIfMatch(request), settings }
      await patchStory(db, caller, update)
      return await answer(reply, caller, params.campaignId)
    }
  })
}
