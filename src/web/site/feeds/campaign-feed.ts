import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { CampaignUpdate } from '#fundraising/campaigns/updates/schema.ts'
import { atomType, escapeXml, type FeedItem, rssType, toAtom, toRss } from '#platform/http/feed-xml.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { buildTagUri, getImageType } from '../../format/feed-item.ts'
import { formatDay, formatMoney, toLocalDay } from '../../format/format.ts'
import { truncateText } from '../../format/plain-text.ts'
import type { RawPage } from '../../page/page.ts'
import { getCampaignPath, getCampaignText } from '../../server/campaign-text.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { toUpdateFeedItem } from '../campaign/update-feed-item.ts'

const itemsMax = 50
const summaryLength = 400

/** Campaigns and their updates, newest first, without totals: every donation would change the feed. */
export async function buildCampaignFeed(context: PageContext, form: 'rss' | 'atom'): Promise<RawPage> {
  const { api, language, site, origin, now } = context
  const strings = getMessages('feed', language).news
  const [{ body: campaigns }, { body: updates }] = await Promise.all([
    api.get<Campaign[]>('/campaigns'),
    api.get<CampaignUpdate[]>('/campaign-updates', { limit: itemsMax })
  ])
  const byId = new Map(campaigns.map(campaign => [campaign.id, campaign]))
  const items = [
    ...campaigns.slice(-itemsMax).map(campaign => toFeedItem(context, campaign)),
    ...updates.flatMap(update => {
      const campaign = byId.get(update.campaignId)
      return campaign === undefined ? [] : [toItemOfUpdate(context, campaign, update)]
    })
  ]
  const news = {
    title: strings.campaigns({ organisation: site.name }),
    description: getMessages('donate', language).lead,
    language,
    page: origin + getPath('campaigns', language),
    self: origin + getPath(form === 'rss' ? 'campaignsRss' : 'campaignsAtom', language),
    id: buildTagUri(context, 'campaigns'),
    publisher: site.name,
    items: items
      .sort((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime() || (one.id < other.id ? 1 : -1))
      .slice(0, itemsMax),
    emptySince: new Date(now.toISOString().slice(0, 10))
  }
  return form === 'rss' ? { type: rssType, text: toRss(news) } : { type: atomType, text: toAtom(news) }
}

function toFeedItem(context: PageContext, campaign: Campaign): FeedItem {
  const { language, origin } = context
  const { imageUrl } = campaign
  return {
    id: buildTagUri(context, `campaign/${campaign.id}`),
    title: getCampaignText(campaign, language).name,
    page: origin + getCampaignPath(campaign, language),
    publishedAt: new Date(campaign.createdAt),
    updatedAt: new Date(campaign.updatedAt),
    summary: buildSummary(context, campaign),
    categories: [],
    image:
      imageUrl === null
        ? undefined
        : { url: imageUrl.startsWith('/') ? origin + imageUrl : imageUrl, type: getImageType(imageUrl), bytes: 0 }
  }
}

/** Among those of other campaigns, the title begins with the name of the campaign. */
function toItemOfUpdate(context: PageContext, campaign: Campaign, update: CampaignUpdate): FeedItem {
  const item = toUpdateFeedItem(context, campaign, update)
  return { ...item, title: `${getCampaignText(campaign, context.language).name}: ${item.title}` }
}

function buildSummary({ language, site }: PageContext, campaign: Campaign): string {
  const strings = getMessages('feed', language).news
  const goal = strings.goal({ sum: formatMoney(language, campaign.currency, campaign.targetAmount) })
  const until =
    campaign.endsAt === null
      ? []
      : [strings.until({ day: formatDay(language, toLocalDay(site.timezone, new Date(campaign.endsAt))) })]
  const text = truncateText(getCampaignText(campaign, language).description.replace(/\s+/g, ' ').trim(), summaryLength)
  return `<p>${[goal, ...until].map(escapeXml).join('<br>')}</p>${text === '' ? '' : `<p>${escapeXml(text)}</p>`}`
}
