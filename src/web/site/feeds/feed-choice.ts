import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Language } from '#platform/language.ts'
import { parseTheme, type Theme } from '../../embed/embed-document.tsx'
import { defaultEmbedOptions, type EmbedOptions, parseEmbedOptions } from '../../embed/options.ts'
import type { Query } from '../../server/api-client.ts'
import { getCampaignState } from '../../server/campaign-text.ts'
import type { PageContext } from '../../server/context.ts'

export const kinds = ['calendar', 'news', 'events', 'campaign'] as const
export type Kind = (typeof kinds)[number]

/** What somebody has chosen on the page of feeds, besides the filters. */
export interface FeedChoice {
  kind: Kind
  /** The language of the texts. */
  textLanguage: Language
  embedOptions: EmbedOptions
  theme: Theme
  campaign: Campaign | undefined
  /** What can be chosen from. */
  campaigns: Campaign[]
}

/** More than a list to choose from can hold. */
const campaignsMax = 50

export async function loadFeedChoice(context: PageContext): Promise<FeedChoice> {
  const { query, site, language, now } = context
  const { body } = await context.api.get<Campaign[]>('/campaigns')
  const isRunning = (one: Campaign) => ['open', 'soon'].includes(getCampaignState(one, now))
  const newest = body.toReversed()
  const campaigns = [...newest.filter(isRunning), ...newest.filter(one => !isRunning(one))].slice(0, campaignsMax)
  return {
    kind: kinds.find(one => one === query.show) ?? 'calendar',
    textLanguage: site.languages.find(one => one === query.in) ?? language,
    embedOptions: parseEmbedOptions(context),
    theme: parseTheme(context),
    campaign: body.find(({ id }) => String(id) === query.campaign) ?? campaigns[0],
    campaigns
  }
}

/** The choice as parameters, as far as it is one. */
export function toChoiceQuery({ query }: PageContext, { kind, embedOptions, theme }: FeedChoice): Query {
  return {
    show: kind === 'calendar' ? undefined : kind,
    in: query.in,
    ...toEmbedQuery(embedOptions, theme),
    campaign: kind === 'campaign' ? query.campaign : undefined
  }
}

/** How it looks, where that is not as always. */
export function toEmbedQuery({ view, max }: EmbedOptions, theme: Theme): Query {
  return {
    view: view === defaultEmbedOptions.view ? undefined : view,
    max: max === defaultEmbedOptions.max ? undefined : max,
    theme: theme === 'auto' ? undefined : theme
  }
}
