import { Type } from 'typebox'
import type { RouteContext } from '#platform/http/service.ts'
import { endConsent, findSubscription, unsubscribe } from './news.ts'
import type { NewsRow } from './queries.ts'
import { NewsConsent, NewsSubscription } from './schema.ts'

const TokenParams = Type.Object({ token: Type.String({ description: 'Token from the link of an email.' }) })
const DonationParams = Type.Object({ campaignId: Type.Integer(), donationId: Type.String({ format: 'uuid' }) })

/** News about campaigns by email: unsubscribing. */
export function registerNewsRoutes({ app, db, settings }: RouteContext): void {
  const toJson = ({ campaignId, campaignName, campaignLanguage, isActive }: NewsRow): NewsSubscription => ({
    campaignId,
    campaignName,
    language: campaignLanguage ?? settings.defaultLanguage,
    isActive
  })

  app.get('/news/:token', {
    config: { requires: 'public' },
    schema: {
      summary: 'Get a subscription to news by the token of an email',
      description: 'The campaign, and whether news are sent; nothing about the donor.',
      problems: { 404: ['news-not-found'] },
      params: TokenParams,
      response: { 200: NewsSubscription }
    },
    handler: async ({ params }, reply) => {
      reply.header('cache-control', 'no-store')
      return toJson(await findSubscription(db, params.token))
    }
  })

  app.post('/news/:token/unsubscribe', {
    config: { requires: 'public' },
    schema: {
      summary: 'Unsubscribe from the news about a campaign',
      description: 'Ends all subscriptions of the same email address to this campaign. Idempotent.',
      problems: { 404: ['news-not-found'] },
      params: TokenParams,
      response: { 200: NewsSubscription }
    },
    handler: async ({ caller, params }) => toJson(await unsubscribe(db, { by: caller }, params.token))
  })

  app.post('/campaigns/:campaignId/donations/:donationId/news/unsubscribe', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Unsubscribe a donor from the news about a campaign',
      description: 'For donors who asked for it. Ends all subscriptions of the same email address to this campaign.',
      problems: { 404: ['news-not-found'] },
      params: DonationParams,
      response: { 200: NewsConsent }
    },
    handler: async ({ caller, params }) =>
      await endConsent(db, { by: caller }, { campaignId: params.campaignId, id: params.donationId })
  })
}
