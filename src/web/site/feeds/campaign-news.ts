import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { campaignText, pathToCampaign } from '../../campaign-text.ts'
import { dayIn, money, plainDay } from '../../format.ts'
import type { Written } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { beginning } from '../../plain-text.ts'
import { donateWords } from '../../text/donate.ts'
import { feedWords } from '../../text/feeds.ts'
import type { Visit } from '../../visit.ts'
import { imageType, tagOf } from './event-news.ts'
import { atomOf, atomType, type NewsItem, rssOf, rssType, xml } from './news-xml.ts'

const itemsMax = 50
const summaryLength = 400

/** Campaigns, the newest first. What has been donated is not in it: every donation would make it new. */
export async function campaignNews(visit: Visit, form: 'rss' | 'atom'): Promise<Written> {
  const { api, language, site, origin, now } = visit
  const words = feedWords[language].news
  const { body } = await api.get<Campaign[]>('/campaigns')
  const news = {
    title: words.campaigns(site.name),
    description: donateWords[language].lead,
    language,
    page: origin + pathTo('campaigns', language),
    self: origin + pathTo(form === 'rss' ? 'campaignsRss' : 'campaignsAtom', language),
    id: tagOf(visit, 'campaigns'),
    publisher: site.name,
    items: body
      .slice(-itemsMax)
      .reverse()
      .map(campaign => itemOf(visit, campaign)),
    emptySince: new Date(now.toISOString().slice(0, 10))
  }
  return form === 'rss' ? { type: rssType, text: rssOf(news) } : { type: atomType, text: atomOf(news) }
}

function itemOf(visit: Visit, campaign: Campaign): NewsItem {
  const { language, origin } = visit
  const { imageUrl } = campaign
  return {
    id: tagOf(visit, `campaign/${campaign.id}`),
    title: campaignText(campaign, language).name,
    page: origin + pathToCampaign(campaign, language),
    publishedAt: new Date(campaign.createdAt),
    updatedAt: new Date(campaign.updatedAt),
    summary: summaryOf(visit, campaign),
    categories: [],
    image:
      imageUrl === null
        ? undefined
        : { url: imageUrl.startsWith('/') ? origin + imageUrl : imageUrl, type: imageType(imageUrl), bytes: 0 }
  }
}

function summaryOf({ language, site }: Visit, campaign: Campaign): string {
  const words = feedWords[language].news
  const goal = words.goal(money(language, campaign.currency, campaign.targetAmount))
  const until =
    campaign.endsAt === null ? [] : [words.until(plainDay(language, dayIn(site.timezone, new Date(campaign.endsAt))))]
  const text = beginning(campaignText(campaign, language).description.replace(/\s+/g, ' ').trim(), summaryLength)
  return `<p>${[goal, ...until].map(xml).join('<br>')}</p>${text === '' ? '' : `<p>${xml(text)}</p>`}`
}
