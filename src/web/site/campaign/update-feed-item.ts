import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { CampaignUpdate } from '#fundraising/campaigns/updates/schema.ts'
import { escapeXml, type FeedItem } from '#platform/http/feed-xml.ts'
import { buildTagUri, getImageType } from '../../format/feed-item.ts'
import { toPlainText, truncateText } from '../../format/plain-text.ts'
import { getUpdatePath } from '../../server/campaign-paths.ts'
import type { PageContext } from '../../server/context.ts'
import { getUpdateText } from './updates.tsx'

const summaryLength = 400

export function toUpdateFeedItem(context: PageContext, campaign: Campaign, update: CampaignUpdate): FeedItem {
  const { language, origin } = context
  const { title, text: html } = getUpdateText(update, language)
  const { imageUrl } = update
  return {
    id: buildTagUri(context, `campaign/${campaign.id}/updates/${update.id}`),
    title,
    page: origin + getUpdatePath(campaign, update.id, language),
    publishedAt: new Date(update.publishedAt ?? update.createdAt),
    updatedAt: new Date(update.updatedAt),
    summary: `<p>${escapeXml(truncateText(toPlainText(html.slice(0, 8000)), summaryLength))}</p>`,
    categories: [],
    image:
      imageUrl === null
        ? undefined
        : { url: imageUrl.startsWith('/') ? origin + imageUrl : imageUrl, type: getImageType(imageUrl), bytes: 0 }
  }
}
