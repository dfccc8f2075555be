import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { atomType, escapeXml, type FeedItem, rssType, toAtom, toRss } from '#platform/http/feed-xml.ts'
import { buildTagUri, getImageType } from '../../format/feed-item.ts'
import { formatDay, formatMoney, toLocalDay } from '../../format/format.ts'
import { truncateText } from '../../format/plain-text.ts'
import type { RawPage } from '../../page/page.ts'
import { getCampaignPath, getCampaignText } from '../../server/campaign-text.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { donateStrings } from '../../strings/donate.ts'
import { feedStrings } from './strings.ts'

const itemsMax = 50
const summaryLength = 400

/** Campaigns, newest first, without their totals: every donation would change the feed. */
export async function buildCampaignFeed(context: PageContext, form: 'rss' | 'atom'): Promise<RawPage> {
  const { api, language, site, origin, now } = context
  const strings = feedStrings[language].news
  const { body } = await api.get<Campaign[]>('/campaigns')
  const news = {
    title: strings.campaigns(site.name),
    description: donateStrings[language].lead,
    language,
    page: origin + getPath('campaigns', language),
    self: origin + getPath(form === 'rss' ? 'campaignsRss' : 'campaignsAtom', language),
    id: buildTagUri(context, 'campaigns'),
    publisher: site.name,
    items: body
      .slice(-itemsMax)
      .reverse()
      .map(campaign => toFeedItem(context, campaign)),
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

function buildSummary({ language, site }: PageContext, campaign: Campaign): string {
  const strings = feedStrings[language].news
  const goal = strings.goal(formatMoney(language, campaign.currency, campaign.targetAmount))
  const until =
    campaign.endsAt === null
      ? []
      : [strings.until(formatDay(language, toLocalDay(site.timezone, new Date(campaign.endsAt))))]
  const text = truncateText(getCampaignText(campaign, language).description.replace(/\s+/g, ' ').trim(), summaryLength)
  return `<p>${[goal, ...until].map(escapeXml).join('<br>')}</p>${text === '' ? '' : `<p>${escapeXml(text)}</p>`}`
}
